import type { OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnswerBody, type BodyFilter } from '../../../server/http/answer-body.ts';
import type { ServedModel } from '../../../server/serving/served-model.ts';
import { FakeImageEngine } from '../../support/runtime/fake-image-engine.ts';
import { chatBody, startTestApp, type TestApp, terms } from '../../support/server/test-app.ts';

let running: TestApp | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

interface Change {
  readonly headers?: OutgoingHttpHeaders;
  readonly push?: (text: string) => string;
  readonly end?: string;
}

/** Records its input and returns the result of `change`. */
class Watcher implements BodyFilter {
  readonly isOutermost: boolean;
  readonly seen: Buffer[] = [];
  readonly calls: string[] = [];
  readonly #change: Change;

  constructor(change: Change = {}, isOutermost = false) {
    this.#change = change;
    this.isOutermost = isOutermost;
  }
  get text(): string {
    return Buffer.concat(this.seen).toString();
  }
  open(headers: OutgoingHttpHeaders): void {
    this.calls.push('open');
    Object.assign(headers, this.#change.headers);
  }
  push(chunk: Buffer): Buffer {
    this.seen.push(chunk);
    return this.#change.push === undefined ? chunk : Buffer.from(this.#change.push(chunk.toString()));
  }
  end(): Buffer {
    this.calls.push('end');
    return Buffer.from(this.#change.end ?? '');
  }
  abort(): void {
    this.calls.push('abort');
  }
}

async function start(filters: readonly BodyFilter[], options: Parameters<typeof startTestApp>[0] = {}) {
  running = await startTestApp(options);
  running.app.addHook('preHandler', async (request) => void request.bodyFilters.push(...filters));
  return running;
}

const answering = { script: (chat: { answer(...words: string[]): unknown }) => void chat.answer('Good', ' day') };

describe('the filters of a response body', () => {
  it('read a whole response byte for byte and leave it unchanged', async () => {
    const watcher = new Watcher({ headers: { 'x-seen': 'yes' } });
    const { post } = await start([watcher], answering);
    const { text, headers } = await post(chatBody());
    expect(JSON.parse(text).choices[0].message.content).toBe('Good day');
    expect(watcher.text).toBe(text);
    expect(headers).toMatchObject({ 'x-seen': 'yes', 'content-length': String(Buffer.byteLength(text)) });
    expect(watcher.calls).toEqual(['open', 'end']);
  });

  it('read a stream byte for byte, to its end', async () => {
    const watcher = new Watcher({ headers: { 'x-seen': 'yes' } });
    const { post } = await start([watcher], answering);
    const { text, headers } = await post(chatBody({ stream: true }));
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(watcher.text).toBe(text);
    expect(headers['x-seen']).toBe('yes');
    expect(watcher.calls).toEqual(['open', 'end']);
  });

  it('read error responses too', async () => {
    const watcher = new Watcher();
    const { post } = await start([watcher], answering);
    const { text, status } = await post(chatBody({ temperature: 9 }));
    expect(status).toBe(400);
    expect(watcher.text).toBe(text);
  });

  it('may change a response and its length', async () => {
    const louder = new Watcher({ push: (text) => text.replaceAll('day', 'daaay'), end: '\n' });
    const { post } = await start([louder], answering);
    const { text, headers } = await post(chatBody());
    expect(text).toContain('Good daaay');
    expect(text.endsWith('}\n')).toBe(true);
    expect(headers['content-length']).toBe(String(text.length));
  });

  it('send a response without a length if a filter requires it', async () => {
    const chunked = new Watcher({ headers: { 'transfer-encoding': 'chunked' } });
    const { post } = await start([chunked], answering);
    const { headers, json } = await post(chatBody());
    expect(json().choices[0]?.message.content).toBe('Good day');
    expect(headers).not.toHaveProperty('content-length');
  });

  it('run from the innermost to the outermost', async () => {
    const outer = new Watcher({}, true);
    const inner = new Watcher({ push: (text) => `<${text}>` });
    const { post } = await start([outer, inner], answering);
    const { text } = await post(chatBody());
    expect(outer.text).toBe(text);
    expect(`<${inner.text}>`).toBe(text);
  });

  it('read raw images', async () => {
    const watcher = new Watcher();
    const engine = new FakeImageEngine();
    const model: ServedModel = { kind: 'image', id: 'fake-image-TEE', engine, created: 1, fingerprint: 'fp', terms };
    const { app, secret } = await start([watcher], { overrides: { models: new Map([[model.id, model]]) } });
    const response = await app.inject({
      method: 'POST',
      url: '/v1/images/generations',
      headers: { authorization: `Bearer ${secret}`, accept: 'image/png' },
      payload: { prompt: 'a circle', size: '256x256' },
    });
    expect(response.headers['content-type']).toBe('image/png');
    expect(Buffer.concat(watcher.seen)).toEqual(response.rawPayload);
  });

  it('are notified when the caller closes a stream', async () => {
    const watcher = new Watcher();
    const { engine, listen, secret, identity } = await start([watcher]);
    const sent = httpsRequest(`${await listen()}/chat/completions`, {
      method: 'POST',
      ca: identity.certificate,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify(chatBody({ stream: true })));
    const chat = await engine.nextChat();
    chat.start().text('Good');
    await vi.waitFor(() => expect(watcher.text).toContain('Good'));
    sent.destroy();
    await vi.waitFor(() => expect(watcher.calls).toEqual(['open', 'abort']));
  });
});

describe('a response body', () => {
  it('passes the bytes that one filter held back through the next filter', () => {
    const keeper: BodyFilter = { ...bare, push: () => Buffer.alloc(0), end: () => Buffer.from('kept') };
    const body = new AnswerBody([keeper, new Watcher({ push: (text) => `(${text})`, end: '.' })]);
    body.open({});
    expect(body.push(Buffer.from('a')).length).toBe(0);
    expect(body.end().toString()).toBe('(kept).');
  });

  it('ends once, and is not aborted after its end', () => {
    const watcher = new Watcher({ end: 'x' });
    const body = new AnswerBody([watcher]);
    body.open({});
    body.end();
    body.abort();
    expect(body.end().length).toBe(0);
    expect(watcher.calls).toEqual(['open', 'end']);
  });
});

const bare: BodyFilter = {
  open: () => undefined,
  push: (chunk) => chunk,
  end: () => Buffer.alloc(0),
  abort: () => undefined,
};
