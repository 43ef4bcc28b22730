/** Parses the body of a quote, which describes the TD, in versions 1.0 and 1.5. Views of the quote's bytes. */
import { ByteReader } from '../base/bytes.ts';

export interface TdBody {
  /** A 1.0 body has 584 bytes; 1.5 adds two fields. */
  readonly version: '1.0' | '1.5';
  /** Security versions of TDX module and platform, 16 bytes; [0] is the module's, [1] its major version. */
  readonly teeTcbSvn: Uint8Array;
  /** Measurement of the TDX module, 48 bytes. */
  readonly mrSeam: Uint8Array;
  /** Signer of the TDX module, 48 bytes; zeros for Intel. */
  readonly mrSignerSeam: Uint8Array;
  readonly seamAttributes: Uint8Array;
  /** 8 bytes, little-endian bits: see `tdAttribute`. */
  readonly tdAttributes: Uint8Array;
  readonly xfam: Uint8Array;
  /** Measurement of the TD's initial memory, its firmware. 48 bytes. */
  readonly mrTd: Uint8Array;
  readonly mrConfigId: Uint8Array;
  readonly mrOwner: Uint8Array;
  readonly mrOwnerConfig: Uint8Array;
  /** RTMR0…3, 48 bytes each. */
  readonly rtmrs: readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  /** 64 bytes, chosen by the TD. */
  readonly reportData: Uint8Array;
  /** 1.5 only: the current security versions of the module, after updates without a restart. */
  readonly teeTcbSvn2: Uint8Array | undefined;
  /** 1.5 only: measurement of the bound service TDs, 48 bytes; zeros if none is bound. */
  readonly mrServiceTd: Uint8Array | undefined;
}

export const tdBody10Bytes = 584;
export const tdBody15Bytes = 648;

/** Bit numbers in TDATTRIBUTES. @see Intel TDX module 1.5 ABI, ATTRIBUTES */
export const tdAttribute = {
  debug: 0,
  septVeDisable: 28,
  migratable: 29,
  pks: 30,
  keyLocker: 31,
  perfmon: 63,
} as const;

/** @param bytes exactly 584 or 648 bytes */
export function parseTdBody(bytes: Uint8Array): TdBody {
  const reader = new ByteReader(bytes, 'TD body', 'ERR_QUOTE_MALFORMED');
  const field = (length: number, name: string) => reader.bytes(length, name);
  const isNewer = bytes.length === tdBody15Bytes;
  return {
    version: isNewer ? '1.5' : '1.0',
    teeTcbSvn: field(16, 'TEE_TCB_SVN'),
    mrSeam: field(48, 'MRSEAM'),
    mrSignerSeam: field(48, 'MRSIGNERSEAM'),
    seamAttributes: field(8, 'SEAMATTRIBUTES'),
    tdAttributes: field(8, 'TDATTRIBUTES'),
    xfam: field(8, 'XFAM'),
    mrTd: field(48, 'MRTD'),
    mrConfigId: field(48, 'MRCONFIGID'),
    mrOwner: field(48, 'MROWNER'),
    mrOwnerConfig: field(48, 'MROWNERCONFIG'),
    rtmrs: [field(48, 'RTMR0'), field(48, 'RTMR1'), field(48, 'RTMR2'), field(48, 'RTMR3')],
    reportData: field(64, 'REPORTDATA'),
    teeTcbSvn2: isNewer ? field(16, 'TEE_TCB_SVN2') : undefined,
    mrServiceTd: isNewer ? field(48, 'MRSERVICETD') : undefined,
  };
}

/** The numbers of the set bits in 8 attribute bytes, in ascending order. */
export function attributeBits(attributes: Uint8Array): number[] {
  const bits: number[] = [];
  attributes.forEach((byte, index) => {
    for (let bit = 0; bit < 8; bit++) if ((byte >> bit) & 1) bits.push(8 * index + bit);
  });
  return bits;
}
