/**
 * Maps a verification to factors. Verifies nothing: a factor passes if all its checks passed, or if a verified fact establishes it. Checks that
 * did not run are skipped with their reason. Pure.
 */
import type { EvidenceCheck } from '../client/verification.ts';
import { type StartEvent, startEventNames } from '../eventlog/start-log.ts';
import type { EvidencePolicy } from '../policy/evidence-policy.ts';
import type { Measurement, MeasurementSet } from '../policy/policy.ts';
import { type CheckId, type Factor, factors, tiers } from './factors.ts';

export type FactorStatus = 'pass' | 'fail' | 'skip' | 'not-applicable';

export interface FactorResult {
  readonly name: string;
  readonly status: FactorStatus;
  /** The finding, or why the factor does not pass. */
  readonly detail: string;
  /** Whether the verdict of `cloister verify` depends on the factor. */
  readonly enforced: boolean;
  readonly tier: string;
  /** Advice, if the detail does not imply it. */
  readonly remedy: string | undefined;
}

/** A status and its reason. */
export type Found = Pick<FactorResult, 'status' | 'detail'>;

/** The verified evidence and the facts apart from checks. */
export interface ScoreInput {
  readonly checks: readonly EvidenceCheck[];
  readonly policy: EvidencePolicy | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly tcbStatus: string | undefined;
  readonly startLog: readonly StartEvent[];
  /** The number of GPUs in the evidence; undefined if the evidence is malformed. */
  readonly gpuCount: number | undefined;
  /** The number of switches in the evidence. */
  readonly switchCount: number;
  /** Whether the evidence has a compose file for ACI verifiers. */
  readonly hasComposition: boolean;
  /** Whether the keyset has a key to seal bodies to. */
  readonly hasSealingKey: boolean;
  /** The result of a sealed request, or why none was sent. */
  readonly sealedExchange: Found;
  /** `direct`, or how else the report says that the workload reaches the model. */
  readonly serving: string | undefined;
  /** Checks that do not apply to this format of evidence. */
  readonly waived?: readonly CheckId[];
  /** Findings from other sources than checks, for example from other providers' evidence. */
  readonly known?: Readonly<Record<string, Found>>;
}

/** One result per entry of `factors`, in order. */
export function scoreEvidence(input: ScoreInput): readonly FactorResult[] {
  return factors.map((factor) => {
    const found = input.known?.[factor.name] ?? judge(factor, input);
    const isEnforced = input.checks.some((check) => check.required && factor.checks.some((id) => isCheck(check, id)));
    return {
      name: factor.name,
      ...found,
      enforced: isEnforced || registersByFactor[factor.name] !== undefined,
      tier: factor.tier,
      remedy: found.status === 'fail' ? factor.remedy : undefined,
    };
  });
}

function judge(factor: Factor, input: ScoreInput): Found {
  if (factor.tier === tiers.gateway) return gateway(input);
  if (gpuFactors.includes(factor.name)) {
    const absent = gpuAbsence(input);
    if (absent !== undefined) return absent;
  }
  if (factor.name === 'nvswitch_binding' && input.switchCount === 0 && hasPassed(input.checks, 'gpu-node')) {
    return { status: 'not-applicable', detail: 'no switch connects GPUs over unencrypted links' };
  }
  const checked = factor.checks.length === 0 ? undefined : ofChecks(factor, input);
  if (checked !== undefined && checked.status !== 'pass') return checked;
  const registers = registersByFactor[factor.name];
  if (registers !== undefined) return ofRegisters(registers, input);
  return (
    facts[factor.name]?.(input, factor) ??
    checked ?? { status: 'fail', detail: 'the evidence contains nothing about this factor' }
  );
}

/** teep's factors on measurements, and the registers that a policy must pin for each. */
const registersByFactor: Readonly<Record<string, readonly Measurement[]>> = {
  tee_measurement: ['mrTd'],
  tee_hardware_config: ['rtmr0'],
  tee_boot_config: ['rtmr1', 'rtmr2'],
};

const gpuFactors = factors
  .map(({ name }) => name)
  .filter((name) => name.startsWith('nvidia_') || name === 'cpu_gpu_chain' || name === 'nvswitch_binding');

/** Factors that checks do not determine, or not alone. */
const facts: Readonly<Record<string, (input: ScoreInput, factor: Factor) => Found>> = {
  tee_quote_present: ({ measurements }) =>
    measurements === undefined ? fail('no readable quote') : pass('a TDX quote'),
  tee_tcb_current: ({ tcbStatus }) =>
    tcbStatus === 'UpToDate' ? pass('UpToDate') : fail(`it is ${tcbStatus}, which the policy allows`),
  e2ee_capable: ({ hasSealingKey }) =>
    hasSealingKey ? pass('X25519, EHBP') : fail('the keyset has no key that bodies can be sealed to'),
  e2ee_usable: ({ sealedExchange }) => sealedExchange,
  measured_model_weights: ({ startLog }) => ofWeights(startLog),
  component_recognition: ({ policy, checks }) =>
    policy?.sources === undefined || policy.sources === 'any'
      ? skip('the source was measured; no policy says which source is required')
      : pass(`${checks.find(({ id }) => id === 'source')!.reason}, as the policy names`),
  compose_binding: ({ hasComposition, checks }) =>
    hasComposition && hasPassed(checks, 'start-log')
      ? pass('compose-hash in RTMR3 names program and weights')
      : imageIsMeasured(),
  sigstore_verification: imageIsMeasured,
  build_transparency_log: () => fail('no public log has these measurements'),
  provider_signer_recognition: () => fail('releases are not signed'),
  component_signature_recognition: () => fail('releases are not signed'),
  sigstore_code_verified: () => fail('there is no Sigstore bundle'),
  cpu_id_registry: () => fail('the evidence names no registry that lists this CPU'),
};

function imageIsMeasured(): Found {
  return {
    status: 'not-applicable',
    detail: 'there are no containers: firmware, kernel and root file system are measured whole',
  };
}

function gateway({ serving }: ScoreInput): Found {
  if (serving !== undefined && serving !== 'direct') {
    return skip(`it serves as ${serving}, whose upstreams are not verified here`);
  }
  const direct = 'no gateway: the model runs in the machine that is attested';
  return { status: 'not-applicable', detail: serving === 'direct' ? direct : 'the evidence shows no gateway' };
}

/** Why GPU factors do not apply; undefined if the evidence has GPUs or a GPU check failed. */
function gpuAbsence({ gpuCount, checks }: ScoreInput): Found | undefined {
  const gpu = checks.find(({ id }) => id === 'gpu');
  if (gpuCount === undefined || gpu === undefined) return skip('no readable GPU evidence');
  if (gpuCount > 0 || gpu.outcome === 'fail') return undefined;
  if (gpu.outcome === 'not-checked') return skip(gpu.reason);
  if (!hasPassed(checks, 'gpu-binding')) return undefined;
  return { status: 'not-applicable', detail: 'no GPU is in use, as was measured at the start' };
}

function hasPassed(checks: readonly EvidenceCheck[], id: CheckId): boolean {
  return checks.some((check) => check.id === id && check.outcome === 'pass');
}

function ofChecks(factor: Factor, { checks, waived = [] }: ScoreInput): Found {
  const ids = factor.checks.filter((id) => !waived.includes(id));
  const mine = ids.map((id) => checks.filter((check) => isCheck(check, id)));
  const failed = mine.flat().find(({ outcome }) => outcome === 'fail');
  if (failed !== undefined) return fail(`${failed.title}: ${failed.reason}`);
  const open = mine.flat().find(({ outcome }) => outcome === 'not-checked');
  if (open !== undefined) return skip(`${open.title}: ${open.reason}`);
  if (mine.some((found) => found.length === 0)) return skip('this check was not run on this evidence');
  return pass(mine.flat().length === 1 && mine[0]![0]!.reason !== 'it holds' ? mine[0]![0]!.reason : factor.passes);
}

/** With several GPUs, each has its own check: `gpu-nonce-1`, `gpu-nonce-2`. */
function isCheck(check: EvidenceCheck, id: CheckId): boolean {
  return check.id === id || (check.id.startsWith(`${id}-`) && /^\d+$/.test(check.id.slice(id.length + 1)));
}

/** Passes if a matching set of the policy pins these registers. */
function ofRegisters(names: readonly Measurement[], { policy, measurements, checks }: ScoreInput): Found {
  if (measurements === undefined) return skip('no readable quote');
  if (policy === undefined) return skip('no policy says which software is required');
  if (policy.measurements === 'any') return skip('the policy accepts any software');
  const actual = (set: MeasurementSet, name: string) =>
    set[name as Measurement]!.toLowerCase() === measurements[name as Measurement];
  const fitting = policy.measurements.filter((set) => Object.keys(set).every((name) => actual(set, name)));
  const why = checks.find(({ id }) => id === 'measurements');
  if (fitting.length === 0 || why?.outcome === 'fail')
    return fail(why?.reason ?? 'no measurement set of the policy matches');
  // A register of zeros was never extended, so pinning it pins no software.
  const open = names.filter((name) => !fitting.some((set) => /[1-9a-f]/i.test(set[name] ?? '')));
  if (open.length > 0) return skip(`the policy leaves ${open.join(' and ')} open`);
  return pass(`${names.join(' and ')} as the policy names`);
}

function ofWeights(startLog: readonly StartEvent[]): Found {
  const models = startLog.filter(({ name }) => name === startEventNames.model);
  if (models.length === 0) return fail('no model was measured at the start');
  const lacking = models.filter(({ content }) => !hasDigests(content));
  if (lacking.length > 0) return fail(`${lacking.length} of ${models.length} models were measured without digests`);
  return pass(`${models.length} ${models.length === 1 ? 'model' : 'models'}, every file by its SHA-256`);
}

/** Whether every file of a measured model has its SHA-256. */
function hasDigests(content: string): boolean {
  const { files } = JSON.parse(content) as { files?: unknown };
  return Array.isArray(files) && files.length > 0 && files.every((file) => /^[0-9a-f]{64}$/.test(file?.sha256 ?? ''));
}

function pass(detail: string): Found {
  return { status: 'pass', detail };
}

function fail(detail: string): Found {
  return { status: 'fail', detail };
}

function skip(detail: string): Found {
  return { status: 'skip', detail };
}
