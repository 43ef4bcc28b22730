/**
 * Parses NVIDIA's GPU attestation report: an SPDM 1.1 request for all measurements and its signed response. Pure; results are views.
 */
import { ByteReader } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

export interface GpuMeasurement {
  /** Index from 1. Reference manifests (RIM) use the same numbers. */
  readonly index: number;
  /** DMTF's measurement type, see DSP0274 1.1 table 43. */
  readonly type: number;
  readonly value: Uint8Array;
}

export interface GpuReport {
  /** 32 bytes, chosen by the requester. */
  readonly requestNonce: Uint8Array;
  /** 32 bytes, chosen by the GPU. */
  readonly responseNonce: Uint8Array;
  /** In ascending order of their index. */
  readonly measurements: readonly GpuMeasurement[];
  /** NVIDIA's opaque fields by number: see `gpuField`. */
  readonly fields: ReadonlyMap<number, Uint8Array>;
  /** The request, and the response without its signature: the bytes that the GPU signed. */
  readonly signedBytes: Uint8Array;
  /** r ‖ s on P-384. */
  readonly signature: Uint8Array;
}

/** The numbers of NVIDIA's opaque fields in Hopper and Blackwell reports. @see NVIDIA/attestation-sdk, opaque field ids */
export const gpuField = {
  driverVersion: 3,
  gpuInfo: 4,
  vbiosVersion: 6,
  nvdec0Status: 11,
  measurementCounts: 12,
  cprInfo: 13,
  boardId: 14,
  chipSku: 15,
  chipSkuModifier: 16,
  project: 17,
  projectSku: 18,
  projectSkuModifier: 19,
  firmwareId: 20,
  protectedPcieStatus: 21,
  switchPdi: 22,
  sysEnableStatus: 33,
  fieldsVersion: 34,
  chipInfo: 35,
  featureFlag: 36,
} as const;

/** Above any real report, which has about 4 KiB. */
export const gpuReportBytesMax = 64 * 1024;
export const gpuNonceBytes = 32;

const spdm11 = 0x11;
const getMeasurements = 0xe0;
const measurementsCode = 0x60;
const signatureRequested = 1;
const allMeasurements = 0xff;
const dmtf = 1;
const signatureBytes = 96;

/**
 * @param bytes request and response concatenated, as NVML returns them, without trailing bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see DMTF DSP0274 1.1.1 §10.11 (GET_MEASUREMENTS and MEASUREMENTS)
 */
export function parseGpuReport(bytes: Uint8Array): GpuReport {
  if (bytes.length > gpuReportBytesMax) {
    throw malformed(`has ${bytes.length} bytes, at most ${gpuReportBytesMax} are read`);
  }
  const reader = new ByteReader(bytes, 'GPU report', 'ERR_EVIDENCE_MALFORMED');
  const requestNonce = parseRequest(reader);
  requireHeader(reader, measurementsCode, 'response');
  reader.bytes(2, 'parameters of the response');
  const [blocks] = reader.bytes(1, 'number of measurements');
  const record = reader.bytes(uint24(reader, 'length of the measurements'), 'measurements');
  const measurements = parseMeasurements(record, blocks!);
  const responseNonce = reader.bytes(gpuNonceBytes, 'nonce of the response');
  const fields = parseFields(reader.bytes(reader.uint16('length of the fields'), 'fields'));
  const signedBytes = bytes.subarray(0, reader.at);
  const signature = reader.bytes(signatureBytes, 'signature');
  if (reader.rest().length > 0) throw malformed(`is followed by ${reader.rest().length} bytes`);
  return { requestNonce, responseNonce, measurements, fields, signedBytes, signature };
}

/** @returns the nonce */
function parseRequest(reader: ByteReader): Uint8Array {
  requireHeader(reader, getMeasurements, 'request');
  const [attributes, operation] = reader.bytes(2, 'parameters of the request');
  if (attributes !== signatureRequested) throw malformed('answers a request that asks for no signature');
  if (operation !== allMeasurements) throw malformed('answers a request that does not ask for all measurements');
  const nonce = reader.bytes(gpuNonceBytes, 'nonce of the request');
  reader.bytes(1, 'certificate slot');
  return nonce;
}

function requireHeader(reader: ByteReader, code: number, what: string): void {
  const [version, found] = reader.bytes(2, `header of the ${what}`);
  if (version !== spdm11) throw malformed(`has a ${what} of SPDM version 0x${version!.toString(16)}, expected 0x11`);
  if (found !== code) {
    throw malformed(`has a ${what} with code 0x${found!.toString(16)}, expected 0x${code.toString(16)}`);
  }
}

function parseMeasurements(record: Uint8Array, blocks: number): GpuMeasurement[] {
  const reader = new ByteReader(record, 'measurement record', 'ERR_EVIDENCE_MALFORMED');
  const measurements: GpuMeasurement[] = [];
  let last = 0;
  for (let count = 0; count < blocks; count++) {
    const [index, specification] = reader.bytes(2, 'measurement header');
    if (index! <= last) throw malformed(`has measurement ${index} after ${last}`);
    if (specification !== dmtf) throw malformed(`has a measurement of specification ${specification}, expected 1`);
    last = index!;
    const block = new ByteReader(
      reader.bytes(reader.uint16('length of the measurement'), 'measurement'),
      'measurement',
      'ERR_EVIDENCE_MALFORMED',
    );
    const [type] = block.bytes(1, 'type');
    const value = block.bytes(block.uint16('length'), 'value');
    if (block.rest().length > 0)
      throw malformed(`has ${block.rest().length} bytes after the value of measurement ${index}`);
    measurements.push({ index: index!, type: type!, value });
  }
  if (reader.rest().length > 0) throw malformed(`has ${reader.rest().length} bytes after its measurements`);
  return measurements;
}

function parseFields(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const reader = new ByteReader(bytes, 'field list', 'ERR_EVIDENCE_MALFORMED');
  const fields = new Map<number, Uint8Array>();
  while (reader.at < bytes.length) {
    const number = reader.uint16('field number');
    if (fields.has(number)) throw malformed(`has field ${number} twice`);
    fields.set(number, reader.bytes(reader.uint16('field length'), `field ${number}`));
  }
  return fields;
}

function uint24(reader: ByteReader, field: string): number {
  const [low, middle, high] = reader.bytes(3, field);
  return low! | (middle! << 8) | (high! << 16);
}

/** The driver's version as text, `535.86.09`; undefined if the report has none or it is not printable. */
export function driverVersionOf(report: GpuReport): string | undefined {
  const bytes = report.fields.get(gpuField.driverVersion);
  return /^([0-9.]+)\0*$/.exec(new TextDecoder('latin1').decode(bytes))?.[1];
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the GPU report ${message}`);
}
