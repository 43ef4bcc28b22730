/** Counts the events of a log by account and address, and identifies attacking addresses. */
import type { Range } from '../text/span.ts';
import { parseIpv4, scopeOfIpv4 } from './addresses.ts';
import { attackInPath } from './log-fields.ts';
import { type LogEvent, type LogRecord, type LogTime, recordOf } from './log-record.ts';
import { withYears } from './log-years.ts';

export interface EventCount extends Range {
  readonly event: LogEvent;
  readonly actor?: string;
  readonly source?: string;
  readonly count: number;
}

export interface LogAnalysis {
  /** Counts for the whole log, per account and per address; an event counts once in each. */
  readonly counts: readonly EventCount[];
  readonly firstEvent?: LogTime;
  readonly lastEvent?: LogTime;
  /** A login after at least three failures of the same account from the same address. */
  readonly compromises: readonly (Range & { readonly account: string; readonly source: string })[];
  readonly attackers: readonly (Range & { readonly address: string; readonly reason: string })[];
  /** The attacked host, if all records are from one host. */
  readonly target?: string;
  readonly techniques: readonly (Range & { readonly id: string })[];
}

/** Fewer records with a time are not a log, because a text may quote a line. */
const recordsMin = 3;
const failuresBeforeCompromise = 3;
const seriesMin = 5;
const scannedTargetsMin = 8;
const probedPathsMin = 5;

/** @param written ordered by position in the text */
export function analyzeLog(written: readonly LogRecord[]): LogAnalysis {
  const records = oneLoginPerSession(withoutRepeats(oldestFirst(withYears(written))));
  const counts = countEvents(records);
  if (records.length < recordsMin) return { counts, compromises: [], attackers: [], techniques: [] };
  const compromises = findCompromises(records);
  const attackers = findAttackers(records, counts, compromises);
  const hosts = new Set(records.flatMap(({ host }) => (host === undefined ? [] : [host])));
  return {
    counts,
    ...bounds(records),
    compromises,
    attackers,
    ...(hosts.size === 1 && attackers.length > 0 && !records.some(({ isCloud }) => isCloud)
      ? { target: [...hosts][0]! }
      : {}),
    techniques: findTechniques(records, counts, attackers),
  };
}

/** Exports often begin with the newest record. */
function oldestFirst(records: readonly LogRecord[]): readonly LogRecord[] {
  const keys = records.flatMap(({ time }) => (time === undefined ? [] : [keyOf(time)]));
  const [one, last] = [keys[0], keys.at(-1)];
  return one !== undefined && last !== undefined && one.length === last.length && one > last && !one.startsWith('12')
    ? records.toReversed()
    : records;
}

const keyOf = ({ date, day, time }: LogTime) => `${date ?? day ?? ''} ${time}`;

/** Removes records delivered twice, and of several programs that report the same login keeps the most reliable. */
function withoutRepeats(records: readonly LogRecord[]): LogRecord[] {
  const ids = new Set<string>();
  const groups = new Map<string, Map<string, number>>();
  const names = new Map<string, string>();
  for (const { group, witness, count, actor } of records) {
    if (group === undefined || witness === undefined) continue;
    const counts = groups.get(group) ?? new Map<string, number>();
    groups.set(group, counts.set(witness, (counts.get(witness) ?? 0) + count));
    if (actor !== undefined && !names.has(group)) names.set(group, actor);
  }
  const best = new Map(
    [...groups].map(([group, counts]) => [
      group,
      [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))[0]![0],
    ]),
  );
  return records.flatMap((record) => {
    const { id, group, witness } = record;
    if (id !== undefined && ids.has(id)) return [];
    if (id !== undefined) ids.add(id);
    if (group === undefined || witness === undefined) return [record];
    // The record still extends the time range of the log, but adds no event.
    if (best.get(group) !== witness) return [recordOf({ ...record, event: undefined })];
    return [recordOf({ ...record, actor: record.actor ?? names.get(group) })];
  });
}

/** Further lines about one session: a tunnel and its address, or the stages of a login. */
function oneLoginPerSession(records: readonly LogRecord[]): LogRecord[] {
  const seen = new Set<string>();
  const firstSteps = new Map<string, number>();
  return records.map((record) => {
    const { event, session, actor, source, isFurtherStep } = record;
    if (event !== 'successful-login' || actor === undefined) return record;
    const [of, at] = [JSON.stringify([actor.toLowerCase(), source]), instantOf(record)];
    const since = at - (firstSteps.get(of) ?? Number.NaN);
    if (isFurtherStep && since >= 0 && since <= loginMillisecondsMax) return recordOf({ ...record, event: undefined });
    if (!isFurtherStep) firstSteps.set(of, at);
    if (session === undefined) return record;
    const key = JSON.stringify([session, actor.toLowerCase(), source]);
    if (seen.has(key)) return recordOf({ ...record, event: undefined });
    seen.add(key);
    return record;
  });
}

/** The steps of one login follow each other within this time. */
const loginMillisecondsMax = 300_000;
const instantOf = ({ time }: LogRecord) =>
  time === undefined ? Number.NaN : Date.parse(`${time.date ?? `2000-${time.day}`}T${time.time}Z`);

function countEvents(records: readonly LogRecord[]): EventCount[] {
  const counts = new Map<string, { -readonly [Name in keyof EventCount]: EventCount[Name] }>();
  const add = (record: LogRecord, by: { readonly actor?: string; readonly source?: string }) => {
    const key = JSON.stringify([record.event, by.actor?.toLowerCase(), by.source]);
    const known = counts.get(key);
    if (known === undefined)
      counts.set(key, { event: record.event!, ...by, count: record.count, start: record.start, end: record.end });
    else known.count += record.count;
  };
  for (const record of records) {
    if (record.event === undefined) continue;
    add(record, {});
    if (record.actor !== undefined) add(record, { actor: record.actor });
    if (record.source !== undefined) add(record, { source: record.source });
  }
  const rank = ({ actor, source }: EventCount) => (actor === undefined && source === undefined ? 0 : 1);
  return [...counts.values()].sort((one, other) => rank(one) - rank(other) || other.count - one.count);
}

/** Logs without years are bounded by their order, which may cross a year boundary. */
function bounds(records: readonly LogRecord[]): Pick<LogAnalysis, 'firstEvent' | 'lastEvent'> {
  const times = records.flatMap(({ time }) => (time === undefined ? [] : [time]));
  if (times.length === 0) return {};
  if (times.every(({ date }) => date === undefined)) return { firstEvent: times[0]!, lastEvent: times.at(-1)! };
  // Times with and without a year cannot be compared.
  if (times.some(({ date }) => date === undefined)) return {};
  const sorted = times.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return { firstEvent: sorted[0]!, lastEvent: sorted.at(-1)! };
}

function findCompromises(records: readonly LogRecord[]): LogAnalysis['compromises'] {
  const failures = new Map<string, number>();
  const found = new Map<string, LogAnalysis['compromises'][number]>();
  for (const { event, actor, source, count, start, end } of records) {
    if (actor === undefined || source === undefined) continue;
    const key = JSON.stringify([actor.toLowerCase(), source]);
    if (event === 'failed-login') failures.set(key, (failures.get(key) ?? 0) + count);
    else if (event === 'successful-login' && (failures.get(key) ?? 0) >= failuresBeforeCompromise && !found.has(key))
      found.set(key, { account: actor, source, start, end });
  }
  return [...found.values()];
}

/** Actions that an intruder performs with an account, and an administrator performs from inside. */
const intrusive: ReadonlySet<LogEvent> = new Set(['access-key-created', 'logging-disabled']);

function findAttackers(
  records: readonly LogRecord[],
  counts: readonly EventCount[],
  compromises: LogAnalysis['compromises'],
): LogAnalysis['attackers'] {
  const found = new Map<string, LogAnalysis['attackers'][number]>();
  const add = (address: string, reason: string, { start, end }: Range, isCertain = false) => {
    if (!found.has(address) && (isCertain || !isOwn(address))) found.set(address, { address, reason, start, end });
  };
  for (const one of compromises) add(one.source, 'login after repeated failures', one, true);
  for (const { event, source, count, ...range } of counts) {
    if (event === 'failed-login' && source !== undefined && count >= failuresBeforeCompromise)
      add(source, 'repeated failed logins', range);
  }
  const targets = targetsBySource(records);
  for (const [source, { ports, paths, refusals, range }] of targets) {
    if (refusals >= seriesMin) add(source, 'repeated refused logins', range);
    if (ports.size >= scannedTargetsMin) add(source, 'scan of ports', range);
    if (paths.size >= probedPathsMin || [...paths].some((path) => attackInPath.test(path)))
      add(source, 'probing of a web server', range);
  }
  for (const record of records) {
    if (
      record.event !== undefined &&
      intrusive.has(record.event) &&
      record.isCloud &&
      record.source !== undefined &&
      compromises.length > 0
    )
      add(record.source, record.event, record);
  }
  return [...found.values()];
}

interface Targets {
  readonly ports: Set<string>;
  readonly paths: Set<string>;
  refusals: number;
  readonly range: Range;
}

function targetsBySource(records: readonly LogRecord[]): Map<string, Targets> {
  const found = new Map<string, Targets>();
  for (const { event, source, target, start, end } of records) {
    if (source === undefined || target === undefined || event === undefined) continue;
    const known = found.get(source) ?? { ports: new Set(), paths: new Set(), refusals: 0, range: { start, end } };
    found.set(source, known);
    if (event === 'blocked-connection') known.ports.add(target);
    // A server error (5xx) or a missing icon is not probing.
    else if (event === 'web-request-error' && /^(?:401|429)/.test(target)) known.refusals += 1;
    else if (
      event === 'web-request-error' &&
      (/^4/.test(target) || attackInPath.test(target)) &&
      !/favicon|apple-touch|robots\.txt/.test(target)
    )
      known.paths.add(target);
  }
  return found;
}

/** Private, loopback and shared addresses belong to the own network; documentation ranges represent public ones. */
function isOwn(address: string): boolean {
  const octets = parseIpv4(address);
  if (octets === undefined) return /^(?:::1$|f[cde])/i.test(address);
  const scope = scopeOfIpv4(octets);
  return scope !== 'public' && scope !== 'documentation';
}

function findTechniques(
  records: readonly LogRecord[],
  counts: readonly EventCount[],
  attackers: LogAnalysis['attackers'],
): LogAnalysis['techniques'] {
  const isCloud = records.some((record) => record.isCloud === true);
  const byReason: Readonly<Record<string, string>> = {
    'scan of ports': 'T1046',
    'probing of a web server': 'T1595',
    'repeated refused logins': 'T1110',
    'login after repeated failures': 'T1110',
    'repeated failed logins': 'T1110',
  };
  const byEvent: Partial<Record<LogEvent, string>> = {
    'account-created': isCloud
      ? 'T1136.003'
      : records.some(({ event, isDevice }) => event === 'account-created' && isDevice)
        ? 'T1136'
        : 'T1136.001',
    'access-key-created': 'T1098.001',
    'logging-disabled': 'T1562.008',
    'service-installed': 'T1543.003',
    'log-cleared': records.some(({ isWindows }) => isWindows) ? 'T1070.001' : 'T1070',
    ...(isCloud ? { 'policy-attached': 'T1098.003' } : {}),
  };
  const found = new Map<string, Range & { readonly id: string }>();
  const add = (id: string | undefined, { start, end }: Range) => {
    if (id !== undefined && !found.has(id)) found.set(id, { id, start, end });
  };
  for (const attacker of attackers) add(byReason[attacker.reason], attacker);
  for (const count of counts) add(byEvent[count.event], count);
  for (const record of records) {
    if (
      record.event === 'web-request-error' &&
      /\.\.(?:\/|%2f)|union(?:\s|%20|\+)|eval-stdin|\$\{jndi/i.test(record.target ?? '')
    )
      add('T1190', record);
  }
  return [...found.values()];
}
