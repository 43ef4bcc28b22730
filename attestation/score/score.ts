/**
 * What a verification says of each factor. Nothing is verified here: a factor passes where all of its checks passed, or
 * where a fact that checks established makes it true; what was not checked is skipped and says why. Pure.
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
  /** What was found, or why it does not pass. */
  readonly detail: string;
  /** Whether the verdict of `cloister verify` hangs on it. */
  readonly enforced: boolean;
  readonly tier: string;
  /** What would make it pass, where nobody could see that from the detail. */
  readonly remedy: string | undefined;
}

/** A status and its reason. */
export type Found = Pick<FactorResult, 'status' | 'detail'>;

/** What was read of the evidence, beside the checks. */
export interface ScoreInput {
  readonly checks: readonly EvidenceCheck[];
  readonly policy: EvidencePolicy | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly tcbStatus: string | undefined;
  readonly startLog: readonly StartEvent[];
  /** GPUs whose reports the evidence carries; undefined: the evidence could not be read. */
  readonly gpuCount: number | undefined;
  /** Switches between GPUs whose reports it carries. */
  readonly switchCount: number;
  /** Whether the evidence shows a compose file, as verifiers of ACI look for one. */
  readonly hasComposition: boolean;
  /** Whether the keyset has a key that bodies can be sealed to. */
  readonly hasSealingKey: boolean;
  /** What came of a sealed request, or why none was sent. */
  readonly sealedExchange: Found;
  /** `direct`, or what else the report calls its way to the model. */
  readonly serving: string | undefined;
  /** Checks that this form of evidence has no place for. */
  readonly waived?: readonly CheckId[];
  /** What is known by other means than checks, as of other providers' evidence. */
  readonly known?: Readonly<Record<string, Found>>;
}

/** One result for each of `FACTORS`, in their order. */
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
    return { status: 'not-applicable', detail: 'no switch leads between GPUs whose links are unencrypted' };
  }
  const checked = factor.checks.length === 0 ? undefined : ofChecks(factor, input);
  if (checked !== undefined && checked.status !== 'pass') return checked;
  const registers = registersByFactor[factor.name];
  if (registers !== undefined) return ofRegisters(registers, input);
  return (
    facts[factor.name]?.(input, factor) ?? checked ?? { status: 'fail', detail: 'the evidence says nothing of it' }
  );
}

/** The scorer's factors on measurements, and the registers that a policy must name for them. */
const registersByFactor: Readonly<Record<string, readonly Measurement[]>> = {
  tee_measurement: ['mrTd'],
  tee_hardware_config: ['rtmr0'],
  tee_boot_config: ['rtmr1', 'rtmr2'],
};

const gpuFactors = factors
  .map(({ name }) => name)
  .filter((name) => name.startsWith('nvidia_') || name === 'cpu_gpu_chain' || name === 'nvswitch_binding');

/** Factors that no check decides, or not alone. */
const facts: Readonly<Record<string, (input: ScoreInput, factor: Factor) => Found>> = {
  tee_quote_present: ({ measurements }) =>
    measurements === undefined ? fail('there is no quote that can be read') : pass('a TDX quote'),
  tee_tcb_current: ({ tcbStatus }) =>
    tcbStatus === 'UpToDate' ? pass('UpToDate') : fail(`it is ${tcbStatus}, which the policy allows`),
  e2ee_capable: ({ hasSealingKey }) =>
    hasSealingKey ? pass('X25519, EHBP') : fail('the keyset has no key that bodies can be sealed to'),
  e2ee_usable: ({ sealedExchange }) => sealedExchange,
  measured_model_weights: ({ startLog }) => ofWeights(startLog),
  component_recognition: ({ policy, checks }) =>
    policy?.sources === undefined || policy.sources === 'any'
      ? skip('the source was measured; no policy says which one is wanted')
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
  cpu_id_registry: () => fail('nothing names a registry that lists this CPU'),
};

function imageIsMeasured(): Found {
  return {
    status: 'not-applicable',
    detail: 'there are no containers: firmware, kernel and root file system are measured whole',
  };
}

function gateway({ serving }: ScoreInput): Found {
  if (serving !== undefined && serving !== 'direct') {
    return skip(`it serves as ${serving}, whose upstreams are not read here`);
  }
  const direct = 'no gateway: the model runs in the machine that is attested';
  return { status: 'not-applicable', detail: serving === 'direct' ? direct : 'the evidence shows no gateway' };
}

/** Why there is nothing to say of a GPU; undefined where evidence of one is there, or failed. */
function gpuAbsence({ gpuCount, checks }: ScoreInput): Found | undefined {
  const gpu = checks.find(({ id }) => id === 'gpu');
  if (gpuCount === undefined || gpu === undefined) return skip('there is no GPU evidence that can be read');
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
  if (mine.some((found) => found.length === 0)) return skip('no such check was made of this evidence');
  return pass(mine.flat().length === 1 && mine[0]![0]!.reason !== 'it holds' ? mine[0]![0]!.reason : factor.passes);
}

/** With several GPUs each has its own: `gpu-nonce-1`, `gpu-nonce-2`. */
function isCheck(check: EvidenceCheck, id: CheckId): boolean {
  return check.id === id || (check.id.startsWith(`${id}-`) && /^\d+$/.test(check.id.slice(id.length + 1)));
}

/** Passes where a set of the policy fits in whole and names these registers: what it leaves open may be anything. */
function ofRegisters(names: readonly Measurement[], { policy, measurements, checks }: ScoreInput): Found {
  if (measurements === undefined) return skip('there is no quote that can be read');
  if (policy === undefined) return skip('no policy says which software is wanted');
  if (policy.measurements === 'any') return skip('the policy accepts any software');
  const actual = (set: MeasurementSet, name: string) =>
    set[name as Measurement]!.toLowerCase() === measurements[name as Measurement];
  const fitting = policy.measurements.filter((set) => Object.keys(set).every((name) => actual(set, name)));
  const why = checks.find(({ id }) => id === 'measurements');
  if (fitting.length === 0 || why?.outcome === 'fail') return fail(why?.reason ?? 'no set of the policy fits');
  // A register of zeros was never extended: naming that names no software.
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

/** Whether each file of a measured model is named with its SHA-256. */
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
