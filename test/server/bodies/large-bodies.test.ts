import { afterEach, describe, expect, it } from 'vitest';
import { LargeBodies, type LargeBodiesOptions } from '../../../server/bodies/large-bodies.ts';
import { chatCallReader as chatReader } from '../../../server/features/chat/call-reader.ts';
import { chatBody, modelId, startTestApp } from '../../support/server/test-app.ts';

const never = new AbortController().signal;
const canary = 'zebra-in-the-body';
const open: LargeBodies[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((bodies) => bodies.close()));
});

const threadUrl = new URL('../../../server/start/body-reader-thread.ts', import.meta.url);

function largeBodies(options?: Omit<LargeBodiesOptions, 'threadUrl'>): LargeBodies {
  const bodies = new LargeBodies({ threadUrl, ...options });
  open.push(bodies);
  return bodies;
}

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
}

function readChat(bodies: LargeBodies, body: Uint8Array<ArrayBuffer>, { account = 'a', signal = never } = {}) {
  return bodies.read(chatReader, { pieces: [body], terms: { seed: 42 }, readsConstraints: false }, { account, signal });
}

/** A chat body of several megabytes. Only two of its fields matter. */
const padded = () => bytesOf(chatBody({ seed: 7, padding: Array.from({ length: 500_000 }, () => []) }));

const code = (name: string) => expect.objectContaining({ code: name });

describe('large bodies', () => {
  it('are parsed into the same call as small bodies, without unknown fields', async () => {
    const { call } = await readChat(largeBodies(), padded());
    expect(call).toMatchObject({
      model: modelId,
      work: { sampling: { seed: 7 }, input: { messages: [{ role: 'user' }] } },
    });
    expect(JSON.stringify(call)).not.toContain('padding');
  });

  it.each([
    ['a field', chatBody({ temperature: canary }), '`temperature` must be a number from 0 to 2, got a string'],
    ['bytes that are not JSON', `{"${canary}`, 'the request body is not valid JSON'],
    ['bytes that are not UTF-8', `"${canary}`, 'the request body is not valid UTF-8'],
  ])('are rejected for %s without repeating their text', async (what, body, message) => {
    const bytes = bytesOf(body);
    if (what.endsWith('UTF-8')) bytes[0] = 0xff;
    const error = await readChat(largeBodies(), bytes).catch((error: unknown) => error);
    expect(error).toMatchObject({ name: 'ServerError', code: 'ERR_REQUEST_INVALID', message });
    expect(String((error as Error).stack)).not.toContain(canary);
  });

  it('are rejected with the limit and a lower bound if their prompt can never fit', async () => {
    const byteShares = new Float64Array(256).fill(0.25);
    const tokensPerMessage = { system: 1, user: 1, assistant: 1, tool: 1 };
    const promptBound = { byteShares, textByteShares: byteShares, tokensPerMessage, keepsUserText: true };
    const models = new Map([[modelId, { contextPerSequence: 64, promptBound }]]);
    const body = bytesOf(chatBody({ messages: Array.from({ length: 100 }, () => ({ role: 'user', content: 'a' })) }));
    const reading = largeBodies().read(
      chatReader,
      { pieces: [body], terms: { seed: 42, models }, readsConstraints: false },
      { account: 'a', signal: never },
    );
    await expect(reading).rejects.toMatchObject({ code: 'ERR_CONTEXT_OVERFLOW', details: { limit: 64, counted: 100 } });
  });

  it('are rejected for too many messages before any message is parsed', async () => {
    const tokensPerMessage = { system: 5, user: 4, assistant: 3, tool: 3 };
    const none = new Float64Array(256);
    const promptBound = { byteShares: none, textByteShares: none, tokensPerMessage, keepsUserText: false };
    const models = new Map([[modelId, { contextPerSequence: 64, promptBound }]]);
    const body = bytesOf(chatBody({ messages: Array.from({ length: 100 }, () => canary) }));
    const reading = largeBodies().read(
      chatReader,
      { pieces: [body], terms: { seed: 42, models }, readsConstraints: false },
      { account: 'a', signal: never },
    );
    await expect(reading).rejects.toMatchObject({ code: 'ERR_CONTEXT_OVERFLOW', details: { limit: 64, counted: 300 } });
  });

  it('are parsed on a separate thread without blocking the main thread', async () => {
    const bodies = largeBodies();
    await readChat(bodies, bytesOf(chatBody()));
    const spent = async (work: () => unknown) => {
      const before = process.threadCpuUsage();
      await work();
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    const text = Buffer.from(padded()).toString();
    const parsing = await spent(() => JSON.parse(text));
    // The least of three: a garbage collection counts as well.
    const times: number[] = [];
    for (const body of [padded(), padded(), padded()]) times.push(await spent(() => readChat(bodies, body)));
    expect(Math.min(...times)).toBeLessThan(parsing / 2);
  });

  it('are parsed one at a time, round-robin over accounts', async () => {
    const bodies = largeBodies();
    const done: string[] = [];
    const all = ['a1', 'a2', 'a3', 'b1'].map(async (name) => {
      await readChat(bodies, padded(), { account: name[0]! });
      done.push(name);
    });
    await Promise.all(all);
    expect(done).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('are transferred to the thread, and zeroed if they never reach it', async () => {
    const bodies = largeBodies();
    const leaving = new AbortController();
    const first = padded();
    const waiting = padded();
    const reading = readChat(bodies, first);
    const cancelled = expect(readChat(bodies, waiting, { signal: leaving.signal })).rejects.toEqual(
      code('ERR_CANCELLED'),
    );
    leaving.abort();
    await cancelled;
    expect(waiting.every((byte) => byte === 0)).toBe(true);
    await reading;
    expect(first.byteLength).toBe(0);
  });

  it('are queued up to a limit, beyond which an account without queued bodies still gets a place', async () => {
    const bodies = largeBodies({ waitingBytesMax: 3000 });
    const thousand = () => bytesOf(JSON.stringify(chatBody()).padEnd(1000));
    const first = [1, 2, 3].map(() => readChat(bodies, thousand()));
    const refused = thousand();
    await expect(readChat(bodies, refused)).rejects.toEqual(code('ERR_QUEUE_FULL'));
    expect(refused.every((byte) => byte === 0)).toBe(true);
    await Promise.all([...first, readChat(bodies, thousand(), { account: 'b' })]);
    await readChat(bodies, thousand());
  });

  it('are rejected while the server is stopping', async () => {
    const bodies = largeBodies();
    await readChat(bodies, padded());
    await bodies.close();
    await expect(readChat(bodies, padded())).rejects.toEqual(code('ERR_DRAINING'));
  });
});

describe('a route', () => {
  it('answers a large body in the same way as a small one', async () => {
    const running = await startTestApp({ script: (chat) => void chat.answer('Hello') });
    const content = 'word '.repeat(20_000);
    const answer = await running.post(chatBody({ messages: [{ role: 'user', content }] }));
    expect([answer.status, answer.json().choices[0]!.message.content]).toEqual([200, 'Hello']);
    expect(running.engine.chats[0]!.request.input.messages).toEqual([{ role: 'user', content }]);
    const refused = await running.post(chatBody({ padding: canary.repeat(10_000), n: canary }));
    expect(refused.json().error).toBe('`n` must be an integer from 1 to 10, got a string');
    expect(running.log()).not.toContain(canary);
    await running.close();
  });
});
