/** Where a server finds NVIDIA's manifests and OCSP responses at its start: `--gpu-reference`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyGpuEvidence, verifySwitchEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import { findGpuReference } from '../../../server/enclave/gpu-reference.ts';
import { gpuNonce, gpuNowMs } from '../../support/attestation/gpu-evidence.ts';
import { buildNode } from '../../support/attestation/gpu-node.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const driver = 'NV_GPU_DRIVER_GH100_570.1.2.xml';
const switchReference = 'NV_SWITCH_BIOS_5612_0002_890_9610730001.xml';

const node = buildNode({ gpus: 1, switches: 1 });
const expected = { anchors: node.roots.devices.map(parseCertificate), nonce: gpuNonce, nowMs: gpuNowMs };
const devices = {
  gpus: [await verifyGpuEvidence(node.gpus[0]!, expected)],
  switches: [await verifySwitchEvidence(node.switches[0]!, expected)],
};

describe('a folder of references', () => {
  it('returns the manifests that the reports name, and every OCSP response', async () => {
    await using folder = await scratchFolder();
    const { driverRim, switchRim, ocspResponses } = node.reference;
    await writeFile(join(folder.path, driver), driverRim!);
    await writeFile(join(folder.path, switchReference), switchRim!);
    await writeFile(join(folder.path, 'NV_GPU_DRIVER_GH100_1.xml'), 'another one');
    for (const [index, bytes] of ocspResponses!.entries()) await writeFile(join(folder.path, `${index}.ocsp`), bytes);
    // These reports name no board, and so no manifest for their VBIOS.
    expect(await findGpuReference(devices, folder.path)).toEqual({
      driverRim,
      vbiosRim: undefined,
      switchRim,
      ocspResponses,
    });
  });

  it('names the missing file', async () => {
    await using folder = await scratchFolder();
    await writeFile(join(folder.path, driver), node.reference.driverRim!);
    await expect(findGpuReference(devices, folder.path)).rejects.toMatchObject({
      code: 'ERR_START',
      message: expect.stringMatching(new RegExp(`^--gpu-reference: .*${switchReference}`)),
    });
  });
});

it('an unreachable mirror is reported as unavailable', async () => {
  await expect(findGpuReference(devices, 'https://127.0.0.1:1/')).rejects.toMatchObject({
    code: 'ERR_COLLATERAL_UNAVAILABLE',
  });
});
