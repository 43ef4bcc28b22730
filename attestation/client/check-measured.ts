/** Checks what the quote's registers prove: boot log, start log, source, claims, GPUs. Pure. */
import type { Report } from '../aci/report.ts';
import { requireCompleteStart } from '../eventlog/start-log.ts';
import { requireWholeNode } from '../gpu/node.ts';
import type { DeviceVerifications } from '../gpu/verify-gpu.ts';
import type { Quote } from '../quote/quote.ts';
import { CheckList, type Step } from '../verify/checks.ts';
import type { QuoteVerification } from '../verify/verify-quote.ts';
import { requireMeasuredDevices } from './bound-devices.ts';
import { type CheckedDevices, checkDevices } from './check-gpus.ts';
import type { Evidence } from './evidence.ts';
import { measuredChecks } from './evidence-check-table.ts';
import {
  areGpusAbsent,
  classifyClaims,
  requireBootLog,
  requireGpus,
  requireSameLog,
  requireSource,
  requireStarted,
  requireStartLog,
} from './measured.ts';
import type { EvidenceCheck, EvidenceTrust } from './verification.ts';

export interface MeasuredInput {
  readonly quote: QuoteVerification | undefined;
  readonly report: Step<Report>;
  readonly evidence: Step<Evidence>;
  /** Undefined if the evidence or its quote is malformed. */
  readonly devices: DeviceVerifications | undefined;
  readonly trust: EvidenceTrust;
}

type MeasuredChecks = CheckList<keyof typeof measuredChecks>;

/** The evidence and the policy decide which checks are optional: an optional check that did not run leaves the verdict alone. */
export async function checkMeasured(input: MeasuredInput): Promise<EvidenceCheck[]> {
  const { quote, report, evidence, trust } = input;
  const list = new CheckList(measuredChecks);
  const optional = new Set<string>();
  const body: Step<Quote['body']> =
    quote?.quote === undefined ? { id: 'quote-format' } : { id: 'quote-format', value: quote.quote.body };
  if (evidence.value !== undefined && evidence.value.bootLog === undefined) {
    list.skip('boot-log', 'the evidence has no boot log: only the policy can pin RTMR0 to RTMR2');
    optional.add('boot-log');
  } else {
    await list.run('boot-log', [evidence, body], ({ bootLog }, td) => requireBootLog(bootLog!, td));
  }
  const started = await list.run('start-log', [evidence, body], async (shown, td) => {
    const { startLog } = shown;
    await requireStartLog(startLog, td);
    await requireSameLog(shown);
    return startLog;
  });
  await list.run('whole-start', [started], requireCompleteStart);
  await list.run('started', [started], (events) => requireStarted(events, trust.policy?.started ?? {}));
  await checkSource(list, report, started, trust, optional);
  await checkClaims(list, evidence, started, optional);
  const devices: CheckedDevices =
    input.devices === undefined
      ? { checks: [], authentic: { id: evidence.value === undefined ? evidence.id : body.id } }
      : await checkDevices(input.devices, trust);
  await checkBinding(list, { evidence, started, devices }, { trust, optional });
  const measured = list.all().map((check) => ({ ...check, required: !optional.has(check.id) }));
  return [...measured, ...devices.checks];
}

/** A simulated platform cannot attest GPUs, so their checks are optional there unless the policy requires a GPU. */
async function checkBinding(
  list: MeasuredChecks,
  { evidence, started, devices }: { evidence: Step<Evidence>; started: Started; devices: CheckedDevices },
  { trust, optional }: { trust: EvidenceTrust; optional: Set<string> },
): Promise<void> {
  const isRequired = trust.policy?.gpuRequired === true;
  const { simulated, gpus, switches, startLog } = evidence.value ?? {};
  const isBare = gpus?.length === 0 && switches?.length === 0;
  if (simulated === true && !isRequired && isBare && !areGpusAbsent(startLog!)) {
    for (const id of ['gpu', 'gpu-binding', 'gpu-node'] as const) {
      list.skip(id, 'GPU attestation skipped: simulated platform');
      optional.add(id);
    }
    return;
  }
  await list.run('gpu', [started], (events) => requireGpus(events, isRequired));
  await list.run('gpu-binding', [started, devices.authentic], (events, shown) => requireMeasuredDevices(shown, events));
  await list.run('gpu-node', [devices.authentic], requireWholeNode);
}

type Started = Step<Evidence['startLog']>;

async function checkSource(
  list: MeasuredChecks,
  report: Step<Report>,
  started: Started,
  { policy }: EvidenceTrust,
  optional: Set<string>,
): Promise<void> {
  if (policy?.sources === 'any') {
    list.skip('source', 'the policy waives it');
    optional.add('source');
    return;
  }
  const { commit, imageDigest } = report.value?.provenance ?? {};
  if (policy === undefined && report.value !== undefined && commit === undefined && imageDigest === undefined) {
    list.skip('source', 'the report names no source, and no policy was given');
    return;
  }
  const allowed = policy?.sources;
  await list.run('source', [report, started], ({ provenance }, events) => requireSource(provenance, events, allowed));
}

async function checkClaims(
  list: MeasuredChecks,
  evidence: Step<Evidence>,
  started: Started,
  optional: Set<string>,
): Promise<void> {
  let unmeasured: readonly string[] = [];
  await list.run('claims', [evidence, started], ({ claims }, events) => {
    const classified = classifyClaims(claims, events);
    unmeasured = classified.unmeasured;
    return classified.measured.length === 0 ? 'the evidence has no claims' : classified.measured.join(', ');
  });
  if (unmeasured.length === 0) return;
  list.skip('claims', `claimed but not measured: ${unmeasured.join(', ')}`);
  optional.add('claims');
}
