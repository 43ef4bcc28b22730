/** NVIDIA's evidence through a library opened at run time, and the gate before it. */
import { describe, expect, it } from 'vitest';
import {
  collectGpuEvidence,
  GpuEvidenceLine,
  type GpuFacts,
  gpuEvidenceWaitingMax,
  readGpuFacts,
  requireConfidentialGpus,
} from '../../attestation/guest/gpu-evidence.ts';
import { verifyGpuEvidence } from '../../attestation/index.ts';
import { buildGpuEvidence, gpuNonce, gpuNowMs } from '../support/gpu-evidence.ts';
import { buildNvmlLibrary, type NvmlChoices } from '../support/nvml-library.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

async function withLibrary<T>(choices: NvmlChoices, use: (library: string) => Promise<T>): Promise<T> {
  await using folder = await scratchFolder();
  return await use(await buildNvmlLibrary(folder.path, choices));
}

const confidential: GpuFacts = {
  driverVersion: '570.1.2',
  environment: 'production',
  confidentialCompute: true,
  developerTools: false,
  multiGpu: 'none',
  gpus: [{ uuid: 'GPU-0', name: 'Test GPU', vbiosVersion: '96.00' }],
};

describe('the facts of the GPUs', () => {
  it('are what the library says', async () => {
    expect(await withLibrary({ multiGpuMode: 0 }, readGpuFacts)).toEqual(confidential);
  });

  it('list every GPU', async () => {
    const { gpus } = await withLibrary({ gpus: 3 }, readGpuFacts);
    expect(gpus.map(({ uuid }) => uuid)).toEqual(['GPU-0', 'GPU-1', 'GPU-2']);
  });

  it('say unknown where the driver is too old for a question', async () => {
    const facts = await withLibrary({ without: ['nvmlSystemGetConfComputeSettings'] }, readGpuFacts);
    expect(facts.multiGpu).toBe('unknown');
  });

  it.each([[{ stateResult: 3 }], [{ without: ['nvmlSystemGetConfComputeState'] }]] satisfies [NvmlChoices][])(
    'say that confidential computing is off where the driver does not know it: %j',
    async (choices) => {
      expect(await withLibrary(choices, readGpuFacts)).toMatchObject({ confidentialCompute: false });
    },
  );

  it('name values that we do not know', async () => {
    const facts = await withLibrary({ environment: 9, multiGpuMode: 8 }, readGpuFacts);
    expect(facts).toMatchObject({ environment: 'unknown 9', multiGpu: 'unknown 8' });
  });

  it('need the library', async () => {
    await expect(readGpuFacts('/nowhere/libnvidia-ml.so.1')).rejects.toMatchObject({
      name: 'AttestationError',
      code: 'ERR_NVML_MISSING',
    });
  });

  it.each([
    ['does not start', { initResult: 999 }, /nvmlInit_v2: Unknown Error/],
    ['refuses its state', { stateResult: 999 }, /nvmlSystemGetConfComputeState: Unknown Error/],
    ['lacks a function', { without: ['nvmlDeviceGetCount_v2'] }, /has no nvmlDeviceGetCount_v2/],
    ['lacks all of them', { without: ['nvmlInit_v2'] }, /has no nvmlInit_v2/],
    ['finds too many GPUs', { gpus: 1000 }, /1000 GPUs/],
  ] satisfies [string, NvmlChoices, RegExp][])('need a library that works: one %s', async (_what, choices, message) => {
    await expect(withLibrary(choices, readGpuFacts)).rejects.toMatchObject({
      code: 'ERR_NVML_FAILED',
      message: expect.stringMatching(message),
    });
  });
});

describe('the gate before a GPU', () => {
  it('lets confidential ones pass', () => {
    expect(() => requireConfidentialGpus(confidential)).not.toThrow();
  });

  it.each([
    ['confidential computing is off', { confidentialCompute: false }],
    ['developer tools are on', { developerTools: true }],
    ['the mode is a simulation', { environment: 'simulation' }],
    ['the mode is unavailable', { environment: 'unavailable' }],
    ['the mode is unknown', { environment: 'unknown 3' }],
    ['there is none', { gpus: [] }],
  ] satisfies [string, Partial<GpuFacts>][])('stays shut where %s', (_what, change) => {
    expect(() => requireConfidentialGpus({ ...confidential, ...change })).toThrow(
      expect.objectContaining({ code: 'ERR_GPU_NOT_CONFIDENTIAL' }),
    );
  });
});

describe('the evidence of the GPUs', () => {
  const evidence = buildGpuEvidence();
  const anchors = [evidence.root];

  it('verifies over the nonce that was asked for', async () => {
    const choices = { evidence: { ...evidence, nonce: gpuNonce } };
    const [collected] = await withLibrary(choices, (library) => collectGpuEvidence(gpuNonce, library));
    const { authentic } = await verifyGpuEvidence(collected!, { anchors, nonce: gpuNonce, nowMs: gpuNowMs });
    expect(authentic).toBe(true);
  });

  it('comes from each of them', async () => {
    const choices = { gpus: 2, evidence: { ...evidence, nonce: gpuNonce } };
    expect(await withLibrary(choices, (library) => collectGpuEvidence(gpuNonce, library))).toHaveLength(2);
  });

  it('is not collected from GPUs that are not confidential', async () => {
    const choices = { devToolsMode: 1, evidence: { ...evidence, nonce: gpuNonce } };
    await expect(withLibrary(choices, (library) => collectGpuEvidence(gpuNonce, library))).rejects.toMatchObject({
      code: 'ERR_GPU_NOT_CONFIDENTIAL',
    });
  });

  it.each([
    ['the driver refuses', { reportResult: 999 }],
    ['a report is empty', { reportSize: 0 }],
    ['a report is longer than any', { reportSize: 0x2001 }],
    ['the driver cannot make reports', { without: ['nvmlDeviceGetConfComputeGpuAttestationReport'] }],
  ] satisfies [string, NvmlChoices][])('is not to be had where %s', async (_what, choices) => {
    await expect(
      withLibrary(choices, (library) => collectGpuEvidence(new Uint8Array(32), library)),
    ).rejects.toMatchObject({ name: 'AttestationError', code: 'ERR_NVML_FAILED' });
  });

  it('is over a nonce of 32 bytes', async () => {
    await expect(withLibrary({}, (library) => collectGpuEvidence(new Uint8Array(31), library))).rejects.toThrow(
      RangeError,
    );
  });

  it('is collected for one request after another, and not for those who left', async () => {
    await using folder = await scratchFolder();
    const line = new GpuEvidenceLine(
      await buildNvmlLibrary(folder.path, { evidence: { ...evidence, nonce: gpuNonce } }),
    );
    const left = line.collect(gpuNonce, { signal: AbortSignal.abort() });
    const all = [1, 2, 3].map(() => line.collect(gpuNonce));
    await expect(left).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect((await Promise.all(all)).map((one) => one.length)).toEqual([1, 1, 1]);
  });

  it('is refused where too many wait', async () => {
    const line = new GpuEvidenceLine('/nowhere/libnvidia-ml.so.1');
    const waiting = Array.from({ length: gpuEvidenceWaitingMax }, () => line.collect(gpuNonce));
    await expect(line.collect(gpuNonce)).rejects.toMatchObject({ code: 'ERR_QUOTE_BUSY' });
    const answers = await Promise.allSettled(waiting);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(line.collect(gpuNonce)).rejects.toMatchObject({ code: 'ERR_NVML_MISSING' });
  });
});
