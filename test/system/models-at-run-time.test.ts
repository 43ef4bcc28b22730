/** Models that are loaded and unloaded while a server runs: evidence, memory, concurrent requests, and idle models. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { attestServer } from '../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { simulatedSoftware } from '../support/attestation/attested-server.ts';
import { runCloister } from '../support/cloister.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const chat = 'cloister-demo-TEE';
const embedding = 'cloister-demo-embedding-TEE';
const image = 'cloister-demo-image-TEE';
const reranker = 'cloister-demo-reranker-TEE';
const limitMs = 120_000;

/** The members that these tests read. */
interface Body {
  readonly status: string;
  readonly model: string;
  readonly choices: readonly { readonly message: unknown }[];
  readonly data: readonly unknown[];
  readonly attestation: { readonly evidence: { readonly start_log: readonly unknown[] } };
}
const bodyOf = async (response: Response | Promise<Response>) => (await (await response).json()) as Body;
/** Resident memory of the server. */
const residentBytes = ({ process: { pid } }: RunningServer) =>
  1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

const rootOf = ({ stateDir }: RunningServer) =>
  parsePemChain(readFileSync(join(stateDir, 'simulation-root.pem')), 'root');

async function admin(server: RunningServer, method: string, path: string, body?: unknown) {
  const token = readFileSync(join(server.stateDir, 'admin-token'), 'utf8').trim();
  const response = await fetch(new URL(path, server.listening.metricsUrl), {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as never as Record<string, unknown> };
}

const load = (server: RunningServer, id: string) => admin(server, 'POST', '/admin/models', { id });
const unload = (server: RunningServer, id: string) => admin(server, 'DELETE', `/admin/models/${id}`);
const embed = (server: RunningServer, input = 'a text') => server.post('/embeddings', { model: embedding, input });
const ask = (server: RunningServer, given: object = {}) =>
  server.post('/chat/completions', {
    ...{ model: chat, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 8, temperature: 0 },
    ...given,
  });
const statusOf = async (server: RunningServer, id: string) =>
  ((await admin(server, 'GET', '/admin/models')).json as unknown as { id: string; status: string }[]).find(
    (model) => model.id === id,
  )?.status;

describe('a server on a simulated platform', () => {
  let server: RunningServer;
  let measured: string;
  beforeAll(async () => {
    server = await startServer(['--simulate-tdx', '--model', chat]);
  }, limitMs);
  afterAll(() => server?.stop());

  const origin = () => new URL(server.listening.baseUrl).origin;
  const policyFor = (models: readonly string[]) => ({
    ...{ measurements: simulatedSoftware, sources: 'any' as const },
    started: { 'cloister.model': models },
  });
  const evidence = (models: readonly string[]) =>
    attestServer(origin(), { policy: policyFor(models), roots: rootOf(server) });
  const modelsIn = (log: readonly { name: string; content: string }[]) =>
    log.filter(({ name }) => name === 'cloister.model').map(({ content }) => content);

  it(
    'measures a model that is loaded later, before it serves, and clients whose policy does not name it notice',
    async () => {
      const { verification } = await attestServer(origin(), {
        policy: { measurements: simulatedSoftware, sources: 'any' },
        roots: rootOf(server),
      });
      [measured] = modelsIn(verification.startLog) as [string];
      const pinned = attestedFetch(policyFor([measured]), { roots: rootOf(server) });
      const headers = { authorization: `Bearer ${server.listening.apiKey}`, 'content-type': 'application/json' };
      const send = () =>
        pinned(`${server.listening.baseUrl}/chat/completions`, {
          ...{ method: 'POST', headers },
          body: JSON.stringify({ model: chat, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 2 }),
        });
      expect((await send()).status).toBe(200);
      expect((await embed(server)).status).toBe(400);

      const loaded = await load(server, embedding);
      expect(loaded).toMatchObject({ status: 201, json: { id: embedding, status: 'ready', device: /CPU/ } });
      const first = await embed(server);
      expect(first.status === 200 || first.headers.get('connection') === 'close').toBe(true);
      expect(
        (
          await vi.waitUntil(async () => {
            const one = await embed(server);
            return one.ok && one;
          }, limitMs)
        ).status,
      ).toBe(200);

      const after = await attestServer(origin(), {
        policy: { measurements: simulatedSoftware, sources: 'any' },
        roots: rootOf(server),
      });
      expect(after.verification.keysetDigest).not.toBe(verification.keysetDigest);
      const both = modelsIn(after.verification.startLog);
      expect(both).toEqual([measured, expect.stringContaining(embedding)]);
      expect(JSON.parse(after.verification.startLog.at(-1)!.content).models).toMatchObject([
        { id: chat },
        { id: embedding },
      ]);
      expect((await evidence(both)).verification.verdict).toBe('verified');
      expect((await evidence([measured])).verification.verdict).toBe('not-verified');
      // The client of the old evidence is told on its next connection, and refuses.
      await expect(
        (async () => {
          for (let n = 0; n < 3; n++) await send();
        })(),
      ).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
    },
    limitMs,
  );

  it(
    'loads a model once for several callers, and measures it only once',
    async () => {
      const answers = await Promise.all([1, 2, 3].map(() => load(server, reranker)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
      // Quotes are limited in number for a time.
      const report = async () => {
        const answer = await fetch(`${server.listening.baseUrl}/aci/attestation?nonce=${'ab'.repeat(32)}`);
        return answer.ok && answer;
      };
      const log = async () => {
        const answer = await vi.waitUntil(report, { timeout: limitMs, interval: 500 });
        return (await bodyOf(answer)).attestation.evidence.start_log.length;
      };
      const events = await log();
      expect((await load(server, reranker)).status).toBe(200);
      expect(await unload(server, reranker)).toMatchObject({ status: 200, json: { status: 'unloaded' } });
      expect((await server.post('/rerank', { model: reranker, query: 'a', documents: ['b'] })).status).toBe(400);
      expect(await unload(server, reranker)).toMatchObject({ status: 404 });
      expect((await load(server, reranker)).status).toBe(201);
      expect(await log()).toBe(events);
    },
    limitMs,
  );

  it(
    'lets running requests finish before it frees their model',
    async () => {
      const streamed = await ask(server, { stream: true, max_tokens: 512 });
      const unloaded = unload(server, chat);
      const isUnloading = async () => ['unloading', undefined].includes(await statusOf(server, chat));
      await vi.waitUntil(isUnloading, { timeout: limitMs, interval: 1 });
      expect((await ask(server)).status).toBe(400);
      expect(await streamed.text()).toContain('[DONE]');
      expect(await unloaded).toMatchObject({ status: 200, json: { id: chat, status: 'unloaded' } });
      expect((await fetch(`${origin()}/health/ready`)).status).toBe(200);
      expect((await load(server, chat)).status).toBe(201);
      await vi.waitUntil(async () => (await ask(server)).ok, limitMs);
    },
    limitMs,
  );

  it.each([
    ['no JSON', '{', 400],
    ['no id', {}, 400],
    ['an id of another type', { id: 7 }, 400],
    ['an empty id', { id: '' }, 400],
    ['a long id', { id: 'x'.repeat(257) }, 400],
    ['an unknown model', { id: 'unknown-TEE' }, 404],
    ['a file', { id: '/etc/passwd' }, 409],
    ['a file of weights', { id: 'model.gguf' }, 409],
  ])('refuses to load %s and goes on serving', async (_what, body, status) => {
    expect((await admin(server, 'POST', '/admin/models', body)).status).toBe(status);
    expect((await ask(server)).status).toBe(200);
  });

  it(
    'loads and unloads with the command line',
    async () => {
      const terminal = { cwd: server.stateDir };
      const at = `--url ${new URL(server.listening.metricsUrl).origin} --state-dir ${server.stateDir}`;
      const loaded = await runCloister(`models load ${image} ${at}`, terminal);
      expect(loaded).toMatchObject({ code: 0, stdout: expect.stringMatching(/^cloister-demo-image-TEE is loaded: /) });
      expect((await runCloister(`ps ${at}`, terminal)).stdout).toMatch(/cloister-demo-image-TEE +image +ready/);
      expect((await runCloister(`models unload ${image} ${at}`, terminal)).stdout).toBe(`${image} is unloaded\n`);
      expect((await runCloister(`ps ${at}`, terminal)).stdout).not.toContain(image);
    },
    limitMs,
  );

  it(
    'reloads the aliases of a model that was loaded later on SIGHUP',
    async () => {
      const reloads = () => server.log.split('\n').filter((line) => line.includes('"configuration reloaded"'));
      const added = await runCloister(`models alias question ${reranker} --state-dir ${server.stateDir}`, {
        cwd: server.stateDir,
      });
      expect(added.code).toBe(0);
      server.process.kill('SIGHUP');
      await vi.waitUntil(() => reloads().length > 0, limitMs);
      expect(reloads()[0]).toContain(`"reloaded":["aliases of ${reranker}"],"needsRestart":[],"failed":[]`);
      const answer = await server.post('/rerank', { model: 'question', query: 'a', documents: ['b'] });
      expect([answer.status, (await bodyOf(answer)).model]).toEqual([200, reranker]);
    },
    limitMs,
  );

  it(
    'stops in time while a model loads',
    async () => {
      const loading = load(server, image).catch(() => undefined);
      await vi.waitUntil(async () => (await statusOf(server, image)) === 'loading', { timeout: limitMs, interval: 1 });
      expect(await server.signalAndWait('SIGTERM')).toBe(0);
      await loading;
    },
    limitMs,
  );
});

describe('a server with a time to live for idle models', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(['--model', `${chat},${embedding}`, '--model-idle-ttl-s', '2']);
  }, limitMs);
  afterAll(() => server?.stop());

  const isUnloaded = (id: string) =>
    vi.waitUntil(async () => (await statusOf(server, id)) === 'unloaded', { timeout: limitMs, interval: 200 });

  it(
    'unloads idle models, stays ready, and loads them again for the next requests with the same answers',
    async () => {
      const before = await bodyOf(ask(server));
      const loadedBytes = residentBytes(server);
      const vector = await bodyOf(embed(server));
      await Promise.all([isUnloaded(chat), isUnloaded(embedding)]);
      // The chat model takes 400 MiB: its attention state is larger than its file.
      expect(loadedBytes - residentBytes(server)).toBeGreaterThan(200 * 1024 ** 2);
      const { origin } = new URL(server.listening.baseUrl);
      expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
      const headers = { authorization: `Bearer ${server.listening.apiKey}` };
      const listed = await bodyOf(fetch(`${server.listening.baseUrl}/models`, { headers }));
      expect(listed.data).toMatchObject([
        { id: chat, status: 'unloaded' },
        { id: embedding, status: 'unloaded' },
      ]);
      const metrics = await (await fetch(server.listening.metricsUrl)).text();
      expect(metrics).toContain(`cloister_model_in_memory{model_name="${chat}"} 0`);
      expect(metrics).toContain(`cloister_model_memory_bytes{model_name="${chat}"} 0`);
      const loads = () =>
        server.log.split('\n').filter((line) => /"model ready"/.test(line) && line.includes(`"${chat}"`));
      const loadsBefore = loads().length;
      const answers = await Promise.all([1, 2, 3, 4].map(() => bodyOf(ask(server))));
      expect(loads().length - loadsBefore).toBe(1);
      for (const { choices } of answers) expect(choices).toMatchObject([{ message: before.choices[0]!.message }]);
      expect((await bodyOf(embed(server))).data).toEqual(vector.data);
      const loaded = await (await fetch(server.listening.metricsUrl)).text();
      expect(loaded).toContain(`cloister_model_in_memory{model_name="${chat}"} 1`);
      expect(loaded).toMatch(new RegExp(`cloister_model_memory_bytes{model_name="${chat}"} [1-9]`));
    },
    limitMs,
  );

  it(
    'cancels a request that waits for a load, and the model loads all the same',
    async () => {
      await isUnloaded(chat);
      const leaving = new AbortController();
      const left = server
        .post(
          '/chat/completions',
          { model: chat, messages: [{ role: 'user', content: 'Hello' }] },
          { signal: leaving.signal },
        )
        .catch((error: Error) => error.name);
      leaving.abort();
      expect(await left).toBe('AbortError');
      expect((await ask(server)).status).toBe(200);
    },
    limitMs,
  );
});
