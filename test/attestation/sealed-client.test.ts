/** What the sealing client accepts over a network that it does not trust. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { concatBytes } from '../../attestation/base/bytes.ts';
import { openResponse, sealRequest } from '../../attestation/sealed/client.ts';
import { FrameReader, frameHeader } from '../../attestation/sealed/frames.ts';
import { createSealingKey } from '../../server/enclave/sealing-key.ts';
import { postSealed, responseOf, type SealedAnswer } from '../support/attestation/sealed.ts';
import type { FakeChat } from '../support/runtime/fake-engine.ts';
import { chatBody, startTestApp, type TestApp } from '../support/server/test-app.ts';

const url = 'https://cloister.test/v1/chat/completions';
const malformed = { code: 'ERR_SEALED_MALFORMED' };

let running: TestApp | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** A sealed answer of three words: whole JSON, or a stream with at least one frame per word. */
async function answer({ stream }: { stream: boolean }): Promise<SealedAnswer> {
  const script = async (chat: FakeChat) => {
    chat.start();
    for (const word of ['one', 'two', 'three']) {
      chat.text(word);
      await new Promise((resolve) => setImmediate(resolve));
    }
    chat.finish();
  };
  running ??= await startTestApp({ script });
  return await postSealed(running, chatBody({ stream }));
}

/** The same answer with other bytes. */
function withBytes({ wire, exchange }: SealedAnswer, bytes: Uint8Array, pieceBytes?: number): Promise<Response> {
  const { status } = wire;
  const headers = Object.fromEntries(wire.headers);
  return openResponse(responseOf(bytes, { status, headers, ...(pieceBytes && { pieceBytes }) }), {
    ...exchange,
    exported: exchange.exported.slice(),
  });
}

const framesOf = (bytes: Uint8Array) => new FrameReader({ frameBytesMax: 1e6 }).push(bytes);
const joined = (frames: readonly Uint8Array[]) =>
  concatBytes(...frames.flatMap((frame) => [frameHeader(frame.length), frame]));

describe('sealing a request', () => {
  const key = createSealingKey();

  it('keeps everything except the body and its length', async () => {
    const abort = new AbortController();
    const original = new Request(url, {
      method: 'PUT',
      headers: { authorization: 'Bearer x', 'x-own': 'kept', 'content-length': '5' },
      body: 'hello',
      redirect: 'error',
      credentials: 'omit',
      signal: abort.signal,
    });
    const { request } = await sealRequest(original, key.publicKey);
    expect(request).toMatchObject({ url: url, method: 'PUT', redirect: 'error', credentials: 'omit' });
    expect(request.headers.get('x-own')).toBe('kept');
    expect(request.headers.get('ehbp-encapsulated-key')).toMatch(/^[0-9a-f]{64}$/);
    expect(request.headers.has('content-length')).toBe(false);
    abort.abort();
    expect(request.signal.aborted).toBe(true);
  });

  it('leaves the request usable for another attempt under another key', async () => {
    const original = new Request(url, { method: 'POST', body: 'hello' });
    const first = await sealRequest(original, key.publicKey);
    const second = await sealRequest(original, createSealingKey().publicKey);
    expect(await original.text()).toBe('hello');
    expect(first.exchange?.encapsulatedKey).not.toEqual(second.exchange?.encapsulatedKey);
  });

  it('does not change a request without a body', async () => {
    for (const original of [new Request(url), new Request(url, { method: 'POST', body: '' })]) {
      const { request, exchange } = await sealRequest(original, key.publicKey);
      expect(request).toBe(original);
      expect(exchange).toBeUndefined();
    }
  });

  it('frames a body that is longer than a frame', async () => {
    const text = Buffer.alloc(17 * 1024 * 1024, 'x');
    const { request } = await sealRequest(new Request(url, { method: 'POST', body: text }), key.publicKey);
    const exchange = key.receive(Buffer.from(request.headers.get('ehbp-encapsulated-key')!, 'hex'))!;
    const frames = new FrameReader({ frameBytesMax: 2 ** 25 }).push(new Uint8Array(await request.arrayBuffer()));
    expect(frames).toHaveLength(2);
    expect(Buffer.concat(frames.map((frame) => exchange.open(frame)!)).equals(text)).toBe(true);
  });

  it.each([
    ['too short', new Uint8Array(31).fill(9)],
    ['of low order', new Uint8Array(32)],
  ])('rejects a key that is %s', async (_what, serverKey) => {
    const request = new Request(url, { method: 'POST', body: 'hello' });
    await expect(sealRequest(request, serverKey)).rejects.toMatchObject(malformed);
  });
});

describe('opening an answer', () => {
  it('restores status, headers and body, regardless of how the answer is split', async () => {
    const sealed = await answer({ stream: true });
    for (const pieceBytes of [1, 7, 100_000]) {
      const opened = await withBytes(sealed, sealed.wireBytes, pieceBytes);
      expect(opened.status).toBe(200);
      expect(opened.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(opened.headers.has('ehbp-response-nonce')).toBe(false);
      expect(await opened.text()).toMatch(/one[\s\S]*two[\s\S]*three[\s\S]*\[DONE\]\n\n$/);
    }
  });

  it('opens once: its secret is zeroed', async () => {
    const { wire, exchange } = await answer({ stream: false });
    const copy = wire.clone();
    await (await openResponse(wire, exchange)).text();
    expect(exchange.exported).toEqual(new Uint8Array(32));
    await expect((await openResponse(copy, exchange)).text()).rejects.toMatchObject(malformed);
  });

  it('passes an unsealed error status on', async () => {
    const { exchange } = await answer({ stream: false });
    const response = new Response('bad gateway', { status: 502 });
    expect(await openResponse(response, exchange)).toBe(response);
  });
});

describe('an intermediary is detected that', () => {
  it('strips the sealing of an answer', async () => {
    const { exchange } = await answer({ stream: false });
    const forged = Response.json({ choices: [{ message: { content: 'forged' } }] });
    await expect(openResponse(forged, exchange)).rejects.toMatchObject({ code: 'ERR_SEALED_STRIPPED' });
  });

  it('claims that the key has changed, which is distinguished from other errors', async () => {
    const { exchange } = await answer({ stream: false });
    const headers = { 'content-type': 'application/problem+json' };
    const body = JSON.stringify({ type: 'urn:ietf:params:ehbp:error:key-config', title: 'other key' });
    const problem = openResponse(new Response(body, { status: 422, headers }), exchange);
    await expect(problem).rejects.toMatchObject({ code: 'ERR_SEALED_KEY' });
  });

  it('seals to a key of his own: the server cannot open it', async () => {
    running = await startTestApp();
    const mine = createSealingKey();
    const { wire, open } = await postSealed(running, chatBody(), { key: mine.publicKey });
    expect(wire.status).toBe(422);
    await expect(open()).rejects.toMatchObject({ code: 'ERR_SEALED_KEY' });
  });

  it('fails a request sealed to the previous key before it is opened, and the client learns the new key', async () => {
    running = await startTestApp();
    const stranger = { authorization: 'Bearer clst_no' };
    const refused = await postSealed(running, chatBody(), { key: createSealingKey().publicKey, headers: stranger });
    expect(refused.wire.status).toBe(401);
    await expect(refused.open()).rejects.toMatchObject({ code: 'ERR_SEALED_KEY' });
    const right = await (await postSealed(running, chatBody(), { headers: stranger })).open();
    expect([right.status, await right.json()]).toMatchObject([401, { details: { code: 'ERR_KEY_INVALID' } }]);
  });

  it('returns the answer of another caller', async () => {
    const [mine, theirs] = [await answer({ stream: false }), await answer({ stream: false })];
    await expect((await openResponse(theirs.wire, mine.exchange)).text()).rejects.toMatchObject(malformed);
  });

  it('changes the nonce, or removes digits of it', async () => {
    const { wire, exchange, wireBytes } = await answer({ stream: false });
    const nonce = wire.headers.get('ehbp-response-nonce')!;
    const other = new Response(Uint8Array.from(wireBytes), { headers: { 'ehbp-response-nonce': 'ab'.repeat(32) } });
    const exported = exchange.exported.slice();
    await expect((await openResponse(other, { ...exchange, exported })).text()).rejects.toMatchObject(malformed);
    const short = new Response('', { headers: { 'ehbp-response-nonce': nonce.slice(2) } });
    await expect(openResponse(short, exchange)).rejects.toMatchObject(malformed);
  });

  it('changes a bit, anywhere', async () => {
    const sealed = await answer({ stream: false });
    for (let at = 0; at < sealed.wireBytes.length; at += 7) {
      const changed = Uint8Array.from(sealed.wireBytes);
      changed[at]! ^= 1 << (at % 8);
      await expect((await withBytes(sealed, changed)).text()).rejects.toMatchObject(malformed);
    }
  });

  it('drops, repeats or swaps frames', async () => {
    const sealed = await answer({ stream: true });
    const frames = framesOf(sealed.wireBytes);
    expect(frames.length).toBeGreaterThan(3);
    const [first, second, ...rest] = frames as [Uint8Array, Uint8Array, ...Uint8Array[]];
    const forgeries = [
      [second, ...rest],
      [first, first, second, ...rest],
      [second, first, ...rest],
      [...frames, frames.at(-1)!],
    ];
    for (const forged of forgeries) {
      await expect((await withBytes(sealed, joined(forged))).text()).rejects.toMatchObject(malformed);
    }
  });

  it('cuts a stream, between two frames or inside one', async () => {
    const sealed = await answer({ stream: true });
    const frames = framesOf(sealed.wireBytes);
    for (let count = 0; count < frames.length; count++) {
      const cut = await withBytes(sealed, joined(frames.slice(0, count)));
      await expect(cut.text()).rejects.toMatchObject(malformed);
    }
    const inside = await withBytes(sealed, sealed.wireBytes.subarray(0, -1));
    await expect(inside.text()).rejects.toMatchObject(malformed);
  });

  it.each(['application/json', 'text/plain', undefined])(
    'cuts a stream between two frames and calls it %s',
    async (type) => {
      const { wire, exchange, wireBytes } = await answer({ stream: true });
      const frames = framesOf(wireBytes);
      const { 'content-type': _, ...rest } = Object.fromEntries(wire.headers);
      const headers = type === undefined ? rest : { ...rest, 'content-type': type };
      const asCalled = async (bytes: Uint8Array) => {
        const copy = { ...exchange, exported: exchange.exported.slice() };
        return (await openResponse(responseOf(bytes, { status: 200, headers }), copy)).text();
      };
      for (let count = 1; count < frames.length; count++) {
        await expect(asCalled(joined(frames.slice(0, count)))).rejects.toMatchObject(malformed);
      }
      expect(await asCalled(wireBytes)).toMatch(/\[DONE\]\n\n$/);
    },
  );

  it('cuts a whole answer, anywhere', async () => {
    const sealed = await answer({ stream: false });
    // A single frame, which cannot be truncated between frames.
    expect(framesOf(sealed.wireBytes)).toHaveLength(1);
    for (let length = 0; length < sealed.wireBytes.length; length += 5) {
      const cut = await withBytes(sealed, sealed.wireBytes.subarray(0, length));
      await expect(cut.text()).rejects.toMatchObject(malformed);
    }
  });

  it('sends arbitrary bytes', async () => {
    const sealed = await answer({ stream: false });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 500 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, pieceBytes) => {
          const opened = await withBytes(sealed, bytes, pieceBytes);
          await expect(opened.arrayBuffer()).rejects.toMatchObject(malformed);
        },
      ),
    );
  });

  it('announces frames without end', async () => {
    const sealed = await answer({ stream: false });
    const endless = await withBytes(sealed, concatBytes(frameHeader(0xffffffff), new Uint8Array(1000)));
    await expect(endless.text()).rejects.toMatchObject(malformed);
  });
});
