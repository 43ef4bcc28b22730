import { createHmac, randomBytes } from 'node:crypto';
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes, fromHex, toHex } from '../../attestation/base/bytes.ts';
import { openResponse, sealRequest } from '../../attestation/sealed/client.ts';
import { EventStreamEnd } from '../../attestation/sealed/event-stream-end.ts';
import { FrameReader, frameHeader } from '../../attestation/sealed/frames.ts';
import { encodeKeyConfig, parseKeyConfig } from '../../attestation/sealed/key-config.ts';
import { answerKeys, awaitSteps, frameNonce, runSteps } from '../../attestation/sealed/key-schedule.ts';
import { createSealingKey } from '../../server/enclave/sealing-key.ts';
import { hasVectors, vectorsNote, vectorText } from '../support/vectors.ts';

const url = 'https://cloister.test/v1/chat/completions';
const info = new TextEncoder().encode('ehbp request').buffer;
const exportLabel = new TextEncoder().encode('ehbp response').buffer;
const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

const utf8 = (text: string) => new TextEncoder().encode(text);
const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
const malformed = expect.objectContaining({ code: 'ERR_SEALED_MALFORMED' });

describe('a key configuration', () => {
  it('is the 41 bytes that clients of the protocol read', () => {
    const publicKey = new Uint8Array(32).fill(0xab);
    expect(toHex(encodeKeyConfig(publicKey))).toBe(`000020${'ab'.repeat(32)}000400010002`);
  });

  it('is parsed to the key, whatever follows it and whichever suites precede it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array(), (publicKey, rest) => {
        expect(parseKeyConfig(concatBytes(encodeKeyConfig(publicKey), rest))).toEqual(publicKey);
      }),
    );
    const twoSuites = fromHex(`070020${'ab'.repeat(32)}00080001000300010002`)!;
    expect(toHex(parseKeyConfig(twoSuites))).toBe('ab'.repeat(32));
  });

  it.each([
    ['nothing', ''],
    ['another KEM', `000010${'ab'.repeat(32)}000400010002`],
    ['a key that is cut short', `000020${'ab'.repeat(31)}`],
    ['no suites', `000020${'ab'.repeat(32)}0000`],
    ['only other suites', `000020${'ab'.repeat(32)}000400010001`],
    ['suites that end early', `000020${'ab'.repeat(32)}000800010002`],
    ['half a suite', `000020${'ab'.repeat(32)}00060001000200`],
  ])('is rejected with %s', (_what, hex) => {
    expect(() => parseKeyConfig(fromHex(hex)!)).toThrow(malformed);
  });
});

const frameOf = (bytes: Uint8Array) => concatBytes(frameHeader(bytes.length), bytes);

/** Cuts `bytes` at `cuts`. */
function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index]!, end));
}

describe('frames', () => {
  it('round-trip, for any division into pieces; empty ones are omitted', () => {
    const frame = fc.oneof(fc.uint8Array({ minLength: 16, maxLength: 200 }), fc.constant(new Uint8Array()));
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 10 }), fc.array(fc.nat()), (frames, cuts) => {
        const reader = new FrameReader({ frameBytesMax: 200 });
        const read = pieces(concatBytes(...frames.map(frameOf)), cuts).flatMap((piece) => reader.push(piece));
        reader.end();
        expect(read.map(toHex)).toEqual(frames.filter(({ length }) => length > 0).map(toHex));
      }),
    );
  });

  it('that are truncated anywhere are rejected at the end', () => {
    const bytes = concatBytes(frameOf(new Uint8Array(20)), frameOf(new Uint8Array(30)));
    for (let length = 1; length < bytes.length; length++) {
      const reader = new FrameReader({ frameBytesMax: 200 });
      reader.push(bytes.subarray(0, length));
      if (length === 24) reader.end();
      else expect(() => reader.end()).toThrow(malformed);
    }
  });

  it('of a forbidden length are rejected before they arrive', () => {
    for (const length of [0xffffffff, 0x80000000, 201, 15, 1]) {
      const reader = new FrameReader({ frameBytesMax: 200 });
      expect(() => reader.push(frameHeader(length))).toThrow(malformed);
    }
  });

  it('are rejected above the maximum number', () => {
    const reader = new FrameReader({ frameBytesMax: 200, framesMax: 3 });
    expect(reader.push(new Uint8Array(12))).toEqual([]);
    expect(() => reader.push(new Uint8Array(4))).toThrow(malformed);
  });

  it('never crash the reader: any bytes are frames or rejected', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array()), (chunks) => {
        const reader = new FrameReader({ frameBytesMax: 100 });
        try {
          for (const chunk of chunks) reader.push(chunk);
          reader.end();
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_SEALED_MALFORMED' });
        }
      }),
    );
  });
});

describe.skipIf(!hasVectors)(`the published vectors${vectorsNote}`, () => {
  it('of the keys of an answer', async () => {
    const vector = JSON.parse(vectorText('ehbp/derive.json')) as Record<string, string>;
    const given = () => ({
      exported: fromHex(vector.exportedSecret!)!,
      encapsulatedKey: fromHex(vector.requestEnc!)!,
      responseNonce: fromHex(vector.responseNonce!)!,
    });
    const keys = runSteps(answerKeys(given()), hmac);
    expect(toHex(keys.key)).toBe(vector.derivedKey);
    expect(toHex(keys.baseNonce)).toBe(vector.derivedNonceBase);
    expect(await awaitSteps(answerKeys(given()), async (key, data) => hmac(key, data))).toEqual(keys);
  });

  it('of an answer', async () => {
    const vector = JSON.parse(vectorText('ehbp/response-decryption.json')) as Record<string, string>;
    const response = new Response(Buffer.from(vector.encryptedResponse!, 'hex'), {
      headers: { 'ehbp-response-nonce': vector.responseNonce! },
    });
    const exchange = { encapsulatedKey: fromHex(vector.requestEnc!)!, exported: fromHex(vector.exportedSecret!)! };
    const opened = await openResponse(response, exchange);
    expect(toHex(new Uint8Array(await opened.arrayBuffer()))).toBe(vector.plaintext);
  });
});

describe('a sequence number', () => {
  it('is added to the end of the first nonce, bit by bit', () => {
    const base = fromHex('f8b0ce9466f27aa6243c65f9')!;
    expect(toHex(frameNonce(base, 0))).toBe(toHex(base));
    expect(toHex(frameNonce(base, 1))).toBe('f8b0ce9466f27aa6243c65f8');
    expect(toHex(frameNonce(base, 0xffffffff))).toBe('f8b0ce9466f27aa6dbc39a06');
    expect(() => frameNonce(base, 2 ** 32)).toThrow(RangeError);
  });
});

describe('HPKE of an independent library (@hpke/core)', () => {
  it('opens what our client sealed, and exports the same secret', async () => {
    const pair = await suite.kem.generateKeyPair();
    const publicKey = new Uint8Array(await suite.kem.serializePublicKey(pair.publicKey));
    const body = randomBytes(1000);
    const { request, exchange } = await sealRequest(new Request(url, { method: 'POST', body }), publicKey);
    const enc = fromHex(request.headers.get('ehbp-encapsulated-key')!)!;
    const recipient = await suite.createRecipientContext({ recipientKey: pair.privateKey, enc, info: info });
    const [frame] = new FrameReader({ frameBytesMax: 2000 }).push(new Uint8Array(await request.arrayBuffer()));
    expect(Buffer.from(await recipient.open(frame!.slice().buffer))).toEqual(body);
    expect(new Uint8Array(await recipient.export(exportLabel, 32))).toEqual(exchange!.exported);
  });

  it('seals what our server opens, frame after frame', async () => {
    const key = createSealingKey();
    const recipientPublicKey = await suite.kem.deserializePublicKey(key.publicKey.slice().buffer);
    const sender = await suite.createSenderContext({ recipientPublicKey, info: info });
    const exchange = key.receive(new Uint8Array(sender.enc))!;
    for (const text of ['one', '', 'three']) {
      const frame = new Uint8Array(await sender.seal(utf8(text).buffer));
      expect(exchange.open(frame)?.toString()).toBe(text);
    }
    const exported = new Uint8Array(await sender.export(exportLabel, 32));
    const responseNonce = fromHex(exchange.beginAnswer())!;
    const keys = runSteps(answerKeys({ exported, encapsulatedKey: new Uint8Array(sender.enc), responseNonce }), hmac);
    const sealed = exchange.seal(Buffer.from('an answer'));
    const aes = await crypto.subtle.importKey('raw', Uint8Array.from(keys.key), 'AES-GCM', false, ['decrypt']);
    const iv = frameNonce(keys.baseNonce, 0);
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, Uint8Array.from(sealed.subarray(4)));
    expect(Buffer.from(opened).toString()).toBe('an answer');
  });
});

describe('the last event of a stream', () => {
  const isComplete = (text: string, cuts: readonly number[] = []) => {
    const end = new EventStreamEnd();
    for (const piece of pieces(utf8(text), cuts)) end.push(piece);
    return end.isComplete;
  };

  it.each([
    ['data: {"a":1}\n\ndata: [DONE]\n\n'],
    ['data: {"a":1}\n\n: waiting\n\ndata: [DONE]\n\n: waiting\n\n'],
    ['event: error\ndata: {"error":"stopped"}\n\n'],
    ['event: image.progress\ndata: {}\n\nevent: image.completed\ndata: {"long":"…"}\n\n'],
    ['event: message_delta\ndata: {}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n'],
    ['event: response.completed\ndata: {}\n\n'],
    ['event: response.incomplete\ndata: {}\n\n'],
    ['event: response.failed\ndata: {}\n\n'],
    ['event: response.cancelled\ndata: {}\n\n'],
    ['data: [DONE]\r\n\r\n'],
  ])('is found in %j, however it arrives', (text) => {
    fc.assert(fc.property(fc.array(fc.nat()), (cuts) => isComplete(text, cuts)));
  });

  it('is missing from every beginning of a stream', () => {
    const text = 'data: {"a":"[DONE]"}\n\n: waiting\n\nevent: image.progress\ndata: [1]\n\ndata: [DONE]\n\n';
    for (let length = 0; length < text.length; length++) expect(isComplete(text.slice(0, length))).toBe(false);
  });

  it.each([
    'message_delta',
    'content_block_stop',
    'ping',
    'response.in_progress',
    'response.output_item.done',
    'failed',
  ])('is not an event named %s', (name) => expect(isComplete(`event: ${name}\ndata: {}\n\n`)).toBe(false));
});
