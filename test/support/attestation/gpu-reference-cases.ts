/** Cases in which an authentic GPU is rejected. Each case has one fault. */
import { createHash } from 'node:crypto';
import type { GpuReferenceCheckId } from '../../../attestation/gpu/gpu-reference-check-table.ts';
import { gpuNowMs } from './gpu-evidence.ts';
import { fieldsBut, golden, measured, type ReferenceChange } from './gpu-reference.ts';
import { issueP384, newKeyPair } from './p384-hierarchy.ts';

const dayMs = 86_400_000;
const u16 = (value: number) => Uint8Array.of(value & 0xff, value >> 8);

/** [fault, failing check, pattern of its reason, change] */
export type ReferenceCase = readonly [string, GpuReferenceCheckId, RegExp, ReferenceChange];

export const manifestCases: readonly ReferenceCase[] = [
  [
    'a driver manifest that is not XML',
    'driver-rim-format',
    /begin with an element/,
    { reference: { driverRim: Uint8Array.of(1 + 48) } },
  ],
  [
    'a firmware manifest that is something else',
    'vbios-rim-format',
    /is not a SWID tag/,
    { vbios: { tamper: (file) => file.replaceAll('SoftwareIdentity', 'Software') } },
  ],
  ['a driver manifest of another root', 'driver-rim-chain', /not a trusted root/, { driver: ofStranger() }],
  ['a firmware manifest of another root', 'vbios-rim-chain', /not a trusted root/, { vbios: ofStranger() }],
  [
    'a driver manifest whose value was changed',
    'driver-rim-signature',
    /not the one that was signed/,
    { driver: { tamper: (file) => file.replace('0404', '0405') } },
  ],
  [
    'a firmware manifest with an added resource',
    'vbios-rim-signature',
    /not the one that was signed/,
    { vbios: { tamper: (file) => file.replace(/<ns0:Resource.*index="1"/, (all) => all.replace('True', 'False')) } },
  ],
  [
    'a driver manifest whose value and digest were changed',
    'driver-rim-signature',
    /signature is invalid/,
    { driver: { tamper: replacedDigest } },
  ],
  [
    'a manifest for another driver',
    'driver-rim-version',
    /is for 550\.1, the device reports 570\.1\.2/,
    { driver: { version: '550.1' } },
  ],
  [
    'a manifest for other firmware',
    'vbios-rim-version',
    /is for 96\.00, the device reports 96\.00\.5E\.00\.01/,
    { vbios: { version: '96.00' } },
  ],
  ['manifests for two chips', 'rim-no-conflict', /GH100.*GB100/, { vbios: { product: 'GB100' } }],
  [
    'manifests that share a measurement',
    'rim-no-conflict',
    /both have measurement 3/,
    { vbios: { measurements: [0, 3].map((index) => ({ index, values: [golden(index)] })) } },
  ],
];

export const gpuStateCases: readonly ReferenceCase[] = [
  [
    'a measurement that is not as published',
    'gpu-measurements',
    /measurements 4 do not match the manifest; 4 is 0909/,
    {
      gpu: {
        report: { measurements: measured.map((one) => (one.index === 5 ? { ...one, value: golden(8) } : one)) },
      },
    },
  ],
  [
    'a published measurement that is missing',
    'gpu-measurements',
    /measurements 1 do not match the manifest; 1 is missing/,
    { gpu: { report: { measurements: measured.filter(({ index }) => index !== 2) } } },
  ],
  [
    'a video decoder in an unknown state',
    'gpu-measurements',
    /unknown status 1 for its video decoder/,
    { gpu: { report: { fields: fieldsBut(11, Uint8Array.of(1)) } } },
  ],
  [
    'a video decoder that the report does not speak of',
    'gpu-measurements',
    /unknown status undefined for its video decoder/,
    { gpu: { report: { fields: fieldsBut(11) } } },
  ],
  [
    'links that are not encrypted',
    'gpu-mode',
    /it is ppcie; allowed: single, multi/,
    { gpu: { report: { fields: fieldsBut(36, u16(2)) } } },
  ],
  ['an unknown mode', 'gpu-mode', /unknown mode 7/, { gpu: { report: { fields: fieldsBut(36, u16(7)) } } }],
  ['no mode in a form that has one', 'gpu-mode', /unknown mode/, { gpu: { report: { fields: fieldsBut(36) } } }],
  [
    'fields of a later form',
    'gpu-mode',
    /fields of version 2; the latest supported version is 1/,
    { gpu: { report: { fields: fieldsBut(34, u16(2)) } } },
  ],
  [
    'a revoked GPU',
    'gpu-not-revoked',
    /"GH100 A01 GSP BROM" \(410123456789abcdef\) is revoked/,
    { gpuAnswer: { status: 'revoked' } },
  ],
  [
    'an unknown GPU',
    'gpu-not-revoked',
    /"GH100 A01 GSP BROM" \(410123456789abcdef\) is unknown/,
    { gpuAnswer: { status: 'unknown' } },
  ],
  [
    'an answer that expired',
    'gpu-not-revoked',
    /OCSP response for "GH100 A01 GSP BROM" expired/,
    { gpuAnswer: { thisUpdateMs: gpuNowMs - dayMs, nextUpdateMs: gpuNowMs - 1000 } },
  ],
  [
    'an answer of tomorrow',
    'gpu-not-revoked',
    /OCSP response for "GH100 A01 GSP BROM" was issued on/,
    { gpuAnswer: { thisUpdateMs: gpuNowMs + 1000, nextUpdateMs: gpuNowMs + dayMs } },
  ],
  [
    'a response signed by an unknown key',
    'gpu-not-revoked',
    /not signed by "Root", nor by one of its responders/,
    { responder: 'stranger' },
  ],
  [
    'a response by a certificate that is not for it',
    'gpu-not-revoked',
    /"Responder" may not sign OCSP responses/,
    { responder: 'uncharged' },
  ],
  [
    'a response that was changed',
    'gpu-not-revoked',
    /not signed by "Root"/,
    // A different second of production, which does not change the result.
    { response: { tamper: (tbs) => tbs.with(42, tbs[42]! ^ 1) as Uint8Array } },
  ],
];

/** A changed value with a matching digest. */
function replacedDigest(file: string): string {
  const changed = file.replace('0404', '0405');
  const document = changed.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
  const digest = createHash('sha384').update(document).digest('base64');
  return changed.replace(/(<ds:DigestValue>)[^<]*/, `$1${digest}`);
}

/** Signed by certificates under another root than NVIDIA's. */
function ofStranger() {
  const [rootKey, key] = [newKeyPair(), newKeyPair()] as const;
  const dates = { notBeforeMs: gpuNowMs - dayMs, notAfterMs: gpuNowMs + dayMs };
  const root = issueP384({ name: 'Other', issuer: 'Other', key: rootKey, by: rootKey, isCa: true, ...dates });
  const leaf = issueP384({ name: 'Signer', issuer: 'Other', key, by: rootKey, isCa: false, ...dates });
  return { certificates: [leaf, root], by: key };
}
