import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ReceiveOptions, receiveBody } from '../../../server/bodies/receive.ts';
import { ServerError } from '../../../server/http/errors.ts';

const tooLarge = () => new ServerError('ERR_BODY_TOO_LARGE', 'too large');

function receive(payload: PassThrough, options: Partial<ReceiveOptions> = {}): Promise<Buffer> {
  return receiveBody(payload, { bytesMax: 1_000_000, contentLength: undefined, tooLarge, ...options });
}

/** Memory of its own, as a connection's pieces have. */
function piece(bytes: number, fill = 97): Buffer {
  return Buffer.from(new ArrayBuffer(bytes)).fill(fill);
}

describe('a request body', () => {
  it('is put together from its pieces, whose memory is given back', async () => {
    const payload = new PassThrough();
    const pieces = [piece(100, 97), piece(200, 98)];
    const body = receive(payload);
    for (const one of pieces) payload.write(one);
    payload.end();
    expect(String(await body)).toBe('a'.repeat(100) + 'b'.repeat(200));
    expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  });

  it('leaves the event loop to others after each 64 KiB', async () => {
    const payload = new PassThrough({ highWaterMark: 10_000_000 });
    const pieces = Array.from({ length: 10 }, () => piece(32 * 1024));
    for (const one of pieces) payload.write(one);
    payload.end();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await receive(payload);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it.each([
    ['by its header', { contentLength: 101 }],
    ['by what arrives', {}],
  ])('is refused as too large %s, and what came of it is cleared', async (_, options) => {
    const payload = new PassThrough();
    const sent = piece(101);
    const refused = expect(receive(payload, { bytesMax: 100, ...options })).rejects.toMatchObject({
      code: 'ERR_BODY_TOO_LARGE',
    });
    if (!('contentLength' in options)) payload.write(sent);
    await refused;
    if (!('contentLength' in options)) expect(sent.byteLength).toBe(0);
  });

  it('is refused where it is not as long as its Content-Length says', async () => {
    const payload = new PassThrough();
    const refused = expect(receive(payload, { contentLength: 5 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
    payload.end('abc');
    await refused;
  });

  it('whose connection breaks is cleared, and fails with the error of the stream', async () => {
    const payload = new PassThrough();
    const sent = piece(100);
    const failed = expect(receive(payload)).rejects.toThrow('broke');
    payload.write(sent);
    await new Promise(setImmediate);
    payload.destroy(new Error('broke'));
    await failed;
    expect(sent.byteLength).toBe(0);
  });
});
