/** The result of a verification, as text and as JSON. Pure. */
import type { Bundle } from '../client/bundle.ts';
import type { ParsedReport } from '../client/parsed-report.ts';
import type { EvidenceCheck, EvidenceVerification, PlatformFacts } from '../client/verification.ts';
import type { Verdict } from '../verify/checks.ts';
import { checkTable, explainChecks, printable, verdictLine } from './check-table.ts';
import { isSoftwareOpen } from './command-line.ts';

export interface Finding {
  readonly verdict: Verdict;
  readonly checks: readonly EvidenceCheck[];
  /** The origin or path that was verified, as given. */
  readonly source: string;
  /** Milliseconds since 1970: the time of the verification. */
  readonly atMs: number;
  /** Undefined for a bare quote. */
  readonly evidence: EvidenceVerification | undefined;
  readonly bundle: Bundle | undefined;
  /** The report in the bundle. */
  readonly parsed: ParsedReport | undefined;
  /** This and the next two members come from the quote. */
  readonly measurements: Readonly<Record<string, string>> | undefined;
  readonly platform: PlatformFacts | undefined;
  readonly tcbStatus: string | undefined;
  readonly simulated: boolean;
  readonly hasPolicy: boolean;
}

/** The facts, the table of checks, the advice for failed checks, and the verdict. */
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

/** The output of `--json`. */
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

/** Suggests a policy if none pins the software. */
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
    'No policy pins the software. Compute the measurements from the image (cloister measure), or compare these with those that',
    'the operator publishes, then pass --policy <file>. This policy accepts the software that runs here now, with any models:',
    `${policy}\n`,
  ].join('\n');
}
