/** Nodes with several GPUs: verification of switches, and protected PCIe if the evidence has all devices of a node. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { gpuIdentityOf, switchIdentityOf } from '../../attestation/gpu/device-identity.ts';
import { switchChecks } from '../../attestation/gpu/gpu-check-table.ts';
import { switchReferenceChecks } from '../../attestation/gpu/gpu-reference-check-table.ts';
import { requireWholeNode } from '../../attestation/gpu/node.ts';
import { nvidiaDeviceRootCa, nvidiaManifestRootCa } from '../../attestation/gpu/nvidia-roots.ts';
import { switchBiosVersionOf, switchManifestNameOf } from '../../attestation/gpu/switch-state.ts';
import {
  type GpuEvidence,
  type GpuVerification,
  type SwitchVerification,
  verifyGpuEvidence,
  verifySwitchEvidence,
} from '../../attestation/gpu/verify-gpu.ts';
import { verifySwitchReference } from '../../attestation/gpu/verify-switch-reference.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { gpuNonce, gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import {
  buildNode,
  gpuFields,
  gpuNumber,
  type NodeOptions,
  switchFields,
  switchNumber,
} from '../support/attestation/gpu-node.ts';
import { measured } from '../support/attestation/gpu-reference.ts';
import { hasVectorFile, vectorText } from '../support/vectors.ts';

const outcomes = (checks: readonly { id: string; outcome: string }[], outcome: string) =>
  checks.filter((check) => check.outcome === outcome).map((check) => check.id);
const toDevice = ({ report, chain }: GpuVerification | SwitchVerification) => ({ report: report!, chain: chain! });

async function verifyNode(options: NodeOptions = {}) {
  const node = buildNode(options);
  const expected = { anchors: node.roots.devices.map(parseCertificate), nonce: gpuNonce, nowMs: gpuNowMs };
  const gpus = await Promise.all(node.gpus.map((gpu) => verifyGpuEvidence(gpu, expected)));
  const switches = await Promise.all(node.switches.map((one) => verifySwitchEvidence(one, expected)));
  const judge = async (index = 0) =>
    verifySwitchReference(switches[index]!, node.reference, {
      rimAnchors: node.roots.manifests.map(parseCertificate),
      nowMs: gpuNowMs,
    });
  return {
    node,
    expected,
    gpus,
    switches,
    judge,
    devices: { gpus: gpus.map(toDevice), switches: switches.map(toDevice) },
  };
}

describe('a switch', () => {
  it('is verified as a switch, and accepted if its measurements are published and it is locked', async () => {
    const { switches, judge } = await verifyNode();
    expect(outcomes(switches[0]!.checks, 'pass')).toEqual(Object.keys(switchChecks));
    expect(outcomes(await judge(), 'pass')).toEqual(Object.keys(switchReferenceChecks));
  });

  it('is rejected as a GPU, and a GPU as a switch', async () => {
    const { node, expected } = await verifyNode();
    const asGpu = await verifyGpuEvidence(node.switches[0]!, expected);
    expect([asGpu.authentic, outcomes(asGpu.checks, 'fail')]).toEqual([false, ['gpu-device']]);
    const asSwitch = await verifySwitchEvidence(node.gpus[0]!, expected);
    expect([asSwitch.authentic, outcomes(asSwitch.checks, 'fail')]).toEqual([false, ['switch-device']]);
  });

  it('is rejected if its certificate is for an unknown chip', async () => {
    const { switches } = await verifyNode({ change: () => ({ device: 'XY_1 FSP' }) });
    expect(outcomes(switches[0]!.checks, 'fail')).toEqual(['switch-device']);
    expect(switches[0]!.checks.find(({ id }) => id === 'switch-device')?.reason).toMatch(/"XY_1 FSP"/);
  });

  const numbers = [gpuNumber(0), gpuNumber(1)];
  const fieldsOf = (change: (fields: Map<number, Uint8Array>) => void) => {
    const fields = new Map(switchFields(switchNumber(0), numbers));
    change(fields);
    return { change: () => ({ report: { fields: [...fields] } }) };
  };

  it.each([
    ['is not locked', 'switch-lock', fieldsOf((fields) => fields.set(25, Uint8Array.of(0, 0)))],
    ['does not say whether it is locked', 'switch-lock', fieldsOf((fields) => fields.delete(25))],
    [
      'names another version than the manifest',
      'switch-rim-version',
      fieldsOf((fields) => fields.set(6, new TextEncoder().encode('96.10.55.00.01'))),
    ],
    ['names no version', 'switch-rim-version', fieldsOf((fields) => fields.delete(6))],
    [
      'measured something else',
      'switch-measurements',
      {
        change: () => ({ report: { measurements: measured.slice(1), fields: switchFields(switchNumber(0), numbers) } }),
      },
    ],
  ] as const)('is rejected if it %s', async (_, id, options) => {
    const { judge } = await verifyNode({ ...options, gpus: 0 });
    expect(outcomes(await judge(), 'fail')).toEqual([id]);
  });

  it('could not be checked without a manifest', async () => {
    const { switches } = await verifyNode();
    const checks = await verifySwitchReference(switches[0]!, {}, { rimAnchors: [], nowMs: gpuNowMs });
    expect(outcomes(checks, 'pass')).toEqual(['switch-lock']);
    expect(outcomes(checks, 'fail')).toEqual([]);
  });
});

describe('a node in protected PCIe mode', () => {
  it('is complete if GPUs and switches name each other', async () => {
    const { devices } = await verifyNode({ gpus: 8, switches: 4 });
    expect(requireWholeNode(devices)).toBe('8 GPUs and 4 switches, connected to one another and to no other');
  });

  it('has no requirements for GPUs in another mode', async () => {
    const { devices } = await verifyNode({ isProtected: false });
    expect(requireWholeNode(devices)).toBe('no GPU is in protected PCIe mode');
  });

  it('is rejected with one switch missing', async () => {
    const { devices } = await verifyNode();
    expect(() => requireWholeNode({ ...devices, switches: devices.switches.slice(1) })).toThrow(
      /GPU 1 is connected to b1b2b3b4b5b6b710, which is not among the 1 switches/,
    );
    expect(() => requireWholeNode({ ...devices, switches: [] })).toThrow(/not among the 0 switches/);
  });

  it('is rejected with one GPU missing', async () => {
    const { devices } = await verifyNode();
    expect(() => requireWholeNode({ ...devices, gpus: devices.gpus.slice(1) })).toThrow(
      /switch 1 is connected to a1a2a3a4a5a6a710, which is not among the 1 GPUs/,
    );
  });

  it('is rejected with a device of another node in a position', async () => {
    const { devices } = await verifyNode();
    const other = await verifyNode({ change: (_, index) => (index === 0 ? { number: 'c1c2c3c4c5c6c7c8' } : {}) });
    const [foreignGpu, foreignSwitch] = [other.devices.gpus[0]!, other.devices.switches[0]!];
    expect(() => requireWholeNode({ ...devices, gpus: [foreignGpu, devices.gpus[1]!] })).toThrow(
      /not among the 2 GPUs/,
    );
    expect(() => requireWholeNode({ ...devices, switches: [foreignSwitch, devices.switches[1]!] })).toThrow(
      /not among the 2 switches/,
    );
  });

  it('is rejected with a switch whose number differs from its certificate', async () => {
    const fields = switchFields(switchNumber(5), [gpuNumber(0), gpuNumber(1)]);
    const { devices } = await verifyNode({
      change: (kind, index) => (kind === 'switch' && index === 0 ? { report: { fields } } : {}),
    });
    expect(() => requireWholeNode(devices)).toThrow(/switch 1 has a different number than its certificate/);
  });

  it('is rejected with a switch that no GPU is connected to', async () => {
    const { devices } = await verifyNode({
      change: (kind) => (kind === 'gpu' ? { report: { fields: gpuFields([switchNumber(0)]) } } : {}),
    });
    expect(() => requireWholeNode(devices)).toThrow(/GPU 1 is not connected to b1b2b3b4b5b6b711/);
  });

  it('is rejected if a device occurs twice or one GPU is in another mode', async () => {
    const { devices } = await verifyNode();
    const [first] = devices.gpus;
    expect(() => requireWholeNode({ ...devices, gpus: [first!, first!] })).toThrow(/occurs twice/);
    const single = (await verifyNode({ isProtected: false })).devices.gpus[0]!;
    expect(() => requireWholeNode({ ...devices, gpus: [first!, single] })).toThrow(/1 of 2 GPUs are in protected/);
  });

  it('is rejected with malformed device numbers', async () => {
    const odd = async (field: number, bytes: Uint8Array, kind: 'gpu' | 'switch') => {
      const fields = kind === 'gpu' ? gpuFields([switchNumber(0)]) : switchFields(switchNumber(0), [gpuNumber(0)]);
      const changed = fields.map(([id, value]) => [id, id === field ? bytes : value] as const);
      const { devices } = await verifyNode({
        ...{ gpus: 1, switches: 1 },
        change: (which) => (which === kind ? { report: { fields: changed } } : {}),
      });
      return () => requireWholeNode(devices);
    };
    expect(await odd(22, new Uint8Array(12), 'gpu')).toThrow(/12 bytes for its switches/);
    expect(await odd(22, new Uint8Array(9), 'switch')).toThrow(/9 bytes for its own number/);
    expect(await odd(26, new Uint8Array(63), 'switch')).toThrow(/63 bytes for its GPUs/);
    expect(await odd(26, new Uint8Array(64), 'switch')).toThrow(/names no GPUs/);
  });
});

it('accepts or rejects hostile fields of a report with its own error code', async () => {
  const { devices } = await verifyNode({ gpus: 1, switches: 1 });
  const [gpu, fabric] = [devices.gpus[0]!, devices.switches[0]!];
  const fields = fc.uniqueArray(
    fc.tuple(fc.constantFrom(3, 6, 21, 22, 25, 26, 34, 36), fc.uint8Array({ maxLength: 200 })),
    {
      selector: ([id]) => id,
    },
  );
  await fc.assert(
    fc.asyncProperty(fields, fields, async (ofGpu, ofSwitch) => {
      const hostileGpu = { ...gpu, report: { ...gpu.report, fields: new Map(ofGpu) } };
      const hostileSwitch = { ...fabric, report: { ...fabric.report, fields: new Map(ofSwitch) } };
      for (const run of [
        async () => requireWholeNode({ gpus: [hostileGpu], switches: [hostileSwitch] }),
        () => gpuIdentityOf(hostileGpu),
        () => switchIdentityOf(hostileSwitch),
      ]) {
        await run().catch((error: unknown) => {
          if (!(error instanceof AttestationError)) throw error;
        });
      }
    }),
    { numRuns: 300 },
  );
});

const folder = 'gpu-nvidia-nvtrust';
const hasNode = hasVectorFile(`${folder}/gpu_evidence.json`) && hasVectorFile(`${folder}/switch_evidence.json`);

describe.skipIf(!hasNode)(`a real node${hasNode ? '' : ` (skipped: ../shared/vectors/${folder} is not there)`}`, () => {
  const nowMs = Date.UTC(2026, 10, 1);
  const anchors = [parseCertificate(nvidiaDeviceRootCa)];
  const read = (file: string): GpuEvidence[] =>
    (JSON.parse(vectorText(`${folder}/${file}`)) as { evidence: string; certificate: string }[]).map((one) => ({
      report: new Uint8Array(Buffer.from(one.evidence, 'base64')),
      chainPem: Buffer.from(one.certificate, 'base64').toString(),
    }));
  const expectedOf = ({ report }: GpuEvidence) => ({ anchors, nonce: report.subarray(4, 36), nowMs });
  const verifyReal = async () => ({
    gpus: await Promise.all(read('gpu_evidence.json').map((one) => verifyGpuEvidence(one, expectedOf(one)))),
    switches: await Promise.all(read('switch_evidence.json').map((one) => verifySwitchEvidence(one, expectedOf(one)))),
  });

  it('of eight H100 and four switches is authentic and complete, and incomplete without any of them', async () => {
    const { gpus, switches } = await verifyReal();
    expect([...gpus, ...switches].every(({ authentic }) => authentic)).toBe(true);
    const devices = { gpus: gpus.map(toDevice), switches: switches.map(toDevice) };
    expect(requireWholeNode(devices)).toMatch(/^8 GPUs and 4 switches/);
    expect(() => requireWholeNode({ ...devices, switches: devices.switches.slice(1) })).toThrow(
      /GPU 1 is connected to/,
    );
    expect(() => requireWholeNode({ ...devices, gpus: devices.gpus.slice(1) })).toThrow(/switch 1 is connected to/);
    const identity = await gpuIdentityOf(devices.gpus[0]!);
    expect(identity).toMatchObject({ driverVersion: '590.12', vbiosVersion: '96.00.A5.00.01', mode: 'ppcie' });
    expect(await switchIdentityOf(devices.switches[0]!)).toMatchObject({
      vbiosVersion: '96.10.73.00.01',
      mode: 'locked',
    });
  });

  it('has switches that are rejected as GPUs', async () => {
    const [one] = read('switch_evidence.json');
    const { checks } = await verifyGpuEvidence(one!, expectedOf(one!));
    expect(outcomes(checks, 'fail')).toEqual(['gpu-device']);
  });

  const hasRim = hasVectorFile(`${folder}/switch_rim.xml`) && hasVectorFile(`${folder}/other_switch_evidence.json`);
  it.skipIf(!hasRim)('has a switch whose measurements match its real manifest', async () => {
    const [one] = read('other_switch_evidence.json');
    const device = await verifySwitchEvidence(one!, expectedOf(one!));
    const switchRim = new TextEncoder().encode(vectorText(`${folder}/switch_rim.xml`));
    const rimAnchors = [parseCertificate(nvidiaManifestRootCa)];
    const checks = await verifySwitchReference(device, { switchRim }, { rimAnchors, nowMs });
    expect(outcomes(checks, 'fail')).toEqual([]);
    expect(checks.find(({ id }) => id === 'switch-measurements')?.reason).toBe('31 measurements match the manifest');
    expect(switchManifestNameOf(device.report!)).toBe('NV_SWITCH_BIOS_5612_0002_890_9610550001');
    expect(switchBiosVersionOf(device.report!)).toBe('96.10.55.00.01');
  });

  const hasBlackwell = hasVectorFile(`${folder}/blackwell_report.txt`);
  it.skipIf(!hasBlackwell)(
    'a real B200 with a driver before R590 is accepted as a GPU in single mode, the only one that the driver supports',
    async () => {
      const report = new Uint8Array(Buffer.from(vectorText(`${folder}/blackwell_report.txt`).trim(), 'hex'));
      const evidence = { report, chainPem: vectorText(`${folder}/blackwell_chain.txt`) };
      const gpu = await verifyGpuEvidence(evidence, expectedOf(evidence));
      expect([gpu.authentic, gpu.checks.find(({ id }) => id === 'gpu-device')?.reason]).toEqual([true, 'GB100']);
      expect(await gpuIdentityOf(toDevice(gpu))).toMatchObject({ driverVersion: '575.32', mode: 'single' });
    },
  );
});
