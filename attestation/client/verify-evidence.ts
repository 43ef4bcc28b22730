/**
 * Whether a server is what it says: its report, the quote inside, what was measured, its GPUs, and whose key the connection
 * has. Pure: the time, the roots and the policy are arguments; runs in Node and in a browser.
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
 * Runs every check and says how each came out; never throws for what the evidence holds.
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

/** As `verifyEvidence`, for a caller that has parsed the report to fetch what the evidence lacks. */
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

/** Waived is only what the policy waives in words, never what a set of it leaves open. */
function isAcceptable(checks: readonly EvidenceCheck[], policy: EvidencePolicy | undefined): boolean {
  const isWaived = ({ id }: EvidenceCheck) => id === 'software' && policy?.measurements === 'any';
  return verdictOf(checks.filter((check) => !isWaived(check))) === 'verified';
}

/** What policies can name besides measurements. */
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

/** @returns the 64 bytes that the quote must carry */
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
  head.skip('nonce', 'nobody knows a nonce that it answers: it may be old');
  const unasked = report.value === undefined ? undefined : await unaskedReportData(report.value);
  return unasked === undefined ? { id: 'nonce' } : { id: 'nonce', value: unasked };
}

/** What a report says that was made for everybody; undefined where it answers a nonce that is not known here. */
function unaskedReportData(report: Report): Promise<Uint8Array | undefined> {
  return requireReportData(report, undefined).catch(() => undefined);
}

function requirePlatform(simulated: boolean, isIntel: boolean): string {
  if (simulated && isIntel) refuse('the server says that it simulates TDX');
  if (simulated) return 'a simulation, with the root that was given';
  return isIntel ? "Intel's root" : 'the root that was given';
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

/** Those of the quote, then those of the policy. RTMR3 is left to the start log, unless the policy speaks of it. */
async function judge(
  quote: QuoteVerification | undefined,
  policy: EvidencePolicy | undefined,
  reportData: Step<Uint8Array>,
): Promise<EvidenceCheck[]> {
  if (quote === undefined) {
    return [...new CheckList(quoteChecks).all(), ...new CheckList(policyChecks).all()].map((check) =>
      required({ ...check, reason: 'there is no evidence that can be read' }),
    );
  }
  const wish = { rtmr3: 'any', ...(policy ?? { measurements: 'any' }) } as const;
  const { checks } = await judgeQuote(quote, wish, reportData.value ?? 'any');
  const shown = checks.filter(({ id }) => id !== 'rtmr3' || policy?.rtmr3 === 'zero');
  return shown.map((check) => {
    if (policy === undefined && software.includes(check.id)) return notChecked(check, 'no policy was given');
    if (check.id !== 'report-data' || reportData.value !== undefined) return check;
    return notChecked(check, `it builds on "${reportData.id}", which did not pass`);
  });
}

async function checkChannel(report: Step<Report>, observed: EvidenceInput['observed']): Promise<EvidenceCheck> {
  const list = new CheckList(channelChecks);
  if (typeof observed === 'string') list.skip('channel', noChannel[observed]);
  else await list.run('channel', [report], ({ keyset }) => requireAttestedKey(observed, keyset.tlsPublicKeys));
  return { ...list.all()[0]!, required: typeof observed !== 'string' };
}

/** The checks that say nothing where no policy does. */
const software: readonly string[] = ['measurements', 'software', 'hardware'];

const noChannel = {
  none: 'there is no connection: the evidence is a file',
  invisible: 'the key of the connection cannot be seen from here: bodies must be sealed to the attested key',
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
