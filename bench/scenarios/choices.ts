/** Ten answers to one prompt of 512 tokens compared with one answer: how much does sharing the prefill save? */
import { streamChat } from '../client.ts';
import { promptText } from '../prompts.ts';
import type { Sample } from '../results.ts';
import type { Scenario } from '../scenario.ts';
import type { Server } from '../servers.ts';

const promptTokens = 512;
const answerTokens = 64;

export const choices: Scenario = {
  name: 'choices',
  shape: () => ({ sequences: 10, context: 1_024 }),
  cases: ({ endTokens }) =>
    [1, 10].map((count) => ({
      label: `n = ${count}`,
      run: (server, repeat) => measure(server, { count, index: repeat * 100 + count, endTokens }),
    })),
};

async function measure(
  server: Server,
  { count, index, endTokens }: { count: number; index: number; endTokens: readonly number[] },
): Promise<Sample> {
  const agent = server.agent();
  const answer = await streamChat(server, {
    agent,
    messages: [{ role: 'user', content: promptText(promptTokens - 16, index) }],
    maxTokens: answerTokens,
    choices: count,
    endTokens,
  });
  agent.destroy();
  const seconds = (answer.endedAt - answer.startedAt) / 1000;
  return {
    // llama-server counts one choice in its usage, but sends one event per token.
    outputTokensPerSecond: Math.max(answer.completionTokens, answer.textAt.length) / seconds,
    firstTokenP50Ms: answer.textAt[0]! - answer.startedAt,
    wholeAnswerMs: seconds * 1000,
    completionTokens: answer.completionTokens,
  };
}
