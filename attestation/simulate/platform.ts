/**
 * A simulated TDX platform for machines without TDX. It signs structurally valid quotes with a certificate hierarchy created in this process.
 * Its root is random: a verifier accepts its quotes only if it trusts that root. Every certificate's name contains "simulation". It proves
 * nothing and must be labelled wherever it is shown.
 */
import { concatBytes } from '../base/bytes.ts';
import type { Collateral } from '../collateral/collateral.ts';
import { formatPemChain } from '../x509/pem.ts';
import {
  createIntermediate,
  createRoot,
  createSigningKey,
  issueCertificate,
  issueCrl,
  signBytes,
} from './certificates.ts';
import { pckExtension, qeIdentityDocument, type SimulatedHardware, tcbInfoDocument } from './documents.ts';
import { type QuoteSigners, type SimulatedQe, type SimulatedTd, signQuote } from './quote-writer.ts';

export interface SimulatedPlatform {
  /** DER of the root that a verifier must trust to accept these quotes. */
  readonly rootCa: Uint8Array;
  readonly collateral: Collateral;
  /**
   * A version 4 quote. Members absent from `td` are zero.
   * @param reportData 64 bytes
   */
  quote(reportData: Uint8Array, td?: SimulatedTd): Promise<Uint8Array>;
}

export const simulatedHardware: SimulatedHardware = {
  fmspc: Uint8Array.of(0xc1, 0x01, 0x57, 0xe4, 0, 0),
  pceId: Uint8Array.of(0, 0),
  sgxSvns: [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
  pceSvn: 13,
  tdxSvns: [6, 1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};

export const simulatedQe: SimulatedQe = {
  mrSigner: new Uint8Array(32).fill(0x51),
  isvProdId: 2,
  isvSvn: 4,
  attributes: concatBytes(Uint8Array.of(0x11), new Uint8Array(15)),
  miscSelect: new Uint8Array(4),
};

/**
 * The registers after a simulated boot: readable text, because no firmware or kernel was measured.
 * @param rtmr3 48 bytes, which a simulated start extends
 */
export function simulatedBoot(rtmr3: Uint8Array): SimulatedTd {
  const register = (name: string) => {
    const bytes = new Uint8Array(48);
    bytes.set(new TextEncoder().encode(`CLOISTER SIMULATION ${name}`));
    return bytes;
  };
  return { mrTd: register('MRTD'), rtmrs: [register('RTMR0'), register('RTMR1'), register('RTMR2'), rtmr3] };
}

/**
 * @param nowMs milliseconds since 1970: the hierarchy is valid from one day before
 * @param validMs validity period; default one year, longer than any process should run
 */
export async function createSimulatedPlatform(nowMs: number, validMs = 365 * 86_400_000): Promise<SimulatedPlatform> {
  const dates = { issueDateMs: nowMs - 86_400_000, nextUpdateMs: nowMs + validMs };
  const { rootCa, collateral, signers } = await createHierarchy(dates);
  return {
    rootCa,
    collateral,
    quote(reportData, td = {}) {
      if (reportData.length !== 64) throw new RangeError(`reportData must be 64 bytes, got ${reportData.length}`);
      const full = { teeTcbSvn: Uint8Array.from(simulatedHardware.tdxSvns), ...td, reportData };
      return signQuote(full, simulatedQe, signers);
    },
  };
}

async function createHierarchy(dates: { issueDateMs: number; nextUpdateMs: number }): Promise<{
  rootCa: Uint8Array;
  collateral: Collateral;
  signers: QuoteSigners;
}> {
  const [rootKey, caKey, pckKey, tcbKey, attestationKey] = await Promise.all(
    Array.from({ length: 5 }, () => createSigningKey()),
  );
  const validity = { notBeforeMs: dates.issueDateMs, notAfterMs: dates.nextUpdateMs };
  const request = (commonName: string) => ({ commonName, serial: randomSerial(), ...validity });
  const root = await createRoot(rootKey!, { ...request('Cloister simulation Root CA'), caPathLength: 1 });
  const ca = await createIntermediate(root, caKey!, {
    ...request('Cloister simulation PCK Platform CA'),
    caPathLength: 0,
  });
  const pck = await issueCertificate(ca, {
    ...request('Cloister simulation PCK'),
    publicPoint: pckKey!.publicPoint,
    extensions: [pckExtension(simulatedHardware)],
  });
  const signer = await issueCertificate(root, {
    ...request('Cloister simulation TCB signing'),
    publicPoint: tcbKey!.publicPoint,
  });
  const tcbInfo = JSON.stringify(tcbInfoDocument(simulatedHardware, dates));
  const qeIdentity = JSON.stringify(qeIdentityDocument(simulatedQe, dates));
  const crlDates = { thisUpdateMs: dates.issueDateMs, nextUpdateMs: dates.nextUpdateMs };
  const signerChain = formatPemChain([signer, root.der]);
  const sign = (text: string) => signBytes(tcbKey!, new TextEncoder().encode(text));
  return {
    rootCa: root.der,
    collateral: {
      pckCrlIssuerChain: formatPemChain([ca.der, root.der]),
      rootCaCrl: await issueCrl(root, crlDates),
      pckCrl: await issueCrl(ca, crlDates),
      tcbInfoIssuerChain: signerChain,
      tcbInfo,
      tcbInfoSignature: await sign(tcbInfo),
      qeIdentityIssuerChain: signerChain,
      qeIdentity,
      qeIdentitySignature: await sign(qeIdentity),
    },
    signers: { attestationKey: attestationKey!, pckKey: pckKey!, pckChainPem: formatPemChain([pck, ca.der, root.der]) },
  };
}

/** 16 random bytes. The first one makes the number positive and 16 bytes long. */
function randomSerial(): Uint8Array {
  const serial = crypto.getRandomValues(new Uint8Array(16));
  serial[0] = (serial[0]! & 0x3f) | 0x40;
  return serial;
}
