import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../../attestation/base/bytes.ts';
import { frameHeader } from '../../../attestation/sealed/frames.ts';
import { parseKeyConfig } from '../../../attestation/sealed/key-config.ts';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import { postSealed, sealedChat, sendChat } from '../../support/attestation/sealed.ts';
import { startAttestedApp } from '../../support/server/attested-app.ts';
import { answering, appPerTest, question } from '../../support/server/sealed-app.ts';

const start = appPerTest();

describe('a sealed body that cannot be decrypted', () => {
  it('is answered with 422 and the protocol’s problem type if it is for another key', async () => {
    const { wire } = await postSealed(await start(), question, { key: createSealingKey().publicKey });
    expect(wire.status).toBe(422);
    expect(wire.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(wire.headers.has('ehbp-response-nonce')).toBe(false);
    expect(await wire.json()).toMatchObject({
      type: 'urn:ietf:params:ehbp:error:key-config',
      title: expect.stringContaining('another key'),
      details: { code: 'ERR_SEALED_KEY', status: 422 },
    });
  });

  it('is answered with the key configuration and the keyset of this server, which the sender can seal to again', async () => {
    const app = await startAttestedApp({ ...answering });
    const { wire } = await postSealed(app, question, { key: createSealingKey().publicKey });
    const { details } = (await wire.json()) as { details: Record<string, string> };
    const { digest } = app.enclave.identity;
    expect([wire.headers.get('x-aci-keyset-digest'), details.keyset_digest]).toEqual([digest, digest]);
    const key = parseKeyConfig(new Uint8Array(Buffer.from(details.key_config!, 'base64')));
    const again = await postSealed(app, question, { key });
    expect((await again.open()).status).toBe(200);
    await app.close();
  });

  it('is refused before its key is checked and any of it is read, if it names the keyset of another node', async () => {
    const app = await startAttestedApp({ ...answering });
    const headers = { authorization: 'Bearer clst_unknown', 'x-aci-keyset-digest': `sha256:${'0'.repeat(64)}` };
    const { wire } = await postSealed(app, question, { key: createSealingKey().publicKey, headers });
    expect(wire.status).toBe(422);
    expect(wire.headers.has('ehbp-response-nonce')).toBe(false);
    expect(await wire.json()).toMatchObject({ details: { code: 'ERR_SEALED_KEY' } });
    const own = await postSealed(app, question, { headers: { 'x-aci-keyset-digest': app.enclave.identity.digest } });
    expect((await own.open()).status).toBe(200);
    await app.close();
  });

  it.each([
    ['no hexadecimal digits', 'z'.repeat(64)],
    ['too short', '00'.repeat(31)],
    ['too long', 'ab'.repeat(33)],
    ['a point of low order', '00'.repeat(32)],
  ])('is answered with 400 if its encapsulated key is %s', async (_what, encapsulated) => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const response = await sendChat(app, bytes, { ...headers, 'ehbp-encapsulated-key': encapsulated });
    expect(response.statusCode).toBe(400);
    expect(response.json().details.code).toBe('ERR_SEALED_BODY');
  });

  it('is answered with 400 if it is truncated at any byte', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    for (let length = 1; length < bytes.length; length++) {
      const response = await sendChat(app, bytes.subarray(0, length), headers);
      expect(response.statusCode).toBe(400);
      expect(response.json().details.code).toBe('ERR_SEALED_BODY');
      expect(response.headers).not.toHaveProperty('ehbp-response-nonce');
    }
    expect(app.engine.chats).toHaveLength(0);
  });

  it('is answered with 400 if a frame length exceeds the limit', async () => {
    const app = await start();
    const { headers } = await sealedChat(app, question);
    for (const length of [0xffffffff, 0x7fffffff, 5 * 1024 * 1024, 15, 1]) {
      const response = await sendChat(app, concatBytes(frameHeader(length), randomBytes(100)), headers);
      expect(response.statusCode).toBe(400);
    }
  });

  it('is answered with 400 if it has too many frames', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const response = await sendChat(app, Buffer.concat([Buffer.alloc(48_000), bytes]), headers);
    expect(response.statusCode).toBe(400);
    expect((await sendChat(app, Buffer.concat([Buffer.alloc(400), bytes]), headers)).statusCode).toBe(200);
  });

  it('is answered with 400 if a later frame is out of order', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const response = await sendChat(app, Buffer.concat([bytes, bytes]), headers);
    expect(response.statusCode).toBe(400);
    expect(response.json().details.code).toBe('ERR_SEALED_BODY');
  });

  it('never reaches the model, for random bytes', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const change = fc.record({ at: fc.nat(bytes.length - 1), by: fc.integer({ min: 1, max: 255 }) });
    await fc.assert(
      fc.asyncProperty(fc.oneof(change, fc.uint8Array({ minLength: 1, maxLength: 300 })), async (damage) => {
        const damaged = damage instanceof Uint8Array ? damage : Uint8Array.from(bytes);
        if (!(damage instanceof Uint8Array)) damaged[damage.at]! ^= damage.by;
        const response = await sendChat(app, damaged, headers);
        expect([400, 422]).toContain(response.statusCode);
        expect(response.headers).not.toHaveProperty('ehbp-response-nonce');
      }),
      { numRuns: 200 },
    );
    expect(app.engine.chats).toHaveLength(0);
  });

  it('is answered with 413 if it is larger than the limit', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, 'x'.repeat(8 * 1024 * 1024));
    expect((await sendChat(app, bytes, headers)).statusCode).toBe(413);
    const pieces = [bytes.subarray(0, 3_000_000), bytes.subarray(3_000_000)];
    const streamed = await sendChat(app, pieces, headers);
    expect(streamed.statusCode).toBe(413);
  });
});

describe('a sealed request that is rejected before its body is decrypted', () => {
  it.each([
    ['for its API key', 401, { authorization: 'Bearer clst_no' }, 'ERR_KEY_INVALID'],
    ['for its type', 415, { 'content-type': 'text/plain' }, 'ERR_BODY_TYPE'],
  ])('%s gets a sealed error response with status %i', async (_, status, headers, code) => {
    const { wire, wireBytes, open } = await postSealed(await start(), question, { headers });
    expect([wire.status, wireBytes.includes('ERR_')]).toEqual([status, false]);
    const answer = await open();
    expect([answer.status, ((await answer.json()) as { details: { code: string } }).details.code]).toEqual([
      status,
      code,
    ]);
  });

  it('gets a plain response if its encapsulated key is invalid', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const wrong = { ...headers, 'ehbp-encapsulated-key': '00'.repeat(32), authorization: 'Bearer clst_no' };
    const response = await sendChat(app, bytes, wrong);
    expect([response.statusCode, response.json().details.code]).toEqual([401, 'ERR_KEY_INVALID']);
  });
});
