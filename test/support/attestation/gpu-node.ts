/** A node in protected PCIe mode: GPUs and switches of a test hierarchy that name one another, and manifests for them. */
import type { GpuReference } from '../../../attestation/gpu/verify-reference.ts';
import { buildGpuEvidence, type GpuChange, gpuNonce, gpuNowMs } from './gpu-evidence.ts';
import { driverIndices, fieldsBut, golden, measured, newestFields, vbiosIndices } from './gpu-reference.ts';
import { writeOcspResponse } from './ocsp-writer.ts';
import { issueP384, newKeyPair, ocspResponderExtension } from './p384-hierarchy.ts';
import { writeRim } from './rim-writer.ts';

const dayMs = 86_400_000;
const gpuLinks = 18;
const ports = 64;

export interface NodeOptions {
  /** Default 2 each. */
  readonly gpus?: number;
  readonly switches?: number;
  readonly nonce?: Uint8Array;
  /** False: GPUs of mode `single`, and no switches. Default true. */
  readonly isProtected?: boolean;
  /** Changes one device's evidence. */
  readonly change?: (kind: 'gpu' | 'switch', index: number) => GpuChange;
}

type Fields = readonly (readonly [number, Uint8Array])[];

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
/** 16 hexadecimal digits, all different. */
export const gpuNumber = (index: number): string => `a1a2a3a4a5a6a7${(index + 16).toString(16)}`;
export const switchNumber = (index: number): string => `b1b2b3b4b5b6b7${(index + 16).toString(16)}`;

/** Fields of a GPU whose links lead to these switches in order; the last link is not connected. */
export function gpuFields(switches: readonly string[]): Fields {
  const links = Array.from({ length: gpuLinks }, (_, link) =>
    link === gpuLinks - 1 ? new Uint8Array(8) : bytesOf(switches[link % switches.length]!).reverse(),
  );
  return [...fieldsBut(36, Uint8Array.of(2, 0)), [22, new Uint8Array(Buffer.concat(links))]];
}

/** Fields of a locked switch that is connected to these GPUs. */
export function switchFields(number: string, gpus: readonly string[]): Fields {
  const numbers = new Uint8Array(64);
  gpus.forEach((gpu, index) => {
    numbers.set(bytesOf(gpu), 8 * index);
  });
  return [
    [6, new TextEncoder().encode('96.10.73.00.01')],
    [22, bytesOf(number)],
    [26, new Uint8Array([...numbers, ...new Uint8Array(ports).fill(0xff)])],
    [25, Uint8Array.of(1, 0)],
  ];
}

export function buildNode(options: NodeOptions = {}) {
  const { gpus = 2, switches = 2, nonce = gpuNonce, isProtected = true, change = () => ({}) } = options;
  const rootKey = newKeyPair();
  const gpuNumbers = Array.from({ length: gpus }, (_, index) => gpuNumber(index));
  const switchNumbers = Array.from({ length: isProtected ? switches : 0 }, (_, index) => switchNumber(index));
  const build = (own: GpuChange, fields: Fields, wish: GpuChange) =>
    buildGpuEvidence({
      ...{ hasResponder: true, of: { rootKey, caKey: newKeyPair(), leafKey: newKeyPair() }, ...own, ...wish },
      report: { measurements: measured, fields, nonce, ...wish.report },
    });
  const builtGpus = gpuNumbers.map((number, index) =>
    build({ number }, isProtected ? gpuFields(switchNumbers) : newestFields, change('gpu', index)),
  );
  const builtSwitches = switchNumbers.map((number, index) =>
    build({ number, device: 'LS_10 A01 FSP BROM' }, switchFields(number, gpuNumbers), change('switch', index)),
  );
  const all = [...builtGpus, ...builtSwitches];
  const rim = buildManifests();
  const answers = all.map(({ authorities: { ca, root } }) =>
    writeOcspResponse({ answers: [{ subject: ca, issuer: root, ...current }], by: rootKey }),
  );
  const reference: GpuReference = { ...rim.manifests, ocspResponses: [...answers, rim.answer] };
  return {
    gpus: builtGpus.map(({ report, chainPem }) => ({ report, chainPem })),
    switches: builtSwitches.map(({ report, chainPem }, index) => ({ uuid: `SWX-${index}`, report, chainPem })),
    reference,
    roots: { devices: all.map(({ authorities }) => authorities.root), manifests: [rim.root] },
  };
}

const current = { thisUpdateMs: gpuNowMs - 60_000, nextUpdateMs: gpuNowMs + 60_000 };

function buildManifests() {
  const [rootKey, signerKey] = [newKeyPair(), newKeyPair()];
  const dates = { notBeforeMs: gpuNowMs - dayMs, notAfterMs: gpuNowMs + dayMs };
  const root = issueP384({ name: 'RIM', issuer: 'RIM', key: rootKey, by: rootKey, isCa: true, ...dates });
  const signer = issueP384({
    ...{ name: 'RIM signer', issuer: 'RIM', key: signerKey, by: rootKey, isCa: false, serial: 9, ...dates },
    extensions: [ocspResponderExtension()],
  });
  const write = (indices: readonly number[], version: string) =>
    writeRim({
      version,
      measurements: indices.map((index) => ({ index, values: [golden(index)] })),
      ...{ certificates: [signer, root], by: signerKey },
    });
  return {
    root,
    manifests: {
      driverRim: write(driverIndices, '570.1.2'),
      vbiosRim: write(vbiosIndices, '96.00.5E.00.01'),
      switchRim: write(vbiosIndices, '96.10.73.00.01'),
    },
    answer: writeOcspResponse({ answers: [{ subject: signer, issuer: root, ...current }], by: rootKey }),
  };
}
