import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { freePieces, type ReceiveOptions, receiveBody } from '../../../server/bodies/receive.ts';
import { ReceivingTurns } from '../../../server/bodies/receiving-turns.ts';
import { ServerError } from '../../../server/http/errors.ts';

const tooLarge = () => new ServerError('ERR_BODY_TOO_LARGE', 'too large');

function receive(payload: PassThrough, options: Partial<ReceiveOptions> = {}) {
  const turns = new ReceivingTurns();
  return receiveBody(payload, {
    ...{ bytesMax: 1_000_000, contentLength: undefined, tooLarge, turns, account: 'a' },
    ...options,
  });
}

/** A payload whose bytes have all arrived. */
function arrived(pieces: readonly Buffer[]): PassThrough {
  const payload = new PassThrough({ highWaterMark: 10_000_000 });
  for (const one of pieces) payload.write(one);
  return payload.end();
}

/** A piece with its own memory, like the pieces that a connection delivers. */
function piece(bytes: number, fill = 97): Buffer {
  return Buffer.from(new ArrayBuffer(bytes)).fill(fill);
}

describe('a request body', () => {
  it('is received in pieces whose memory can be released', async () => {
    const sent = [piece(100, 97), piece(200, 98)];
    const pieces = await receive(arrived(sent));
    expect(Buffer.concat(pieces).toString()).toBe('a'.repeat(100) + 'b'.repeat(200));
    freePieces(pieces);
    expect(sent.map(({ byteLength }) => byteLength)).toEqual([0, 0]);
  });

  it('is copied to its own memory, and the shared memory is zeroed', async () => {
    const shared = Buffer.from(new ArrayBuffer(300)).fill(97).subarray(100, 200);
    const [one] = await receive(arrived([shared]));
    expect(one!.buffer.byteLength).toBe(100);
    expect(Buffer.from(one!).toString()).toBe('a'.repeat(100));
    expect(shared.every((byte) => byte === 0)).toBe(true);
  });

  it('reports its pieces in order', async () => {
    const seen: number[] = [];
    await receive(arrived([piece(1), piece(2), piece(3)]), { onPiece: ({ byteLength }) => seen.push(byteLength) });
    expect(seen).toEqual([1, 2, 3]);
  });

  it('yields to the event loop after each 64 KiB', async () => {
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

  it('adds one piece of 64 KiB per event-loop iteration across all connections', async () => {
    const turns = new ReceivingTurns();
    const piecesOfRounds = [0];
    const onPiece = () => {
      piecesOfRounds[piecesOfRounds.length - 1]! += 1;
    };
    let isOver = false;
    const count = () => {
      piecesOfRounds.push(0);
      if (!isOver) setImmediate(count);
    };
    const bodies = Array.from({ length: 10 }, (_, index) => {
      const payload = arrived(Array.from({ length: 10 }, () => piece(64 * 1024)));
      return receive(payload, { turns, account: `${index}`, onPiece });
    });
    setImmediate(count);
    await Promise.all(bodies);
    isOver = true;
    // The first piece of each body is read without waiting for a turn.
    expect(piecesOfRounds.filter((pieces) => pieces > 1).length).toBeLessThanOrEqual(1);
    expect(piecesOfRounds.reduce((sum, pieces) => sum + pieces)).toBe(100);
  });

  it('does not wait longer when another account sends several bodies', async () => {
    const turns = new ReceivingTurns();
    const body = () => arrived(Array.from({ length: 10 }, () => piece(64 * 1024)));
    const order: string[] = [];
    const sent = ['a', 'a', 'a', 'a', 'b'].map((account) =>
      receive(body(), { turns, account }).then(() => order.push(account)),
    );
    await Promise.all(sent);
    expect(order[0]).toBe('b');
  });

  it('is received at the rate of all bodies together once the burst is used up', async () => {
    const turns = new ReceivingTurns({ bytesPerSecond: 5 * 2 ** 20, burstBytes: 2 ** 20 });
    const mebibytes = (count: number) => arrived(Array.from({ length: 16 * count }, () => piece(64 * 1024)));
    const started = performance.now();
    await receive(mebibytes(1), { turns, bytesMax: 2 ** 24 });
    const burstMs = performance.now() - started;
    await Promise.all(['a', 'b'].map((account) => receive(mebibytes(1), { turns, bytesMax: 2 ** 24, account })));
    const wholeMs = performance.now() - started;
    expect(burstMs).toBeLessThan(250);
    // Two mebibytes after the burst, less what the burst's own time brought.
    expect(wholeMs).toBeGreaterThan(300);
  });

  it('loses its turn when its connection breaks', async () => {
    const turns = new ReceivingTurns();
    const broken = new PassThrough({ highWaterMark: 10_000_000 });
    for (let index = 0; index < 3; index++) broken.write(piece(64 * 1024));
    const failed = expect(receive(broken, { turns })).rejects.toThrow('broke');
    broken.destroy(new Error('broke'));
    await failed;
    await receive(arrived([piece(64 * 1024), piece(64 * 1024)]), { turns, account: 'b' });
  });

  it.each([
    ['by its header', { contentLength: 101 }],
    ['by the received bytes', {}],
  ])('is rejected as too large %s, and the received part is zeroed', async (_, options) => {
    const payload = new PassThrough();
    const sent = piece(101);
    const refused = expect(receive(payload, { bytesMax: 100, ...options })).rejects.toMatchObject({
      code: 'ERR_BODY_TOO_LARGE',
    });
    if (!('contentLength' in options)) payload.write(sent);
    await refused;
    if (!('contentLength' in options)) expect(sent.byteLength).toBe(0);
  });

  it('is rejected if its length differs from its Content-Length', async () => {
    const payload = new PassThrough();
    const refused = expect(receive(payload, { contentLength: 5 })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
    payload.end('abc');
    await refused;
  });

  it('is zeroed and fails with the stream’s error when its connection breaks', async () => {
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
