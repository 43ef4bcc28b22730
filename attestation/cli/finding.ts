/** What a verification found, for people and for programs. Pure. */
import type { Bundle } from '../client/bundle.ts';
import type { ParsedReport } from '../client/parsed-report.ts';
import type { EvidenceCheck, EvidenceVerification, PlatformFacts } from '../client/verification.ts';
import type { Verdict } from '../verify/checks.ts';
import { checkTable, explainChecks, printable, verdictLine } from './check-table.ts';
import { isSoftwareOpen } from './command-line.ts';

export interface Finding {
  readonly verdict: Verdict;
  readonly checks: readonly EvidenceCheck[];
  /** What was verified, as it was named. */
  readonly source: string;
  /** Milliseconds since 1970: the time at which everything had to hold. */
  readonly atMs: number;
  /** Of a bare quote: undefined. */
  readonly evidence: EvidenceVerification | undefined;
  readonly bundle: Bundle | undefined;
  /** The report in the bundle. */
  readonly parsed: ParsedReport | undefined;
  /** Of the quote. */
  readonly measurements: Readonly<Record<string, string>> | undefined;
  readonly platform: PlatformFacts | undefined;
  readonly tcbStatus: string | undefined;
  readonly simulated: boolean;
  readonly hasPolicy: boolean;
}

/** Facts, table, what to do, verdict. */
export function findingText(finding: Finding): string {
  const { verdict, checks, simulated } = finding;
  const notes = [
    ...(simulated ? ['SIMULATED: proves nothing about hardware'] : []),
    ...(verdict === 'could-not-check' && isSoftwareOpen(checks) ? ['THE POLICY DOES NOT PIN THE SOFTWARE'] : []),
  ];
  const note = notes.join('; ');
  return [facts(finding), checkTable(checks), explainChecks(checks), hint(finding), verdictLine(verdict, checks, note)]
    .filter((part) => part !== '')
    .join('\n');
}

/** For `--json`. */
export function findingJson({ verdict, checks, source, atMs, evidence, bundle, ...rest }: Finding) {
  return {
    verdict,
    simulated: rest.simulated,
    source,
    at: new Date(atMs).toISOString(),
    nonce: bundle?.nonce ?? null,
    tcbStatus: rest.tcbStatus ?? null,
    keysetDigest: evidence?.keysetDigest ?? null,
    expiresAt: evidence?.expiresAtMs === undefined ? null : new Date(evidence.expiresAtMs).toISOString(),
    measurements: rest.measurements ?? null,
    platform: rest.platform ?? null,
    startLog: evidence?.startLog ?? [],
    sourceProvenance: evidence?.source ?? null,
    claims: evidence?.claims ?? [],
    checks,
  };
}

function facts({ source, atMs, evidence, measurements, platform, tcbStatus, simulated }: Finding): string {
  const rows: [string, string | undefined][] = [
    ['evidence of', source],
    ['verified at', new Date(atMs).toISOString()],
    ['platform', simulated ? 'simulated' : 'Intel TDX'],
    ['TCB status', tcbStatus],
    ['keyset', evidence?.keysetDigest],
    ...Object.entries(measurements ?? {}).filter(([, digits]) => !/^0+$/.test(digits)),
    ['tdAttributes', platform?.tdAttributes.join(' ') || undefined],
    ['xfam', platform?.xfam],
    ['teeTcbSvn', platform?.teeTcbSvn],
    ['fmspc', platform?.fmspc],
    ...(platform?.platformIds ?? []).filter((id) => !/^0+$/.test(id)).map((id): [string, string] => ['platformId', id]),
    ...(evidence?.startLog ?? []).map(({ name, content }): [string, string] => [`started ${name}`, content]),
    ...(evidence?.claims ?? []).map(({ type, value }): [string, string] => [`claims ${type}`, JSON.stringify(value)]),
  ];
  const shown = rows.filter((row): row is [string, string] => row[1] !== undefined);
  const width = Math.max(...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${printable(label).padEnd(width)}  ${clip(printable(value))}\n`).join('');
}

const valueCharactersMax = 160;

function clip(text: string): string {
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax - 1)}…` : text;
}

/** How to say which software is wanted, to who has not. */
function hint({ verdict, checks, hasPolicy, evidence, measurements }: Finding): string {
  if (
    verdict !== 'could-not-check' ||
    (hasPolicy && !isSoftwareOpen(checks)) ||
    evidence === undefined ||
    measurements === undefined
  )
    return '';
  const { mrTd, rtmr0, rtmr1, rtmr2 } = measurements;
  const { commit, imageDigest } = evidence.source ?? {};
  const isSourceNamed = commit !== undefined || imageDigest !== undefined;
  const sources = isSourceNamed ? {} : { sources: 'any' };
  const policy = JSON.stringify({ measurements: [{ mrTd, rtmr0, rtmr1, rtmr2 }], ...sources });
  return [
    'No policy says which software you want. Compute the measurements from the image (cloister measure), or compare these',
    'with what the operator publishes, then pass --policy <file>. A policy that accepts what runs here now, and any models:',
    `${policy}\n`,
  ].join('\n');
}
