/**
 * Scores the evidence of other providers: verifies the quote like Cloister's, and compares the other parts as far as they are known. Pure.
 */
import { sameBytes } from '../base/bytes.ts';
import type { EvidenceCheck } from '../client/verification.ts';
import type { Collateral } from '../collateral/collateral.ts';
import type { MeasuredEvent } from '../eventlog/event-log.ts';
import { requireReplay } from '../eventlog/replay.ts';
import { compositionEventName, digestStartEvent } from '../eventlog/start-log.ts';
import { judgeQuote, type Measurement, measurementsOf, type Policy } from '../policy/policy.ts';
import type { Quote } from '../quote/quote.ts';
import { verifyQuote } from '../verify/index.ts';
import { factors } from './factors.ts';
import { type ForeignEvidence, isComposeBound } from './foreign.ts';
import type { ScoreInput } from './score.ts';

type Known = NonNullable<ScoreInput['known']>;

export interface ForeignTrust {
  readonly collateral: Collateral | undefined;
  readonly roots: readonly Uint8Array[];
  readonly policy: Policy | undefined;
  /** The report data that the quote must have, if the format defines it. */
  readonly reportData: Uint8Array | undefined;
  readonly nowMs: number;
}

export interface ForeignScore {
  readonly checks: readonly EvidenceCheck[];
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly tcbStatus: string | undefined;
  readonly known: Known;
}

/** @param made the checks of the report, which the quote's checks replace and complete */
export async function scoreForeign(
  evidence: ForeignEvidence,
  made: readonly EvidenceCheck[],
  { collateral, roots, policy, reportData, nowMs }: ForeignTrust,
): Promise<ForeignScore> {
  const known = unread(`${evidence.form}: this verifier cannot check this factor in this evidence format`);
  if (evidence.quote === undefined) return { checks: made, measurements: undefined, tcbStatus: undefined, known };
  const verified = await verifyQuote(evidence.quote, collateral, roots, nowMs);
  const { checks: judged } = await judgeQuote(verified, policy ?? { measurements: 'any' }, reportData ?? 'any');
  const checks = judged.map((check): EvidenceCheck => {
    const isOpen = check.id === 'report-data' && reportData === undefined;
    const reason = `${evidence.form}: how it binds its keys is not known here`;
    return { ...check, required: true, ...(isOpen ? { outcome: 'not-checked', reason } : {}) };
  });
  const kept = made.filter(({ id }) => !checks.some((check) => check.id === id));
  const body = verified.quote?.body;
  return {
    checks: [...kept, ...checks],
    measurements: body === undefined ? undefined : measurementsOf(body),
    tcbStatus: verified.tcb?.status,
    known: { ...known, ...(body === undefined ? {} : await compare(evidence, body)) },
  };
}

/** The result for factors whose evidence cannot be read: a bare quote, or an unknown format. */
export function unread(detail: string): Known {
  const names = factors.filter(({ name }) => elsewhere.some((start) => name.startsWith(start))).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, { status: 'skip', detail }]));
}

/** Factors on evidence outside the quote, whose members differ between providers. */
const elsewhere = [
  ...['nvidia_', 'cpu_gpu_chain', 'nvswitch_binding', 'measured_model_weights', 'build_transparency_log'],
  ...['component_', 'provider_signer', 'cpu_id_registry', 'compose_binding', 'sigstore_', 'event_log_integrity'],
  ...['response_schema', 'signing_key_present', 'e2ee_'],
];

async function compare(evidence: ForeignEvidence, body: Quote['body']): Promise<Known> {
  const { eventLog, appCompose, hasGpuPayload, hasSigningKey } = evidence;
  const isPresent = (is: boolean, detail: string) => (is ? ({ status: 'pass', detail } as const) : undefined);
  const replay = eventLog === undefined ? undefined : await replayed(eventLog, body);
  const proven = replay?.status === 'pass' ? eventLog! : [];
  const found = {
    nvidia_payload_present: isPresent(hasGpuPayload, 'present, but not verified here'),
    signing_key_present: isPresent(hasSigningKey, 'the evidence names a key'),
    event_log_integrity: replay,
    compose_binding: appCompose === undefined ? undefined : await composed(appCompose, proven, body),
  };
  return Object.fromEntries(Object.entries(found).filter((entry) => entry[1] !== undefined)) as Known;
}

async function replayed(
  eventLog: NonNullable<ForeignEvidence['eventLog']>,
  { rtmrs }: Quote['body'],
): Promise<Known[string]> {
  try {
    await requireReplay(eventLog, rtmrs);
    return { status: 'pass', detail: `${eventLog.length} events replay to all four registers` };
  } catch (error) {
    return { status: 'fail', detail: (error as Error).message };
  }
}

/** @param events of a log that replays to the registers */
async function composed(
  appCompose: string,
  events: readonly MeasuredEvent[],
  body: Quote['body'],
): Promise<Known[string]> {
  if (await isComposeBound(appCompose, measurementsOf(body).mrConfigId)) {
    return { status: 'pass', detail: 'MRCONFIGID names its SHA-256' };
  }
  const digest = await digestStartEvent({ name: compositionEventName, content: appCompose });
  if (events.some((event) => event.mrIndex === rtmr3 && sameBytes(event.digest, digest))) {
    return { status: 'pass', detail: 'the event compose-hash in RTMR3 names its SHA-256' };
  }
  return { status: 'fail', detail: 'neither MRCONFIGID nor an event of RTMR3 names its SHA-256' };
}

const rtmr3 = 4;
