/** Eight running answers while a prompt of 4,000 tokens arrives every five seconds: how long do they stall? */
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatOptions, streamChat } from '../client.ts';
import { textGaps } from '../closed-loop.ts';
import { promptText } from '../prompts.ts';
import type { Sample } from '../results.ts';
import type { Scenario } from '../scenario.ts';
import type { Server } from '../servers.ts';
import { quantile } from '../statistics.ts';

const decodingClients = 8;
const longPromptTokens = 4_000;
const intervalMs = 5_000;
const context = 4_608;

export const longPrompt: Scenario = {
  name: 'long-prompt',
  // One sequence for each long prompt, in case none of them has finished when the last one arrives.
  shape: ({ quick }) => ({ sequences: decodingClients + longPrompts(quick), context: context }),
  cases: ({ endTokens, quick }) => [
    {
      label: '8 decoders',
      run: (server, repeat) => measure(server, { endTokens, prompts: longPrompts(quick), repeat }),
    },
  ],
};

function longPrompts(quick: boolean): number {
  return quick ? 2 : 6;
}

interface Load {
  readonly endTokens: readonly number[];
  readonly prompts: number;
  readonly repeat: number;
}

async function measure(server: Server, { endTokens, prompts, repeat }: Load): Promise<Sample> {
  const agent = server.agent();
  const over = new AbortController();
  const chat = (words: number, index: number, rest: Pick<ChatOptions, 'maxTokens' | 'onText'>) =>
    streamChat(server, {
      agent,
      messages: [{ role: 'user', content: promptText(words, index) }],
      endTokens,
      signal: over.signal,
      ...rest,
    });
  const first = repeat * 1_000;
  const arrivals = Array.from({ length: decodingClients }, () => [] as number[]);
  const decoders = arrivals.map(async (textAt, index) => {
    for (let turn = 0; ; turn++) {
      await chat(112, first + turn * decodingClients + index, { maxTokens: 1_024, onText: (at) => textAt.push(at) });
    }
  });
  const failure = Promise.all(decoders.map((decoder) => untilAborted(decoder, over.signal)));
  while (arrivals.some((textAt) => textAt.length < 8)) await Promise.race([sleep(20), failure]);
  const from = performance.now();
  const firstText: number[] = [];
  const long: Promise<void>[] = [];
  for (let index = 0; index < prompts; index++) {
    const sentAt = performance.now();
    const onText = (at: number) => firstText.push(at - sentAt);
    const answer = chat(longPromptTokens - 16, first + 900 + index, { maxTokens: 1, onText });
    long.push(untilAborted(answer, over.signal));
    await Promise.race([sleep(intervalMs), failure]);
  }
  const until = performance.now();
  over.abort();
  await Promise.all([failure, ...long]);
  agent.destroy();
  return figures({ arrivals, from, until, firstText });
}

/** Rejects if a client fails for any reason other than the abort. */
async function untilAborted(client: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await client;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function figures(run: {
  arrivals: readonly number[][];
  from: number;
  until: number;
  firstText: readonly number[];
}): Sample {
  const within = run.arrivals.map((textAt) => textAt.filter((at) => at >= run.from && at <= run.until));
  // A pause that has not ended when the window closes counts as well.
  const gaps = within.flatMap((textAt) => textGaps([...textAt, run.until]));
  return {
    betweenTokensP50Ms: quantile(gaps, 0.5),
    betweenTokensP99Ms: quantile(gaps, 0.99),
    betweenTokensMaxMs: quantile(gaps, 1),
    outputTokensPerSecond: (within.flat().length / (run.until - run.from)) * 1000,
    longPromptsAnswered: run.firstText.length,
    ...(run.firstText.length > 0 && { longPromptFirstTokenP50Ms: quantile(run.firstText, 0.5) }),
  };
}
