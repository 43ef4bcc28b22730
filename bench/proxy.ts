/**
 * `npm run bench:proxy`: the latency of one request after another without verification, with `attestedFetch` in the program, and
 * through `cloister proxy`, alternating. The server, the proxy and the client are processes of their own; the server's TDX is simulated.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { attestedFetch } from '../attestation/client/attested-fetch.ts';
import { requireEvidencePolicy } from '../attestation/policy/evidence-policy.ts';
import { tinyModelFile } from '../test/support/models/tiny-models.ts';
import { request } from './client.ts';
import { readOptions } from './command-line.ts';
import { runBench, timeCalls } from './in-process.ts';
import type { Sample } from './results.ts';
import { type Server, startServer } from './servers.ts';
import { chooseServers } from './side-by-side.ts';

const help = `node bench/proxy.ts [--requests 500] [--repeats 5]
`;
const root = join(import.meta.dirname, '..');
const policyPath = join(root, 'examples/simulation-policy.json');

interface Exchange {
  readonly path: string;
  readonly status: number;
  readonly body?: string;
}

/** Sends one request and reads its whole answer. */
type Send = (exchange: Exchange) => Promise<{ status: number }>;

async function main(): Promise<void> {
  const values = readOptions(help, {
    requests: { type: 'string', default: '500' },
    repeats: { type: 'string', default: '5' },
  });
  // Exits with 'exit', whose handlers also stop the processes.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const [spec] = chooseServers({ only: 'cloister', 'cloister-args': '--simulate-tdx' });
  const shape = { model: tinyModelFile(), sequences: 2, context: 256, threads: 1, cpus: undefined };
  const server = await startServer(spec!, shape);
  try {
    await measure(server, { requests: Number(values.requests), repeats: Number(values.repeats) });
  } finally {
    await server.stop();
  }
}

async function measure(server: Server, { requests, repeats }: { requests: number; repeats: number }): Promise<void> {
  const proxies = await Promise.all([startProxy(server, []), startProxy(server, ['--no-seal'])]);
  const [sealed, unsealed] = proxies.map(({ address }) => address);
  const ways: Readonly<Record<string, Send>> = {
    'not verified': plainly(server.baseUrl, server, server.agent()),
    'attestedFetch, not sealed': attested(server, { seal: false }),
    'proxy, not sealed': plainly(unsealed!, server, new Agent({ keepAlive: true })),
    'attestedFetch, sealed': attested(server, { seal: true }),
    'proxy, sealed': plainly(sealed!, server, new Agent({ keepAlive: true })),
  };
  try {
    await runBench(
      {
        ...{ name: 'proxy', repeats, settings: { requests, model: 'tiny', TDX: 'simulated' } },
        servers: { 'not verified': [server.commandLine] },
      },
      Object.entries(exchangesOf(server)).flatMap(([label, exchange]) =>
        Object.entries(ways).map(([of, send]) => ({
          ...{ scenario: 'proxy', label, of },
          measure: () => latencyOf(send, exchange, requests),
        })),
      ),
    );
  } finally {
    for (const { child } of proxies) child.kill();
  }
}

function exchangesOf({ modelId }: Server): Readonly<Record<string, Exchange>> {
  const messages = [{ role: 'user', content: 'hi' }];
  return {
    'GET /v1/models': { path: '/v1/models', status: 200 },
    'chat, refused with 400': {
      ...{ path: '/v1/chat/completions', status: 400 },
      body: JSON.stringify({ model: modelId, messages: 'not a list' }),
    },
    'chat, 1 token': {
      ...{ path: '/v1/chat/completions', status: 200 },
      body: JSON.stringify({ model: modelId, messages, max_tokens: 1 }),
    },
  };
}

/** @throws {Error} if an answer has an unexpected status */
function latencyOf(send: Send, exchange: Exchange, requests: number): Promise<Sample> {
  return timeCalls(requests, async () => {
    const { status } = await send(exchange);
    if (status !== exchange.status) throw new Error(`${exchange.path}: expected ${exchange.status}, got ${status}`);
  });
}

const headersOf = ({ headers }: Server) => ({ 'content-type': 'application/json', ...headers });

function plainly(origin: string, server: Server, agent: ReturnType<Server['agent']>): Send {
  const headers = headersOf(server);
  return ({ path, body }) => request(origin + path, { agent, headers, ...(body === undefined ? {} : { body }) });
}

function attested(server: Server, { seal }: { seal: boolean }): Send {
  const policy = requireEvidencePolicy(JSON.parse(readFileSync(policyPath, 'utf8')));
  const send = attestedFetch(policy, { roots: readFileSync(rootPathOf(server), 'utf8'), seal });
  const headers = headersOf(server);
  return async ({ path, body }) => {
    const answer = await send(
      server.baseUrl + path,
      body === undefined ? { headers } : { method: 'POST', headers, body },
    );
    await answer.text();
    return answer;
  };
}

const rootPathOf = ({ stateDir }: Server) => join(stateDir, 'simulation-root.pem');

/** Starts the command on a free port. The process ends with this one. */
async function startProxy(server: Server, more: readonly string[]) {
  const trust = ['--policy', policyPath, '--root', rootPathOf(server)];
  const args = ['cli/cloister.mjs', 'proxy', server.baseUrl, ...trust, '--port', '0', '--json', ...more];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  for await (const line of createInterface(child.stdout)) {
    const { event, address } = JSON.parse(line) as { event: string; address?: string };
    if (event === 'listening') return { child, address: address! };
  }
  throw new Error('cloister proxy did not start');
}

if (import.meta.main) await main();
