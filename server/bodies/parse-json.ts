/** Parses bytes as JSON without quoting them in errors. */
import { ServerError } from '../http/errors.ts';
import { type BodyPieces, freePieces } from './receive.ts';

/** Rejects invalid UTF-8 instead of substituting U+FFFD, so that a prompt is accepted as sent or not at all. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {ServerError} ERR_REQUEST_INVALID, without the engine's message, which would quote the body */
export function parseJson(body: Uint8Array): unknown {
  if (body.byteLength === 0) throw new ServerError('ERR_REQUEST_INVALID', 'the request body is empty');
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ServerError('ERR_REQUEST_INVALID', 'the request body is not valid UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new ServerError('ERR_REQUEST_INVALID', 'the request body is not valid JSON');
  }
}

/** Frees the pieces and zeroes their copy. @throws as `parseJson` */
export function parsePieces(pieces: BodyPieces): unknown {
  const body = Buffer.concat(pieces);
  freePieces(pieces);
  try {
    return parseJson(body);
  } finally {
    body.fill(0);
  }
}
