/** The thread of the hostile clients: their load must not slow the victim's client, whose times are the figures. */
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Random } from '../../test/support/random.ts';
import type { Attack } from './attacks.ts';

export interface AttackersData {
  readonly baseUrl: string;
  /** One client each, with one request at a time. */
  readonly secrets: readonly string[];
  readonly attacks: readonly Attack[];
  /** On average, between two requests of one client. */
  readonly pauseMs: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What they report: answers by status; 0 stands for a connection that broke. */
export interface AttackersReport {
  readonly statuses: Readonly<Record<number, number>>;
}

if (parentPort !== null) {
  parentPort.postMessage(await attack(workerData as AttackersData));
}

async function attack(data: AttackersData): Promise<AttackersReport> {
  const statuses: Record<number, number> = {};
  const over = AbortSignal.timeout(data.seconds * 1000);
  await Promise.all(
    data.secrets.map(async (secret, index) => {
      const random = new Random(data.seed + index);
      const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1 });
      while (!over.aborted) {
        await sleep(random.below(data.pauseMs * 2), undefined, { signal: over }).catch(() => undefined);
        if (over.aborted) break;
        const one = random.pick(data.attacks);
        const status = await send(one, { ...data, secret, agent, over });
        if (!over.aborted) statuses[status] = (statuses[status] ?? 0) + 1;
      }
      agent.destroy();
    }),
  );
  return { statuses };
}

interface Client {
  readonly baseUrl: string;
  readonly secret: string;
  readonly agent: Agent;
  readonly over: AbortSignal;
}

async function send(attack: Attack, { baseUrl, secret, agent, over }: Client): Promise<number> {
  const { path, body, leavesAfterMs, piecePauseMs } = attack;
  const leaves = leavesAfterMs === undefined ? [] : [AbortSignal.timeout(leavesAfterMs)];
  const signal = AbortSignal.any([over, ...leaves]);
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  try {
    const outgoing = request(`${baseUrl}${path}`, { method: 'POST', agent, headers, signal });
    outgoing.on('error', () => undefined);
    if (piecePauseMs === undefined) outgoing.end(body);
    else void dribble(outgoing, body, piecePauseMs, signal);
    const [response] = await once(outgoing, 'response', { signal });
    for await (const _ of response);
    return response.statusCode;
  } catch {
    return 0;
  }
}

/** Sends an eighth of the body, a byte at a time. */
async function dribble(outgoing: ReturnType<typeof request>, body: string, pauseMs: number, signal: AbortSignal) {
  outgoing.write(body.slice(0, body.length / 8));
  for (const byte of body.slice(body.length / 8)) {
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    outgoing.write(byte);
  }
}
