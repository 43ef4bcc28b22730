/** The findings of the cybersecurity analyst's tools as facts of `documents/cybersecurity-analyst/kinds.json`. */
import type { Json } from '../../../agents/agent/agent.ts';
import type { Adapter, Fact, FieldValue } from '../adapter.ts';

interface Entry {
  readonly [key: string]: Json;
}

type Lists = Readonly<Record<string, { readonly items: readonly Entry[] }>>;

export const adapter: Adapter = (results, text) => ({
  facts: [
    ...itemsOf(results.secret_detection, 'secrets').map((secret) => secretOf(secret, text)),
    ...itemsOf(results.cvss_scores, 'vectors').map(cvssOf),
    ...itemsOf(results.vulnerability_identifiers, 'cve').map(({ id }) => factOf('cve', { id: id as string })),
    ...itemsOf(results.vulnerability_identifiers, 'attack').flatMap(({ id }) => techniqueOf(id)),
    ...logFacts(results.log_summary as Entry),
    ...indicatorLists.flatMap((list) => itemsOf(results.indicators, list).flatMap(indicatorOf)),
  ],
});

function itemsOf(result: Json | undefined, list: string): readonly Entry[] {
  return (result as unknown as Lists)[list]?.items ?? [];
}

function factOf(kind: string, fields: { readonly [field: string]: FieldValue | undefined }): Fact {
  const given = Object.entries(fields).filter((entry): entry is [string, FieldValue] => entry[1] !== undefined);
  return { kind, value: Object.fromEntries(given) };
}

const secretTypes: ReadonlyMap<string, string> = new Map([
  ['private key (PEM)', 'private-key'],
  ['PuTTY private key', 'private-key'],
  ['AWS access key id', 'aws-access-key'],
  ['AWS secret access key', 'aws-secret-key'],
  ['GitHub token', 'github-token'],
  ['GitHub fine-grained token', 'github-token'],
  ['GitLab token', 'gitlab-token'],
  ['Slack token', 'slack-token'],
  ['Slack webhook', 'slack-webhook'],
  ['Stripe secret key', 'stripe-key'],
  ['Google API key', 'google-api-key'],
  ['JSON Web Token', 'jwt'],
  ['password in a URL', 'connection-string'],
  ['password', 'password'],
]);

function secretOf({ kind, span }: Entry, text: string): Fact {
  const start = (span as { readonly start: number }).start;
  return factOf('secret', {
    type: secretTypes.get(kind as string) ?? 'generic-token',
    line: text.slice(0, start).split('\n').length,
  });
}

function cvssOf({ vector, score, severity, stated }: Entry): Fact {
  return factOf('cvss', {
    vector: (vector as string).replace(/^CVSS:\d\.\d\//, ''),
    score: score as number | undefined,
    rating: (severity as string | undefined)?.toLowerCase(),
    stated: stated as number | undefined,
  });
}

/** Tactics, groups and software of ATT&CK are no techniques. */
function techniqueOf(id: Json | undefined): Fact[] {
  return typeof id === 'string' && /^T\d/.test(id) ? [factOf('technique', { id })] : [];
}

const eventCodes: ReadonlyMap<string, string> = new Map([
  ['failed login', 'failed-login'],
  ['failed login (Windows 4625)', 'failed-login'],
  ['Kerberos pre-authentication failed (Windows 4771)', 'failed-login'],
  ['successful login', 'successful-login'],
  ['successful login (Windows 4624)', 'successful-login'],
  ['use of sudo', 'sudo'],
  ['refused sudo', 'sudo-denied'],
  ['user account created', 'account-created'],
  ['user account created (Windows 4720)', 'account-created'],
  ['member added to security group (Windows 4728/4732/4756)', 'group-member-added'],
  ['account locked out (Windows 4740)', 'account-locked'],
  ['audit log cleared (Windows 1102)', 'log-cleared'],
  ['service installed (Windows 7045)', 'service-installed'],
  ['service installed (Windows 4697)', 'service-installed'],
  ['port scan or dropped packets', 'blocked-connection'],
  ['malware found', 'malware-detected'],
  ['access denied', 'access-denied'],
]);

/** Errors of a web server are reported by class of status (4xx, 5xx) only, never as one number, so they give no fact. */
function logFacts(log: Entry): Fact[] {
  const events = itemsOf(log, 'events');
  const series = itemsOf(log, 'failedLoginSeries');
  return [
    ...timePointOf('first-event', log.firstTime),
    ...timePointOf('last-event', log.lastTime),
    ...events.flatMap(({ kind, count }) => {
      const event = eventCodes.get(kind as string);
      return event === undefined ? [] : [factOf('event_count', { event, count: count as number })];
    }),
    ...events.flatMap(({ attack }) => techniqueOf(attack)),
    ...series.flatMap(({ source, failures, successAfterFailures, attack }) => [
      factOf('event_count', { event: 'failed-login', source: source as string, count: failures as number }),
      factOf('party', { role: 'actor', name: source as string }),
      ...techniqueOf(attack),
      ...(successAfterFailures === true ? [factOf('compromise', { source: source as string })] : []),
    ]),
  ];
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The log summary gives times as the log writes them. */
function timePointOf(point: string, written: Json | undefined): Fact[] {
  if (typeof written !== 'string') return [];
  const time = /\d{2}:\d{2}:\d{2}/.exec(written.replace(/^\d{2}\/\w{3}\/\d{4}:/, ''))?.[0];
  const monthOf = (name: string) => String(months.indexOf(name) + 1).padStart(2, '0');
  const iso = /^(\d{4})[-/](\d{2})[-/](\d{2})/.exec(written);
  if (iso !== null) return [factOf('time_point', { point, date: iso.slice(1).join('-'), time })];
  const apache = /^(\d{2})\/(\w{3})\/(\d{4})/.exec(written);
  if (apache !== null) {
    return [factOf('time_point', { point, date: `${apache[3]}-${monthOf(apache[2]!)}-${apache[1]}`, time })];
  }
  const syslog = /^(\w{3}) ([ \d]\d)/.exec(written);
  if (syslog === null) return [];
  return [factOf('time_point', { point, day: `${monthOf(syslog[1]!)}-${syslog[2]!.replace(' ', '0')}`, time })];
}

const indicatorLists = ['url', 'domain', 'ipv4', 'ipv6', 'email', 'md5', 'sha1', 'sha256', 'sha384', 'sha512'];

/** An address that the tool itself marks as private, documentation or otherwise not public is no indicator by its own account. */
function indicatorOf({ kind, defanged, scope }: Entry): Fact[] {
  if (scope !== undefined && scope !== 'public') return [];
  const value = (defanged as string)
    .replace(/^hxxp/, 'http')
    .replace(/^fxp/, 'ftp')
    .replaceAll('[://]', '://')
    .replaceAll('[.]', '.')
    .replaceAll('[@]', '@')
    .replaceAll('[:]', ':');
  return [factOf('indicator', { type: kind as string, value: value.toLowerCase() })];
}
