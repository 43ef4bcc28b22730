/**
 * Verifies the GPUs of this machine before any model is loaded, with the functions that tenants use; measures them; then enables
 * them for work.
 */
import { canonicalJson } from '@cloister/attestation/aci/jcs';
import type { Json } from '@cloister/attestation/aci/strict-json';
import { AttestationError } from '@cloister/attestation/base/errors';
import { startEventNames } from '@cloister/attestation/eventlog/start-log';
import { type GpuFacts, requireConfidentialGpus } from '@cloister/attestation/guest/gpu-evidence';
import type { AttestedPlatform } from '@cloister/attestation/guest/platform';
import type { MeasuredDevices, OwnDevicesOptions, ProvingDevices } from './own-devices.ts';

/** `unknown` only on a simulated platform whose driver does not report them. */
export type MeasuredGpus = MeasuredDevices | 'none' | 'unknown';

/** The machine's GPUs, and the source of NVIDIA's manifests. */
export interface GpuSystem extends ProvingDevices {
  readonly readFacts: () => Promise<GpuFacts>;
  readonly setReady: () => Promise<void>;
}

export interface AdmissionOptions extends OwnDevicesOptions {
  readonly system: GpuSystem;
  /** Whether GPUs may be used at all. */
  readonly isWanted: boolean;
}

/**
 * If this rejects, the GPUs stay disabled and the start must stop.
 * @returns the measured facts
 * @throws {AttestationError} ERR_GPU_NOT_CONFIDENTIAL, ERR_GPU_NOT_VERIFIED, ERR_NVML_…, ERR_NSCQ_…, those of
 *   `fetchGpuReference`, and as `AttestedPlatform.measure`
 */
export async function admitGpus(
  platform: Pick<AttestedPlatform, 'kind' | 'measure'>,
  options: AdmissionOptions,
): Promise<MeasuredGpus> {
  const found = options.isWanted ? await findGpus(platform.kind, options.system) : 'none';
  // A simulation protects nothing: it reports the GPUs and does not change their state.
  if (typeof found === 'string' || platform.kind === 'simulated') {
    const told = typeof found === 'string' ? found : { ...found, switches: [] };
    await measureGpus(platform, told);
    return told;
  }
  requireConfidentialGpus(found);
  const { verifyDevices } = await import('./own-devices.ts');
  const verified = await verifyDevices(found, options);
  await measureGpus(platform, verified);
  await options.system.setReady();
  return verified;
}

/** The first event of a start. @throws {AttestationError} as `AttestedPlatform.measure` */
export function measureGpus(platform: Pick<AttestedPlatform, 'measure'>, gpus: MeasuredGpus): Promise<void> {
  const content = typeof gpus === 'string' ? { gpus: gpus === 'none' ? [] : gpus } : gpus;
  return platform.measure({ name: startEventNames.gpu, content: canonicalJson(content as unknown as Json) });
}

async function findGpus(
  kind: AttestedPlatform['kind'],
  { readFacts }: GpuSystem,
): Promise<GpuFacts | 'none' | 'unknown'> {
  try {
    const facts = await readFacts();
    return facts.gpus.length === 0 ? 'none' : facts;
  } catch (error) {
    if (error instanceof AttestationError && error.code === 'ERR_NVML_MISSING') return 'none';
    if (kind === 'tdx') throw error;
    return 'unknown';
  }
}
