/** An authentic GPU, its manifests and OCSP responses for all of them, with one fault at a time. */
import { verifyGpuEvidence } from '../../../attestation/gpu/verify-gpu.ts';
import type { GpuReference, GpuReferenceExpectations } from '../../../attestation/gpu/verify-reference.ts';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import { buildGpuEvidence, type GpuChange, gpuFirmware, gpuNonce, gpuNowMs } from './gpu-evidence.ts';
import { type WrittenAnswer, type WrittenResponse, writeOcspResponse } from './ocsp-writer.ts';
import { issueP384, newKeyPair, ocspResponderExtension, ocspSigningExtension } from './p384-hierarchy.ts';
import { type WrittenRim, writeRim } from './rim-writer.ts';

const dayMs = 86_400_000;

export interface ReferenceChange {
  readonly gpu?: GpuChange;
  readonly driver?: Partial<WrittenRim>;
  readonly vbios?: Partial<WrittenRim>;
  /** Dates of the manifests' signer. */
  readonly signerNotAfterMs?: number;
  /** Changes the response about the GPU's CA, or about the manifests' signer. */
  readonly gpuAnswer?: Partial<WrittenAnswer>;
  readonly rimAnswer?: Partial<WrittenAnswer>;
  /** Changes the response about the GPU's CA. */
  readonly response?: Partial<WrittenResponse>;
  /** Signer of the response: the root itself, a delegated responder, or a responder without the delegation. */
  readonly responder?: 'root' | 'charged' | 'uncharged' | 'stranger';
  readonly reference?: Partial<GpuReference>;
  readonly expectations?: Partial<GpuReferenceExpectations>;
}

/** 48 bytes: the expected value of measurement `index` (from 0). */
export const golden = (index: number): Uint8Array => new Uint8Array(48).fill(index + 1);
export const driverIndices = [3, 4, 35];
export const vbiosIndices = [0, 1];
const text = (value: string) => new TextEncoder().encode(`${value}\0`);
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);

/** Fields of a report in the newest format: driver 570.1.2, VBIOS 96.00.5E.00.01, one GPU, with its video decoder. */
export const newestFields: readonly (readonly [number, Uint8Array])[] = [
  [3, text('570.1.2')],
  [6, Uint8Array.of(0x00, 0x5e, 0x00, 0x96, 0x01, 0, 0, 0)],
  [11, Uint8Array.of(0xaa)],
  [20, gpuFirmware],
  [34, u16(1)],
  [36, u16(1)],
];

export const fieldsBut = (id: number, ...value: readonly Uint8Array[]): readonly (readonly [number, Uint8Array])[] =>
  newestFields.flatMap((field) => (field[0] === id ? value.map((bytes) => [id, bytes] as const) : [field]));

export const measured = [...vbiosIndices, ...driverIndices].map((index) => ({
  index: index + 1,
  value: golden(index),
}));

export async function buildReference(change: ReferenceChange = {}) {
  const {
    root,
    authorities,
    keys: _,
    ...evidence
  } = buildGpuEvidence({
    hasResponder: true,
    ...change.gpu,
    report: { measurements: measured, fields: newestFields, ...change.gpu?.report },
  });
  const gpu = await verifyGpuEvidence(evidence, { anchors: [root], nonce: gpuNonce, nowMs: gpuNowMs });
  const dates = { notBeforeMs: gpuNowMs - dayMs, notAfterMs: gpuNowMs + dayMs };
  const [rimRootKey, signerKey, responderKey] = [newKeyPair(), newKeyPair(), newKeyPair()] as const;
  const rimRoot = issueP384({ name: 'RIM', issuer: 'RIM', key: rimRootKey, by: rimRootKey, isCa: true, ...dates });
  const signer = issueP384({
    ...{ name: 'RIM signer', issuer: 'RIM', key: signerKey, by: rimRootKey, isCa: false, serial: 9, ...dates },
    notAfterMs: change.signerNotAfterMs ?? dates.notAfterMs,
    extensions: [ocspResponderExtension()],
  });
  const rim = (indices: readonly number[], version: string, wish: Partial<WrittenRim> = {}) =>
    writeRim({
      version,
      measurements: indices.map((index) => ({ index, values: [golden(index)] })),
      ...{ certificates: [signer, rimRoot], by: signerKey, ...wish },
    });
  const current = { thisUpdateMs: gpuNowMs - 60_000, nextUpdateMs: gpuNowMs + 60_000 };
  const { ca, root: gpuRoot, rootKey } = authorities;
  const isDelegated = change.responder === 'charged' || change.responder === 'uncharged';
  const responder = issueP384({
    ...{ name: 'Responder', issuer: 'Root', key: responderKey, by: rootKey, isCa: false, serial: 7, ...dates },
    extensions: change.responder === 'charged' ? [ocspSigningExtension()] : [],
  });
  const responses = [
    writeOcspResponse({
      answers: [{ subject: ca, issuer: gpuRoot, ...current, ...change.gpuAnswer }],
      by: isDelegated || change.responder === 'stranger' ? responderKey : rootKey,
      certificates: isDelegated ? [responder] : [],
      ...change.response,
    }),
    writeOcspResponse({
      answers: [{ subject: signer, issuer: rimRoot, ...current, ...change.rimAnswer }],
      by: rimRootKey,
    }),
  ];
  const reference: GpuReference = {
    driverRim: rim(driverIndices, '570.1.2', change.driver),
    vbiosRim: rim(vbiosIndices, '96.00.5E.00.01', change.vbios),
    ocspResponses: responses,
    ...change.reference,
  };
  const expectations: GpuReferenceExpectations = {
    rimAnchors: [parseCertificate(rimRoot)],
    nowMs: gpuNowMs,
    ...change.expectations,
  };
  return { gpu, evidence, reference, expectations, responses, roots: [root.der, rimRoot] };
}
