/** A client that chooses verified nodes of a fleet by itself. */
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { type AttestedFetchOptions, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { fleetNodeOf } from '../../attestation/fleet/entry.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  startLogWith,
} from '../support/attestation/attested-server.ts';
import {
  chatRequest,
  fleetPolicy,
  modelDigest,
  requestCounts,
  startTestFleet,
  type TestFleet,
} from '../support/attestation/test-fleet.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function startFleet(count: number, options: readonly AttestedServerOptions[] = []): Promise<TestFleet> {
  const fleet = await startTestFleet(count, options);
  open.push(fleet);
  return fleet;
}

/** Hedging depends on the pace of this machine; `silent-nodes.test.ts` tests it. */
const chosen = (fleet: TestFleet, options: AttestedFetchOptions = {}) =>
  attestedFetch(fleetPolicy, {
    ...{ roots: fleet.nodes[0]!.rootPem, fleet: 'announced', hedgeAfterMs: 60_000 },
    ...options,
  });
/** Until the client has noticed that its connections to the node have ended. */
async function closeForGood(node: AttestedServer): Promise<void> {
  await node.close();
  await setTimeout(100);
}
const nodeOf = async (answer: Response) => ((await answer.json()) as { node: number }).node;

describe('attestedFetch with a fleet', () => {
  it('uses all nodes, each verified once, from the address of one', async () => {
    const fleet = await startFleet(3);
    const send = chosen(fleet);
    const ask = (index: number) =>
      send(`${fleet.nodes[0]!.origin}/v1/chat/completions?x=1`, chatRequest(`question ${index}`));
    const answers = await Promise.all(Array.from({ length: 48 }, (_, index) => ask(index)));
    expect(await answers[0]!.json()).toMatchObject({ path: '/v1/chat/completions?x=1' });
    for (const count of requestCounts(fleet)) expect(count).toBeGreaterThan(4);
    expect(fleet.nodes.map(({ attestations }) => attestations)).toEqual([1, 1, 1]);
    expect(fleet.fetches).toBe(1);
  });

  it('keeps a conversation on one node', async () => {
    const fleet = await startFleet(3);
    const url = `${fleet.nodes[1]!.origin}/v1/chat/completions`;
    // Two clients of one account agree.
    const turns = [chosen(fleet), chosen(fleet), chosen(fleet)].map(async (send) =>
      nodeOf(await send(url, chatRequest('hi'))),
    );
    expect(new Set(await Promise.all(turns)).size).toBe(1);
  });

  it('keeps a conversation where it is while another node becomes less busy', async () => {
    const fleet = await startFleet(2);
    let clockMs = 0;
    const send = chosen(fleet, { clock: () => clockMs });
    const url = `${fleet.nodes[0]!.origin}/v1/chat/completions`;
    const home = await nodeOf(await send(url, chatRequest('hi')));
    fleet.entries = await Promise.all(fleet.nodes.map((node, i) => fleet.entryOf(node, { load: i === home ? 15 : 0 })));
    clockMs += 5_000;
    await (await send(url, chatRequest('other'))).text();
    await expect.poll(() => fleet.fetches).toBe(2);
    expect(await nodeOf(await send(url, chatRequest('hi')))).toBe(home);
    expect(await nodeOf(await chosen(fleet)(url, chatRequest('hi')))).toBe(1 - home);
  });

  it('passes over nodes that are gone or outside the policy, which receive nothing', async () => {
    const other = startLogWith('build', { source: { commit: 'bad', imageDigest: null, repositoryUrl: 'https://x' } });
    const fleet = await startFleet(4, [{}, { startLog: other, provenance: { commit: 'bad' } }]);
    await fleet.nodes[2]!.close();
    const send = chosen(fleet);
    const url = `${fleet.nodes[0]!.origin}/v1/chat/completions`;
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => send(url, chatRequest(`q${index}`))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const [first, bad, gone, last] = requestCounts(fleet);
    expect([bad, gone, first! + last!]).toEqual([0, 0, 24]);
  });

  it('finds nodes that have replaced all that it knew', async () => {
    const fleet = await startFleet(3);
    const [, old, replacement] = fleet.entries;
    fleet.entries = [old!];
    const send = chosen(fleet);
    const url = `${fleet.nodes[0]!.origin}/v1/chat/completions`;
    expect(await nodeOf(await send(url, chatRequest('hi')))).toBe(1);
    await closeForGood(fleet.nodes[1]!);
    fleet.entries = [replacement!];
    expect(await nodeOf(await send(url, chatRequest('hi')))).toBe(2);
    expect(fleet.fetches).toBe(2);
  });

  it('fails if no node of a directory can be reached, after reading it once more', async () => {
    const fleet = await startFleet(2);
    fleet.entries = [fleet.entries[1]!];
    const send = chosen(fleet);
    const url = `${fleet.nodes[0]!.origin}/v1/chat/completions`;
    await (await send(url, chatRequest('hi'))).text();
    await closeForGood(fleet.nodes[1]!);
    await expect(send(url, chatRequest('hi'))).rejects.toThrow('fetch failed');
    expect(fleet.fetches).toBe(2);
  });

  it('never sends a request again of which anything was sent', async () => {
    const dying: AttestedServerOptions = { handle: (_, response) => void response.socket?.destroy() };
    const fleet = await startFleet(2, [{}, dying]);
    fleet.entries = [await fleet.entryOf(fleet.nodes[1]!), await fleet.entryOf(fleet.nodes[0]!, { load: 15 })];
    const sent = chosen(fleet)(`${fleet.nodes[0]!.origin}/v1/chat/completions`, chatRequest('hi'));
    await expect(sent).rejects.toThrow(/fetch failed/);
    expect(requestCounts(fleet)).toEqual([0, 1]);
  });

  it('tries a node that answered 503 last until it announces itself again', async () => {
    const unavailable: AttestedServerOptions = { handle: (_, response) => void response.writeHead(503).end('{}') };
    const fleet = await startFleet(2, [{}, unavailable]);
    const [a, b] = fleet.nodes as [AttestedServer, AttestedServer];
    const issuedAt = Math.floor(Date.now() / 1000) - 5;
    fleet.entries = [
      await fleet.entryOf(a, { load: 15 }),
      await fleet.entryOf(b, { issuedAt, expiresAt: issuedAt + 30 }),
    ];
    let clockMs = 0;
    const send = chosen(fleet, { clock: () => clockMs });
    const ask = async (text: string) => (await send(`${a.origin}/v1/chat/completions`, chatRequest(text))).status;
    expect(await ask('hi')).toBe(503);
    for (const text of ['hi', 'one', 'two']) expect(await ask(text)).toBe(200);
    // Longer than a failure to connect is remembered.
    clockMs += 60_000;
    await ask('three');
    await expect.poll(() => fleet.fetches).toBe(2);
    expect(await ask('hi')).toBe(200);
    fleet.entries = [await fleet.entryOf(a, { load: 15 }), await fleet.entryOf(b)];
    clockMs += 5_000;
    await ask('four');
    await expect.poll(() => fleet.fetches).toBe(3);
    // A conversation stays where it was answered, so each is a new one.
    let conversations = 0;
    await expect.poll(() => ask(`five ${++conversations}`)).toBe(503);
  });

  it('avoids nodes that are draining, and prefers nodes that serve the model', async () => {
    const fleet = await startFleet(3);
    const [a, b, c] = fleet.nodes as [AttestedServer, AttestedServer, AttestedServer];
    fleet.entries = [
      await fleet.entryOf(a, { draining: true }),
      await fleet.entryOf(b, { models: [{ id: 'other', digest: modelDigest }] }),
      await fleet.entryOf(c),
    ];
    const send = chosen(fleet);
    for (let index = 0; index < 6; index++)
      await (await send(`${a.origin}/v1/chat/completions`, chatRequest(`q${index}`))).text();
    expect(requestCounts(fleet)).toEqual([0, 0, 6]);
    await (await send(`${a.origin}/v1/chat/completions`, chatRequest('q', 'other'))).text();
    expect(requestCounts(fleet)).toEqual([0, 1, 6]);
  });

  it('asks the node that an id names', async () => {
    const fleet = await startFleet(3);
    const send = chosen(fleet);
    for (const [index, node] of fleet.nodes.entries()) {
      const id = `rcpt-${fleetNodeOf(await keysetDigest(node.keyset))}-1234`;
      expect(await nodeOf(await send(`${fleet.nodes[0]!.origin}/v1/aci/receipts/${id}`))).toBe(index);
    }
  });

  it('ignores entries that are stale, changed or signed by another node', async () => {
    const fleet = await startFleet(3);
    const [a, b, c] = fleet.nodes as [AttestedServer, AttestedServer, AttestedServer];
    const past = Math.floor(Date.now() / 1000) - 60;
    const forged = (await fleet.entryOf(b)).replace('"load":0', '"load":1');
    fleet.entries = [await fleet.entryOf(a), forged, await fleet.entryOf(c, { issuedAt: past, expiresAt: past + 30 })];
    const send = chosen(fleet);
    for (let index = 0; index < 8; index++) await (await send(`${a.origin}/v1/x`, chatRequest(`q${index}`))).text();
    expect(requestCounts(fleet)).toEqual([8, 0, 0]);
  });

  it('uses the server at the origin where there is no directory', async () => {
    const fleet = await startFleet(2);
    fleet.entries = [];
    const send = chosen(fleet);
    expect(await nodeOf(await send(`${fleet.nodes[1]!.origin}/v1/x`, chatRequest('hi')))).toBe(1);
  });

  it('takes a fixed list of nodes', async () => {
    const fleet = await startFleet(2);
    const send = chosen(fleet, { fleet: fleet.nodes.map(({ origin }) => origin) });
    const url = 'https://fleet.example.org/v1/chat/completions';
    await Promise.all(Array.from({ length: 16 }, (_, index) => send(url, chatRequest(`q${index}`))));
    const counts = requestCounts(fleet);
    expect([fleet.fetches, counts[0]! + counts[1]!]).toEqual([0, 16]);
    expect(Math.min(...counts)).toBeGreaterThan(1);
  });

  it('fetches the directory again after five seconds, from another node if that one is gone', async () => {
    const fleet = await startFleet(3);
    let clockMs = 0;
    const send = chosen(fleet, { clock: () => clockMs });
    const url = `${fleet.nodes[0]!.origin}/v1/x`;
    await (await send(url, chatRequest('one'))).text();
    await fleet.nodes[0]!.close();
    fleet.entries = fleet.entries.slice(1);
    clockMs += 5_000;
    await (await send(url, chatRequest('two'))).text();
    await expect.poll(() => fleet.fetches).toBe(2);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => send(url, chatRequest(`q${index}`))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  });
});
