/** Reads log lines: their severity, their security events, and the sources of failed logins. */
import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { splitLines } from '../text/lines.ts';
import { bounded, type Range, type Span } from '../text/span.ts';
import { analyzeLog, type EventCount, type LogAnalysis } from './log-analysis.ts';
import { type EventKind, eventKinds } from './log-events.ts';
import { readLog } from './log-reader.ts';
import { isLog } from './log-share.ts';

/** Ordered from the most severe. @see RFC 5424 §6.2.1, table 2 */
export const logSeverities = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'informational',
  'debug',
] as const;

export interface LogLine {
  /** Index into `logSeverities`; absent if the line does not state it. */
  readonly severity?: number;
  /** As written. */
  readonly time?: string;
  /** Status of a line of an HTTP access log. */
  readonly status?: number;
  readonly events: readonly EventKind[];
  /** IPv4 address that the line names as its source. */
  readonly source?: string;
  /** Program and process id: `sshd[24200]`, also for PAM's lines of it. */
  readonly process?: string;
  /** The wording of the event that it matches; empty if it is not a login event. */
  readonly wording: string;
  /** Number of occurrences that the line represents: "message repeated 5 times". */
  readonly repeats: number;
}

/** Minimum number of failed logins of one source that are reported as a series. */
const failuresMin = 5;
/** Maximum length of a line that is examined: messages begin early, payloads can be long. */
const lineCharactersMax = 1000;
/** No shorter line has a time, a priority or an event. */
const lineCharactersMin = 8;

export const logSummary: AgentTool = {
  name: 'log_summary',
  version: '2',
  purpose: 'Counts log lines by severity, and events by account and address. Text: the lines.',
  run(documents) {
    const summary = new Summary();
    for (const { text, spanOf } of documents.map(readDocument)) {
      for (const range of splitLines(text)) {
        if (range.end - range.start < lineCharactersMin) continue;
        const line = parseLogLine(text.slice(range.start, Math.min(range.end, range.start + lineCharactersMax)));
        if (line !== undefined) summary.add(line, spanOf(range));
      }
    }
    const logs = documents.map(({ message, text }) => {
      const records = readLog(text);
      return countedIn(message, analyzeLog(records), isLog(text, records));
    });
    const counted = {
      eventCounts: boundedBytes(
        logs.flatMap(({ eventCounts }) => eventCounts),
        24_000,
      ),
      compromises: bounded(logs.flatMap(({ compromises }) => compromises)),
      attackers: bounded(logs.flatMap(({ attackers }) => attackers)),
      targets: bounded(logs.flatMap(({ targets }) => targets)),
      techniques: bounded(logs.flatMap(({ techniques }) => techniques)),
      periods: bounded(logs.flatMap(({ periods }) => periods)),
    };
    summary.setLogins(counted.eventCounts.items);
    return toFindings({ ...summary.result(), ...counted }, [...summary.digest(), ...digestOf(counted)]);
  },
};

/** The analysis of one message, each finding with its position. */
function countedIn(message: number, log: LogAnalysis, isWhole: boolean) {
  const placed = <Item extends Range>({ start, end, ...item }: Item) => ({ ...item, span: { message, start, end } });
  return {
    eventCounts: log.counts.map(placed),
    compromises: log.compromises.map(placed),
    attackers: log.attackers.map(placed),
    targets: log.target === undefined ? [] : [{ host: log.target, message }],
    techniques: log.techniques.map(placed),
    periods:
      // A report that quotes lines of a log does not bound it.
      !isWhole || log.firstEvent === undefined || log.lastEvent === undefined
        ? []
        : [{ message, firstEvent: log.firstEvent, lastEvent: log.lastEvent }],
  };
}

type Counted = ReturnType<typeof countedIn>;

function digestOf({
  eventCounts,
  compromises,
}: {
  readonly eventCounts: { readonly items: readonly Counted['eventCounts'][number][] };
  readonly compromises: { readonly items: readonly Counted['compromises'][number][] };
}): string[] {
  return [
    ...compromises.items
      .slice(0, 5)
      .map(
        ({ account, source, span }) =>
          `LOG account ${account.slice(0, 60)} logged in from ${source.replaceAll('.', '[.]')} after repeated failures ${place(span)}`,
      ),
    ...eventCounts.items.slice(0, 12).map(({ event, actor, source, count, span }) => {
      const by = actor === undefined ? '' : ` by ${actor.slice(0, 60)}`;
      const from = source === undefined ? '' : ` from ${source.replaceAll('.', '[.]')}`;
      return `LOG ${event}${by}${from}: ${count}× ${place(span)}`;
    }),
  ];
}

/** @returns undefined for a line that is not a log line: it has no time, no priority and no known event */
export function parseLogLine(line: string): LogLine | undefined {
  const priority = /^<(\d{1,3})>/.exec(line);
  const time = timeShape.exec(line.slice(0, 120))?.[0];
  const events = eventKinds.filter(({ needles, pattern }) => {
    return needles.some((needle) => line.includes(needle)) && (pattern === undefined || pattern.test(line));
  });
  if (priority === null && time === undefined && events.length === 0 && !isStructured(line)) return undefined;
  const status = /" ([1-5]\d\d) (?:\d{1,12}|-)/.exec(line)?.[1];
  const severity =
    priorityOf(priority) ?? levelOf(line) ?? (status === undefined ? undefined : severityOfStatus(status));
  const source = /(?:from|rhost=|src=|client[ :=]{1,2}|IP[:= ]{1,2}|^)\s?((?:\d{1,3}\.){3}\d{1,3})(?![\d.])/.exec(
    line,
  )?.[1];
  return {
    ...(severity === undefined ? {} : { severity }),
    ...(time === undefined ? {} : { time }),
    ...(status === undefined ? {} : { status: Number(status) }),
    events,
    ...(source === undefined ? {} : { source }),
    ...processOf(line),
    wording: events.find(({ login }) => login !== undefined)?.needles.find((needle) => line.includes(needle)) ?? '',
    repeats: Math.min(repeatsMax, Number(/message repeated (\d{1,6}) times/.exec(line)?.[1] ?? 1)),
  };
}

const repeatsMax = 100_000;

/** "sshd(pam_unix)[19939]" and "sshd[19939]: pam_unix(sshd:auth)" are one process. */
function processOf(line: string): { readonly process?: string } {
  const match = /(?<![\w.-])([\w./-]{2,40})(?:\([\w:-]{1,30}\))?\[(\d{1,9})\]/.exec(line.slice(0, 200));
  return match === null ? {} : { process: `${match[1]}[${match[2]}]` };
}

/** ISO 8601, syslog's `Nov 21 08:09:10`, Apache's `21/Nov/2026:08:09:10`, and `2026/11/21 08:09:10`. */
const timeShape =
  /\b(?:\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2}|\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2}(?: [+-]\d{4})?)/;

function isStructured(line: string): boolean {
  return /^\s{0,8}\{.{0,600}"(?:level|severity|log\.level)"/.test(line) || /(?:^|\s)level=\w/.test(line.slice(0, 300));
}

/** A priority is eight times the facility plus the severity, at most 191. */
function priorityOf(match: RegExpExecArray | null): number | undefined {
  const priority = Number(match?.[1] ?? 192);
  return priority <= 191 ? priority % 8 : undefined;
}

const levels: readonly (readonly [number, readonly string[]])[] = [
  [0, ['EMERG', 'EMERGENCY', 'PANIC']],
  [1, ['ALERT']],
  [2, ['CRIT', 'CRITICAL', 'FATAL']],
  [3, ['ERR', 'ERROR', 'SEVERE']],
  [4, ['WARN', 'WARNING']],
  [5, ['NOTICE']],
  [6, ['INFO', 'INFORMATION', 'INFORMATIONAL']],
  [7, ['DEBUG', 'TRACE', 'FINE', 'FINER', 'FINEST', 'VERBOSE']],
];
const levelNumbers = new Map(levels.flatMap(([number, names]) => names.map((name) => [name, number] as const)));
const levelShape =
  /(?:\b(?:level|severity|lvl|loglevel)"?\s?[:=]\s?"?|\[)([A-Za-z]{3,13})\b|(?<![\w-])(EMERG(?:ENCY)?|PANIC|ALERT|CRIT(?:ICAL)?|FATAL|ERR(?:OR)?|SEVERE|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE)(?![\w-])/g;

function levelOf(line: string): number | undefined {
  for (const match of line.slice(0, 400).matchAll(levelShape)) {
    const level = levelNumbers.get((match[1] ?? match[2] ?? '').toUpperCase());
    if (level !== undefined) return level;
  }
  return undefined;
}

/** Server errors are errors, client errors warnings, the rest information. @see RFC 9110 §15 */
function severityOfStatus(status: string): number {
  if (status.startsWith('5')) return 3;
  return status.startsWith('4') ? 4 : 6;
}

class Summary {
  readonly #counts = new Array<number>(logSeverities.length).fill(0);
  readonly #status = new Map<string, number>();
  readonly #events = new Map<EventKind, { count: number; span: Span }>();
  readonly #sources = new Map<string, { failures: number; successAfterFailures: boolean; span: Span }>();
  readonly #logins = new Map<string, { most: number; readonly byWording: Map<string, number> }>();
  #lines = 0;
  #times: { readonly first: string; last: string } | undefined;

  add(line: LogLine, span: Span): void {
    this.#lines += 1;
    if (line.severity !== undefined) this.#counts[line.severity]! += 1;
    if (line.time !== undefined) {
      if (this.#times === undefined) this.#times = { first: line.time, last: line.time };
      else this.#times.last = line.time;
    }
    if (line.status !== undefined) {
      const group = `${Math.floor(line.status / 100)}xx`;
      this.#status.set(group, (this.#status.get(group) ?? 0) + 1);
    }
    const logins = line.events.map((event) =>
      event.login === undefined ? line.repeats : this.#newLogins(line, event),
    );
    for (const [index, event] of line.events.entries()) {
      const known = this.#events.get(event);
      const count = logins[index]!;
      if (known === undefined) this.#events.set(event, { count, span });
      else known.count += count;
    }
    const failures = Math.max(0, ...logins.filter((_, index) => line.events[index]!.login === 'failure'));
    if (line.source !== undefined)
      this.#addLogin(line, line.source, line.status === 401 ? Math.max(1, failures) : failures, span);
  }

  /** The count of logins is that of the analysis, which knows more formats: one count for one thing. */
  setLogins(counts: readonly Pick<EventCount, 'event' | 'actor' | 'source' | 'count'>[]): void {
    for (const [login, event] of [
      ['failure', 'failed-login'],
      ['success', 'successful-login'],
    ] as const) {
      const kinds = [...this.#events].filter(([kind]) => kind.login === login);
      const whole = counts.find(
        (each) => each.event === event && each.actor === undefined && each.source === undefined,
      );
      if (kinds.length === 1 && whole !== undefined) kinds[0]![1].count = whole.count;
    }
  }

  /**
   * A process reports one login in several lines ("Invalid user", PAM's "authentication failure", "Failed password"), so it
   * counts the lines of the most frequent kind.
   * @returns the number of logins that this line adds
   */
  #newLogins({ process, wording, repeats }: LogLine, { kind }: EventKind): number {
    if (process === undefined) return repeats;
    const key = `${process} ${kind}`;
    const known = this.#logins.get(key) ?? { most: 0, byWording: new Map<string, number>() };
    this.#logins.set(key, known);
    const count = (known.byWording.get(wording) ?? 0) + repeats;
    known.byWording.set(wording, count);
    const added = Math.max(0, count - known.most);
    known.most += added;
    return added;
  }

  #addLogin(line: LogLine, source: string, failures: number, span: Span): void {
    const failed = failures > 0;
    const succeeded = line.events.some(({ login }) => login === 'success');
    const known = this.#sources.get(source);
    if (failed && known === undefined) this.#sources.set(source, { failures, successAfterFailures: false, span });
    else if (failed && known !== undefined) known.failures += failures;
    else if (succeeded && known !== undefined && known.failures >= failuresMin) known.successAfterFailures = true;
  }

  result(): object {
    const events = [...this.#events].map(([{ kind, attack, severity }, { count, span }]) => ({
      kind,
      severity,
      ...(attack === undefined ? {} : { attack }),
      count,
      span,
    }));
    const highest = this.#counts.findIndex((count) => count > 0);
    return {
      lines: this.#lines,
      ...(highest < 0 ? {} : { highestSeverity: logSeverities[highest]! }),
      bySeverity: Object.fromEntries(logSeverities.map((name, index) => [name, this.#counts[index]!])),
      httpStatus: Object.fromEntries([...this.#status].sort(([one], [other]) => (one < other ? -1 : 1))),
      ...(this.#times === undefined ? {} : { firstTime: this.#times.first, lastTime: this.#times.last }),
      events: bounded(events),
      failedLoginSeries: bounded(this.#series()),
    };
  }

  #series() {
    return [...this.#sources]
      .filter(([, { failures }]) => failures >= failuresMin)
      .map(([source, { failures, successAfterFailures, span }]) => ({
        source,
        failures,
        successAfterFailures,
        attack: 'T1110',
        span,
      }))
      .sort((one, other) => other.failures - one.failures);
  }

  digest(): string[] {
    if (this.#lines === 0) return [];
    const counts = logSeverities.flatMap((name, index) =>
      this.#counts[index] === 0 ? [] : [`${this.#counts[index]} ${name}`],
    );
    const times = this.#times === undefined ? '' : `, first ${this.#times.first}, last ${this.#times.last}`;
    return [
      `LOG ${this.#lines} log lines: ${counts.join(', ') || 'no severities stated'}${times}`,
      ...this.#series()
        .slice(0, 10)
        .map(
          ({ source, failures, successAfterFailures, span }) =>
            `LOG ${failures} failed logins from ${source.replaceAll('.', '[.]')} (T1110)${successAfterFailures ? ', THEN A SUCCESSFUL LOGIN' : ''} ${place(span)}`,
        ),
      ...[...this.#events]
        .slice(0, 20)
        .map(
          ([{ kind, attack, severity }, { count, span }]) =>
            `LOG ${kind} (${severity}${attack === undefined ? '' : `, ${attack}`}), ${count}×, first ${place(span)}`,
        ),
    ];
  }
}
