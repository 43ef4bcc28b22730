/** Requests that 1, 2 and 4 nodes with models of a fixed time answer on one database, and the round trips to it that each costs. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { operatorPlanId } from '../../accounts/plans/plans.ts';
import { openAccounts } from '../../accounts/store.ts';
import type { PostgresServer } from '../../test/support/accounts/postgres.ts';
import { modelId } from '../../test/support/server/test-app.ts';
import type { Sample } from '../results.ts';
import { quantile } from '../statistics.ts';
import type { NodeReady, NodeTask } from './node.ts';
import { countRoundTrips } from './round-trips.ts';

export interface ThroughputOptions {
  readonly nodes: number;
  /** Answers that a node computes at the same time, and the time of each. */
  readonly slots: number;
  readonly answerMs: number;
  /** Each client has an account of its own, or all share one. */
  readonly accounts: 'of each client' | 'one';
  readonly seconds: number;
}

interface Node extends NodeReady {
  readonly child: ChildProcess;
}

/** More clients than slots, so that a slot never waits for one. */
const clientsPerSlot = 1.5;
const creditMicroDollars = 1_000_000_000;

/** Runs fresh nodes on an emptied database. @throws if a request fails, or the audit finds a fault */
export async function measureThroughput(
  postgres: PostgresServer,
  { nodes: count, slots, answerMs, accounts, seconds }: ThroughputOptions,
): Promise<Sample> {
  const url = await postgres.emptyDatabase();
  const clients = Math.ceil(count * slots * clientsPerSlot);
  const keys = await createKeys(url, accounts === 'one' ? 1 : clients);
  const trips = await countRoundTrips(url);
  const nodes = await Promise.all(Array.from({ length: count }, () => startNode({ url: trips.url, slots, answerMs })));
  const agent = new Agent({
    keepAlive: true,
    ca: nodes.map(({ certificate }) => certificate),
    servername: 'localhost',
  });
  const latencies: number[] = [];
  try {
    const ask = async (client: number) => {
      const startedAt = performance.now();
      await chat({ agent, port: nodes[client % count]!.port, key: keys[client % keys.length]! });
      return performance.now() - startedAt;
    };
    // The first request of each client connects, and reads its account.
    await Promise.all(Array.from({ length: clients }, (_, client) => ask(client)));
    const [tripsBefore, startedAt, cpuBefore] = [trips.count, performance.now(), process.cpuUsage()];
    const over = startedAt + seconds * 1000;
    const loop = async (client: number) => {
      while (performance.now() < over) latencies.push(await ask(client));
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => loop(client)));
    const elapsed = (performance.now() - startedAt) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    const requestsPerSecond = latencies.length / elapsed;
    return {
      requestsPerSecond,
      linearShare: requestsPerSecond / ((count * slots * 1000) / answerMs),
      latencyP50Ms: quantile(latencies, 0.5),
      latencyP99Ms: quantile(latencies, 0.99),
      roundTripsPerRequest: (trips.count - tripsBefore) / latencies.length,
      generatorCores: (cpu.user + cpu.system) / 1e6 / elapsed,
    };
  } finally {
    agent.destroy();
    await Promise.all(nodes.map(({ child }) => stop(child)));
    await trips.close();
    await requireExactBooks(url);
  }
}

async function createKeys(url: string, count: number): Promise<string[]> {
  const accounts = await openAccounts({ kind: 'postgres', url });
  const now = Date.now();
  const keys: string[] = [];
  for (let index = 0; index < count; index++) {
    const account = `account-${index}`;
    await accounts.createAccount({ name: account, plan: operatorPlanId, now });
    await accounts.credit({ account, microDollars: creditMicroDollars, reference: account, now });
    keys.push((await accounts.createKey({ account, name: 'key', now })).secret);
  }
  await accounts.close();
  return keys;
}

async function startNode(task: NodeTask): Promise<Node> {
  const child = fork(join(import.meta.dirname, 'node.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(task);
  const [ready] = (await once(child, 'message')) as [NodeReady];
  return { ...ready, child };
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** @throws unless the answer is complete */
function chat({ agent, port, key }: { agent: Agent; port: number; key: string }): Promise<void> {
  const body = JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${port}/v1/chat/completions`;
    const outgoing = request(url, { agent, method: 'POST', headers }, async (incoming) => {
      const text = Buffer.concat(await incoming.toArray()).toString();
      if (incoming.statusCode === 200 && text.includes('an answer')) resolve();
      else reject(new Error(`a node answered ${incoming.statusCode}: ${text.slice(0, 500)}`));
    });
    outgoing.once('error', reject).end(body);
  });
}

async function requireExactBooks(url: string): Promise<void> {
  const accounts = await openAccounts({ kind: 'postgres', url });
  const { faults, sum } = await accounts.audit();
  await accounts.close();
  if (faults.length > 0 || sum !== 0) throw new Error(`the audit found ${faults.join('; ')}, sum ${sum}`);
}
