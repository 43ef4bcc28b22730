/**
 * The messages of a TDX host's quote service (QGS). Pure: messages only, no socket.
 * @see intel/SGXDataCenterAttestationPrimitives QuoteGeneration/quote_wrapper/qgs_msg_lib/inc/qgs_msg_lib.h
 */
import { ByteReader, concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { tdReportBytes } from '../quote/td-report.ts';

const getQuoteRequest = 0;
const getQuoteResponse = 1;
const headerBytes = 16;

/** @param tdReport 1,024 bytes · @returns a GET_QUOTE request */
export function encodeQuoteRequest(tdReport: Uint8Array): Uint8Array {
  if (tdReport.length !== tdReportBytes) {
    throw new RangeError(`tdReport must be ${tdReportBytes} bytes, got ${tdReport.length}`);
  }
  const sizes = new Uint8Array(headerBytes + 8);
  const view = new DataView(sizes.buffer);
  view.setUint16(0, 1, true);
  view.setUint16(2, 0, true);
  view.setUint32(4, getQuoteRequest, true);
  view.setUint32(8, sizes.length + tdReport.length, true);
  view.setUint32(12, 0, true);
  view.setUint32(16, tdReport.length, true);
  // No list of key ids: the service uses its own key.
  view.setUint32(20, 0, true);
  return concatBytes(sizes, tdReport);
}

/** @returns the quote · @throws {AttestationError} ERR_QUOTE_SERVICE_UNREACHABLE if the response has none */
export function parseQuoteAnswer(answer: Uint8Array): Uint8Array {
  const reader = new ByteReader(answer, 'answer of the quote service', 'ERR_QUOTE_SERVICE_UNREACHABLE');
  const major = reader.uint16('major version');
  reader.uint16('minor version');
  const type = reader.uint32('type');
  const size = reader.uint32('size');
  const error = reader.uint32('error');
  if (major !== 1 || type !== getQuoteResponse) throw refused(`with version ${major}, type ${type}`);
  if (error !== 0) throw refused(`with error 0x${error.toString(16)}`);
  if (size !== answer.length) throw refused(`with ${answer.length} bytes and says it has ${size}`);
  const idBytes = reader.uint32('size of the key id');
  const quoteBytes = reader.uint32('size of the quote');
  reader.bytes(idBytes, 'key id');
  const quote = reader.bytes(quoteBytes, 'quote');
  if (quote.length === 0 || reader.rest().length > 0) throw refused('with no quote, or something after it');
  return quote;
}

function refused(what: string): AttestationError {
  return new AttestationError('ERR_QUOTE_SERVICE_UNREACHABLE', `the host's quote service answered ${what}`);
}
