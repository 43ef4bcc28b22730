/** Parses the TDREPORT of a TD. Only the CPU that made it can check its MAC, so it proves nothing elsewhere. */
import { ByteReader, isAllZero } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

export interface TdReport {
  /** 0 for TD 1.0, 1 for TD 1.5. */
  readonly version: number;
  readonly cpuSvn: Uint8Array;
  /** SHA-384 of TEE_TCB_INFO and of TDINFO, 48 bytes each. */
  readonly teeTcbInfoHash: Uint8Array;
  readonly tdInfoHash: Uint8Array;
  readonly reportData: Uint8Array;
  readonly mac: Uint8Array;
  readonly teeTcbSvn: Uint8Array;
  readonly mrSeam: Uint8Array;
  readonly mrSignerSeam: Uint8Array;
  readonly seamAttributes: Uint8Array;
  readonly teeTcbSvn2: Uint8Array;
  readonly tdAttributes: Uint8Array;
  readonly xfam: Uint8Array;
  readonly mrTd: Uint8Array;
  readonly mrConfigId: Uint8Array;
  readonly mrOwner: Uint8Array;
  readonly mrOwnerConfig: Uint8Array;
  readonly rtmrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  /** TD 1.5 only; zeros before. */
  readonly serviceTdHash: Uint8Array;
}

export const tdReportBytes = 1024;

/**
 * @param bytes 1,024 bytes, from `TDX_CMD_GET_REPORT0`
 * @throws {AttestationError} ERR_TD_REPORT_MALFORMED
 * @see Intel, TDX module architecture specification, TDREPORT_STRUCT
 */
export function parseTdReport(bytes: Uint8Array): TdReport {
  if (bytes.length !== tdReportBytes) throw malformed(`a TDREPORT has ${tdReportBytes} bytes, got ${bytes.length}`);
  const reader = new ByteReader(bytes, 'TDREPORT', 'ERR_TD_REPORT_MALFORMED');
  const field = (length: number, name: string) => reader.bytes(length, name);
  const zeros = (length: number, name: string) => {
    if (!isAllZero(field(length, name))) throw malformed(`${name} must be zero`);
  };
  const [type, subtype, version, typeReserved] = field(4, 'report type');
  if (type !== 0x81 || subtype !== 0 || typeReserved !== 0) throw malformed(`the report type is not that of a TD`);
  if (version !== 0 && version !== 1) throw malformed(`report version must be 0 or 1, got ${version}`);
  zeros(12, 'bytes 4 to 16');
  const cpuSvn = field(16, 'CPUSVN');
  const teeTcbInfoHash = field(48, 'TEE_TCB_INFO_HASH');
  const tdInfoHash = field(48, 'TEE_INFO_HASH');
  const reportData = field(64, 'REPORTDATA');
  zeros(32, 'bytes 192 to 224');
  const mac = field(32, 'MAC');
  field(8, 'VALID');
  const teeTcbSvn = field(16, 'TEE_TCB_SVN');
  const mrSeam = field(48, 'MRSEAM');
  const mrSignerSeam = field(48, 'MRSIGNERSEAM');
  const seamAttributes = field(8, 'SEAM ATTRIBUTES');
  const teeTcbSvn2 = field(16, 'TEE_TCB_SVN2');
  field(95 + 17, 'reserved');
  return {
    version,
    cpuSvn,
    teeTcbInfoHash,
    tdInfoHash,
    reportData,
    mac,
    teeTcbSvn,
    mrSeam,
    mrSignerSeam,
    seamAttributes,
    teeTcbSvn2,
    tdAttributes: field(8, 'ATTRIBUTES'),
    xfam: field(8, 'XFAM'),
    mrTd: field(48, 'MRTD'),
    mrConfigId: field(48, 'MRCONFIGID'),
    mrOwner: field(48, 'MROWNER'),
    mrOwnerConfig: field(48, 'MROWNERCONFIG'),
    rtmrs: [field(48, 'RTMR0'), field(48, 'RTMR1'), field(48, 'RTMR2'), field(48, 'RTMR3')],
    serviceTdHash: field(48, 'SERVTD_HASH'),
  };
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_TD_REPORT_MALFORMED', message);
}
