/** `POST /v1/compute/instances` on the inference server (I-065), forwarded to a running compute service. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ComputeTarget } from '../../server/features/compute/forward.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import { type ComputeApp, computeApps, identity } from '../support/compute/compute-app.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { startTestApp, type TestApp } from '../support/server/test-app.ts';

const path = '/v1/compute/instances';
const instance = { gpu_type: 'A6000', gpu_count: 1, region: 'NO', image: 'debian' };
const openCompute = computeApps();
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function certificateFile(certificate: string): Promise<string> {
  const folder = await scratchFolder();
  cleanUps.push(() => folder[Symbol.asyncDispose]());
  const file = join(folder.path, 'ca.pem');
  writeFileSync(file, certificate);
  return file;
}

/** An inference server over the accounts of `compute`, or over its own. */
async function inference(target: ComputeTarget | undefined, compute?: ComputeApp): Promise<TestApp> {
  const accounts = compute === undefined ? {} : { accounts: compute.world.accounts };
  const started = await startTestApp({ overrides: { compute: target, requestTimeoutMs: 1_000, ...accounts } });
  cleanUps.push(() => started.app.close());
  return started;
}

async function connected() {
  const compute = await openCompute({ trustedProxies: ['127.0.0.1'] });
  await compute.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = compute.app.server.address() as AddressInfo;
  const caPath = await certificateFile(identity.certificate);
  const server = await inference({ url: `https://localhost:${port}`, caPath }, compute);
  const { key } = await compute.tenant('acme');
  return { compute, server, key };
}

async function post(server: TestApp, key: string, { body = instance as unknown, headers = {}, ip = '192.0.2.1' } = {}) {
  const response = await server.app.inject({
    method: 'POST',
    url: path,
    remoteAddress: ip,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, body: response.json() };
}

it('rents a machine with the key of the inference request', async () => {
  const { compute, server, key } = await connected();
  const answer = await post(server, key);
  expect(answer).toMatchObject({ status: 201, body: { success: true, pod: { machine_id: 'm-2' } } });
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect((await compute.get('/api/svc/pods', { key })).body).toMatchObject([{ id: answer.body.pod.id }]);
});

it('forwards the Idempotency-Key, so that a repeat rents nothing', async () => {
  const { compute, server, key } = await connected();
  const headers = { 'idempotency-key': 'a' };
  const first = await post(server, key, { headers });
  expect((await post(server, key, { headers })).body).toEqual(first.body);
  expect(compute.world.engine.pods.size).toBe(1);
});

it('passes the trace of the request on', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  let received: unknown;
  const own = makeIdentity({ host: 'localhost', now: Date.now() });
  const service = https.createServer(tlsOptions(own), (request, response) => {
    received = request.headers.traceparent;
    request.resume();
    response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  cleanUps.push(() => service.close());
  const { port } = service.address() as AddressInfo;
  const trace = { traceparent, work: undefined, begin: () => undefined, end: () => undefined };
  const tracing = { begin: () => trace, close: async () => undefined };
  const target = { url: `https://localhost:${port}`, caPath: await certificateFile(own.certificate) };
  const server = await startTestApp({ overrides: { compute: target, tracing } });
  cleanUps.push(() => server.close());
  const answer = await post(server, server.secret);
  expect(answer).toMatchObject({ status: 201, headers: { traceparent } });
  expect(received).toBe(traceparent);
});

it('forwards the errors of the compute service', async () => {
  const { server, key } = await connected();
  expect(await post(server, key, { body: {} })).toMatchObject({
    status: 400,
    body: { code: 'INVALID_REQUEST', error: '`gpu_type` is missing', charged: false },
  });
});

it("C-039 lets the compute service count by the client's address", async () => {
  const { server, key } = await connected();
  const statuses: number[] = [];
  for (let count = 0; count < 11; count++) statuses.push((await post(server, key, { body: {} })).status);
  expect(statuses).toEqual([...Array(10).fill(400), 429]);
  const limited = await post(server, key, { body: {} });
  expect(limited.headers).toMatchObject({ 'retry-after': '10', 'x-ratelimit-limit': '10' });
  expect((await post(server, key, { body: {}, ip: '192.0.2.2' })).status).toBe(400);
});

it('cancels the deploy when the client disconnects, and charges nothing', async () => {
  const { compute, server, key } = await connected();
  const creating = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  compute.world.engine.onCall = async (call) => {
    if (call !== 'create') return;
    creating.resolve();
    await left.promise;
  };
  compute.app.server.once('secureConnection', (socket) => socket.once('close', () => left.resolve()));
  const base = new URL(await server.listen());
  const request = https.request(new URL(path, base), {
    method: 'POST',
    rejectUnauthorized: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(instance));
  await creating.promise;
  request.destroy();
  await left.promise;
  await expect.poll(() => compute.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
});

it('reports that no compute service is configured', async () => {
  const server = await inference(undefined);
  expect(await post(server, server.secret)).toMatchObject({
    status: 501,
    body: {
      error: expect.stringContaining('not connected to a compute service'),
      details: { status: 501, endpoint: path, code: 'ERR_COMPUTE_ABSENT' },
    },
  });
  expect((await post(server, 'clst_nobody')).status).toBe(401);
  expect(
    (await server.app.inject({ url: path, headers: { authorization: `Bearer ${server.secret}` } })).statusCode,
  ).toBe(405);
});

it('rejects a body of more than 64 KiB', async () => {
  const server = await inference(undefined);
  expect((await post(server, server.secret, { body: 'x'.repeat(65_536) })).status).toBe(413);
});

/** A compute service that accepts requests and never answers. */
async function silent(certificate = identity) {
  const received: string[] = [];
  const service = https.createServer(tlsOptions(certificate), (request) => void received.push(request.url ?? ''));
  service.on('tlsClientError', () => undefined).listen(0, '127.0.0.1');
  await once(service, 'listening');
  cleanUps.push(() => {
    service.closeAllConnections();
    service.close();
  });
  return { received, url: `https://localhost:${(service.address() as AddressInfo).port}` };
}

it('sends nothing to a service with a certificate other than the configured one', async () => {
  const { received, url } = await silent(makeIdentity({ host: 'localhost', now: Date.now() }));
  const server = await inference({ url, caPath: await certificateFile(identity.certificate) });
  const answer = await post(server, server.secret);
  expect(answer).toMatchObject({ status: 502, body: { details: { code: 'ERR_COMPUTE_UNREACHABLE' } } });
  expect(received).toEqual([]);
});

it('reports an unknown outcome if no answer arrives in time', async () => {
  const { received, url } = await silent();
  const server = await inference({ url, caPath: await certificateFile(identity.certificate) });
  expect(await post(server, server.secret)).toMatchObject({
    status: 502,
    body: { error: expect.stringContaining('same Idempotency-Key'), details: { code: 'ERR_COMPUTE_LOST' } },
  });
  expect(received).toEqual([path]);
});

it('returns 503 with Retry-After to the fifth concurrent request of an account', async () => {
  const { received, url } = await silent();
  const server = await inference({ url, caPath: await certificateFile(identity.certificate) });
  const waiting = Array.from({ length: 4 }, () => post(server, server.secret));
  await expect.poll(() => received.length).toBe(4);
  const fifth = await post(server, server.secret);
  expect(fifth).toMatchObject({
    status: 503,
    body: { details: { code: 'ERR_COMPUTE_BUSY' } },
    headers: { 'retry-after': '5' },
  });
  await Promise.all(waiting);
  expect((await post(server, server.secret)).status).toBe(502);
});
