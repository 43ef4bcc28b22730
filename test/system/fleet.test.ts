/** Two real servers on simulated machines that share one PostgreSQL: any of them answers for both. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { keysetDigest } from '../../attestation/aci/keyset.ts';
import { parseReceipt, verifyReceipt } from '../../attestation/aci/receipt.ts';
import { parseReport } from '../../attestation/aci/report.ts';
import { parseFleetList, type SignedFleetEntry, verifyFleetEntry } from '../../attestation/fleet/entry.ts';
import { fleetNodeKeys } from '../support/attestation/fleet-entry.ts';
import type { RunningServer } from '../support/server/server.ts';
import { SimulatedFleet } from '../support/server/simulated-fleet.ts';

const started = await SimulatedFleet.start(['acme', 'other']);
const missing = 'missing' in started ? started.missing : undefined;
if (missing !== undefined) console.warn(`the fleet is skipped: ${missing}`);

const chatModel = 'cloister-demo-TEE';

describe.skipIf(missing !== undefined)(`a fleet of two servers${missing === undefined ? '' : ` (${missing})`}`, () => {
  const fleet = started as SimulatedFleet;
  const startNode = () => fleet.startNode(['--model', `${chatModel},cloister-demo-image-TEE`]);

  async function nodesAt(server: RunningServer): Promise<readonly SignedFleetEntry[]> {
    const response = await fetch(`${server.listening.baseUrl}/fleet`);
    expect(response.status).toBe(200);
    return parseFleetList(await response.text(), { nowMs: Date.now(), clockSkewMs: 5_000 });
  }

  const portsAt = async (server: RunningServer) =>
    (await nodesAt(server)).map(({ address }) => Number(new URL(address).port)).sort();
  const portsOf = (...of: readonly RunningServer[]) => of.map(({ port }) => port).sort();

  async function entryOf(server: RunningServer, at = server): Promise<SignedFleetEntry> {
    return (await nodesAt(at)).find(({ address }) => new URL(address).port === String(server.port))!;
  }

  const get = (server: RunningServer, path: string, key = fleet.keys[0]!) =>
    fetch(`${server.listening.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });

  const chat = (server: RunningServer) =>
    server.post(
      '/chat/completions',
      { model: chatModel, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 },
      { headers: { authorization: `Bearer ${fleet.keys[0]}`, 'content-type': 'application/json' } },
    );

  let [first, second]: RunningServer[] = [];
  beforeAll(async () => {
    first = await startNode();
    second = await startNode();
  }, 60_000);
  afterAll(() => fleet.close());

  it('lists both at both, with entries that a key of their evidence signed', async () => {
    for (const server of [first!, second!]) {
      await expect.poll(() => portsAt(server), { timeout: 10_000 }).toEqual(portsOf(first!, second!));
      for (const entry of await nodesAt(server)) {
        await verifyFleetEntry(entry, { nowMs: Date.now(), clockSkewMs: 0 });
        const report = parseReport(await (await fetch(`${entry.address}/v1/aci/attestation`)).text());
        expect(await keysetDigest(entry.keyset)).toBe(report.keysetDigest);
        expect(entry.policyDigest).toMatch(/^sha256:/);
        expect(entry.models.map(({ id }) => id)).toContain(chatModel);
      }
    }
  });

  it('gives a receipt at the other node, by the id of the receipt and of the answer, to its key only', async () => {
    const answer = await chat(first!);
    const requestId = answer.headers.get('x-receipt-id')!;
    const { id } = (await answer.json()) as { id: string };
    const { node, keyset } = await entryOf(first!);
    expect([requestId, id]).toEqual([expect.stringContaining(`rcpt-${node}-`), expect.stringContaining(`-${node}-`)]);
    for (const name of [requestId, id]) {
      const response = await get(second!, `/aci/receipts/${name}`);
      expect(response.status).toBe(200);
      const receipt = parseReceipt(await response.text());
      await verifyReceipt(receipt, { keyset, keysetDigest: await keysetDigest(keyset) }, { receiptId: requestId });
    }
    const foreign = await get(second!, `/aci/receipts/${requestId}`, fleet.keys[1]);
    expect(foreign.status).toBe(404);
    expect(await foreign.json()).toMatchObject({ details: { code: 'ERR_RECEIPT_UNKNOWN' } });
  });

  it('gives the evidence of the other node, bound to the caller’s nonce', async () => {
    const { keyset } = await entryOf(first!);
    const digest = await keysetDigest(keyset);
    const nonce = 'ab'.repeat(32);
    const path = `/aci/attestation?nonce=${nonce}&keyset=${digest}`;
    const report = parseReport(await (await fetch(`${second!.listening.baseUrl}${path}`)).text());
    expect(report.keysetDigest).toBe(digest);
    const own = parseReport(await (await fetch(`${first!.listening.baseUrl}${path}`)).text());
    expect(own.reportData).toBe(report.reportData);
    const unknown = `/aci/attestation?keyset=sha256:${'0'.repeat(64)}`;
    expect((await fetch(`${second!.listening.baseUrl}${unknown}`)).status).toBe(404);
  });

  it('gives a linked image at the other node, once', async () => {
    const drawn = await first!.post(
      '/images/generations',
      { prompt: 'a red circle', num_inference_steps: 10, seed: 5, size: '256x256', response_format: 'url' },
      { headers: { authorization: `Bearer ${fleet.keys[0]}`, 'content-type': 'application/json' } },
    );
    expect(drawn.status).toBe(200);
    const { data } = (await drawn.json()) as { data: { url: string }[] };
    const { pathname } = new URL(data[0]!.url);
    const asked = () => fetch(new URL(pathname, second!.listening.baseUrl));
    const image = await asked();
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await asked()).status).toBe(404);
  });

  const respond = (server: RunningServer, body: object, key = fleet.keys[0]!) =>
    server.post(
      '/responses',
      { model: chatModel, max_output_tokens: 4, store: true, ...body },
      { headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } },
    );

  it('continues a conversation whose state the other node has sealed, for its account only', async () => {
    const told = 'The secret word is heron. '.repeat(20);
    const { id } = (await (await respond(first!, { input: told })).json()) as { id: string };
    expect(id).toMatch(new RegExp(`^resp_state_${(await entryOf(first!)).node}-`));
    const next = await respond(second!, { input: 'Go on', previous_response_id: id });
    expect(next.status).toBe(200);
    const { usage } = (await next.json()) as { usage: { input_tokens: number } };
    expect(usage.input_tokens).toBeGreaterThan(100);
    const foreign = await respond(second!, { input: 'Go on', previous_response_id: id }, fleet.keys[1]);
    expect([foreign.status, await foreign.json()]).toMatchObject([400, { details: { code: 'ERR_STATE_INVALID' } }]);
    const opened = await second!.post(
      '/responses/state',
      { token: id, models: '' },
      { headers: { authorization: `Bearer ${fleet.keys[0]}`, 'content-type': 'application/json' } },
    );
    expect(opened.status).toBe(404);
  }, 60_000);

  it('cancels an answer of the other node by its id', async () => {
    const stream = await respond(first!, { input: 'Tell a long story', stream: true, max_output_tokens: 2_000 });
    const events = stream.body!.pipeThrough(new TextDecoderStream());
    let id: string | undefined;
    let text = '';
    for await (const piece of events) {
      text += piece;
      if (id !== undefined) continue;
      id = /"id":"(resp_[\w-]+)"/.exec(text)?.[1];
      if (id === undefined) continue;
      const headers = { authorization: `Bearer ${fleet.keys[0]}` };
      const url = `${second!.listening.baseUrl}/responses/${id}/cancel`;
      const cancelled = await fetch(url, { method: 'POST', headers });
      expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { id }]);
    }
    expect(text).toContain('"status":"cancelled"');
  }, 60_000);

  it('ignores forged, stale and foreign rows', async () => {
    const accounts = await openAccounts({ kind: 'postgres', url: fleet.url });
    const keysOfStranger = await fleetNodeKeys();
    const issuedAt = Math.floor(Date.now() / 1000);
    const times = { issuedAt, expiresAt: issuedAt + 20 };
    const own = await entryOf(first!);
    const rows = {
      [keysOfStranger.node]: await keysOfStranger.text({ ...times, node: own.node }),
      '0000000000000001': await keysOfStranger.text(times),
      '0000000000000002': '{"node":',
      [own.node]: (await keysOfStranger.text({ ...times, keyset: own.keyset, node: own.node })).replace('8443', '9'),
    };
    for (const [node, entry] of Object.entries(rows)) {
      await accounts.fleet.announce({ node, entry, simulationRoot: undefined }, { validMs: 20_000 });
    }
    const stale = await keysOfStranger.text({ issuedAt: issuedAt - 60, expiresAt: issuedAt - 31 });
    await accounts.fleet.announce(
      { node: keysOfStranger.node, entry: stale, simulationRoot: undefined },
      { validMs: 9_000 },
    );
    // A row of its own shows that the ones before it were read.
    const last = await keysOfStranger.text({ ...times, address: 'https://last.example.org' });
    await accounts.fleet.announce(
      { node: keysOfStranger.node, entry: last, simulationRoot: undefined },
      { validMs: 9_000 },
    );
    const addresses = async () => (await nodesAt(second!)).map(({ address }) => address).sort();
    const expected = ['https://last.example.org', ...[first!, second!].map(({ port }) => `https://localhost:${port}`)];
    await expect.poll(addresses, { timeout: 20_000, interval: 300 }).toEqual(expected.sort());
    await accounts.fleet.withdraw(keysOfStranger.node);
    await accounts.close();
    await expect.poll(() => portsAt(second!), { timeout: 10_000 }).toEqual(portsOf(first!, second!));
  });

  it('drains a node by its entry, serves until then, and forgets it when it has stopped', async () => {
    const third = await startNode();
    await expect.poll(() => portsAt(first!), { timeout: 10_000 }).toContain(third.port);
    const token = readFileSync(join(third.stateDir, 'admin-token'), 'utf8').trim();
    const exited = once(third.process, 'exit');
    const asked = await fetch(new URL('/admin/drain', third.listening.metricsUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect([asked.status, await asked.json()]).toEqual([202, { draining: true }]);
    const answer = await chat(third);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    await expect
      .poll(async () => (await entryOf(third, first!))?.draining, { timeout: 5_000, interval: 50 })
      .toBe(true);
    expect((await exited)[0]).toBe(0);
    await expect.poll(() => portsAt(first!), { timeout: 5_000 }).toEqual(portsOf(first!, second!));
  }, 60_000);

  it('forgets a killed node within 30 seconds, whose receipts then do not exist', async () => {
    const third = await startNode();
    await expect.poll(() => portsAt(first!), { timeout: 10_000 }).toContain(third.port);
    const answer = await chat(third);
    const receipt = answer.headers.get('x-receipt-id')!;
    await answer.arrayBuffer();
    await third.signalAndWait('SIGKILL');
    const killedAt = performance.now();
    const gone = await get(first!, `/aci/receipts/${receipt}`);
    expect(gone.status).toBe(421);
    expect(await gone.json()).toMatchObject({
      details: { code: 'ERR_OTHER_NODE', address: `https://localhost:${third.port}` },
    });
    await expect.poll(() => portsAt(first!), { timeout: 30_000 }).toEqual(portsOf(first!, second!));
    expect(performance.now() - killedAt).toBeLessThan(30_000);
    expect((await get(first!, `/aci/receipts/${receipt}`)).status).toBe(404);
  }, 60_000);
});
