import type { IncomingMessage } from 'node:http';
import { ServerError } from '../http/errors.ts';

/** Reads a request's body. @throws {ServerError} ERR_BODY_TOO_LARGE */
export async function readRequestBytes(request: IncomingMessage, { bytesMax }: { bytesMax: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A destroyed request could not be answered.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new ServerError('ERR_BODY_TOO_LARGE', 'the request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
