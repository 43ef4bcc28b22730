/** Sixteen keep-alive connections, each sending its next request after the previous response. */
import { createRequire } from 'node:module';
import type { Sample } from '../results.ts';
import type { Scenario, ScenarioCase, ScenarioOptions } from '../scenario.ts';
import type { Server } from '../servers.ts';
import { quantile } from '../statistics.ts';

const connections = 16;

interface Exchange {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
  readonly status: number;
}

type Exchanges = Readonly<Record<string, (server: Server) => Exchange>>;

export const httpCost: Scenario = {
  name: 'http',
  shape: () => ({ sequences: connections, context: 256 }),
  cases: (options) => casesOf(exchanges, options),
};

const rerankerId = 'cloister-demo-reranker-TEE';

/** The same for the routes of cross-encoders, next to a chat of the same server. One short pair, so that HTTP is most of the cost. */
export const rerankCost: Scenario = {
  name: 'http, reranker',
  kinds: ['cloister'],
  shape: () => ({ sequences: connections, context: 256, otherModels: [rerankerId] }),
  cases: (options) => casesOf({ 'chat, 1 token': exchanges['chat, 1 token']!, ...rerankExchanges }, options),
};

function casesOf(exchanges: Exchanges, { quick }: ScenarioOptions): ScenarioCase[] {
  return Object.entries(exchanges).map(([label, exchange]) => ({
    label,
    run: (server) => measure(server, exchange(server), quick ? 1 : 5),
  }));
}

const rerankExchanges: Exchanges = {
  'rerank, 1 document': () => ({
    path: '/v1/rerank',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: rerankerId, query: 'hi', documents: ['hi'] }),
  }),
  'score, 1 pair': () => ({
    path: '/v1/score',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: rerankerId, text_1: 'hi', text_2: 'hi' }),
  }),
};

const exchanges: Exchanges = {
  'GET /v1/models': () => ({ path: '/v1/models', method: 'GET', status: 200 }),
  'chat, 1 token': ({ modelId }) => ({
    path: '/v1/chat/completions',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 }),
  }),
  'responses, 1 token': ({ modelId }) => ({
    path: '/v1/responses',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: modelId, input: 'hi', max_output_tokens: 1 }),
  }),
  'messages, 1 token': ({ modelId }) => ({
    path: '/v1/messages',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'hi' }], max_tokens: 1 }),
  }),
  'completions, 1 token': ({ modelId }) => ({
    path: '/v1/completions',
    method: 'POST',
    status: 200,
    body: JSON.stringify({ model: modelId, prompt: 'hi', max_tokens: 1 }),
  }),
  'chat, refused with 400': ({ modelId }) => ({
    path: '/v1/chat/completions',
    method: 'POST',
    status: 400,
    body: JSON.stringify({ model: modelId, messages: 'not a list', max_tokens: 1 }),
  }),
};

/** @throws if a reply has an unexpected status */
async function measure(server: Server, { path, method, body, status }: Exchange, seconds: number): Promise<Sample> {
  const latencies: number[] = [];
  const strange = new Map<number, number>();
  const run = autocannon({
    url: server.baseUrl + path,
    method,
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', ...server.headers },
    ...(body !== undefined && { body }),
    connections: connections,
    duration: seconds,
    // A connection closed by the server would distort the client's clock, so reconnect first.
    ...(server.requestsPerConnection && { reconnectRate: server.requestsPerConnection - 1 }),
  });
  // The client's own histogram counts whole milliseconds.
  void run.on('response', (_client, replied, _bytes, milliseconds) => {
    latencies.push(milliseconds);
    if (replied !== status) strange.set(replied, (strange.get(replied) ?? 0) + 1);
  });
  const { duration, errors } = await run;
  if (strange.size > 0) {
    throw new Error(`${server.name} ${method} ${path}: expected ${status}, got ${JSON.stringify([...strange])}`);
  }
  return {
    requestsPerSecond: latencies.length / duration,
    latencyP50Ms: quantile(latencies, 0.5),
    latencyP99Ms: quantile(latencies, 0.99),
    connectionErrors: errors,
  };
}

/** The package has no types; these are the parts in use. It accepts any certificate. */
interface AutocannonRun extends Promise<{ duration: number; errors: number }> {
  on(
    event: 'response',
    listener: (client: unknown, status: number, bytes: number, milliseconds: number) => void,
  ): AutocannonRun;
}

const autocannon = createRequire(import.meta.url)('autocannon') as (options: {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  connections: number;
  duration: number;
  reconnectRate?: number;
}) => AutocannonRun;
