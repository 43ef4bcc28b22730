/** Requests that run concurrently must not influence each other's responses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer(['--sequences', '32', '--context', '1024']);
});
afterAll(() => server?.stop());

interface Completion {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

async function complete(content: string, options: object = {}): Promise<Completion> {
  const messages = [{ role: 'user', content }];
  const response = await server.post('/chat/completions', {
    model: 'cloister-demo-TEE',
    messages,
    max_tokens: 24,
    ...options,
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Completion;
}

const textOf = (completion: Completion) => completion.choices.map(({ message }) => message.content);

describe('batching', () => {
  it.each([0, 0.7, 1])(
    'gives the same text for the same seed at temperature %d, alone or among 31 others',
    async (temperature) => {
      const options = { temperature, seed: 42 };
      const alone = textOf(await complete('What can you do for me?', options));
      const crowd = Array.from({ length: 31 }, (_, index) =>
        complete(`What is ${index} plus ${index + 3}?`, { seed: index }),
      );
      expect(textOf(await complete('What can you do for me?', options))).toEqual(alone);
      await Promise.all(crowd);
      expect(textOf(await complete('What can you do for me?', options))).toEqual(alone);
    },
  );

  it('samples different texts for different seeds', async () => {
    const texts = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => textOf(await complete('Tell me something', { seed, temperature: 2 }))[0]),
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });

  it('generates choice k with seed s like a single request with seed s + k', async () => {
    const together = textOf(await complete('Tell me something', { seed: 10, n: 3, temperature: 2 }));
    const apart = await Promise.all(
      [10, 11, 12].map(async (seed) => textOf(await complete('Tell me something', { seed, temperature: 2 }))[0]),
    );
    expect(together).toEqual(apart);
  });

  it('reuses the prefix when a conversation continues', async () => {
    const question = `My name is Anna. ${'I like long walks and short answers. '.repeat(8)}Hello!`;
    const first = await complete(question, { temperature: 0 });
    const messages = [
      { role: 'user', content: question },
      { role: 'assistant', content: textOf(first)[0] },
      { role: 'user', content: 'What is my name?' },
    ];
    const response = await server.post('/chat/completions', { model: 'cloister-demo-TEE', messages, max_tokens: 8 });
    const second = (await response.json()) as Completion;
    expect(second.usage.prompt_tokens_details.cached_tokens).toBeGreaterThanOrEqual(first.usage.prompt_tokens);
  });

  it('rejects a prompt beyond the context with limit and token count', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(3000) }];
    const response = await server.post('/chat/completions', { model: 'cloister-demo-TEE', messages });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toMatch(/\d+ tokens.*1023/);
  });

  it('frees the resources of callers that disconnect', async () => {
    const endless = {
      model: 'cloister-demo-TEE',
      messages: [{ role: 'user', content: 'Count' }],
      stream: true,
      logit_bias: {},
    };
    const leavers = Array.from({ length: 40 }, async () => {
      const abort = new AbortController();
      const response = await server.post(
        '/chat/completions',
        { ...endless, max_tokens: 900 },
        { signal: abort.signal },
      );
      await response.body!.getReader().read();
      abort.abort();
    });
    await Promise.allSettled(leavers);
    await complete('Hello');
    const metrics = await (await fetch(server.listening.metricsUrl)).text();
    expect(metrics).toMatch(/^cloister_\w*requests_running\{[^}]*\} [01]$/m);
  });
});
