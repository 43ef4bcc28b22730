import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { describe, expect, it, vi } from 'vitest';
import { toHex } from '../../../attestation/base/bytes.ts';
import { createSealingKey, type SealedExchange, type SealingKey } from '../../../server/enclave/sealing-key.ts';
import { postSealed, sealedChat, sendChat } from '../../support/attestation/sealed.ts';
import type { FakeEngineOptions } from '../../support/runtime/fake-engine.ts';
import { answering, appPerTest, question } from '../../support/server/sealed-app.ts';

const start = appPerTest();

/** A key that records its exchanges. */
function watchedKey(): { key: SealingKey; exchanges: SealedExchange[] } {
  const own = createSealingKey();
  const exchanges: SealedExchange[] = [];
  const receive: SealingKey['receive'] = (encapsulatedKey) => {
    const exchange = own.receive(encapsulatedKey)!;
    vi.spyOn(exchange, 'wipe');
    exchanges.push(exchange);
    return exchange;
  };
  return { key: { ...own, receive }, exchanges };
}

describe('the secrets of an exchange', () => {
  const watched = async (options: FakeEngineOptions = answering) => {
    const { key, exchanges } = watchedKey();
    const app = await start({ ...options, overrides: { sealing: { key, sealedOnly: false } } });
    return { app: { ...app, sealingKey: key }, exchanges };
  };

  it.each([
    ['an answer', question],
    ['a stream', { ...question, stream: true }],
    ['an error', { ...question, temperature: 9 }],
  ])('are zeroed after %s', async (_what, body) => {
    const { app, exchanges } = await watched();
    await postSealed(app, body);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]!.wipe).toHaveBeenCalled();
  });

  it('are zeroed after a body that could not be decrypted', async () => {
    const { app, exchanges } = await watched();
    const { headers, bytes } = await sealedChat(app, question);
    await sendChat(app, bytes.subarray(0, -1), headers);
    expect(exchanges[0]!.wipe).toHaveBeenCalled();
  });

  it('are zeroed when the caller disconnects during a stream or its own body', async () => {
    const { app, exchanges } = await watched({});
    const url = `${await app.listen()}/chat/completions`;
    const { headers, bytes } = await sealedChat(app, { ...question, stream: true });
    const open = () => {
      const request = httpsRequest(url, { method: 'POST', ca: app.identity.certificate, headers });
      request.on('error', () => undefined);
      return request;
    };
    const reading = open();
    reading.end(bytes);
    (await app.engine.nextChat()).start().text('Good');
    await once(reading, 'response');
    reading.destroy();
    await vi.waitFor(() => expect(exchanges[0]!.wipe).toHaveBeenCalled());
    const writing = open();
    writing.write(bytes.subarray(0, 20));
    await vi.waitFor(() => expect(exchanges).toHaveLength(2));
    writing.destroy();
    await vi.waitFor(() => expect(exchanges[1]!.wipe).toHaveBeenCalled());
  });

  it('are zeroed when the server aborts the stream of a caller that does not read', async () => {
    const { app, exchanges } = await watched({});
    const url = `${await app.listen()}/chat/completions`;
    const { headers, bytes } = await sealedChat(app, { ...question, stream: true });
    const request = httpsRequest(url, { method: 'POST', ca: app.identity.certificate, headers });
    request.on('error', () => undefined);
    request.on('response', (response) => response.on('error', () => undefined).pause());
    request.end(bytes);
    const chat = await app.engine.nextChat();
    chat.start();
    const word = 'x'.repeat(64 * 1024);
    let sent = 0;
    while (!chat.isOver && sent < 1000) {
      chat.text(word);
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(500);
    await vi.waitFor(() => expect(app.log()).toContain('"code":"ERR_READER_TOO_SLOW"'));
    expect(exchanges[0]!.wipe).toHaveBeenCalled();
    request.destroy();
  });

  it('can no longer decrypt or encrypt once they are zeroed', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const encapsulated = Buffer.from(headers['ehbp-encapsulated-key']!, 'hex');
    const frame = bytes.subarray(4);
    expect(app.sealingKey.receive(encapsulated)!.open(frame)?.toString()).toBe(JSON.stringify(question));
    const exchange = app.sealingKey.receive(encapsulated)!;
    exchange.wipe();
    expect(exchange.open(frame)).toBeUndefined();
  });

  it('do not appear in the properties or the JSON of key and exchange', () => {
    const key = createSealingKey();
    expect(JSON.stringify(key)).not.toContain('priv');
    expect(Object.keys(key)).toEqual(['publicKey', 'keyConfig', 'receive']);
    const exchange = key.receive(createSealingKey().publicKey)!;
    expect(Object.keys(exchange)).toEqual([]);
    expect(toHex(key.publicKey)).toHaveLength(64);
  });
});
