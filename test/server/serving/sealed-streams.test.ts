/** Sealed streams of every route that streams: complete ones are opened whole, and those that were cut are refused. */
import { afterEach, describe, expect, it } from 'vitest';
import { openResponse } from '../../../attestation/sealed/client.ts';
import { inlineTools, testAgent } from '../../support/agents/test-agent.ts';
import { postSealed, responseOf, type SealedAnswer } from '../../support/attestation/sealed.ts';
import type { FakeChat } from '../../support/runtime/fake-engine.ts';
import { FakeImageEngine } from '../../support/runtime/fake-image-engine.ts';
import { startConfidentialApp } from '../../support/server/confidential-app.ts';
import { modelId, parseEvents, startTestApp, type TestApp, terms } from '../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const user = [{ role: 'user', content: 'Hello' }];

interface Streamed {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly script?: (chat: FakeChat) => unknown;
  /** The name of the last event, or its data if it has no name. */
  readonly last: string;
}

/** Sends each word in a turn of its own, so that each has a frame of its own. */
const saying = (end: (chat: FakeChat) => unknown) => async (chat: FakeChat) => {
  chat.start();
  for (const word of ['Good', ' day']) {
    chat.text(word);
    await new Promise((resolve) => setImmediate(resolve));
  }
  end(chat);
};
const complete = saying((chat) => chat.finish());
const cutByLimit = saying((chat) => chat.finish('length'));
const failing = saying((chat) => chat.fail(new Error('test')));

const streams: Readonly<Record<string, Streamed>> = {
  chat: { path: '/chat/completions', body: { messages: user }, script: complete, last: '[DONE]' },
  'chat that fails': { path: '/chat/completions', body: { messages: user }, script: failing, last: 'error' },
  completions: { path: '/completions', body: { prompt: 'Hello' }, script: complete, last: '[DONE]' },
  responses: { path: '/responses', body: { input: 'Hello' }, script: complete, last: 'response.completed' },
  'responses cut by the token limit': {
    ...{ path: '/responses', body: { input: 'Hello' }, script: cutByLimit, last: 'response.incomplete' },
  },
  'responses that fail': { path: '/responses', body: { input: 'Hello' }, script: failing, last: 'error' },
  messages: { path: '/messages', body: { messages: user, max_tokens: 9 }, script: complete, last: 'message_stop' },
  'messages that fail': { path: '/messages', body: { messages: user, max_tokens: 9 }, script: failing, last: 'error' },
  images: {
    path: '/images/generations',
    body: { model: 'fake-image-TEE', prompt: 'a circle', size: '256x256', response_format: 'b64_json' },
    last: 'image_generation.completed',
  },
  agents: {
    path: '/confidential/chat/completions',
    body: { model: testAgent.slug, messages: user },
    script: complete,
    last: '[DONE]',
  },
};

async function stream({ path, body, script }: Streamed): Promise<SealedAnswer> {
  const engineOptions = script === undefined ? {} : { script: (chat: FakeChat) => void script(chat) };
  const image = { kind: 'image' as const, id: 'fake-image-TEE', engine: new FakeImageEngine(), terms };
  const models = new Map([[image.id, { ...image, created: 1, fingerprint: 'fp' }]]);
  if (path.startsWith('/confidential'))
    running = await startConfidentialApp({ tools: inlineTools(), ...engineOptions });
  else running = await startTestApp({ ...engineOptions, ...(path.startsWith('/images') && { overrides: { models } }) });
  const headers: Record<string, string> = path === '/messages' ? { 'anthropic-version': '2023-06-01' } : {};
  return await postSealed(running, { model: modelId, ...body, stream: true }, { path, headers });
}

describe.each(Object.entries(streams))('a sealed stream of %s', (_, streamed) => {
  it('is opened whole', async () => {
    const answer = await stream(streamed);
    const { event, data } = parseEvents(await (await answer.open()).text()).at(-1)!;
    expect(event ?? data).toBe(streamed.last);
  });

  it('is refused if it was cut after any of its frames but the last', async () => {
    const { wire, wireBytes, exchange } = await stream(streamed);
    const frames = framesOf(wireBytes);
    expect(frames.length).toBeGreaterThan(1);
    for (let count = 0; count < frames.length; count++) {
      const cut = responseOf(Buffer.concat(frames.slice(0, count)), {
        status: 200,
        headers: Object.fromEntries(wire.headers),
      });
      const opened = openResponse(cut, { ...exchange, exported: exchange.exported.slice() });
      await expect(opened.then((response) => response.text())).rejects.toMatchObject({ code: 'ERR_SEALED_MALFORMED' });
    }
  });
});

function framesOf(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    frames.push(bytes.subarray(at, end));
    at = end;
  }
  return frames;
}
