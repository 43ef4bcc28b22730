/** A closed loop: each client sends its next request when its last response is complete. */
import { Agent } from 'node:http';
import { type Answer, type ChatOptions, request, streamChat } from './client.ts';
import { cpuSeconds, memory } from './process-usage.ts';
import type { Sample } from './results.ts';
import type { Server } from './servers.ts';
import { quantile } from './statistics.ts';

export interface ClosedLoop {
  readonly concurrency: number;
  readonly requests: number;
  /** The `index`th request; indexes count up over all clients. */
  chat(index: number): Pick<ChatOptions, 'messages' | 'maxTokens' | 'endTokens'>;
}

/**
 * Runs the loop once and measures it from the first request to the last token.
 * @throws if a response does not have exactly the requested length
 */
export async function runClosedLoop(server: Server, loop: ClosedLoop): Promise<Sample> {
  const agent = server.agent();
  const before = await readCounters(server);
  const answers: Answer[] = [];
  let next = 0;
  const client = async () => {
    while (next < loop.requests) {
      const options = loop.chat(next++);
      const answer = await streamChat(server, { ...options, agent });
      requireLength(server, answer, options.maxTokens);
      answers.push(answer);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: loop.concurrency }, client));
  const seconds = (performance.now() - startedAt) / 1000;
  const after = await readCounters(server);
  agent.destroy();
  return { ...answerFigures(answers, seconds), ...resourceFigures(server, { before, after, answers }) };
}

export function answerFigures(answers: readonly Answer[], seconds: number): Sample {
  const outputTokens = sum(answers.map((answer) => answer.completionTokens));
  const firstText = answers.map((answer) => answer.textAt[0]! - answer.startedAt);
  const gaps = answers.flatMap((answer) => textGaps(answer.textAt));
  return {
    outputTokensPerSecond: outputTokens / seconds,
    firstTokenP50Ms: quantile(firstText, 0.5),
    firstTokenP99Ms: quantile(firstText, 0.99),
    ...(gaps.length > 0 && { betweenTokensP50Ms: quantile(gaps, 0.5), betweenTokensP99Ms: quantile(gaps, 0.99) }),
    cachedPromptShare: sum(answers.map((answer) => answer.cachedTokens)) / sum(answers.map((a) => a.promptTokens)),
    promptTokens: quantile(
      answers.map((answer) => answer.promptTokens),
      0.5,
    ),
  };
}

/** Times between consecutive pieces of text. */
export function textGaps(textAt: readonly number[]): number[] {
  return textAt.slice(1).map((at, index) => at - textAt[index]!);
}

interface Counters {
  /** Milliseconds, as `performance.now()` counts them. */
  readonly at: number;
  readonly cpuSeconds: number;
  /** Seconds of steps by part, if the server reports them. */
  readonly stepSeconds: Readonly<Record<string, number>>;
}

export async function readCounters(server: Server): Promise<Counters> {
  return { at: performance.now(), cpuSeconds: cpuSeconds(server.pid), stepSeconds: await readStepSeconds(server) };
}

function resourceFigures(
  server: Server,
  { before, after, answers }: { before: Counters; after: Counters; answers: readonly Answer[] },
): Sample {
  const outputTokens = sum(answers.map((answer) => answer.completionTokens));
  const parts = Object.fromEntries(
    Object.entries(after.stepSeconds).map(([part, seconds]) => [part, seconds - (before.stepSeconds[part] ?? 0)]),
  );
  const { decode = 0, product = 0, attention = 0, sample = 0, script = 0 } = parts;
  const stepTotal = decode + sample + script;
  const { residentBytes, residentPeakBytes, anonymousBytes } = memory(server.pid);
  return {
    cpuSecondsPer1000Tokens: ((after.cpuSeconds - before.cpuSeconds) / outputTokens) * 1000,
    residentMb: residentBytes / 1e6,
    residentPeakMb: residentPeakBytes / 1e6,
    anonymousMb: anonymousBytes / 1e6,
    ...(stepTotal > 0 && {
      productShare: product / stepTotal,
      attentionShare: attention / stepTotal,
      otherOperationsShare: (decode - product - attention) / stepTotal,
      sampleShare: sample / stepTotal,
      scriptShare: script / stepTotal,
      idleShare: 1 - stepTotal / ((after.at - before.at) / 1000),
    }),
  };
}

/** Empty for a server without this metric. */
async function readStepSeconds(server: Server): Promise<Record<string, number>> {
  const agent = new Agent();
  const { status, body } = await request(server.metricsUrl, { agent });
  agent.destroy();
  return status === 200 ? parseStepSeconds(body) : {};
}

/** `cloister_engine_decode_seconds_total{…} 12.5` and the like for `sample` and `script`, summed over models. */
export function parseStepSeconds(metrics: string): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const [, part, value] of metrics.matchAll(
    /^cloister_engine_(decode|product|attention|sample|script)_seconds_total\{[^}]*\} (\S+)/gm,
  )) {
    parts[part!] = (parts[part!] ?? 0) + Number(value);
  }
  return parts;
}

export function requireLength(server: Server, answer: Answer, maxTokens: number): void {
  if (answer.completionTokens === maxTokens) return;
  throw new Error(`${server.name} answered ${answer.completionTokens} tokens where ${maxTokens} were asked for`);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
