import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AnswerBuilder, UsageCount } from '../../../server/features/chat/chat-answer.ts';
import { chunkWriter } from '../../../server/features/chat/chat-chunks.ts';
import { EventStream } from '../../../server/http/event-stream.ts';
import { parseEvents } from '../../support/server/test-app.ts';

/** A response that records its output. */
class FakeResponse extends EventEmitter {
  readonly writes: string[] = [];
  writableLength = 0;
  writableEnded = false;
  destroyed = false;
  writeHead(status: number, headers: object): void {
    this.writes.push(`${status} ${JSON.stringify(headers)}`);
  }
  write(text: string): void {
    this.writes.push(text);
  }
  end(text: string): void {
    this.writes.push(text);
    this.writableEnded = true;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

let response: FakeResponse;
let stream: EventStream;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  response = new FakeResponse();
  stream = new EventStream(response as unknown as ServerResponse);
});
afterEach(() => {
  vi.useRealTimers();
});

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe('an event stream', () => {
  it('writes all events of one step at once', async () => {
    stream.open({});
    stream.append('data: 1\n\n');
    await Promise.resolve();
    stream.append('data: 2\n\n');
    await nextTick();
    stream.append('data: 3\n\n');
    await nextTick();
    expect(response.writes.slice(1)).toEqual(['data: 1\n\ndata: 2\n\n', 'data: 3\n\n']);
  });

  it('sends a comment every 15 s on an idle connection', async () => {
    stream.open({});
    vi.advanceTimersByTime(14_000);
    stream.append('data: 1\n\n');
    await nextTick();
    vi.advanceTimersByTime(14_000);
    expect(response.writes.slice(1)).toEqual(['data: 1\n\n']);
    vi.advanceTimersByTime(16_000);
    expect(response.writes.slice(2)).toEqual([': waiting\n\n', ': waiting\n\n']);
    stream.end();
    vi.advanceTimersByTime(60_000);
    expect(response.writes.slice(4)).toEqual(['']);
  });

  it('sends the heartbeat of its API instead of a comment', () => {
    const ping = 'event: ping\ndata: {"type": "ping"}\n\n';
    stream = new EventStream(response as unknown as ServerResponse, undefined, ping);
    stream.open({});
    vi.advanceTimersByTime(15_000);
    expect(response.writes.slice(1)).toEqual([ping]);
  });

  it('aborts a reader with more than 1 MiB unread', () => {
    stream.open({});
    response.writableLength = 1024 * 1024 + 1;
    expect(() => stream.append('data: 1\n\n')).toThrow(expect.objectContaining({ code: 'ERR_READER_TOO_SLOW' }));
  });

  it('ends with an error event after the events already sent', () => {
    stream.open({});
    stream.append('data: 1\n\n');
    stream.fail({ error: 'stopped' });
    expect(response.writes.at(-1)).toBe('data: 1\n\nevent: error\ndata: {"error":"stopped"}\n\n');
  });

  it('writes nothing to a closed connection', async () => {
    stream.open({});
    response.destroyed = true;
    stream.append('data: 1\n\n');
    await nextTick();
    stream.end();
    expect(response.writes).toHaveLength(1);
  });
});

const head = { id: 'chatcmpl-1', created: 1, model: 'a"b\\-TEE', systemFingerprint: 'fp_1' };
const text = fc.string({ unit: 'binary' });
const deltaOf = (content: string, reasoning = '') => ({
  kind: 'delta' as const,
  choice: 0,
  content,
  reasoning,
  toolCalls: [],
  logprobs: [],
  tokens: 1,
});
const delta = fc
  .record({ content: text, reasoning: text })
  .map(({ content, reasoning }) => deltaOf(content, reasoning));

describe('chunks', () => {
  it('concatenate to exactly the text, for any text', () => {
    fc.assert(
      fc.property(fc.array(delta), fc.boolean(), (events, includeUsage) => {
        const chunks = chunkWriter(head, { includeUsage, withLogprobs: false });
        const written = chunks.role(0) + events.map((event) => chunks.delta(event)).join('') + chunks.finish(0, 'stop');
        const parsed = parseEvents(written).map(({ data }) => JSON.parse(data));
        const join = (field: string) => parsed.map(({ choices }) => choices[0].delta[field] ?? '').join('');
        expect(join('content')).toBe(events.map(({ content }) => content).join(''));
        expect(join('reasoning_content')).toBe(events.map(({ reasoning }) => reasoning).join(''));
        for (const chunk of parsed) expect(chunk).toMatchObject({ id: head.id, model: head.model, created: 1 });
      }),
      { examples: [[[deltaOf('a\u2028b\u2029c')], false]] },
    );
  });

  it('contain the same as a whole response', () => {
    fc.assert(
      fc.property(fc.array(delta), (events) => {
        const builder = new AnswerBuilder({ choices: 1, withLogprobs: false });
        for (const event of events) builder.saw(event);
        const { choices } = builder.build(head, new UsageCount().total);
        expect(choices[0]?.message.content).toBe(events.map(({ content }) => content).join(''));
      }),
    );
  });
});
