/** GPU reports and certificate chains of a test hierarchy, with one fault at a time. */
import { sign } from 'node:crypto';
import { parseCertificate } from '../../../attestation/x509/certificate.ts';
import {
  der,
  derExtension,
  derNumber,
  derObjectIdentifier,
  derOctets,
  derSequence,
} from '../../../attestation/x509/der-writer.ts';
import { formatPemChain } from '../../../attestation/x509/pem.ts';
import { issueP384, type KeyPair, newKeyPair, ocspResponderExtension } from './p384-hierarchy.ts';

export const gpuNowMs = Date.UTC(2026, 5, 15, 12);
export const gpuNonce = new Uint8Array(32).fill(7);
export const gpuFirmware = new Uint8Array(48).fill(9);
const yearMs = 365 * 86_400_000;

export interface WrittenMeasurement {
  index: number;
  specification?: number;
  type?: number;
  value: Uint8Array;
  /** Zero bytes after the value, inside the block. */
  extra?: number;
}

export interface WrittenReport {
  requestHeader?: readonly number[];
  responseHeader?: readonly number[];
  nonce?: Uint8Array;
  responseNonce?: Uint8Array;
  measurements?: readonly WrittenMeasurement[];
  /** Default: the actual number. */
  blocks?: number;
  fields?: readonly (readonly [number, Uint8Array])[];
}

const u16 = (value: number) => [value & 0xff, value >> 8];

/** Request and response without the signature. */
export function writeGpuReport(report: WrittenReport = {}): Uint8Array {
  const { requestHeader = [0x11, 0xe0, 1, 0xff], responseHeader = [0x11, 0x60, 0, 0] } = report;
  const measurements: readonly WrittenMeasurement[] =
    report.measurements ?? [1, 2, 5].map((index) => ({ index, value: new Uint8Array(48).fill(index) }));
  const record = measurements.flatMap(({ index, specification = 1, type = 1, value, extra = 0 }) => [
    ...[index, specification, ...u16(3 + value.length + extra)],
    ...[type, ...u16(value.length), ...value, ...new Uint8Array(extra)],
  ]);
  const fields = (
    report.fields ?? [
      [3, new TextEncoder().encode('570.1.2\0')],
      [20, gpuFirmware],
    ]
  ).flatMap(([id, value]) => [...u16(id), ...u16(value.length), ...value]);
  return Uint8Array.from([
    ...[...requestHeader, ...(report.nonce ?? gpuNonce), 0],
    ...[...responseHeader, report.blocks ?? measurements.length, ...u16(record.length), 0, ...record],
    ...[...(report.responseNonce ?? new Uint8Array(32)), ...u16(fields.length), ...fields],
  ]);
}

export interface GpuChange {
  readonly report?: WrittenReport;
  /** Signs with a key that the leaf was not issued for. */
  readonly isForeignKey?: boolean;
  readonly notAfterMs?: number;
  /** Content of the leaf's DICE extension, or none at all. */
  readonly dice?: Uint8Array | 'none';
  /** OID of that extension; default: Hopper's. */
  readonly diceOid?: string;
  /** Whether the CA's certificate names a responder. Default false. */
  readonly hasResponder?: boolean;
  /** Subject of NVIDIA's certificate. Default: `GH100 A01 GSP BROM`. */
  readonly device?: string;
  /** 16 hexadecimal digits: the number by which other devices of the node refer to it. Default: the same for all. */
  readonly number?: string;
  /** Signs with the keys of that evidence: another report of the same device. */
  readonly of?: GpuKeys;
}

export type GpuKeys = Readonly<Record<'rootKey' | 'caKey' | 'leafKey', KeyPair>>;

export const newGpuKeys = (): GpuKeys => ({ rootKey: newKeyPair(), caKey: newKeyPair(), leafKey: newKeyPair() });

const firmwareEntry = (digest: Uint8Array) =>
  derSequence(derObjectIdentifier('2.16.840.1.101.3.4.2.2'), derOctets(digest));

/** The older form of the extension, as Hopper has it. */
export const compositeDevice = (digest: Uint8Array) =>
  derSequence(derNumber(1), derSequence(derNumber(0)), firmwareEntry(digest));

/** The newer form, DiceTcbInfo. */
export const tcbInfo = (...digests: readonly Uint8Array[]) => derSequence(der(0xa6, ...digests.map(firmwareEntry)));

/** Root, CA and leaf on P-384, and a report that the leaf signed. */
export function buildGpuEvidence(change: GpuChange = {}) {
  const { rootKey, caKey, leafKey } = change.of ?? newGpuKeys();
  const { device = 'GH100 A01 GSP BROM', number = '0123456789abcdef' } = change;
  const dates = { notBeforeMs: gpuNowMs - yearMs, notAfterMs: change.notAfterMs ?? gpuNowMs + yearMs };
  const { dice = compositeDevice(gpuFirmware), diceOid = '2.23.133.5.4.1' } = change;
  const firmware = dice === 'none' ? [] : [derExtension(diceOid, dice, false)];
  const responder = change.hasResponder === true ? [ocspResponderExtension()] : [];
  const root = issueP384({ name: 'Root', issuer: 'Root', key: rootKey, by: rootKey, isCa: true, ...dates });
  const ca = issueP384({
    ...{ name: device, issuer: 'Root', key: caKey, by: rootKey, isCa: true, serial: `41${number}`, ...dates },
    extensions: responder,
  });
  const leaf = issueP384({
    ...{ name: 'Leaf', issuer: device, key: leafKey, by: caKey, isCa: false, serial: 3, ...dates },
    extensions: firmware,
  });
  const signed = writeGpuReport(change.report);
  const signer = change.isForeignKey === true ? newKeyPair() : leafKey;
  const signature = sign('sha384', signed, { key: signer.privateKey, dsaEncoding: 'ieee-p1363' });
  return {
    report: Uint8Array.from([...signed, ...signature]),
    chainPem: formatPemChain([leaf, ca, root]),
    root: parseCertificate(root),
    /** DER, and the root's key. */
    authorities: { ca, root, rootKey },
    keys: { rootKey, caKey, leafKey },
  };
}
