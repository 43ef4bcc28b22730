/** The JSON documents and the certificate extension of a simulated Intel. Pure. */
import { toHex } from '../base/bytes.ts';
import { sgxExtension } from '../collateral/pck-extension.ts';
import { utc } from '../x509/chain.ts';
import { der, derExtension, derNumber, derObjectIdentifier, derOctets, derSequence } from '../x509/der-writer.ts';
import type { SimulatedQe } from './quote-writer.ts';

export interface SimulatedHardware {
  /** 6 and 2 bytes. */
  readonly fmspc: Uint8Array;
  readonly pceId: Uint8Array;
  /** 16 bytes. Default: zeros. */
  readonly ppid?: Uint8Array;
  /** Sixteen. */
  readonly sgxSvns: readonly number[];
  readonly pceSvn: number;
  /** Sixteen: TEE_TCB_SVN. */
  readonly tdxSvns: readonly number[];
}

export interface DocumentDates {
  readonly issueDateMs: number;
  readonly nextUpdateMs: number;
}

/** The SGX extension of a PCK certificate. */
export function pckExtension(hardware: SimulatedHardware): Uint8Array {
  const pair = (arcs: string, value: Uint8Array) => derSequence(derObjectIdentifier(`${sgxExtension}.${arcs}`), value);
  const tcb = derSequence(
    ...hardware.sgxSvns.map((svn, index) => pair(`2.${index + 1}`, derNumber(svn))),
    pair('2.17', derNumber(hardware.pceSvn)),
    pair('2.18', derOctets(Uint8Array.from(hardware.sgxSvns))),
  );
  const value = derSequence(
    pair('1', derOctets(hardware.ppid ?? new Uint8Array(16))),
    pair('2', tcb),
    pair('3', derOctets(hardware.pceId)),
    pair('4', derOctets(hardware.fmspc)),
    pair('5', der(0x0a, Uint8Array.of(1))),
  );
  return derExtension(sgxExtension, value, false);
}

/** A TCB info in which this hardware is up to date. */
export function tcbInfoDocument(hardware: SimulatedHardware, dates: DocumentDates) {
  const module = { mrsigner: '00'.repeat(48), attributes: '00'.repeat(8), attributesMask: 'FF'.repeat(8) };
  const version = hardware.tdxSvns[1]!.toString(16).padStart(2, '0').toUpperCase();
  return {
    id: 'TDX',
    version: 3,
    issueDate: utc(dates.issueDateMs),
    nextUpdate: utc(dates.nextUpdateMs),
    fmspc: toHex(hardware.fmspc),
    pceId: toHex(hardware.pceId),
    tcbType: 0,
    tcbEvaluationDataNumber: 1,
    tdxModule: module,
    tdxModuleIdentities: [
      { id: `TDX_${version}`, ...module, tcbLevels: [upToDate({ isvsvn: hardware.tdxSvns[0]! }, dates)] },
    ],
    tcbLevels: [
      upToDate(
        {
          sgxtcbcomponents: hardware.sgxSvns.map((svn) => ({ svn })),
          pcesvn: hardware.pceSvn,
          tdxtcbcomponents: hardware.tdxSvns.map((svn) => ({ svn })),
        },
        dates,
      ),
    ],
  };
}

/** A QE identity in which this enclave is up to date. */
export function qeIdentityDocument(qe: SimulatedQe, dates: DocumentDates) {
  return {
    id: 'TD_QE',
    version: 2,
    issueDate: utc(dates.issueDateMs),
    nextUpdate: utc(dates.nextUpdateMs),
    tcbEvaluationDataNumber: 1,
    miscselect: toHex(qe.miscSelect),
    miscselectMask: 'FFFFFFFF',
    attributes: toHex(qe.attributes),
    attributesMask: 'FBFFFFFFFFFFFFFF0000000000000000',
    mrsigner: toHex(qe.mrSigner),
    isvprodid: qe.isvProdId,
    tcbLevels: [upToDate({ isvsvn: qe.isvSvn }, dates)],
  };
}

function upToDate<Tcb>(tcb: Tcb, dates: DocumentDates) {
  return { tcb, tcbDate: utc(dates.issueDateMs), tcbStatus: 'UpToDate' as string, advisoryIDs: [] as string[] };
}
