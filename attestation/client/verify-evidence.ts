/**
 * Verifies a server's evidence: its report, the quote in it, the measured contents, its GPUs, and the key of the connection.
 * Pure: the time, the roots and the policy are arguments. Runs in Node and in browsers.
 */
import { sealingKey } from '../aci/keyset.ts';
import { type Report, requireCurrentKeyset, requireKeysetDigest, requireReportData } from '../aci/report.ts';
import { sameBytes, toHex } from '../base/bytes.ts';
import { parsedValue } from '../base/parsed.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { intelRootCa } from '../collateral/intel-root.ts';
import { prepareCollateral } from '../collateral/prepare.ts';
import type { DeviceVerifications } from '../gpu/verify-gpu.ts';
import { type EvidencePolicy, requireEvidencePolicy } from '../policy/evidence-policy.ts';
import { judgeQuote, measurementsOf, optionalAttributesOf, platformIdsOf, policyChecks } from '../policy/policy.ts';
import { type Check, CheckList, refuse, type Step, verdictOf } from '../verify/checks.ts';
import { quoteChecks } from '../verify/quote-check-table.ts';
import { type QuoteVerification, verifyParsedQuote } from '../verify/verify-quote.ts';
import { requireAttestedKey } from './channel.ts';
import { checkMeasured } from './check-measured.ts';
import { channelChecks, reportChecks } from './evidence-check-table.ts';
import { gpuExpiry } from './gpu-expiry.ts';
import { authenticateDevices, type ParsedReport, parseWholeReport } from './parsed-report.ts';
import type {
  EvidenceCheck,
  EvidenceInput,
  EvidenceTrust,
  EvidenceVerification,
  PlatformFacts,
} from './verification.ts';

/**
 * Runs every check and returns the outcome of each. Never throws for invalid evidence.
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export async function verifyEvidence(input: EvidenceInput, trust: EvidenceTrust): Promise<EvidenceVerification> {
  const parsed = parseWholeReport(input.report);
  return verifyParsedEvidence({ ...input, parsed, devices: await authenticateDevices(parsed, trust) }, trust);
}

export interface ParsedEvidenceInput extends Omit<EvidenceInput, 'report'> {
  readonly parsed: ParsedReport;
  /** From `authenticateDevices`, with the same report, roots and time. */
  readonly devices: DeviceVerifications | undefined;
}

/** Like `verifyEvidence`, for a caller that has parsed the report to fetch what the evidence lacks. */
export async function verifyParsedEvidence(
  { parsed, devices, ...input }: ParsedEvidenceInput,
  trust: EvidenceTrust,
): Promise<EvidenceVerification> {
  if (trust.policy !== undefined) requireEvidencePolicy(trust.policy);
  const roots = trust.roots ?? [intelRootCa];
  const head = new CheckList(reportChecks);
  const report = await head.run('report-format', [], () => parsedValue(parsed.report));
  const evidence = await head.run('evidence-format', [report], () => parsedValue(parsed.evidence));
  const reportData = await checkReport(head, report, input, trust);
  const isIntel = roots.length === 1 && sameBytes(roots[0]!, intelRootCa);
  await head.run('platform', [evidence], ({ simulated }) => requirePlatform(simulated, isIntel));
  const collateral = input.collateral ?? evidence.value?.collateral;
  const quote = evidence.value && (await verifyReportQuote(parsed.quote, collateral, roots, trust.nowMs));
  const measured = await checkMeasured({ quote, report, evidence, devices, trust });
  const checks = [
    ...head.all().map(required),
    ...(await judge(quote, trust.policy, reportData)),
    ...measured,
    await checkChannel(report, input.observed),
  ];
  return {
    verdict: verdictOf(checks),
    acceptable: isAcceptable(checks, trust.policy),
    checks,
    simulated: evidence.value?.simulated === true || !isIntel,
    keysetDigest: report.value?.keysetDigest,
    keyset: report.value?.keyset,
    sealingKey: report.value === undefined ? undefined : sealingKey(report.value.keyset),
    measurements: quote?.quote === undefined ? undefined : measurementsOf(quote.quote.body),
    platform: platformFacts(quote),
    startLog: evidence.value?.startLog ?? [],
    source: report.value?.provenance,
    claims: evidence.value?.claims ?? [],
    tcbStatus: quote?.tcb?.status,
    expiresAtMs: earliest(
      quote?.expiresAtMs,
      report.value && report.value.keyset.notAfter * 1000,
      evidence.value === undefined ? undefined : gpuExpiry(evidence.value, trust),
    ),
  };
}

/** A policy waives the software check only by `measurements: 'any'`, never by a set that leaves a register open. */
function isAcceptable(checks: readonly EvidenceCheck[], policy: EvidencePolicy | undefined): boolean {
  const isWaived = ({ id }: EvidenceCheck) => id === 'software' && policy?.measurements === 'any';
  return verdictOf(checks.filter((check) => !isWaived(check))) === 'verified';
}

/** The properties apart from measurements that a policy can require. */
export function platformFacts(verification: QuoteVerification | undefined): PlatformFacts | undefined {
  if (verification?.quote === undefined) return undefined;
  const { quote, platform } = verification;
  return {
    tdAttributes: optionalAttributesOf(quote.body.tdAttributes),
    xfam: toHex(quote.body.xfam),
    teeTcbSvn: toHex(quote.body.teeTcbSvn),
    fmspc: platform === undefined ? undefined : toHex(platform.fmspc),
    platformIds: platform === undefined ? [] : platformIdsOf(platform),
  };
}

/** @returns the 64 bytes of report data that the quote must have */
async function checkReport(
  head: CheckList<keyof typeof reportChecks>,
  report: Step<Report>,
  { nonce }: Pick<EvidenceInput, 'nonce'>,
  { nowMs }: EvidenceTrust,
): Promise<Step<Uint8Array>> {
  const digest = await head.run('keyset-digest', [report], async (parsed) => {
    await requireKeysetDigest(parsed);
    return parsed.keysetDigest;
  });
  await head.run('keyset-expiry', [report], ({ keyset }) => {
    requireCurrentKeyset(keyset, nowMs);
    return `until ${new Date(keyset.notAfter * 1000).toISOString()}`;
  });
  if (nonce !== undefined) {
    return head.run('nonce', [report, digest], (parsed) => requireReportData(parsed, nonce));
  }
  head.skip('nonce', 'no nonce given: freshness not verified');
  const reportData = report.value === undefined ? undefined : await unchallengedReportData(report.value);
  return reportData === undefined ? { id: 'nonce' } : { id: 'nonce', value: reportData };
}

/** The report data of a report without a nonce; undefined if the report answers an unknown nonce. */
function unchallengedReportData(report: Report): Promise<Uint8Array | undefined> {
  return requireReportData(report, undefined).catch(() => undefined);
}

function requirePlatform(simulated: boolean, isIntel: boolean): string {
  if (simulated && isIntel) refuse('the server reports a simulated platform, but no root of a simulation is trusted');
  if (simulated) return 'a simulation, verified with the given root';
  return isIntel ? "Intel's root" : 'the given root';
}

async function verifyReportQuote(
  quote: ParsedReport['quote'],
  collateral: Collateral | undefined,
  roots: readonly Uint8Array[],
  nowMs: number,
): Promise<QuoteVerification> {
  const prepared = collateral === undefined ? undefined : await prepareCollateral(collateral, roots);
  return verifyParsedQuote(quote, prepared, nowMs);
}

/** The quote's checks, then the policy's. The start log explains RTMR3, unless the policy requires zeros. */
async function judge(
  quote: QuoteVerification | undefined,
  policy: EvidencePolicy | undefined,
  reportData: Step<Uint8Array>,
): Promise<EvidenceCheck[]> {
  if (quote === undefined) {
    return [...new CheckList(quoteChecks).all(), ...new CheckList(policyChecks).all()].map((check) =>
      required({ ...check, reason: 'the evidence is malformed' }),
    );
  }
  const judged = { rtmr3: 'any', ...(policy ?? { measurements: 'any' }) } as const;
  const { checks } = await judgeQuote(quote, judged, reportData.value ?? 'any');
  const shown = checks.filter(({ id }) => id !== 'rtmr3' || policy?.rtmr3 === 'zero');
  return shown.map((check) => {
    if (policy === undefined && software.includes(check.id)) return notChecked(check, 'no policy was given');
    if (check.id !== 'report-data' || reportData.value !== undefined) return check;
    return notChecked(check, `it depends on "${reportData.id}", which did not pass`);
  });
}

async function checkChannel(report: Step<Report>, observed: EvidenceInput['observed']): Promise<EvidenceCheck> {
  const list = new CheckList(channelChecks);
  if (typeof observed === 'string') list.skip('channel', noChannel[observed]);
  else await list.run('channel', [report], ({ keyset }) => requireAttestedKey(observed, keyset.tlsPublicKeys));
  return { ...list.all()[0]!, required: typeof observed !== 'string' };
}

/** The checks that require a policy. */
const software: readonly string[] = ['measurements', 'software', 'hardware'];

const noChannel = {
  none: 'no connection: the evidence is a file',
  invisible: 'a web page cannot read the TLS key: bodies must be sealed to the attested key',
} as const;

function required(check: Check): EvidenceCheck {
  return { ...check, required: true };
}

function notChecked(check: EvidenceCheck, reason: string): EvidenceCheck {
  return { ...check, outcome: 'not-checked', reason };
}

function earliest(...endsMs: readonly (number | undefined)[]): number | undefined {
  return endsMs.includes(undefined) ? undefined : Math.min(...(endsMs as number[]));
}
