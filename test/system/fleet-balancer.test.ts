/** Three real servers behind a real HAProxy, with verified clients: any node may be killed, and the balancer too. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { type AttestedFetch, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { findInMemory } from '../support/process-memory.ts';
import { type Balancer, haproxyMissing, startHaproxy } from '../support/server/haproxy.ts';
import { SimulatedFleet, simulatedPolicy } from '../support/server/simulated-fleet.ts';

const started = haproxyMissing === undefined ? await SimulatedFleet.start(['acme']) : { missing: haproxyMissing };
const missing = 'missing' in started ? started.missing : undefined;
if (missing !== undefined) console.warn(`a fleet behind a balancer is skipped: ${missing}`);

const model = 'cloister-demo-TEE';
const canary = 'canary-4711-of-a-prompt';
const nodeName = (index: number) => `node-${index + 1}.example.com`;

/** The public key of the certificate that a port of this machine shows for a name. */
async function keyAt(port: number, servername = 'localhost'): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { publicKey } = socket.getPeerX509Certificate()!;
  socket.destroy();
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

describe.skipIf(missing !== undefined)(`a fleet behind HAProxy${missing === undefined ? '' : ` (${missing})`}`, () => {
  const fleet = started as SimulatedFleet;
  let balancer: Balancer;
  let origin: string;
  // One client of each kind: all have one address, whose fresh quotes are limited.
  let anyNode: AttestedFetch;
  let choosing: AttestedFetch;

  beforeAll(async () => {
    for (let count = 0; count < 3; count++) await fleet.startNode(['--model', model]);
    const names = Object.fromEntries(fleet.nodes.map((_, index) => [`node${index + 1}`, nodeName(index)]));
    balancer = await startHaproxy(
      fleet.nodes.map(({ port }) => port),
      names,
    );
    origin = `https://localhost:${balancer.port}`;
    const options = { roots: fleet.roots, seal: true };
    anyNode = attestedFetch(simulatedPolicy, options);
    choosing = attestedFetch(simulatedPolicy, { ...options, fleet: 'announced' });
  }, 120_000);
  afterAll(async () => {
    await balancer?.close();
    await fleet.close();
  });

  const chat = (text: string, signal = AbortSignal.timeout(30_000)): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${fleet.keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: `${canary} ${text}` }], max_tokens: 4 }),
    signal,
  });
  const nodeOf = (answer: Response) => answer.headers.get('x-receipt-id')!.split('-')[1]!;
  const path = '/v1/chat/completions';

  it('answers 24 concurrent sealed requests of a verified client through one address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => anyNode(origin + path, chat(`q${index}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    for (const answer of answers) expect(await answer.json()).toHaveProperty('choices');
    expect(new Set(answers.map(nodeOf)).size).toBe(3);
  });

  it('leads the name of a node to that node', async () => {
    for (const [index, { port }] of fleet.nodes.entries()) {
      expect(await keyAt(balancer.port, nodeName(index))).toBe(await keyAt(port));
    }
  });

  it('gives a receipt through whichever node the balancer chooses', async () => {
    const answer = await anyNode(origin + path, chat('for a receipt'));
    await answer.text();
    const url = `${origin}/v1/aci/receipts/${answer.headers.get('x-receipt-id')}`;
    const headers = { authorization: `Bearer ${fleet.keys[0]}` };
    const statuses = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => (await anyNode(url, { headers })).status));
    expect(statuses).toEqual(Array(6).fill(200));
  });

  it('holds no key, prompt or answer', () => {
    const texts = ['/health/ready', canary, fleet.keys[0]!];
    const patterns = texts.map((name) => ({ name, bytes: Buffer.from(name) }));
    // The path that it checks shows that its memory was read.
    expect(new Set(findInMemory(balancer.pid, patterns).map(({ pattern }) => pattern))).toEqual(
      new Set(['/health/ready']),
    );
    expect(balancer.log()).not.toContain(canary);
  });

  it('goes on when a node is killed: only what it was answering fails', async () => {
    const victim = fleet.nodes[0]!;
    let killedAt = Number.POSITIVE_INFINITY;
    const outcomes: { at: number; ok: boolean }[] = [];
    const ask = async (index: number) => {
      const at = performance.now();
      const ok = await choosing(origin + path, chat(`stream ${index}`)).then(
        async (answer) => answer.status === 200 && (await answer.text()).length > 0,
        () => false,
      );
      outcomes.push({ at, ok });
    };
    for (let round = 0; round < 24; round++) {
      if (round === 8) {
        killedAt = performance.now();
        await victim.signalAndWait('SIGKILL');
      }
      await Promise.all([ask(2 * round), ask(2 * round + 1)]);
    }
    const failed = outcomes.filter(({ ok }) => !ok);
    // A request that was sent over a connection before its end arrived is not sent again.
    expect(failed.length).toBeLessThanOrEqual(2);
    expect(failed.every(({ at }) => at >= killedAt && at < killedAt + 10_000)).toBe(true);
    expect(outcomes).toHaveLength(48);
  }, 120_000);

  it('loses and charges nothing twice: the books are consistent and the holds of the killed node come back', async () => {
    const accounts = await openAccounts({ kind: 'postgres', url: fleet.url });
    const held = async () => (await accounts.audit()).held;
    await expect.poll(held, { timeout: 30_000, interval: 500 }).toBe(0);
    expect((await accounts.audit()).faults).toEqual([]);
    await accounts.close();
  }, 40_000);

  it('serves verified clients that know the nodes while the balancer is gone', async () => {
    expect((await choosing(origin + path, chat('before'))).status).toBe(200);
    await balancer.close();
    const answers = await Promise.all([1, 2, 3, 4].map((index) => choosing(origin + path, chat(`after ${index}`))));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
  });
});
