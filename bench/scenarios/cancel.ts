/** Half of sixteen clients disconnect in the middle of an answer while eight new ones connect: when are the sequences free? */
import { setTimeout as sleep } from 'node:timers/promises';
import { streamChat } from '../client.ts';
import { requireLength } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Sample } from '../results.ts';
import type { Scenario } from '../scenario.ts';
import type { Server } from '../servers.ts';
import { quantile } from '../statistics.ts';

const concurrentClients = 16;
const answerTokens = 192;
/** Number of tokens that each client has received when half of them disconnect. */
const leaveAfterTokens = 32;

export const cancel: Scenario = {
  name: 'cancel',
  shape: () => ({ sequences: concurrentClients, context: 512 }),
  cases: ({ endTokens }) => [
    { label: '8 of 16 leave', run: (server, repeat) => measure(server, { first: repeat * 100, endTokens }) },
  ],
};

async function measure(
  server: Server,
  { first, endTokens }: { first: number; endTokens: readonly number[] },
): Promise<Sample> {
  const agent = server.agent();
  const leave = new AbortController();
  const arrivals = Array.from({ length: concurrentClients }, () => [] as number[]);
  const clients = arrivals.map((textAt, index) =>
    streamChat(server, {
      agent,
      messages: [{ role: 'user', content: promptText(112, first + index) }],
      maxTokens: answerTokens,
      endTokens,
      onText: (at) => textAt.push(at),
      ...(index % 2 === 1 && { signal: leave.signal }),
    }),
  );
  const stay = Promise.all(clients.filter((_, index) => index % 2 === 0));
  const gone = Promise.allSettled(clients.filter((_, index) => index % 2 === 1));
  while (arrivals.some((textAt) => textAt.length < leaveAfterTokens)) await Promise.race([sleep(5), stay]);
  const leftAt = performance.now();
  leave.abort();
  const newcomers = Array.from({ length: concurrentClients / 2 }, (_, index) =>
    streamChat(server, {
      agent,
      messages: [{ role: 'user', content: promptText(112, first + concurrentClients + index) }],
      maxTokens: 16,
      endTokens,
    }),
  );
  const [stayed, came] = await Promise.all([stay, Promise.all(newcomers), gone]);
  agent.destroy();
  for (const answer of stayed) requireLength(server, answer, answerTokens);
  const firstText = came.map((answer) => answer.textAt[0]! - answer.startedAt);
  const lastAt = Math.max(...stayed.map((answer) => answer.endedAt));
  const tokensAfter = stayed.flatMap((answer) => answer.textAt).filter((at) => at > leftAt).length;
  return {
    newcomerFirstTokenP50Ms: quantile(firstText, 0.5),
    newcomerFirstTokenMaxMs: quantile(firstText, 1),
    outputTokensPerSecond: (tokensAfter / (lastAt - leftAt)) * 1000,
  };
}
