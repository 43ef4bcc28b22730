/**
 * The process of the hostile clients. It has the lowest priority, because real attackers use their own processors and here they
 * would take those of the server.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../test/support/random.ts';
import type { Attack } from './attacks.ts';

export interface AttackersData {
  readonly baseUrl: string;
  /** API keys. Each is used by one client, which sends one request at a time. */
  readonly secrets: readonly string[];
  readonly attacks: readonly Attack[];
  /** Average pause between two requests of one client. */
  readonly pauseMs: number;
  readonly seconds: number;
  readonly seed: number;
}

export interface AttackersReport {
  /** Answers by status; 0 stands for a connection that broke. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Bytes of bodies passed to the connections. */
  readonly sentBytes: number;
  /** CPU time of the attackers' process. */
  readonly cpuSeconds: number;
}

/** An attack with its body as bytes, because encoding a string for every request would cost as much as sending it. */
type PreparedAttack = Omit<Attack, 'body'> & { readonly body: Buffer };

if (import.meta.main) {
  process.once('message', async (data) => {
    process.send!(await attack(data as AttackersData), () => process.disconnect());
  });
}

async function attack(data: AttackersData): Promise<AttackersReport> {
  const attacks = data.attacks.map((one) => ({ ...one, body: Buffer.from(one.body) }));
  const statuses: Record<number, number> = {};
  let sentBytes = 0;
  const started = process.cpuUsage();
  const over = AbortSignal.timeout(data.seconds * 1000);
  await Promise.all(
    data.secrets.map(async (secret, index) => {
      const random = new Random(data.seed + index);
      const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 1 });
      while (!over.aborted) {
        await sleep(random.below(data.pauseMs * 2), undefined, { signal: over }).catch(() => undefined);
        if (over.aborted) break;
        const one = random.pick(attacks);
        const status = await send(one, { ...data, secret, agent, over });
        sentBytes += one.body.byteLength;
        if (!over.aborted) statuses[status] = (statuses[status] ?? 0) + 1;
      }
      agent.destroy();
    }),
  );
  const { user, system } = process.cpuUsage(started);
  return { statuses, sentBytes, cpuSeconds: (user + system) / 1e6 };
}

interface Client {
  readonly baseUrl: string;
  readonly secret: string;
  readonly agent: Agent;
  readonly over: AbortSignal;
}

async function send(attack: PreparedAttack, { baseUrl, secret, agent, over }: Client): Promise<number> {
  const { path, body, leavesAfterMs, piecePauseMs } = attack;
  const leaves = leavesAfterMs === undefined ? [] : [AbortSignal.timeout(leavesAfterMs)];
  const signal = AbortSignal.any([over, ...leaves]);
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
    'content-length': body.byteLength,
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

/** Sends an eighth of the body, then a byte at a time. */
async function dribble(outgoing: ReturnType<typeof request>, body: Buffer, pauseMs: number, signal: AbortSignal) {
  const begun = body.byteLength >> 3;
  outgoing.write(body.subarray(0, begun));
  for (let at = begun; at < body.byteLength; at++) {
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    outgoing.write(body.subarray(at, at + 1));
  }
}
