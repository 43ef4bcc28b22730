/** Cases in which a quote or its chain is rejected. Each case has one fault. */
import {
  type Authority,
  createIntermediate,
  createSigningKey,
  issueCertificate,
  type SigningKey,
  signBytes,
} from '../../../attestation/simulate/certificates.ts';
import { pckExtension } from '../../../attestation/simulate/documents.ts';
import { simulatedHardware } from '../../../attestation/simulate/platform.ts';
import type { QuoteCheckId } from '../../../attestation/verify/quote-check-table.ts';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import { type EvidenceChange, evidenceNowMs } from './simulated-evidence.ts';

const dayMs = 86_400_000;
const past = evidenceNowMs - dayMs / 2;
const future = evidenceNowMs + dayMs / 2;
const at = (index: number, value: number) => (bytes: Uint8Array) => bytes.with(index, value) as Uint8Array;
const flip = (index: number) => (bytes: Uint8Array) => bytes.with(index, bytes[index]! ^ 1) as Uint8Array;

/** [fault, failing check, pattern of its reason, change, further checks that fail with it] */
export type Case = readonly [string, QuoteCheckId, RegExp, EvidenceChange, (readonly QuoteCheckId[])?];

export const quoteCases: readonly Case[] = [
  ['a quote of version 3', 'quote-format', /version must be 4 or 5, got 3/, { quoteBytes: at(0, 3) }],
  ['a key type other than P-256', 'quote-format', /key type must be 2.*got 3/, { quoteBytes: at(2, 3) }],
  ['an SGX quote', 'quote-format', /TEE type must be 0x81/, { quoteBytes: at(4, 0) }],
  ['a quoting enclave of another vendor', 'quote-format', /QE vendor/, { quoteBytes: at(12, 0) }],
  ['a quote cut in its body', 'quote-format', /ends at byte 600/, { quoteBytes: (q) => q.subarray(0, 600) }],
  ['a quote cut by one byte', 'quote-format', /inside authentication data/, { quoteBytes: (q) => q.subarray(0, -1) }],
  ['an empty quote', 'quote-format', /ends at byte 0/, { quoteBytes: () => new Uint8Array() }],
  ['bytes after the quote', 'quote-format', /not all zero/, { quoteBytes: (q) => Uint8Array.from([...q, 0, 1]) }],
  ['a quote above the limit', 'quote-format', /at most 16384/, { quoteBytes: () => new Uint8Array(20_000) }],
  ['a wrong outer certification type', 'quote-format', /type must be 6 here, got 5/, { quoteBytes: at(764, 5) }],
  ['a wrong inner certification type', 'quote-format', /type must be 5 here, got 4/, { quoteBytes: at(1252, 4) }],
  [
    'an inner length that is too short',
    'quote-format',
    /follow the certification data/,
    { quoteBytes: (q) => at(1254, q[1254]! ^ 1)(q) },
  ],
  [
    'an unknown body type',
    'quote-format',
    /body type must be 2/,
    { form: { version: 5, body: '1.0' }, quoteBytes: at(48, 1) },
  ],
  [
    'a body size that is not its type’s',
    'quote-format',
    /has 584 bytes, got 585/,
    { form: { version: 5, body: '1.0' }, quoteBytes: at(50, 0x49) },
  ],
  ['a certificate that is not base64', 'pck-certificates', /not base64/, { quoteBytes: at(1300, 0x2a) }],
  [
    'a PCK without the SGX extension',
    'pck-certificates',
    /no SGX extension/,
    { certificates: { pck: { extensions: [] } } },
  ],
  ['a changed TD body', 'quote-signature', /signature is invalid/, { quoteBytes: flip(200) }],
  ['a changed header', 'quote-signature', /signature is invalid/, { quoteBytes: flip(40) }],
  ['a changed quote signature', 'quote-signature', /signature is invalid/, { quoteBytes: flip(640) }],
  ['an attestation key that signed nothing', 'attestation-key', /another key/, { quoteBytes: flip(1230) }],
  [
    'an attestation key off the curve',
    'quote-signature',
    /not a point/,
    { quoteBytes: flip(710) },
    ['attestation-key'],
  ],
  ['a changed QE report signature', 'qe-report-signature', /signature is invalid/, { quoteBytes: flip(1215) }],
  [
    'a key of a stranger with a signature of its own',
    'attestation-key',
    /another key/,
    { quoteBytes: signedByStranger },
  ],
  ['a changed QE report', 'qe-report-signature', /signature is invalid/, { quoteBytes: flip(770 + 20) }],
  [
    'a QE report signed by another key',
    'qe-report-signature',
    /signature is invalid/,
    { signers: ({ otherKey }) => ({ pckKey: otherKey }) },
  ],
  [
    'another QE report data tail',
    'attestation-key',
    /another key/,
    { quoteBytes: flip(770 + 380) },
    ['qe-report-signature'],
  ],
  ['a QE report with a tail after the digest, signed', 'attestation-key', /another key/, tailedReport()],
];

export const chainCases: readonly Case[] = [
  [
    'a chain from another root',
    'pck-chain',
    /not a trusted root/,
    { pckChain: ([pck, ca], { otherRoot }) => [pck!, ca!, otherRoot.der] },
  ],
  [
    'a PCK right below the root',
    'pck-chain',
    /has 2 certificates, expected 3/,
    { pckChain: async ([, , root], parts) => [await pckBelow(parts.root), root!] },
  ],
  ['a chain without its CA', 'pck-chain', /issuer|none of the trusted/, { pckChain: ([pck, , root]) => [pck!, root!] }],
  [
    'an issuer that is not a CA',
    'pck-chain',
    /is not a CA/,
    { certificates: { ca: { caPathLength: undefined } } },
    ['pck-crl-issuer'],
  ],
  [
    'a CA that may not sign certificates',
    'pck-chain',
    /may not sign certificates/,
    { certificates: { ca: { keyUsage: 0x02 } } },
  ],
  ['a CA that may not sign CRLs', 'pck-crl', /may not sign CRLs/, { certificates: { ca: { keyUsage: 0x04 } } }],
  ['a PCK that is a CA', 'pck-chain', /is a CA certificate/, { certificates: { pck: { caPathLength: 0 } } }],
  ['a PCK that may not sign', 'pck-chain', /may not sign data/, { certificates: { pck: { keyUsage: 0x04 } } }],
  [
    'a root that allows no CA below it',
    'pck-chain',
    /CA certificates below it, 0 allowed/,
    { certificates: { root: { caPathLength: 0 } } },
    ['pck-crl-issuer'],
  ],
  ['an expired PCK', 'pck-chain-dates', /"Test pck" expired/, { certificates: { pck: { notAfterMs: past } } }],
  [
    'a PCK of tomorrow',
    'pck-chain-dates',
    /"Test pck" is valid from/,
    { certificates: { pck: { notBeforeMs: future } } },
  ],
  [
    'an expired CA',
    'pck-chain-dates',
    /"Test ca" expired/,
    { certificates: { ca: { notAfterMs: past } } },
    ['pck-crl-dates'],
  ],
  [
    'an expired root',
    'pck-chain-dates',
    /"Test root" expired/,
    { certificates: { root: { notAfterMs: past } } },
    ['pck-crl-dates', 'tcb-info-chain-dates', 'qe-identity-chain-dates'],
  ],
  ['a revoked PCK', 'pck-not-revoked', /"Test pck" .* is revoked/, { revoked: ['pck'] }],
  ['a revoked CA', 'pck-not-revoked', /"Test ca" .* is revoked/, { revoked: ['ca'] }],
  [
    'a revoked TCB signer',
    'tcb-info-signer-not-revoked',
    /"Test signer" .* is revoked/,
    { revoked: ['signer'] },
    ['qe-identity-signer-not-revoked'],
  ],
  [
    'an expired TCB signer',
    'tcb-info-chain-dates',
    /"Test signer" expired/,
    { certificates: { signer: { notAfterMs: past } } },
    ['qe-identity-chain-dates'],
  ],
  [
    'an unknown critical extension',
    'pck-chain',
    /unknown critical extension/,
    { certificates: { pck: { extensions: [pckExtension(simulatedHardware), criticalExtension()] } } },
  ],
  [
    'a PCK by a second CA of the root, with the CRL of the first',
    'pck-not-revoked',
    /is not issued by/,
    {
      pckChain: async ([, , root], parts) => {
        const request = {
          serial: Uint8Array.of(9),
          notBeforeMs: evidenceNowMs - dayMs,
          notAfterMs: evidenceNowMs + dayMs,
        };
        const second = await createIntermediate(parts.root, parts.otherKey, {
          ...request,
          commonName: 'Second',
          caPathLength: 0,
        });
        const point = parseCertificate(parts.pck).publicPoint;
        const pck = await issueCertificate(second, {
          ...request,
          commonName: 'PCK',
          publicPoint: point,
          extensions: [pckExtension(simulatedHardware)],
        });
        return [pck, second.der, root!];
      },
    },
  ],
];

/** The last byte of the QE report's data is set, and the platform signs the report again. */
function tailedReport(): EvidenceChange {
  let pckKey: SigningKey | undefined;
  return {
    signers: (keys) => {
      pckKey = keys.pckKey;
      return {};
    },
    quoteBytes: async (quote) => {
      const changed = flip(770 + 383)(quote);
      changed.set(await signBytes(pckKey!, changed.subarray(770, 770 + 384)), 770 + 384);
      return changed;
    },
  };
}

async function signedByStranger(quote: Uint8Array): Promise<Uint8Array> {
  const key = await createSigningKey();
  const forged = Uint8Array.from(quote);
  forged.set(await signBytes(key, quote.subarray(0, 632)), 636);
  forged.set(key.publicPoint, 700);
  return forged;
}

/** A platform certificate issued directly by a root. */
async function pckBelow(root: Authority): Promise<Uint8Array> {
  const { publicPoint } = await createSigningKey();
  return issueCertificate(root, {
    ...{ commonName: 'PCK', serial: Uint8Array.of(0x51), notBeforeMs: past - dayMs, notAfterMs: future, publicPoint },
    extensions: [pckExtension(simulatedHardware)],
  });
}

function criticalExtension(): Uint8Array {
  const oid = [0x06, 0x03, 0x55, 0x1d, 0x1e];
  return Uint8Array.from([0x30, 12, ...oid, 0x01, 0x01, 0xff, 0x04, 2, 0x30, 0]);
}
