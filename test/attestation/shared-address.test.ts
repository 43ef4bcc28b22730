/** Several servers behind one address: a load balancer forwards each new connection to the next one and holds no key. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { type AttestedFetchOptions, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { PinnedAgent, sendPinned } from '../../attestation/client/pinned-https.ts';
import { sealedFetch } from '../../attestation/client/sealed-fetch.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { makeIdentity } from '../../server/tls/tls.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  startAttestedServer,
  startLogWith,
} from '../support/attestation/attested-server.ts';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Forwards connections to the ports in turn. */
async function startBalancer(ports: number[]): Promise<{ origin: string; ports: number[]; counts: number[] }> {
  const counts: number[] = [];
  const sockets = new Set<Socket>();
  let next = 0;
  const server = createServer((client) => {
    const port = ports[next++ % ports.length]!;
    counts.push(port);
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => [client, upstream].forEach((each) => void each.destroy()));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, ports, counts };
}

async function startNodes(count: number, options: readonly AttestedServerOptions[] = []): Promise<AttestedServer[]> {
  const platform = await createSimulatedPlatform(Date.now());
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, index) => startAttestedServer({ platform, ...options[index] })),
  );
  open.push(...nodes);
  return nodes;
}

const policy: EvidencePolicy = { measurements: simulatedSoftware, sources: [{ repoCommit: 'c0ffee'.padEnd(40, '0') }] };
const secret = { method: 'POST', body: 'a secret' };
const fetchFor = (nodes: AttestedServer[], options: AttestedFetchOptions = {}, rules: EvidencePolicy = policy) =>
  attestedFetch(rules, { roots: nodes[0]!.rootPem, ...options });

describe('servers behind one address', () => {
  it('are verified once each, and 24 concurrent requests all succeed', async () => {
    const nodes = await startNodes(3);
    const { origin } = await startBalancer(nodes.map(({ port }) => port));
    const send = fetchFor(nodes);
    const answers = await Promise.all(Array.from({ length: 24 }, () => send(origin, secret)));
    expect(await Promise.all(answers.map((answer) => answer.json()))).toEqual(Array(24).fill({ got: 'a secret' }));
    expect(nodes.map(({ attestations }) => attestations)).toEqual([1, 1, 1]);
    expect(nodes.map(({ requests }) => requests.length)).toEqual([8, 8, 8]);
  });

  it('may share one TLS key, because each connection proves its machine', async () => {
    const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    const nodes = await startNodes(2, [{ identity }, { identity }]);
    const { origin } = await startBalancer(nodes.map(({ port }) => port));
    const send = fetchFor(nodes);
    await Promise.all(Array.from({ length: 10 }, async () => (await send(origin, secret)).text()));
    expect(nodes.map(({ attestations }) => attestations)).toEqual([1, 1]);
    expect(nodes.map(({ requests }) => requests.length)).toEqual([5, 5]);
  });

  it('get bodies that are sealed to the key of the machine that the connection reached', async () => {
    const nodes = await startNodes(2);
    const { origin } = await startBalancer(nodes.map(({ port }) => port));
    const send = fetchFor(nodes, { seal: true });
    // These servers answer without opening the seal, which the client refuses after it has sent.
    await Promise.all(Array.from({ length: 4 }, () => send(origin, secret).catch(() => undefined)));
    const keys = nodes.flatMap(({ requests }) => requests.map(({ headers }) => headers['ehbp-encapsulated-key']));
    expect(new Set(keys).size).toBe(4);
    for (const { requests } of nodes) for (const { body } of requests) expect(body.toString()).not.toContain('secret');
  });

  it('are refused one by one: software outside the policy receives nothing, the others go on', async () => {
    const other = startLogWith('build', { source: { commit: 'bad', imageDigest: null, repositoryUrl: 'https://x' } });
    const nodes = await startNodes(2, [{}, { startLog: other, provenance: { commit: 'bad' } }]);
    const { origin } = await startBalancer(nodes.map(({ port }) => port));
    const send = fetchFor(nodes);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => send(origin, secret)));
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array(4).fill('ERR_NOT_VERIFIED'));
    expect(nodes.map(({ requests }) => requests.length)).toEqual([4, 0]);
  });

  it('may be replaced: connections to a new server are verified, and no request is lost', async () => {
    const nodes = await startNodes(3);
    const balancer = await startBalancer([nodes[0]!.port, nodes[1]!.port]);
    const send = fetchFor(nodes);
    const ask = async () => (await send(balancer.origin, secret)).text();
    await Promise.all([ask(), ask()]);
    balancer.ports.splice(0, 1, nodes[2]!.port);
    await nodes[0]!.close();
    // The end of idle connections reaches the client.
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let round = 0; round < 6; round++) await Promise.all([ask(), ask(), ask()]);
    expect(nodes.reduce((sum, { requests }) => sum + requests.length, 0)).toBe(20);
    expect(nodes[2]!.attestations).toBe(1);
  });

  it('with another keyset than the connection names are refused', async () => {
    const [honest, liar] = await startNodes(2);
    const { origin } = await startBalancer([honest!.port, liar!.port]);
    const send = fetchFor([honest!]);
    await (await send(origin, secret)).text();
    // The second server proves its connections under the first one's name.
    liar!.keyset = honest!.keyset;
    await Promise.all([send(origin, secret).catch(() => undefined), send(origin, secret).catch(() => undefined)]);
    expect(liar!.requests).toEqual([]);
  });
});

describe('a web page that seals to servers behind one address', () => {
  it('verifies the server that could not decrypt the body, and seals to that one', async () => {
    const nodes = await startNodes(2);
    const [first, second] = nodes as [AttestedServer, AttestedServer];
    const trusting = new PinnedAgent({ accept: () => {} });
    const asked: string[] = [];
    /** Leads pages to the first server, unless they ask for the evidence of the second; bodies reach the second. */
    const transport = async (input: string | URL | Request, init?: RequestInit) => {
      const request = new Request(input, init);
      const { pathname, search, searchParams } = new URL(request.url);
      asked.push(pathname);
      const isForSecond = searchParams.has('keyset') || pathname !== '/v1/aci/attestation';
      const body = new Uint8Array(await request.arrayBuffer());
      const url = new URL(pathname + search, isForSecond ? second.origin : first.origin);
      const { method, headers } = request;
      const answer = await sendPinned(trusting, { url, method, headers, body: body.length > 0 ? body : undefined });
      if (pathname === '/v1/aci/attestation' || asked.filter((path) => path === '/v1/chat').length > 1) return answer;
      const type = 'urn:ietf:params:ehbp:error:key-config';
      const names = { 'x-aci-keyset-digest': await keysetDigest(second.keyset) };
      return Response.json(
        { type },
        { status: 422, headers: { 'content-type': 'application/problem+json', ...names } },
      );
    };
    const send = sealedFetch(policy, { roots: [first.platform.rootCa], fetch: transport });
    // The servers of these tests do not seal their answers, which the page refuses.
    await expect(send('https://tee.example.org/v1/chat', secret)).rejects.toMatchObject({
      code: 'ERR_SEALED_STRIPPED',
    });
    expect(asked).toEqual(['/v1/aci/attestation', '/v1/chat', '/v1/aci/attestation', '/v1/chat']);
    expect(nodes.map(({ attestations }) => attestations)).toEqual([1, 1]);
    await expect(send('https://tee.example.org/v1/chat', secret)).rejects.toMatchObject({
      code: 'ERR_SEALED_STRIPPED',
    });
    expect(asked).toHaveLength(5);
    trusting.destroy();
  });
});
