import { describe, expect, it } from 'vitest';
import { parseKeyConfig } from '../../../attestation/sealed/key-config.ts';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import type { BodyFilter } from '../../../server/http/answer-body.ts';
import { readConfig } from '../../../server/program/config.ts';
import { postSealed, sealedChat, sendChat } from '../../support/attestation/sealed.ts';
import { FakeImageEngine } from '../../support/runtime/fake-image-engine.ts';
import { answering, appPerTest, canary, question } from '../../support/server/sealed-app.ts';
import { terms } from '../../support/server/test-app.ts';

const start = appPerTest();

describe('the sealing key', () => {
  it('is public, in the protocol’s format', async () => {
    const { app, sealingKey } = await start();
    const response = await app.inject({ url: '/.well-known/hpke-keys' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/ohttp-keys');
    expect(parseKeyConfig(response.rawPayload)).toEqual(sealingKey.publicKey);
  });

  it('differs at every start', () => {
    expect(createSealingKey().publicKey).not.toEqual(createSealingKey().publicKey);
  });
});

describe('a sealed request', () => {
  it('gets a sealed response without a length', async () => {
    const { wire, wireBytes, open } = await postSealed(await start(), question);
    expect(wire.status).toBe(200);
    expect(wire.headers.get('ehbp-response-nonce')).toMatch(/^[0-9a-f]{64}$/);
    expect(wire.headers.has('content-length')).toBe(false);
    expect(wireBytes.includes(canary)).toBe(false);
    const answer = (await (await open()).json()) as { choices: { message: { content: string } }[] };
    expect(answer.choices[0]!.message.content).toBe(`Good ${canary}`);
  });

  it('gets a sealed stream', async () => {
    const { wire, wireBytes, open } = await postSealed(await start(), { ...question, stream: true });
    expect(wire.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(wireBytes.includes(canary)).toBe(false);
    expect(await (await open()).text()).toMatch(/canary-5e41ed[\s\S]*data: \[DONE\]\n\n$/);
  });

  it('gets a sealed error after it was decrypted', async () => {
    const { wire, wireBytes, open } = await postSealed(await start(), { ...question, temperature: 9 });
    expect(wire.status).toBe(400);
    expect(wireBytes.includes('temperature')).toBe(false);
    expect(((await (await open()).json()) as { error: string }).error).toContain('`temperature`');
  });

  it('may arrive in pieces of any size', async () => {
    const app = await start();
    for (const pieceBytes of [1, 3, 19, 1000]) {
      const { headers, bytes } = await sealedChat(app, question);
      const count = Math.ceil(bytes.length / pieceBytes);
      const pieces = Array.from({ length: count }, (_, k) => bytes.subarray(k * pieceBytes, (k + 1) * pieceBytes));
      const response = await sendChat(app, pieces, headers);
      expect(response.statusCode).toBe(200);
    }
  });

  it('passes its response through all other filters before sealing it', async () => {
    const app = await start();
    const seen: Buffer[] = [];
    const filter: BodyFilter = {
      open: () => undefined,
      push(chunk) {
        seen.push(chunk);
        return chunk;
      },
      end: () => Buffer.alloc(0),
      abort: () => undefined,
    };
    app.app.addHook('preHandler', async (request) => void request.bodyFilters.push(filter));
    const { open } = await postSealed(app, question);
    expect(Buffer.concat(seen).toString()).toBe(await (await open()).text());
  });

  it('leaves no text in the log', async () => {
    const app = await start();
    await (await postSealed(app, question)).open();
    await postSealed(app, { ...question, temperature: canary });
    await postSealed(app, question, { key: createSealingKey().publicKey });
    const { headers, bytes } = await sealedChat(app, question);
    await sendChat(app, bytes.subarray(0, -1), headers);
    expect(app.log().match(/"msg":"request"/g)).toHaveLength(4);
    expect(app.log()).not.toContain('canary');
    expect(app.log()).not.toContain(headers['ehbp-encapsulated-key']);
  });
});

describe('a plain request', () => {
  it('gets a plain response without a nonce', async () => {
    const { headers, text } = await (await start()).post(question);
    expect(headers).not.toHaveProperty('ehbp-response-nonce');
    expect(text).toContain(canary);
  });

  it('without a body gets a plain response, even if it names a key', async () => {
    const { app, secret } = await start();
    const headers = { authorization: `Bearer ${secret}`, 'ehbp-encapsulated-key': '00'.repeat(32) };
    const response = await app.inject({ url: '/v1/models', headers });
    expect(response.statusCode).toBe(200);
    expect(response.headers).not.toHaveProperty('ehbp-response-nonce');
  });
});

describe('a server that accepts only sealed bodies', () => {
  const sealedOnly = async () => {
    const key = createSealingKey();
    const app = await start({ ...answering, overrides: { sealing: { key, sealedOnly: true } } });
    return { ...app, sealingKey: key };
  };

  it('rejects a plain body and names the location of its key', async () => {
    const { status, json } = await (await sealedOnly()).post(question);
    expect(status).toBe(400);
    expect(json().details.code).toBe('ERR_SEALED_ONLY');
    expect(json().error).toContain('/.well-known/hpke-keys');
  });

  it('accepts a sealed body', async () => {
    expect((await (await postSealed(await sealedOnly(), question)).open()).status).toBe(200);
  });

  it('answers requests without a body', async () => {
    const { app, secret } = await sealedOnly();
    const headers = { authorization: `Bearer ${secret}` };
    expect((await app.inject({ url: '/v1/models', headers })).statusCode).toBe(200);
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
  });

  it('rejects image links, which would not be sealed', async () => {
    const engine = new FakeImageEngine();
    const image = { kind: 'image' as const, id: 'fake-image-TEE', engine, created: 1, fingerprint: 'fp', terms };
    const key = createSealingKey();
    const overrides = { sealing: { key, sealedOnly: true }, models: new Map([[image.id, image]]) };
    const images = { ...(await start({ overrides })), sealingKey: key };
    const post = async (fields: object) => {
      const path = '/images/generations';
      return await (await postSealed(images, { prompt: canary, size: '256x256', ...fields }, { path })).open();
    };
    const refused = await post({});
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ details: { code: 'ERR_SEALED_ONLY' } });
    expect((await post({ response_format: 'b64_json' })).status).toBe(200);
  });

  it('is enabled by a setting', () => {
    const read = (env: Record<string, string>) => readConfig({ args: [], env, cwd: '/' }).config.sealedOnly;
    expect(['1', 'on', 'true'].map((value) => read({ CLOISTER_SEALED_ONLY: value }))).toEqual([true, true, true]);
    expect([read({}), read({ CLOISTER_SEALED_ONLY: '0' })]).toEqual([false, false]);
    expect(() => read({ CLOISTER_SEALED_ONLY: 'yes' })).toThrow('CLOISTER_SEALED_ONLY must be on|off');
  });

  it('checks the API key first', async () => {
    expect((await (await sealedOnly()).post(question, { authorization: 'Bearer clst_no' })).status).toBe(401);
  });
});
