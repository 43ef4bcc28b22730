/** The real application with a fake engine, a real key and a recorded log. */
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ChatCompletion } from 'openai/resources/chat/completions';
import { operatorPlanId } from '../../../accounts/plans/plans.ts';
import { type AccountStore, openAccountStore } from '../../../accounts/store.ts';
import { createSealingKey, type SealingKey } from '../../../server/enclave/sealing-key.ts';
import { modelChecks } from '../../../server/features/health/model-checks.ts';
import { Readiness } from '../../../server/features/health/readiness.ts';
import { PendingImages } from '../../../server/features/images/pending-images.ts';
import { buildLogger } from '../../../server/http/request-log.ts';
import type { ModelTerms } from '../../../server/serving/model-terms.ts';
import { type AppDependencies, buildApp } from '../../../server/start/app.ts';
import { buildMetrics, type Metrics } from '../../../server/start/metrics.ts';
import { makeIdentity, type TlsIdentity } from '../../../server/tls/tls.ts';
import { listenReachably } from '../compute/reachable-port.ts';
import { FakeEngine, type FakeEngineOptions } from '../runtime/fake-engine.ts';

export const modelId = 'fake-TEE';

/** For every plan, a micro-dollar per prompt token and two per token of the answer. */
export const terms: ModelTerms = {
  plans: ['*'],
  pricing: { promptPerMillion: 1_000_000, completionPerMillion: 2_000_000 },
  contextLength: 4096,
  maxOutputTokens: 4096,
};

export interface Posted {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  /** The response in OpenAI's type, or the error in ours. */
  json(): ChatCompletion & { error: string; details: Record<string, unknown> };
}

export interface TestApp {
  readonly app: FastifyInstance;
  readonly engine: FakeEngine;
  readonly accounts: AccountStore;
  readonly metrics: Metrics;
  readonly identity: TlsIdentity;
  readonly sealingKey: SealingKey;
  readonly secret: string;
  /** All log text so far. */
  readonly log: () => string;
  /** Sends a body to the chat route: text unchanged, any other value as JSON. */
  post(body: unknown, headers?: Record<string, string>): Promise<Posted>;
  /** Listens on a free loopback port. @returns the API's base URL */
  listen(): Promise<string>;
  close(): Promise<void>;
}

export async function startTestApp({
  statePath = ':memory:',
  overrides = {},
  ...engineOptions
}: FakeEngineOptions & { statePath?: string; overrides?: Partial<AppDependencies> } = {}): Promise<TestApp> {
  const engine = new FakeEngine(engineOptions);
  const accounts = await openAccountStore(statePath);
  await accounts.createAccount({ name: 'tests', plan: operatorPlanId, now: Date.now() });
  await accounts.credit({ account: 'tests', microDollars: 100_000_000, reference: 'tests', now: Date.now() });
  const { secret } = await accounts.createKey({ account: 'tests', name: 'first', now: Date.now() });
  const sealingKey = createSealingKey();
  const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const model = {
    kind: 'chat' as const,
    id: modelId,
    engine,
    created: 1_700_000_000,
    fingerprint: 'fp_test',
    terms,
  };
  const metrics = buildMetrics({
    engines: () => [{ id: model.id, stats: engine.stats }],
    clock: () => performance.now(),
  });
  const logger = buildLogger({ level: 'trace', destination });
  const { models = new Map([[model.id, model]]), aci } = overrides;
  const isStarting = () => (aci?.isStarting?.() === true ? 'the start is still being measured' : undefined);
  const readiness = new Readiness({
    checks: [...modelChecks(() => models.values(), { stepMsMax: 60_000 }), { name: 'start', failure: isStarting }],
    logger,
    registry: metrics.registry,
  });
  const app = buildApp({
    models,
    readiness,
    pendingImages: new PendingImages({ bytesMax: 64 * 1024 * 1024, lifetimeMs: 60_000 }),
    metrics,
    accounts,
    logger,
    tls: identity,
    bodyBytesMax: 8 * 1024 * 1024,
    connectionsMax: 100,
    sealing: { key: sealingKey, sealedOnly: false },
    requestTimeoutMs: 60_000,
    now: () => 1_800_000_000_000,
    randomSeed: () => 42,
    publicUrl: () => 'https://api.example.com/v1',
    ...overrides,
  });
  return {
    app,
    engine,
    accounts,
    metrics,
    identity,
    sealingKey,
    secret,
    log: () => lines.join(''),
    async post(body, headers = {}) {
      const response = await app.inject({
        method: 'POST',
        url: '/v1/chat/completions',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
        payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      });
      return {
        status: response.statusCode,
        headers: response.headers,
        text: response.body,
        json: () => response.json(),
      };
    },
    async listen() {
      const address = await listenReachably((port) => app.listen({ host: '127.0.0.1', port }));
      return `${address}/v1`;
    },
    async close() {
      await app.close();
      readiness.close();
      await accounts.close();
    },
  };
}

/** A chat body with one message. */
export function chatBody(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { model: modelId, messages: [{ role: 'user', content: 'Hello' }], ...fields };
}

/** The data of each event of a stream, and its name if it has one. */
export function parseEvents(text: string): { event: string | undefined; data: string }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => ({ event: fieldOf(block, 'event'), data: fieldOf(block, 'data') ?? '' }));
}

/** A line ends with a line feed: U+2028 and U+2029, which regular expressions also treat as line ends, may occur within a line. */
function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((candidate) => candidate.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}
