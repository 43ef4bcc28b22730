import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { operatorPlanId } from '../../../../accounts/plans/plans.ts';
import { findEvent, formatReceipt, parseReceipt, verifyReceipt } from '../../../../attestation/aci/receipt.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import { postSealed } from '../../../support/attestation/sealed.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { type AttestedApp, appNowMs, startAttestedApp, weightDigest } from '../../../support/server/attested-app.ts';
import { chatBody, modelId, startTestApp } from '../../../support/server/test-app.ts';

let running: AttestedApp;
/** Set by each test; runs when its request arrives. */
let script: (chat: FakeChat) => void;

beforeEach(async () => {
  script = (chat) => void chat.answer('Hello there');
  running = await startAttestedApp({ script: (chat) => script(chat) });
});
afterEach(() => running.close());

const utf8 = (text: string) => new TextEncoder().encode(text);
const bodyText = (fields: Record<string, unknown> = {}) => JSON.stringify(chatBody(fields), null, 1);

async function expectReceipt(sent: string, answer: { headers: Record<string, unknown>; text: string }) {
  const receipt = await running.receiptOf(answer.headers);
  await verifyReceipt(receipt, await running.verified(), {
    receiptId: String(answer.headers['x-receipt-id']),
    requestBody: utf8(sent),
    responseBody: utf8(answer.text),
  });
  return receipt;
}

describe('a receipt', () => {
  it('covers the exact bytes of request and response, and states how the response was generated', async () => {
    const sent = bodyText({ temperature: 0.7, seed: 5, max_tokens: 20 });
    const answer = await running.post(sent);
    const receipt = await expectReceipt(sent, answer);
    expect(receipt).toMatchObject({
      chatId: answer.json().id,
      model: modelId,
      endpoint: '/v1/chat/completions',
      method: 'POST',
      servedAt: 1_800_000_000,
    });
    expect(receipt.events.map(({ type }) => type)).toEqual([
      'request.received',
      'request.forwarded',
      'cloister.inference',
      'cloister.usage',
      'response.returned',
      'cloister.answer',
    ]);
    expect(findEvent(receipt, 'cloister.inference')).toEqual({
      type: 'cloister.inference',
      build: 'cloister-test',
      model_id: modelId,
      weights: [`sha256:${weightDigest}`],
      quantisation: 'Q8_0',
      agent: null,
      agent_prompt_hash: null,
      parameter_temperature: '0.7',
      parameter_top_p: 1,
      parameter_top_k: 0,
      parameter_min_p: 0,
      parameter_presence_penalty: 0,
      parameter_frequency_penalty: 0,
      parameter_logit_bias_count: 0,
      parameter_seed: 5,
      parameter_choices: 1,
      parameter_max_tokens: 20,
      parameter_stop_count: 0,
      parameter_tool_count: 0,
      parameter_json_schema: false,
      parameter_reasoning: true,
      parameter_stream: false,
    });
    expect(findEvent(receipt, 'cloister.answer')).toEqual({
      type: 'cloister.answer',
      status: 200,
      bytes: answer.text.length,
      complete: true,
    });
  });

  it.each(['high', 'none'])('states the requested level of reasoning: %s', async (level) => {
    const answer = await running.post(bodyText({ reasoning_effort: level }));
    const receipt = await running.receiptOf(answer.headers);
    expect(findEvent(receipt, 'cloister.inference')).toMatchObject({
      parameter_reasoning: level !== 'none',
      parameter_reasoning_effort: level,
    });
  });

  it('has the token counts and the price that the account was charged', async () => {
    const answer = await running.post(bodyText());
    const { usage } = answer.json();
    const receipt = await running.receiptOf(answer.headers);
    expect(findEvent(receipt, 'cloister.usage')).toEqual({
      type: 'cloister.usage',
      prompt_tokens: usage?.prompt_tokens,
      completion_tokens: usage?.completion_tokens,
      finish_reason: 'stop',
      // One micro-dollar per prompt token and two per answer token.
      price_micro_dollars: usage!.prompt_tokens + 2 * usage!.completion_tokens,
    });
  });

  it('covers a stream including its framing', async () => {
    const sent = bodyText({ stream: true });
    const answer = await running.post(sent);
    expect(answer.text).toMatch(/data: \[DONE\]\n\n$/);
    const receipt = await expectReceipt(sent, answer);
    expect(findEvent(receipt, 'cloister.answer')).toMatchObject({ status: 200, complete: true });
  });

  it.each([
    ['a body that is no JSON', '{"model"', 400],
    ['a wrong value', JSON.stringify({ model: modelId, messages: 5 }), 400],
    ['an unknown model', JSON.stringify({ model: 'other-TEE', messages: [{ role: 'user', content: 'Hi' }] }), 400],
  ])('covers the rejection of %s', async (_, sent, status) => {
    const answer = await running.post(sent);
    expect(answer.status).toBe(status);
    const receipt = await expectReceipt(sent, answer);
    expect(receipt.model).toBeUndefined();
    expect(receipt.events.map(({ type }) => type)).toEqual([
      'request.received',
      'response.returned',
      'cloister.answer',
    ]);
  });

  it('covers the free rejection by an engine', async () => {
    script = (chat) => chat.fail(new RuntimeError('ERR_QUEUE_FULL', 'full'));
    const sent = bodyText();
    const answer = await running.post(sent);
    expect(answer.status).toBe(429);
    const receipt = await expectReceipt(sent, answer);
    expect(receipt.model).toBe(modelId);
    expect(findEvent(receipt, 'cloister.usage')).toBeUndefined();
    expect(findEvent(receipt, 'cloister.answer')).toMatchObject({ status: 429 });
  });

  it('covers a stream that ends with an error, and its cost', async () => {
    script = (chat) => chat.start().text('Half an ans').fail(new RuntimeError('ERR_DEADLINE', 'late'));
    const sent = bodyText({ stream: true });
    const answer = await running.post(sent);
    expect(answer.text).toContain('event: error');
    const receipt = await expectReceipt(sent, answer);
    expect(findEvent(receipt, 'cloister.usage')).toMatchObject({ finish_reason: 'ERR_DEADLINE' });
  });

  it('covers a stream whose caller disconnected, with the digest of the bytes sent and its cost', async () => {
    const base = await running.listen();
    script = (chat) => void chat.start().text('Never to be read to its end');
    const sent = bodyText({ stream: true });
    const { receiptId, seen } = await readAndLeave(`${base}/chat/completions`, sent);
    const receipt = await vi.waitFor(async () => {
      const { status, text } = await running.get(`/v1/aci/receipts/${receiptId}`, running.secret);
      expect(status).toBe(200);
      return parseReceipt(text);
    });
    await verifyReceipt(receipt, await running.verified(), { receiptId, requestBody: utf8(sent), responseBody: seen });
    expect(findEvent(receipt, 'cloister.usage')).toMatchObject({ finish_reason: 'ERR_CANCELLED' });
    expect(findEvent(receipt, 'cloister.answer')).toMatchObject({ complete: false, bytes: seen.length });
  });

  it('covers the plaintext of a sealed exchange', async () => {
    const answer = await postSealed(running, chatBody());
    const opened = await answer.open();
    const text = await opened.text();
    expect(JSON.parse(text).choices).toHaveLength(1);
    expect(answer.wireBytes.toString()).not.toContain('choices');
    await expectReceipt(JSON.stringify(chatBody()), { headers: Object.fromEntries(opened.headers), text });
  });
});

describe('there is no receipt', () => {
  const noReceipt = async (answer: { headers: Record<string, unknown> }) => {
    expect(answer.headers['x-receipt-id']).toBeUndefined();
    expect(running.book.count).toBe(0);
  };

  it('for a caller without a key, a path without a model, or an incomplete body', async () => {
    await noReceipt(await running.post(bodyText(), { authorization: 'Bearer nobody' }));
    await noReceipt(await running.post(`"${'x'.repeat(9_000_000)}"`));
    await noReceipt(await running.post('x=1', { 'content-type': 'text/plain' }));
    await noReceipt(await running.get('/v1/models', running.secret));
    await noReceipt(await running.get('/v1/nothing', running.secret));
  });

  it('for a response that has not ended', async () => {
    const arrived = Promise.withResolvers<FakeChat>();
    script = (chat) => arrived.resolve(chat);
    const answer = running.post(bodyText());
    const chat = await arrived.promise;
    expect(running.book.count).toBe(0);
    chat.answer('now');
    await answer;
    expect(running.book.count).toBe(1);
  });

  it('if the server cannot sign it', async () => {
    const plain = await startTestApp({ script: (chat) => void chat.answer('Hello') });
    const { status, headers } = await plain.post(bodyText());
    expect([status, headers['x-receipt-id'], headers['x-aci-version']]).toEqual([200, undefined, undefined]);
    await plain.close();
  });
});

describe('fetching a receipt', () => {
  it('works by receipt id and by response id', async () => {
    const answer = await running.post(bodyText());
    const byId = await running.get(`/v1/aci/receipts/${answer.headers['x-receipt-id']}`, running.secret);
    const byChat = await running.get(`/v1/aci/receipts/${answer.json().id}`, running.secret);
    expect(byId.status).toBe(200);
    expect(byChat.text).toBe(byId.text);
    expect(formatReceipt(parseReceipt(byId.text))).toBe(byId.text);
  });

  it('requires the key of the request: another key gets 404, and no key gets 401', async () => {
    const { headers } = await running.post(bodyText());
    const url = `/v1/aci/receipts/${headers['x-receipt-id']}`;
    await running.accounts.createAccount({ name: 'others', plan: operatorPlanId, now: appNowMs });
    const other = await running.accounts.createKey({ account: 'others', name: 'x', now: appNowMs });
    const second = await running.accounts.createKey({ account: 'tests', name: 'second', now: appNowMs });
    const unknown = await running.get('/v1/aci/receipts/rcpt-unknown', running.secret);
    for (const { secret } of [other, second]) {
      expect(await running.get(url, secret)).toMatchObject({ status: 404, text: unknown.text });
    }
    expect(JSON.parse(unknown.text)).toMatchObject({
      error: { type: 'not_found', code: null },
      details: { code: 'ERR_RECEIPT_UNKNOWN' },
    });
    const { status, text } = await running.get(url);
    expect([status, JSON.parse(text).error.type]).toEqual([401, 'unauthorized']);
  });

  it('works until the receipt expires', async () => {
    const { headers } = await running.post(bodyText());
    const url = `/v1/aci/receipts/${headers['x-receipt-id']}`;
    running.advance(599_999);
    expect((await running.get(url, running.secret)).status).toBe(200);
    running.advance(1);
    expect((await running.get(url, running.secret)).status).toBe(404);
    expect(running.book.count).toBe(0);
  });
});

describe('a man in the middle', () => {
  it.each([
    ['the price', 'price_micro_dollars', 0],
    ['the weights', 'weights', [`sha256:${'00'.repeat(32)}`]],
    ['the build', 'build', 'other'],
    ['a parameter', 'parameter_seed', 43],
    ['the digest of a body', 'body_hash', `sha256:${'00'.repeat(32)}`],
    ['that the answer was cut', 'complete', false],
  ])('who changes %s is detected by the signature', async (_, member, value) => {
    const { headers } = await running.post(bodyText());
    const receipt = await running.receiptOf(headers);
    const events = receipt.events.map((event) => (member in event ? { ...event, [member]: value } : event));
    expect(events).not.toEqual(receipt.events);
    await expect(verifyReceipt({ ...receipt, events }, await running.verified())).rejects.toThrow(/signature/);
  });

  it('who presents the receipt of another exchange is detected by its digests', async () => {
    const first = await running.post(bodyText());
    const again = await running.post(bodyText({ seed: 9 }));
    const receipt = await running.receiptOf(first.headers);
    const verified = await running.verified();
    const check = (exchange: object) => verifyReceipt(receipt, verified, exchange);
    await expect(check({ requestBody: utf8(bodyText({ seed: 9 })) })).rejects.toThrow(/another request/);
    await expect(check({ responseBody: utf8(again.text) })).rejects.toThrow(/another answer/);
    await expect(check({ receiptId: again.headers['x-receipt-id'] })).rejects.toThrow(/id of the receipt differs/);
  });

  it('who signs with their own key is detected by the keyset', async () => {
    const stranger = await startAttestedApp({ script: (chat) => void chat.answer('Hello') });
    const forged = await stranger.receiptOf((await stranger.post(bodyText())).headers);
    const verified = await running.verified();
    await expect(verifyReceipt(forged, verified)).rejects.toThrow(/the receipt names the keyset sha256:/);
    const renamed = { ...forged, keysetDigest: verified.keysetDigest };
    await expect(verifyReceipt(renamed, verified)).rejects.toThrow(/a key that is not in the keyset/);
    const { keyId } = await running.receiptOf((await running.post(bodyText())).headers);
    await expect(verifyReceipt({ ...renamed, keyId }, verified)).rejects.toThrow(/signature/);
    await stranger.close();
  });
});

/** Reads the first bytes of a stream over its own connection, then breaks it. */
async function readAndLeave(url: string, body: string): Promise<{ receiptId: string; seen: Uint8Array<ArrayBuffer> }> {
  const headers = { authorization: `Bearer ${running.secret}`, 'content-type': 'application/json' };
  const outgoing = request(url, { method: 'POST', headers, ca: running.identity.certificate, agent: false });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const seen: Buffer[] = [];
  for await (const chunk of incoming) {
    seen.push(chunk);
    if (String(chunk).includes('Never')) break;
  }
  outgoing.destroy();
  return { receiptId: String(incoming.headers['x-receipt-id']), seen: new Uint8Array(Buffer.concat(seen)) };
}
