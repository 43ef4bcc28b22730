/** Converts the findings of the cybersecurity analyst's tools to facts of `facts.json`. */
import type { AgentDocument, Json, ToolFacts } from '../agent/agent.ts';
import { factOf } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

interface Entry {
  readonly [key: string]: Json;
}

type Lists = Readonly<Record<string, { readonly items: readonly Entry[] }>>;

export const toolFacts: ToolFacts = (results, documents) => ({
  facts: [
    ...itemsOf(results.secret_detection, 'secrets').map((secret) => secretOf(secret, documents)),
    ...itemsOf(results.cvss_scores, 'vectors').map(cvssOf),
    ...affirmed(results.vulnerability_identifiers, 'cve').map(({ id }) => factOf('cve', { id: id as string })),
    ...affirmed(results.vulnerability_identifiers, 'attack').flatMap(({ id }) => techniqueOf(id)),
    ...logFacts(results.log_summary as Entry),
    ...reportFacts(results.incident_report),
    ...indicatorLists.flatMap((list) => itemsOf(results.indicators, list).flatMap(indicatorOf)),
  ],
});

function itemsOf(result: Json | undefined, list: string): readonly Entry[] {
  return (result as unknown as Lists)[list]?.items ?? [];
}

/** Excludes identifiers that the text only denies. */
function affirmed(result: Json | undefined, list: string): readonly Entry[] {
  return itemsOf(result, list).filter(({ isDenied }) => isDenied !== true);
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
  ['password in a connection string', 'connection-string'],
  ['password', 'password'],
]);

function secretOf({ kind, span }: Entry, documents: readonly AgentDocument[]): Fact {
  const { message, start } = span as { readonly message: number; readonly start: number };
  const { text } = documents.find((document) => document.message === message)!;
  return factOf('secret', {
    type: secretTypes.get(kind as string) ?? 'generic-token',
    line: text.slice(0, start).split('\n').length,
  });
}

function cvssOf({ vector, score, rating, stated }: Entry): Fact {
  return factOf('cvss', {
    vector: (vector as string).replace(/^CVSS:\d\.\d\//, ''),
    score: score as number | undefined,
    rating: rating as string | undefined,
    stated: stated as number | undefined,
  });
}

/** Tactics, groups and software of ATT&CK are not techniques. */
function techniqueOf(id: Json | undefined): Fact[] {
  return typeof id === 'string' && /^T\d/.test(id) ? [factOf('technique', { id })] : [];
}

function logFacts(log: Entry): Fact[] {
  const periods = itemsOf(log, 'periods');
  return [
    ...periods.flatMap(({ firstEvent, lastEvent }) => [
      factOf('time_point', { point: 'first-event', ...(firstEvent as LogTime) }),
      factOf('time_point', { point: 'last-event', ...(lastEvent as LogTime) }),
    ]),
    ...itemsOf(log, 'eventCounts').map(({ event, actor, source, count }) =>
      factOf('event_count', {
        event: event as string,
        actor: actor as string | undefined,
        source: source as string | undefined,
        count: count as number,
      }),
    ),
    ...itemsOf(log, 'compromises').map(({ account, source }) =>
      factOf('compromise', { account: account as string, source: source as string }),
    ),
    ...itemsOf(log, 'attackers').flatMap(({ address }) => [
      factOf('party', { role: 'actor', name: address as string }),
      factOf('indicator', { type: (address as string).includes(':') ? 'ipv6' : 'ipv4', value: address as string }),
    ]),
    ...itemsOf(log, 'targets').map(({ host }) => factOf('party', { role: 'target', name: host as string })),
    ...itemsOf(log, 'techniques').flatMap(({ id }) => techniqueOf(id)),
  ];
}

/** A report's facts have the fields of the labels, apart from the position. */
function reportFacts(report: Json | undefined): Fact[] {
  const of = (kind: string, list: string, fields: readonly string[]) =>
    itemsOf(report, list).map((item) =>
      factOf(kind, Object.fromEntries(fields.map((field) => [field, item[field] as FactValue | undefined]))),
    );
  return [
    ...of('time_point', 'times', ['point', 'date', 'time']),
    ...of('incident_duration', 'durations', ['of', 'minutes']),
    ...itemsOf(report, 'statements').map(({ about, quote }) =>
      factOf('statement', { about: about as string, phrase: quote as string }),
    ),
    ...itemsOf(report, 'techniques').flatMap(({ id }) => techniqueOf(id)),
    ...of('impact', 'impacts', ['of', 'count']),
    ...of('action', 'actions', ['task', 'owner', 'due']),
    ...of('finding', 'testFindings', ['id', 'severity', 'host']),
    ...of('party', 'parties', ['role', 'name']),
  ];
}

type LogTime = { readonly date?: string; readonly day?: string; readonly time: string };

const indicatorLists = 'url domain ipv4 ipv6 email md5 sha1 sha256 sha384 sha512 file registry'.split(' ');

/** An observable that the tool itself does not give to an attacker is not an indicator, and a private address never is. */
function indicatorOf({ kind, defanged, role, scope }: Entry): Fact[] {
  if (role !== 'attacker' || (scope !== undefined && scope !== 'public' && scope !== 'documentation')) return [];
  const value = (defanged as string)
    .replace(/^hxxp/, 'http')
    .replace(/^fxp/, 'ftp')
    .replaceAll('[://]', '://')
    .replaceAll('[.]', '.')
    .replaceAll('[@]', '@')
    .replaceAll('[:]', ':');
  return [factOf('indicator', { type: kind as string, value: value.toLowerCase() })];
}
