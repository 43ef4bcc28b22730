/** Finds NVIDIA's manifests and OCSP responses for the GPUs of this machine, in the configured source. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GpuReference } from '@cloister/attestation/gpu/verify-reference';
import {
  fetchGpuReference,
  type GpuReferenceDevices,
  requiredManifests,
} from '@cloister/attestation/gpu-reference/fetch-gpu-reference';
import { ServerError } from '../http/errors.ts';

/**
 * @param from a folder with `<id of the manifest>.xml` and `<any name>.ocsp` (DER), or the https address of a mirror that
 *   answers at `/v1/rim/<id>` and `/ocsp`. Default: NVIDIA's services
 * @throws {ServerError} ERR_START if a file is missing · {AttestationError} as `fetchGpuReference`
 */
export function findGpuReference(devices: GpuReferenceDevices, from: string | undefined): Promise<GpuReference> {
  if (from === undefined) return fetchGpuReference(devices);
  if (!from.startsWith('https://')) return readReference(devices, from);
  const mirror = from.replace(/\/$/, '');
  return fetchGpuReference(devices, { manifestUrl: mirror, ocspUrl: `${mirror}/ocsp` });
}

async function readReference(devices: GpuReferenceDevices, folder: string): Promise<GpuReference> {
  const { driver, vbios, fabric } = requiredManifests(devices);
  const read = async (file: string | undefined) => {
    if (file === undefined) return undefined;
    return new Uint8Array(await readFile(join(folder, file)));
  };
  const manifest = (id: string | undefined) => read(id === undefined ? undefined : `${id}.xml`);
  try {
    const responses = (await readdir(folder)).filter((name) => name.endsWith('.ocsp')).sort();
    return {
      driverRim: await manifest(driver),
      vbiosRim: await manifest(vbios),
      switchRim: await manifest(fabric),
      ocspResponses: (await Promise.all(responses.map(read))).filter((bytes) => bytes !== undefined),
    };
  } catch (cause) {
    const message = `--gpu-reference: ${(cause as Error).message}`;
    throw new ServerError('ERR_START', message, { cause });
  }
}
