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

/** Routes and streams that the peer lacks or answers otherwise, next to a chat of the same server: none is 5 % slower than it. */
export const ownRoutesCost: Scenario = {
  name: 'http, next to a chat',
  kinds: ['cloister'],
  shape: () => ({ sequences: connections, context: 256, otherModels: [rerankerId] }),
  cases: (options) => casesOf({ 'chat, 1 token': exchanges['chat, 1 token']!, ...streams, ...ownExchanges }, options),
};

function casesOf(exchanges: Exchanges, { quick }: ScenarioOptions): ScenarioCase[] {
  return Object.entries(exchanges).map(([label, exchange]) => ({
    label,
    run: (server) => measure(server, exchange(server), quick ? 1 : 5),
  }));
}

const hello = { messages: [{ role: 'user', content: 'hi' }] };

const streams: Exchanges = {
  'chat, 1 token, streamed': ({ modelId }) =>
    post('/v1/chat/completions', { model: modelId, ...hello, max_tokens: 1, stream: true }),
  'completions, 1 token, streamed': ({ modelId }) =>
    post('/v1/completions', { model: modelId, prompt: 'hi', max_tokens: 1, stream: true }),
  'responses, 1 token, streamed': ({ modelId }) =>
    post('/v1/responses', { model: modelId, input: 'hi', max_output_tokens: 1, stream: true }),
  'messages, 1 token, streamed': ({ modelId }) =>
    post('/v1/messages', { model: modelId, ...hello, max_tokens: 1, stream: true }),
};

/** One short pair for the reranker, so that HTTP is most of the cost. */
const ownExchanges: Exchanges = {
  'count tokens of messages': ({ modelId }) => post('/v1/messages/count_tokens', { model: modelId, ...hello }),
  'count tokens of a response': ({ modelId }) => post('/v1/responses/input_tokens', { model: modelId, input: 'hi' }),
  tokenize: ({ modelId }) => post('/v1/tokenize', { model: modelId, prompt: 'hi' }),
  detokenize: ({ modelId }) => post('/v1/detokenize', { model: modelId, tokens: [1, 2] }),
  quote: ({ modelId }) => post('/v1/quote', { model: modelId, ...hello, max_tokens: 1 }),
  'rerank, 1 document': () => post('/v1/rerank', { model: rerankerId, query: 'hi', documents: ['hi'] }),
  'score, 1 pair': () => post('/v1/score', { model: rerankerId, text_1: 'hi', text_2: 'hi' }),
};

const exchanges: Exchanges = {
  'GET /v1/models': () => ({ path: '/v1/models', method: 'GET', status: 200 }),
  'chat, 1 token': ({ modelId }) => post('/v1/chat/completions', { model: modelId, ...hello, max_tokens: 1 }),
  'responses, 1 token': ({ modelId }) => post('/v1/responses', { model: modelId, input: 'hi', max_output_tokens: 1 }),
  'messages, 1 token': ({ modelId }) => post('/v1/messages', { model: modelId, ...hello, max_tokens: 1 }),
  'completions, 1 token': ({ modelId }) => post('/v1/completions', { model: modelId, prompt: 'hi', max_tokens: 1 }),
  'chat, refused with 400': ({ modelId }) =>
    post('/v1/chat/completions', { model: modelId, messages: 'not a list', max_tokens: 1 }, 400),
};

function post(path: string, body: object, status = 200): Exchange {
  return { path, method: 'POST', status, body: JSON.stringify(body) };
}

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
