/** Asks the shipped chat model its handwritten questions through the real server. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../support/server/server.ts';

const folder = join(import.meta.dirname, '../../models/demo/chat');
const model = 'cloister-demo-TEE';

/** A question, then words of which the answer must contain at least one. */
const cases = readFileSync(join(folder, 'questions.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' => ') as [question: string, words: string])
  .map(([question, words]) => ({ question, words: words.split('|') }));

let server: RunningServer;

beforeAll(async () => {
  server = await startServer(['--model', model]);
});
afterAll(() => server?.stop());

async function ask(question: string): Promise<{ text: string; stopped: boolean }> {
  const messages = [{ role: 'user', content: question }];
  const response = await server.post('/chat/completions', { model, messages, temperature: 0, max_tokens: 200 });
  const { choices } = (await response.json()) as {
    choices: { message: { content: string }; finish_reason: string }[];
  };
  return { text: choices[0]!.message.content.toLowerCase(), stopped: choices[0]!.finish_reason === 'stop' };
}

describe('the demo chat model', () => {
  it('has at most 10 MB and a context of 4,096 tokens', async () => {
    expect(statSync(join(folder, 'cloister-demo-chat.gguf')).size).toBeLessThanOrEqual(10_000_000);
    const authorization = `Bearer ${server.listening.apiKey}`;
    const response = await fetch(`${server.listening.baseUrl}/models/${model}`, { headers: { authorization } });
    expect(await response.json()).toMatchObject({ context_length: 4096 });
  });

  it('answers greetings, questions about the service, sums and short texts, and stops by itself', async () => {
    expect(cases.length).toBeGreaterThan(80);
    const answers = await Promise.all(cases.map(async (one) => ({ ...one, ...(await ask(one.question)) })));
    const wrong = answers.filter(({ text, words }) => !words.some((word) => text.includes(word)));
    const endless = answers.filter(({ stopped }) => !stopped);
    // Its model card states 91.9 % and 98.8 %. A failure lists the questions without a correct answer.
    expect(wrong.map(({ question }) => question).slice(Math.ceil(cases.length * 0.12))).toEqual([]);
    expect(endless.map(({ question }) => question).slice(Math.ceil(cases.length * 0.03))).toEqual([]);
  });

  it.each([
    ['What is 7 plus 5?', '12'],
    ['Hello! Who are you?', 'cloister'],
    ['What is the order number? Your order 77120-B was shipped yesterday.', '77120-b'],
  ])('answers %j with %j', async (question, word) => {
    expect((await ask(question)).text).toContain(word);
  });
});
