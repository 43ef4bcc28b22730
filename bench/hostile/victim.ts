/** A legitimate client: one-token chats at a constant rate, independent of earlier responses. */
import { Agent } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../client.ts';
import { quantile } from '../statistics.ts';

export interface VictimOptions {
  readonly baseUrl: string;
  readonly secret: string;
  readonly model: string;
  readonly seconds: number;
  readonly perSecond: number;
}

export interface VictimReport {
  readonly timesMs: readonly number[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly asked: number;
  /** Requests without a 200 within `timeoutMs`; they count with this time. */
  readonly failed: number;
}

export const timeoutMs = 20_000;

export async function measureVictim({
  baseUrl,
  secret,
  model,
  seconds,
  perSecond,
}: VictimOptions): Promise<VictimReport> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const times: number[] = [];
  let failed = 0;
  const askOnce = async (index: number) => {
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: `Hi ${index}` }], max_tokens: 1 });
    const started = performance.now();
    const signal = AbortSignal.timeout(timeoutMs);
    const status = await request(`${baseUrl}/v1/chat/completions`, { agent, headers, body, signal }).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status !== 200) failed += 1;
    times.push(status === 200 ? performance.now() - started : timeoutMs);
  };
  const under: Promise<void>[] = [];
  const start = performance.now();
  for (let index = 0; index < seconds * perSecond; index++) {
    await sleep(Math.max(0, start + (index * 1000) / perSecond - performance.now()));
    under.push(askOnce(index));
  }
  await Promise.all(under);
  agent.destroy();
  return summarize(times, failed);
}

/** Merges the results of several phases into one. */
export function joinReports(reports: readonly VictimReport[]): VictimReport {
  const timesMs = reports.flatMap(({ timesMs }) => timesMs);
  return summarize(
    timesMs,
    reports.reduce((sum, { failed }) => sum + failed, 0),
  );
}

function summarize(timesMs: readonly number[], failed: number): VictimReport {
  const times = [...timesMs];
  return {
    timesMs,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    maxMs: quantile(times, 1),
    asked: times.length,
    failed,
  };
}
