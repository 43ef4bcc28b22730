/** A quote and collateral of a test hierarchy, with one fault at a time: everything is signed after the change. */
import type { Collateral } from '../../../attestation/collateral/collateral.ts';
import {
  type Authority,
  type CertificateRequest,
  createIntermediate,
  createRoot,
  createSigningKey,
  issueCertificate,
  issueCrl,
  type SigningKey,
  signBytes,
} from '../../../attestation/simulate/certificates.ts';
import {
  pckExtension,
  qeIdentityDocument,
  type SimulatedHardware,
  tcbInfoDocument,
} from '../../../attestation/simulate/documents.ts';
import { simulatedHardware, simulatedQe } from '../../../attestation/simulate/platform.ts';
import { type SimulatedQe, type SimulatedTd, signQuote } from '../../../attestation/simulate/quote-writer.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';

export const evidenceNowMs = Date.UTC(2026, 5, 15, 12);
const dayMs = 86_400_000;

type TcbInfoDocument = ReturnType<typeof tcbInfoDocument>;
type QeIdentityDocument = ReturnType<typeof qeIdentityDocument>;

export interface EvidenceChange {
  readonly td?: SimulatedTd;
  readonly form?: { version: 4 | 5; body: '1.0' | '1.5' };
  /** Changes the quoting enclave's fields in the quote; the identity document does not change. */
  readonly qe?: Partial<SimulatedQe>;
  /** Changes the platform's fields in the PCK certificate; the TCB info does not change. */
  readonly hardware?: Partial<SimulatedHardware>;
  /** Changes the document before it is signed. */
  readonly tcbInfo?: (document: TcbInfoDocument) => unknown;
  readonly qeIdentity?: (document: QeIdentityDocument) => unknown;
  readonly certificates?: Partial<Record<'root' | 'ca' | 'pck' | 'signer', Partial<CertificateRequest>>>;
  readonly revoked?: readonly ('pck' | 'ca' | 'signer')[];
  readonly rootCrlDates?: Partial<{ thisUpdateMs: number; nextUpdateMs: number }>;
  readonly pckCrlDates?: Partial<{ thisUpdateMs: number; nextUpdateMs: number }>;
  /** Changes the evidence after signing. */
  readonly quoteBytes?: (quote: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  readonly collateral?: (collateral: Collateral, parts: EvidenceParts) => Collateral | Promise<Collateral>;
  readonly pckChain?: (
    chain: readonly Uint8Array[],
    parts: EvidenceParts,
  ) => readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  readonly signers?: (keys: EvidenceKeys) => Partial<EvidenceKeys>;
}

export interface EvidenceKeys {
  readonly attestationKey: SigningKey;
  readonly pckKey: SigningKey;
  readonly otherKey: SigningKey;
}

export interface EvidenceParts {
  readonly root: Authority;
  readonly ca: Authority;
  readonly pck: Uint8Array;
  readonly signer: Uint8Array;
  readonly signerKey: SigningKey;
  readonly otherKey: SigningKey;
  readonly otherRoot: Authority;
}

export interface Evidence {
  readonly quote: Uint8Array;
  readonly collateral: Collateral;
  readonly rootCa: Uint8Array;
}

const serials = { root: 1, ca: 2, pck: 3, signer: 4 };
const serialOf = (who: keyof typeof serials) => Uint8Array.of(0x50, serials[who]);
const validity = { notBeforeMs: evidenceNowMs - 10 * dayMs, notAfterMs: evidenceNowMs + 100 * dayMs };
const current = { thisUpdateMs: evidenceNowMs - dayMs, nextUpdateMs: evidenceNowMs + dayMs };
const keys = Promise.all(Array.from({ length: 6 }, () => createSigningKey()));

export async function buildEvidence(change: EvidenceChange = {}): Promise<Evidence> {
  const parts = await issueHierarchy(change);
  const [, , pckKey, , attestationKey, otherKey] = await keys;
  const signerKeys: EvidenceKeys = { attestationKey: attestationKey!, pckKey: pckKey!, otherKey: otherKey! };
  const chain = [parts.pck, parts.ca.der, parts.root.der];
  const quote = await signQuote(
    { teeTcbSvn: Uint8Array.from(simulatedHardware.tdxSvns), ...change.td },
    { ...simulatedQe, ...change.qe },
    {
      ...signerKeys,
      ...change.signers?.(signerKeys),
      pckChainPem: formatPemChain((await change.pckChain?.(chain, parts)) ?? chain),
    },
    change.form,
  );
  const collateral = await issueCollateral(parts, change);
  return {
    quote: (await change.quoteBytes?.(quote)) ?? quote,
    collateral: (await change.collateral?.(collateral, parts)) ?? collateral,
    rootCa: parts.root.der,
  };
}

async function issueHierarchy(change: EvidenceChange): Promise<EvidenceParts> {
  const [rootKey, caKey, pckKey, signerKey, , otherKey] = await keys;
  const request = (who: keyof typeof serials) => ({
    commonName: `Test ${who}`,
    serial: serialOf(who),
    ...validity,
    ...change.certificates?.[who],
  });
  const root = await createRoot(rootKey!, { caPathLength: 1, ...request('root') });
  const otherRoot = await createRoot(otherKey!, { caPathLength: 1, ...request('root') });
  const ca = await createIntermediate(root, caKey!, { caPathLength: 0, ...request('ca') });
  const extensions = [pckExtension({ ...simulatedHardware, ...change.hardware })];
  const pck = await issueCertificate(ca, { publicPoint: pckKey!.publicPoint, extensions, ...request('pck') });
  const signer = await issueCertificate(root, { publicPoint: signerKey!.publicPoint, ...request('signer') });
  return { root, otherRoot, ca, pck, signer, signerKey: signerKey!, otherKey: otherKey! };
}

async function issueCollateral(parts: EvidenceParts, change: EvidenceChange): Promise<Collateral> {
  const { root, ca, signer, signerKey } = parts;
  const dates = { issueDateMs: current.thisUpdateMs, nextUpdateMs: current.nextUpdateMs };
  const tcbInfo = JSON.stringify(changed(tcbInfoDocument(simulatedHardware, dates), change.tcbInfo));
  const qeIdentity = JSON.stringify(changed(qeIdentityDocument(simulatedQe, dates), change.qeIdentity));
  const revoked = (who: 'pck' | 'ca' | 'signer') => (change.revoked?.includes(who) ? [serialOf(who)] : []);
  const signerChain = formatPemChain([signer, root.der]);
  return {
    pckCrlIssuerChain: formatPemChain([ca.der, root.der]),
    rootCaCrl: await issueCrl(root, { ...current, ...change.rootCrlDates }, [...revoked('ca'), ...revoked('signer')]),
    pckCrl: await issueCrl(ca, { ...current, ...change.pckCrlDates }, revoked('pck')),
    tcbInfoIssuerChain: signerChain,
    tcbInfo,
    tcbInfoSignature: await signBytes(signerKey, new TextEncoder().encode(tcbInfo)),
    qeIdentityIssuerChain: signerChain,
    qeIdentity,
    qeIdentitySignature: await signBytes(signerKey, new TextEncoder().encode(qeIdentity)),
  };
}

function changed<T>(document: T, change: ((document: T) => unknown) | undefined): T {
  change?.(document);
  return document;
}
