/** Requests that concern another node of a fleet: forwarded to a verified one, or answered with its address. */
import { sign } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { keysetDigest } from '../../../attestation/aci/keyset.ts';
import { fleetNodeOf, formatFleetEntry, signFleetEntry } from '../../../attestation/fleet/entry.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { NodeDirectory } from '../../../server/fleet/directory.ts';
import { Forwarder } from '../../../server/fleet/forward.ts';
import { formatForwarded } from '../../../server/fleet/forwarded.ts';
import { OwnNodes } from '../../../server/fleet/own-nodes.ts';
import { sendErrorReplies } from '../../../server/http/error-replies.ts';
import { nodeOfId } from '../../../server/http/node-ids.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  startAttestedServer,
} from '../../support/attestation/attested-server.ts';
import { fleetNodeKeys } from '../../support/attestation/fleet-entry.ts';

const policy: EvidencePolicy = { measurements: simulatedSoftware, sources: 'any' };
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Scene {
  readonly policy?: EvidencePolicy | undefined;
  readonly isSimulated?: boolean;
  /** Whether requests of the app have passed the check of a key. */
  readonly hasCaller?: boolean;
  readonly target?: AttestedServerOptions;
}

/** An app whose own node knows one other node. */
async function openScene({ isSimulated = true, hasCaller = true, target: options, ...given }: Scene = {}) {
  const target = await startAttestedServer(options);
  open.push(() => target.close());
  const directory = new NodeDirectory({ now: Date.now });
  const ownKeys = await fleetNodeKeys();
  const forwarder = new Forwarder({
    own: new OwnNodes({ identity: () => ownKeys, keepMs: 1_000, clock: () => 0 }),
    directory,
    policy: () => ('policy' in given ? given.policy : policy),
    isSimulated: () => isSimulated,
    sign: ownKeys.sign,
    now: Date.now,
    // Budgets are not refilled.
    clock: () => 0,
  });
  const node = await announce(target, directory);
  const app = fastify();
  app.decorateRequest('caller', undefined);
  sendErrorReplies(app as unknown as FastifyInstance);
  app.get<{ Params: { id: string } }>('/v1/things/:id', async (request, reply) => {
    if (hasCaller) request.caller = { keyId: 'k', accountId: 'a', scopes: [] };
    return (await forwarder.ask(nodeOfId(request.params.id), { request, reply })) ?? { own: true };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  open.push(() => app.close());
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1/things`;
  const ask = (id: string, init: RequestInit = {}) => fetch(`${base}/${id}`, init);
  /** A request that the other node, or a program with its keys, sends to this one. */
  const from = (client: string) => {
    const statement = { from: node, to: ownKeys.node, client, at: Math.floor(Date.now() / 1000) };
    const header = formatForwarded(statement, (bytes) => sign(null, bytes, target.keys.receipt.privateKey));
    return { headers: { 'x-cloister-forwarded': header }, ip: '192.0.2.9' } as unknown as FastifyRequest;
  };
  return { target, node, ownNode: ownKeys.node, ask, forwarder, directory, from };
}

async function announce(target: AttestedServer, directory: NodeDirectory): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const { keyset, origin, keys, rootPem } = target;
  const node = fleetNodeOf(await keysetDigest(keyset));
  const facts = { models: [], policyDigest: undefined, load: 0, draining: false };
  const entry = await signFleetEntry(
    { ...facts, node, address: origin, keyset, issuedAt, expiresAt: issuedAt + 30, keyId: 'r1' },
    (bytes) => new Uint8Array(sign(null, bytes, keys.receipt.privateKey)),
  );
  directory.onRow({ node, entry: formatFleetEntry(entry), simulationRoot: rootPem });
  await directory.seen(node, () => true, { signal: new AbortController().signal });
  return node;
}

const idAt = (node: string) => `thing-${node}-${'r'.repeat(24)}`;

async function expectAddress(response: Response, { origin }: AttestedServer) {
  expect(response.status).toBe(421);
  expect(await response.json()).toMatchObject({ details: { code: 'ERR_OTHER_NODE', address: origin } });
}

describe('a request for another node', () => {
  it('is sent on with the caller’s keys and the mark, and its answer is passed on', async () => {
    const { target, node, ownNode, ask } = await openScene({
      target: {
        handle: (_request, response) => {
          response.writeHead(404, { 'content-type': 'application/json', 'retry-after': '7', 'x-secret': 's' });
          response.end('{"error":"none"}');
        },
      },
    });
    const cookie = '__Host-cloister_session=abc; other=1';
    const headers = { authorization: 'Bearer clst_x', 'x-service-key': 'clst_x', cookie, 'x-other': 'y' };
    const response = await ask(`${idAt(node)}?a=b`, { headers });
    expect([response.status, await response.json()]).toEqual([404, { error: 'none' }]);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-secret')).toBeNull();
    const [received] = target.requests;
    expect(received!.url).toBe(`/v1/things/${idAt(node)}?a=b`);
    expect(received!.headers).toMatchObject({
      authorization: 'Bearer clst_x',
      'x-service-key': 'clst_x',
      'x-cloister-forwarded': expect.stringMatching(new RegExp(`^${ownNode} \\d+ 127\\.0\\.0\\.1 [0-9a-f]{128}$`)),
      cookie: '__Host-cloister_session=abc',
    });
    expect(received!.headers['x-other']).toBeUndefined();
  });

  it('is never sent on twice', async () => {
    const { target, node, ask } = await openScene();
    const response = await ask(idAt(node), { headers: { 'x-cloister-forwarded': '1' } });
    expect(await response.json()).toEqual({ own: true });
    expect(target.requests).toEqual([]);
  });

  it('is answered here if it names this node, an unknown node or none', async () => {
    const { target, ownNode, ask } = await openScene();
    for (const id of [idAt(ownNode), idAt('0'.repeat(16)), 'thing-plain', `thing-${'r'.repeat(24)}`]) {
      expect(await (await ask(id)).json()).toEqual({ own: true });
    }
    expect(target.requests).toEqual([]);
  });

  it('gets the address of the node if no policy is configured', async () => {
    const { target, node, ask } = await openScene({ policy: undefined });
    await expectAddress(await ask(idAt(node)), target);
    expect(target.attestations).toBe(0);
  });

  it('is not sent to a node that fails the policy', async () => {
    const others = simulatedSoftware.map((set) => ({ ...set, mrTd: 'ab'.repeat(48) }));
    const { target, node, ask } = await openScene({ policy: { ...policy, measurements: others } });
    await expectAddress(await ask(idAt(node), { headers: { authorization: 'Bearer clst_x' } }), target);
    expect(target.attestations).toBeGreaterThan(0);
    expect(target.requests).toEqual([]);
  });

  it('is not sent by a real machine to a simulated one, whatever root that announces', async () => {
    const { target, node, ask } = await openScene({ isSimulated: false });
    await expectAddress(await ask(idAt(node)), target);
    expect(target.requests).toEqual([]);
  });

  it('is cut off if the answer is longer than 32 MiB', async () => {
    const { node, ask } = await openScene({
      target: { handle: (_request, response) => response.end(Buffer.alloc(32 * 1024 * 1024 + 1)) },
    });
    await expect(ask(idAt(node)).then((response) => response.arrayBuffer())).rejects.toThrow();
  });

  it('gets the address while 64 others wait for nodes, and is sent when one has left', async () => {
    const waiting: (() => void)[] = [];
    const { target, node, ask } = await openScene({
      target: { handle: (_request, response) => waiting.push(() => response.end('{}')) },
    });
    const answers = Array.from({ length: 64 }, () => ask(idAt(node)));
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(64);
    await expectAddress(await ask(idAt(node)), target);
    waiting.pop()!();
    await (await Promise.race(answers)).arrayBuffer();
    const late = ask(idAt(node));
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(64);
    for (const end of waiting.splice(0)) end();
    expect((await late).status).toBe(200);
    await Promise.all(answers);
  }, 40_000);

  it('of JSON gives its share back when it is answered, also while the request goes on', async () => {
    const { node, forwarder } = await openScene({
      target: { handle: ({ body }, response) => response.end(JSON.stringify({ got: JSON.parse(String(body)) })) },
    });
    const raw = Object.assign(new EventEmitter(), { destroyed: false, closed: false, writableEnded: false });
    const exchange = {
      request: { headers: {}, ip: '192.0.2.9', caller: { keyId: 'k', accountId: 'a', scopes: [] } },
      reply: { raw },
    } as unknown as Parameters<typeof forwarder.post>[1];
    for (let count = 0; count < 70; count++) {
      const answer = await forwarder.post(node, exchange, { path: '/v1/things', json: { count } });
      expect(answer).toEqual({ status: 200, json: { got: { count } } });
    }
    expect(raw.listenerCount('close')).toBe(1);
  }, 20_000);

  it('without a key gets the address after 60 in a burst', async () => {
    const { target, node, ask } = await openScene({ hasCaller: false });
    for (let sent = 0; sent < 60; sent++) expect((await ask(idAt(node))).status).toBe(200);
    await expectAddress(await ask(idAt(node)), target);
    expect(target.requests).toHaveLength(60);
  }, 20_000);
});

describe('a request from another node', () => {
  it('counts for the network that the node states, once the node is verified', async () => {
    const { target, forwarder, from } = await openScene();
    expect(forwarder.clientOf(from('2001:db8::/64'))).toBe('192.0.2.9');
    await expect.poll(() => forwarder.clientOf(from('2001:db8::/64')), { timeout: 20_000 }).toBe('2001:db8::/64');
    expect(await forwarder.isFromNode(from('2001:db8::/64'))).toBe(true);
    expect(target.attestations).toBe(1);
  });

  const others = simulatedSoftware.map((set) => ({ ...set, mrTd: 'ab'.repeat(48) }));
  it.each<[string, Scene]>([
    ['runs other software', { policy: { ...policy, measurements: others } }],
    ['is simulated while this one is not', { isSimulated: false }],
    ['cannot be judged without a policy', { policy: undefined }],
  ])('counts for the network that it comes from, and gets nothing, if the node %s', async (_what, scene) => {
    const { forwarder, from } = await openScene(scene);
    expect(await forwarder.isFromNode(from('2001:db8::/64'))).toBe(false);
    expect(forwarder.clientOf(from('2001:db8::/64'))).toBe('192.0.2.9');
  });

  it('gets nothing if its entry has the address of another verified node', async () => {
    const { forwarder, target, directory, ownNode } = await openScene();
    const keys = await fleetNodeKeys();
    const issuedAt = Math.floor(Date.now() / 1000);
    const entry = await keys.text({ issuedAt, expiresAt: issuedAt + 30, address: target.origin });
    directory.onRow({ node: keys.node, entry, simulationRoot: target.rootPem });
    await directory.seen(keys.node, () => true, { signal: AbortSignal.timeout(5_000) });
    const statement = { from: keys.node, to: ownNode, client: '2001:db8::/64', at: issuedAt };
    const headers = { 'x-cloister-forwarded': formatForwarded(statement, keys.sign) };
    expect(await forwarder.isFromNode({ headers, ip: '192.0.2.9' } as unknown as FastifyRequest)).toBe(false);
    expect(target.attestations).toBe(1);
  });
});
