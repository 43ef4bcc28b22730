import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatTarget, streamChat } from '../../bench/client.ts';
import { parseStepSeconds, textGaps } from '../../bench/closed-loop.ts';
import { otherCpus } from '../../bench/pinning.ts';
import { cpuSeconds, memory } from '../../bench/process-usage.ts';
import { promptText } from '../../bench/prompts.ts';
import { buildWordTokenizer } from '../../bench/words.ts';

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers every request with these bytes. */
async function serve(reply: (response: ServerResponse, request: IncomingMessage) => void): Promise<ChatTarget> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => reply(response, request));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return { baseUrl: `http://127.0.0.1:${port}`, headers: {}, modelId: 'm' };
}

async function ask(target: ChatTarget) {
  const messages = [{ role: 'user' as const, content: 'hi' }];
  return streamChat(target, { agent: new Agent(), messages, maxTokens: 2, endTokens: [] });
}

const piece = 'data: {"choices":[{"delta":{"content":"ba"}}]}\n\n';
const usage =
  'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":4}}}\n\n';

describe('streamChat', () => {
  it('reads text and usage, regardless of how the bytes are split', async () => {
    const target = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const stream = `data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\n\n${piece}${piece}${usage}data: [DONE]\n\n`;
      response.write(stream.slice(0, 80));
      setImmediate(() => response.end(stream.slice(80)));
    });
    const answer = await ask(target);
    expect(answer).toMatchObject({ text: 'baba', promptTokens: 9, completionTokens: 2, cachedTokens: 4 });
    expect(answer.textAt).toHaveLength(2);
    expect(answer.textAt[0]).toBeGreaterThanOrEqual(answer.startedAt);
  });

  it('fails with the body of an error reply', async () => {
    const target = await serve((response) => response.writeHead(429).end('{"error":"full"}'));
    await expect(ask(target)).rejects.toThrow('answered 429: {"error":"full"}');
  });

  it('fails if the stream reports an error or ends too early', async () => {
    await expect(ask(await serve((response) => response.end('data: {"error":{"code":"x"}}\n\n')))).rejects.toThrow('x');
    await expect(ask(await serve((response) => response.end(piece)))).rejects.toThrow('without usage');
  });
});

describe('promptText', () => {
  it('is one token per word in the vocabulary of the bench models', () => {
    const tokenizer = buildWordTokenizer(49_152);
    const words = promptText(112, 3).split(' ');
    expect(words).toHaveLength(112);
    for (const word of words) expect(() => tokenizer.idOf(`Ġ${word}`)).not.toThrow();
    expect(() => tokenizer.idOf(words[0]!)).not.toThrow();
  });

  it('differs from the first word on for 10,000 indexes', () => {
    const firstWords = Array.from({ length: 10_000 }, (_, index) => promptText(1, index));
    expect(new Set(firstWords).size).toBe(10_000);
  });

  it('is the same every time', () => {
    expect(promptText(20, 5)).toBe(promptText(20, 5));
  });
});

describe('buildWordTokenizer', () => {
  it('has exactly the requested size', () => {
    expect(buildWordTokenizer(49_152).tokens).toHaveLength(49_152);
  });

  it('refuses a size that its words do not fill', () => {
    expect(() => buildWordTokenizer(1000)).toThrow('out of range: 1000');
  });
});

describe('figures', () => {
  it('measures gaps between neighbours', () => {
    expect(textGaps([1, 4, 10])).toEqual([3, 6]);
    expect(textGaps([1])).toEqual([]);
  });

  it('sums step seconds over models', () => {
    const metrics = [
      '# TYPE cloister_engine_decode_seconds_total counter',
      'cloister_engine_decode_seconds_total{model_name="a"} 1.5',
      'cloister_engine_decode_seconds_total{model_name="b"} 2',
      'cloister_engine_script_seconds_total{model_name="a"} 0.25',
    ].join('\n');
    expect(parseStepSeconds(metrics)).toEqual({ decode: 3.5, script: 0.25 });
  });

  it('subtracts the CPUs that the servers do not use', () => {
    expect(otherCpus('0,1', 4)).toEqual([2, 3]);
    expect(otherCpus('1-3', 4)).toEqual([0]);
    expect(otherCpus('0-1', 2)).toEqual([]);
  });

  it('reads time and memory of a process', () => {
    expect(cpuSeconds(process.pid)).toBeGreaterThan(0);
    const { residentBytes, residentPeakBytes, anonymousBytes } = memory(process.pid);
    expect(anonymousBytes).toBeGreaterThan(1e6);
    expect(residentBytes).toBeGreaterThanOrEqual(anonymousBytes);
    expect(residentPeakBytes).toBeGreaterThanOrEqual(residentBytes * 0.9);
  });
});
