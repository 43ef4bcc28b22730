/** GPUs at the start of a server: they are attested, measured, and only then set ready; otherwise the start fails. */
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../../attestation/base/errors.ts';
import { gpuStartNonceOf, reportDataOf } from '../../../attestation/base/report-data.ts';
import type { StartEvent } from '../../../attestation/eventlog/start-log.ts';
import type { GpuFacts } from '../../../attestation/guest/gpu-evidence.ts';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { verifyGpuEvidence } from '../../../attestation/index.ts';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import { type AdmissionOptions, admitGpus, type GpuSystem } from '../../../server/enclave/gpu-admission.ts';
import type { MeasuredDevices } from '../../../server/enclave/own-devices.ts';
import { gpuNonce, gpuNowMs } from '../../support/attestation/gpu-evidence.ts';
import { buildNode, type NodeOptions } from '../../support/attestation/gpu-node.ts';
import { fieldsBut } from '../../support/attestation/gpu-reference.ts';

const driverFacts = (gpus: number, change: Partial<GpuFacts> = {}): GpuFacts => ({
  driverVersion: '570.1.2',
  environment: 'production',
  confidentialCompute: true,
  developerTools: false,
  multiGpu: 'none',
  gpus: Array.from({ length: gpus }, (_, index) => ({ uuid: `GPU-${index}`, name: 'Test GPU', vbiosVersion: '?' })),
  ...change,
});

interface Case extends NodeOptions {
  readonly kind?: AttestedPlatform['kind'];
  readonly facts?: Partial<GpuFacts>;
  readonly system?: (node: ReturnType<typeof buildNode>) => Partial<GpuSystem>;
  readonly options?: Partial<AdmissionOptions>;
}

/** The steps and the result of a start with these GPUs. */
async function admit({ kind = 'tdx', facts = {}, system, options = {}, ...wish }: Case = {}) {
  const node = buildNode(wish);
  const steps: string[] = [];
  const events: StartEvent[] = [];
  const isProtected = wish.isProtected ?? true;
  const found = driverFacts(node.gpus.length, { ...(isProtected ? { multiGpu: 'protected-pcie' } : {}), ...facts });
  const own: GpuSystem = {
    readFacts: async () => found,
    collectEvidence: async () => ({ gpus: node.gpus, switches: node.switches }),
    findReference: async () => node.reference,
    setReady: async () => undefined,
    ...system?.(node),
  };
  const noted = Object.fromEntries(
    Object.entries(own).map(([name, run]) => [
      name,
      (...given: [never]) => {
        steps.push(name);
        return (run as (...given: [never]) => unknown)(...given);
      },
    ]),
  ) as unknown as GpuSystem;
  const platform = {
    kind,
    async measure(event: StartEvent) {
      steps.push(event.name);
      events.push(event);
    },
  };
  const admission = { system: noted, isWanted: true, nonce: gpuNonce, nowMs: gpuNowMs, roots: node.roots, ...options };
  const ended = await admitGpus(platform, admission).catch((error: unknown) => error);
  return { ended, steps, events, node };
}

const inOrder = ['readFacts', 'collectEvidence', 'findReference', 'cloister.gpu', 'setReady'];

describe('the GPUs of a TD', () => {
  it('are verified, then measured, then set ready', async () => {
    const { ended, steps, events, node } = await admit();
    expect(steps).toEqual(inOrder);
    expect(JSON.parse(events[0]!.content)).toEqual(ended);
    const { gpus, switches } = ended as MeasuredDevices;
    const { chain } = await verifyGpuEvidence(node.gpus[0]!, {
      ...{ anchors: node.roots.devices.map(parseCertificate), nonce: gpuNonce, nowMs: gpuNowMs },
    });
    const key = await crypto.subtle.digest('SHA-256', chain![0]!.spki as Uint8Array<ArrayBuffer>);
    expect(gpus[0]).toEqual({
      uuid: 'GPU-0',
      name: 'Test GPU',
      keySha256: Buffer.from(key).toString('hex'),
      driverVersion: '570.1.2',
      vbiosVersion: '96.00.5E.00.01',
      mode: 'ppcie',
    });
    expect(switches.map(({ uuid, vbiosVersion, mode }) => [uuid, vbiosVersion, mode])).toEqual([
      ['SWX-0', '96.10.73.00.01', 'locked'],
      ['SWX-1', '96.10.73.00.01', 'locked'],
    ]);
  });

  it('have no switches in their evidence if they are not in protected PCIe mode', async () => {
    const { ended, steps } = await admit({ isProtected: false });
    expect(steps).toEqual(inOrder);
    expect(ended).toMatchObject({ gpus: [{ mode: 'single' }, { mode: 'single' }], switches: [] });
  });

  it.each<[string, RegExp, Case]>([
    [
      'one is signed by an unknown key',
      /GPU 2: .*signed by the GPU/,
      { change: (kind, index) => (kind === 'gpu' && index === 1 ? { isForeignKey: true } : {}) },
    ],
    ['one answers another nonce', /GPU 1: .*this nonce/, { nonce: new Uint8Array(32) }],
    [
      'one is a switch',
      /GPU 1: .*it is for a switch/,
      {
        system: ({ switches, gpus }) => ({
          collectEvidence: async () => ({ gpus: [switches[0]!, gpus[1]!], switches }),
        }),
      },
    ],
    [
      'a switch is a GPU',
      /switch 1: .*it is for a gpu/,
      {
        system: ({ gpus }) => ({
          collectEvidence: async () => ({ gpus, switches: gpus.map((gpu) => ({ ...gpu, uuid: 'x' })) }),
        }),
      },
    ],
    [
      'one has a measurement that NVIDIA did not publish',
      /GPU 1: .*measurements 3, 4, 35, 0, 1 do not match the manifest/,
      {
        change: (kind, index) =>
          kind === 'gpu' && index === 0 ? { report: { measurements: [{ index: 9, value: new Uint8Array(48) }] } } : {},
      },
    ],
    [
      'there is no manifest',
      /GPU 1: .*no manifest was given/,
      { system: ({ reference }) => ({ findReference: async () => ({ ...reference, driverRim: undefined }) }) },
    ],
    [
      'revocation was not checked',
      /GPU 1: .*no OCSP responses/,
      { system: ({ reference }) => ({ findReference: async () => ({ ...reference, ocspResponses: undefined }) }) },
    ],
    [
      'there is no manifest for the switch',
      /switch 1: .*no manifest was given/,
      { system: ({ reference }) => ({ findReference: async () => ({ ...reference, switchRim: undefined }) }) },
    ],
    [
      'one switch is missing',
      /GPU 1 is connected to/,
      { system: ({ gpus, switches }) => ({ collectEvidence: async () => ({ gpus, switches: switches.slice(1) }) }) },
    ],
    [
      'fewer prove themselves than there are',
      /1 of 2 GPUs gave evidence/,
      { system: ({ gpus, switches }) => ({ collectEvidence: async () => ({ gpus: gpus.slice(1), switches }) }) },
    ],
    [
      'one answers for two',
      /two GPUs have the same key/,
      {
        isProtected: false,
        system: ({ gpus }) => ({ collectEvidence: async () => ({ gpus: [gpus[0]!, gpus[0]!], switches: [] }) }),
      },
    ],
    [
      'another driver is loaded than one reports',
      /GPU 1 reports driver 570\.1\.2, loaded is 580\.1/,
      { facts: { driverVersion: '580.1' } },
    ],
    [
      'the driver tells of another mode',
      /GPU 1 reports mode ppcie, the driver says none/,
      { facts: { multiGpu: 'none' } },
    ],
    [
      'one does not report its mode',
      /GPU 1: .*R590 or later/,
      { isProtected: false, change: () => ({ report: { fields: fieldsBut(34) } }) },
    ],
  ])('stop the start if %s, without being measured or set ready', async (_what, reason, wish) => {
    const { ended, steps } = await admit(wish);
    expect(ended).toBeInstanceOf(AttestationError);
    expect((ended as Error).message).toMatch(reason);
    expect(steps).not.toContain('cloister.gpu');
    expect(steps).not.toContain('setReady');
  });

  it('are not set ready if the register could not be extended', async () => {
    const node = buildNode();
    const ready: string[] = [];
    const platform = {
      kind: 'tdx' as const,
      measure: () => Promise.reject(new AttestationError('ERR_TDX_FAILED', 'no')),
    };
    const system: GpuSystem = {
      readFacts: async () => driverFacts(2, { multiGpu: 'protected-pcie' }),
      collectEvidence: async () => node,
      findReference: async () => node.reference,
      setReady: async () => void ready.push('ready'),
    };
    const options = { system, isWanted: true, nonce: gpuNonce, nowMs: gpuNowMs, roots: node.roots };
    await expect(admitGpus(platform, options)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
    expect(ready).toEqual([]);
  });

  it.each<[string, Partial<GpuFacts>]>([
    ['confidential computing is off', { confidentialCompute: false }],
    ['developer tools are on', { developerTools: true }],
    ['the mode is a simulation', { environment: 'simulation' }],
  ])('are not asked for evidence if %s', async (_what, facts) => {
    const { ended, steps } = await admit({ isProtected: false, facts });
    expect(ended).toMatchObject({ code: 'ERR_GPU_NOT_CONFIDENTIAL' });
    expect(steps).toEqual(['readFacts']);
  });

  it('are recorded as "none" if the machine has no GPU or GPUs are switched off', async () => {
    const missing = () => Promise.reject(new AttestationError('ERR_NVML_MISSING', 'there is none'));
    expect(await admit({ system: () => ({ readFacts: missing }) })).toMatchObject({
      ended: 'none',
      steps: ['readFacts', 'cloister.gpu'],
    });
    expect(await admit({ facts: { gpus: [] } })).toMatchObject({ ended: 'none', steps: ['readFacts', 'cloister.gpu'] });
    const unwanted = await admit({ options: { isWanted: false } });
    expect(unwanted).toMatchObject({ ended: 'none', steps: ['cloister.gpu'] });
    expect(unwanted.events[0]!.content).toBe('{"gpus":[]}');
  });

  it('stop the start if their driver fails', async () => {
    const broken = () => Promise.reject(new AttestationError('ERR_NVML_FAILED', 'it is broken'));
    const { ended, steps } = await admit({ system: () => ({ readFacts: broken }) });
    expect([steps, ended]).toEqual([['readFacts'], expect.objectContaining({ code: 'ERR_NVML_FAILED' })]);
  });
});

describe('the GPUs of a simulated platform', () => {
  it('are reported unchanged, without evidence', async () => {
    const { ended, steps } = await admit({
      kind: 'simulated',
      isProtected: false,
      facts: { confidentialCompute: false },
    });
    expect(steps).toEqual(['readFacts', 'cloister.gpu']);
    expect(ended).toEqual({ ...driverFacts(2, { confidentialCompute: false }), switches: [] });
  });

  it('are reported as unknown if their driver fails', async () => {
    const broken = () => Promise.reject(new AttestationError('ERR_NVML_FAILED', 'it is broken'));
    const { ended, events } = await admit({ kind: 'simulated', system: () => ({ readFacts: broken }) });
    expect([ended, events[0]!.content]).toEqual(['unknown', '{"gpus":"unknown"}']);
  });
});

describe('the nonce of the GPU reports at the start', () => {
  const keysetDigest = 'ab'.repeat(32);

  it('is derived from the keys and cannot equal a nonce from a request', async () => {
    const nonce = await gpuStartNonceOf(keysetDigest);
    const text = `{"keyset_digest":"sha256:${keysetDigest}","nonce":null,"purpose":"cloister.gpu_start.v1"}`;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    expect(Buffer.from(nonce)).toEqual(Buffer.from(digest));
    const open = await reportDataOf({ keysetDigest, nonce: undefined });
    expect(Buffer.from(open.subarray(0, 32)).equals(nonce)).toBe(false);
    expect(await gpuStartNonceOf('cd'.repeat(32))).not.toEqual(nonce);
  });

  it('requires a digest of 64 hexadecimal digits', async () => {
    await expect(gpuStartNonceOf('AB'.repeat(32))).rejects.toThrow(TypeError);
  });
});
