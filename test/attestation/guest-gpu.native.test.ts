/** NVIDIA's evidence through a library opened at run time, and the check that must pass before a GPU is used. */
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifySwitchEvidence } from '../../attestation/gpu/verify-gpu.ts';
import {
  collectDeviceEvidence,
  DeviceEvidenceLine,
  type GpuFacts,
  gpuEvidenceWaitingMax,
  readGpuFacts,
  readGpuLoads,
  requireConfidentialGpus,
} from '../../attestation/guest/gpu-evidence.ts';
import { setGpusReady } from '../../attestation/guest/gpu-ready.ts';
import { verifyGpuEvidence } from '../../attestation/index.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { buildGpuEvidence, gpuNonce, gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { buildNode } from '../support/attestation/gpu-node.ts';
import { buildNscqLibrary, type NscqChoices } from '../support/attestation/nscq-library.ts';
import { buildNvmlLibrary, type NvmlChoices, readyFile } from '../support/attestation/nvml-library.ts';
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

describe('the load of the GPUs', () => {
  it('comes from the library, for every GPU', async () => {
    expect(await withLibrary({ gpus: 2 }, readGpuLoads)).toEqual([
      { memoryTotalBytes: 85_899_345_920, memoryUsedBytes: 5_000_000_000, computePercent: 41, memoryPercent: 11 },
      { memoryTotalBytes: 85_899_345_920, memoryUsedBytes: 10_000_000_000, computePercent: 42, memoryPercent: 12 },
    ]);
  });

  it.each([
    [{ ratesResult: 3, without: ['nvmlDeviceGetMemoryInfo'] }],
    [{ without: ['nvmlDeviceGetUtilizationRates', 'nvmlDeviceGetMemoryInfo'] }],
  ] satisfies [NvmlChoices][])('lacks what the driver does not report: %j', async (choices) => {
    expect(await withLibrary(choices, readGpuLoads)).toEqual([{}]);
  });

  it('is an error without the library', async () => {
    await expect(readGpuLoads('/nowhere/libnvidia-ml.so.1')).rejects.toMatchObject({ code: 'ERR_NVML_MISSING' });
  });
});

describe('the facts of the GPUs', () => {
  it('come from the library', async () => {
    expect(await withLibrary({ multiGpuMode: 0 }, readGpuFacts)).toEqual(confidential);
  });

  it('list every GPU', async () => {
    const { gpus } = await withLibrary({ gpus: 3 }, readGpuFacts);
    expect(gpus.map(({ uuid }) => uuid)).toEqual(['GPU-0', 'GPU-1', 'GPU-2']);
  });

  it('are unknown if the driver is too old for the query', async () => {
    const facts = await withLibrary({ without: ['nvmlSystemGetConfComputeSettings'] }, readGpuFacts);
    expect(facts.multiGpu).toBe('unknown');
  });

  it.each([[{ stateResult: 3 }], [{ without: ['nvmlSystemGetConfComputeState'] }]] satisfies [NvmlChoices][])(
    'report confidential computing as off if the driver does not support the query: %j',
    async (choices) => {
      expect(await withLibrary(choices, readGpuFacts)).toMatchObject({ confidentialCompute: false });
    },
  );

  it('report unknown values by number', async () => {
    const facts = await withLibrary({ environment: 9, multiGpuMode: 8 }, readGpuFacts);
    expect(facts).toMatchObject({ environment: 'unknown 9', multiGpu: 'unknown 8' });
  });

  it('require the library', async () => {
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
  ] satisfies [string, NvmlChoices, RegExp][])('require a working library: one %s', async (_what, choices, message) => {
    await expect(withLibrary(choices, readGpuFacts)).rejects.toMatchObject({
      code: 'ERR_NVML_FAILED',
      message: expect.stringMatching(message),
    });
  });
});

describe('the gate before a GPU', () => {
  it('accepts confidential GPUs', () => {
    expect(() => requireConfidentialGpus(confidential)).not.toThrow();
  });

  it('accepts protected PCIe mode, in which the driver reports confidential computing as off', () => {
    const off = { confidentialCompute: false, environment: 'unavailable', multiGpu: 'protected-pcie' } as const;
    expect(() => requireConfidentialGpus({ ...confidential, ...off })).not.toThrow();
    expect(() => requireConfidentialGpus({ ...confidential, ...off, developerTools: true })).toThrow(/developer tools/);
  });

  it.each([
    ['confidential computing is off', { confidentialCompute: false }],
    ['developer tools are on', { developerTools: true }],
    ['the mode is a simulation', { environment: 'simulation' }],
    ['the mode is unavailable', { environment: 'unavailable' }],
    ['the mode is unknown', { environment: 'unknown 3' }],
    ['there is none', { gpus: [] }],
  ] satisfies [string, Partial<GpuFacts>][])('stays closed if %s', (_what, change) => {
    expect(() => requireConfidentialGpus({ ...confidential, ...change })).toThrow(
      expect.objectContaining({ code: 'ERR_GPU_NOT_CONFIDENTIAL' }),
    );
  });
});

describe('the evidence of the GPUs', () => {
  const evidence = buildGpuEvidence();
  const anchors = [evidence.root];

  it('verifies over the requested nonce', async () => {
    const choices = { evidence: { ...evidence, nonce: gpuNonce } };
    const { gpus, switches } = await withLibrary(choices, (nvml) => collectDeviceEvidence(gpuNonce, { nvml }));
    expect(switches).toEqual([]);
    const { authentic } = await verifyGpuEvidence(gpus[0]!, { anchors, nonce: gpuNonce, nowMs: gpuNowMs });
    expect(authentic).toBe(true);
  });

  it('has a report of each GPU', async () => {
    const choices = { gpus: 2, evidence: { ...evidence, nonce: gpuNonce } };
    const { gpus } = await withLibrary(choices, (nvml) => collectDeviceEvidence(gpuNonce, { nvml }));
    expect(gpus).toHaveLength(2);
  });

  it('is not collected from GPUs that are not confidential', async () => {
    const choices = { devToolsMode: 1, evidence: { ...evidence, nonce: gpuNonce } };
    await expect(withLibrary(choices, (nvml) => collectDeviceEvidence(gpuNonce, { nvml }))).rejects.toMatchObject({
      code: 'ERR_GPU_NOT_CONFIDENTIAL',
    });
  });

  it.each([
    ['the driver refuses', { reportResult: 999 }],
    ['a report is empty', { reportSize: 0 }],
    ['a report is longer than any', { reportSize: 0x2001 }],
    ['the driver cannot make reports', { without: ['nvmlDeviceGetConfComputeGpuAttestationReport'] }],
  ] satisfies [string, NvmlChoices][])('is unavailable if %s', async (_what, choices) => {
    await expect(
      withLibrary(choices, (nvml) => collectDeviceEvidence(new Uint8Array(32), { nvml })),
    ).rejects.toMatchObject({ name: 'AttestationError', code: 'ERR_NVML_FAILED' });
  });

  it('requires a nonce of 32 bytes', async () => {
    await expect(withLibrary({}, (nvml) => collectDeviceEvidence(new Uint8Array(31), { nvml }))).rejects.toThrow(
      RangeError,
    );
  });

  it('is collected for one request at a time, and not for aborted requests', async () => {
    await using folder = await scratchFolder();
    const nvml = await buildNvmlLibrary(folder.path, { evidence: { ...evidence, nonce: gpuNonce } });
    const line = new DeviceEvidenceLine({ nvml });
    const left = line.collect(gpuNonce, { signal: AbortSignal.abort() });
    const all = [1, 2, 3].map(() => line.collect(gpuNonce));
    await expect(left).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect((await Promise.all(all)).map(({ gpus }) => gpus.length)).toEqual([1, 1, 1]);
  });

  it('is rejected if the queue is full', async () => {
    const line = new DeviceEvidenceLine({ nvml: '/nowhere/libnvidia-ml.so.1' });
    const waiting = Array.from({ length: gpuEvidenceWaitingMax }, () => line.collect(gpuNonce));
    await expect(line.collect(gpuNonce)).rejects.toMatchObject({ code: 'ERR_QUOTE_BUSY' });
    const answers = await Promise.allSettled(waiting);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    await expect(line.collect(gpuNonce)).rejects.toMatchObject({ code: 'ERR_NVML_MISSING' });
  });
});

describe('the evidence of a node in protected PCIe mode', () => {
  const node = buildNode({ gpus: 1, switches: 2 });
  const gpu = { evidence: { ...node.gpus[0]!, nonce: gpuNonce }, multiGpuMode: 1, ccFeature: 0 };

  async function collect(choices: NscqChoices, nvmlChoices: NvmlChoices = gpu) {
    await using folder = await scratchFolder();
    const nvml = await buildNvmlLibrary(folder.path, nvmlChoices);
    const nscq = await buildNscqLibrary(folder.path, { nonce: gpuNonce, switches: node.switches, ...choices });
    return await collectDeviceEvidence(gpuNonce, { nvml, nscq });
  }

  it('has every switch, and verifies over the requested nonce', async () => {
    const { gpus, switches } = await collect({});
    expect([gpus.length, switches.map(({ uuid }) => uuid)]).toEqual([1, ['SWX-0', 'SWX-1']]);
    const expected = { anchors: node.roots.devices.map(parseCertificate), nonce: gpuNonce, nowMs: gpuNowMs };
    for (const one of switches) expect((await verifySwitchEvidence(one, expected)).authentic).toBe(true);
  });

  it('has no switches in another mode, and does not load the library', async () => {
    await using folder = await scratchFolder();
    const nvml = await buildNvmlLibrary(folder.path, { ...gpu, multiGpuMode: 0, ccFeature: 1 });
    const { switches } = await collectDeviceEvidence(gpuNonce, { nvml, nscq: '/nowhere/libnvidia-nscq.so.2' });
    expect(switches).toEqual([]);
  });

  it.each([
    ['has no session', { sessionResult: -6 }, /nscq_session_create: NSCQ error -6/],
    ['warns', { sessionResult: 1 }, /NSCQ error 1/],
    ['refuses a report', { reportResult: -7 }, /attestation_report: NSCQ error -7/],
    ['gives an empty report', { reportSize: 0 }, /of 0 bytes/],
    ['gives a report that is longer than any', { reportSize: 0x2001 }, /of 8193 bytes/],
    ['shows two reports of one switch', { shown: 2 }, /gave 2 answers/],
    ['shows none', { shown: 0 }, /gave 0 answers/],
    ['finds too many switches', { told: 100 }, /reports 200 switches/],
    ['was asked another nonce', { nonce: new Uint8Array(32) }, /attestation_report: NSCQ error -7/],
    ['lacks a function', { without: ['nscq_session_set_input'] }, /has no nscq_session_set_input/],
  ] satisfies [string, NscqChoices, RegExp][])('is unavailable if the library %s', async (_what, choices, message) => {
    await expect(collect(choices)).rejects.toMatchObject({
      name: 'AttestationError',
      code: 'ERR_NSCQ_FAILED',
      message: expect.stringMatching(message),
    });
  });

  it('fails without the library', async () => {
    await using folder = await scratchFolder();
    const nvml = await buildNvmlLibrary(folder.path, gpu);
    const without = collectDeviceEvidence(gpuNonce, { nvml, nscq: '/nowhere/libnvidia-nscq.so.2' });
    await expect(without).rejects.toMatchObject({ code: 'ERR_NSCQ_MISSING' });
  });
});

describe('GPUs that are set ready', () => {
  const noGate = '/nowhere/gpu-gate';

  it('accept work from then on', async () => {
    await using folder = await scratchFolder();
    const library = await buildNvmlLibrary(folder.path);
    expect(existsSync(readyFile(folder.path))).toBe(false);
    await setGpusReady({ gate: noGate, library });
    expect(existsSync(readyFile(folder.path))).toBe(true);
  });

  it.each([
    ['their driver refuses', { readyResult: 4 }, /SetConfComputeGpusReadyState: Other Error/],
    ['their driver cannot', { without: ['nvmlSystemSetConfComputeGpusReadyState'] }, /has no nvmlSystemSet/],
  ] satisfies [string, NvmlChoices, RegExp][])('are not set ready if %s', async (_what, choices, message) => {
    await using folder = await scratchFolder();
    const library = await buildNvmlLibrary(folder.path, choices);
    await expect(setGpusReady({ gate: noGate, library })).rejects.toMatchObject({
      code: 'ERR_NVML_FAILED',
      message: expect.stringMatching(message),
    });
  });

  /** Init’s side of the gate. */
  async function withGate(answer: string, use: (gate: string, library: string) => Promise<void>, isReady = true) {
    await using folder = await scratchFolder();
    const library = await buildNvmlLibrary(folder.path);
    const gate = join(folder.path, 'gate');
    const server = createServer((socket) => {
      if (isReady) void setGpusReady({ gate: noGate, library }).then(() => socket.end(answer));
      else socket.end(answer);
    });
    await new Promise<void>((resolve) => server.listen(gate, resolve));
    try {
      await use(gate, library);
    } finally {
      server.close();
    }
  }

  it('are set ready by init if it has a socket', async () => {
    await withGate('1', (gate, library) => setGpusReady({ gate, library }));
  });

  it('are not ready if init refuses, sends nothing, or reports success wrongly', async () => {
    const refused = (message: RegExp) => async (gate: string, library: string) => {
      await expect(setGpusReady({ gate, library })).rejects.toMatchObject({
        code: 'ERR_NVML_FAILED',
        message: expect.stringMatching(message),
      });
    };
    await withGate('0', refused(/driver refused to set the GPUs ready/), false);
    await withGate('', refused(/driver refused to set the GPUs ready/), false);
    await withGate('1', refused(/accept no work after/), false);
  });
});
