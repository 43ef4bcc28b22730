/** A starting node gets the secrets of its fleet from a running one, and what either side does to a hostile other side. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formatJoinRequest, formatSealedSecrets, parseJoinChallenge } from '../../../attestation/fleet/join.ts';
import { sealBytes } from '../../../attestation/sealed/client.ts';
import type { Enclave } from '../../../server/enclave/enclave.ts';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import { type Giver, Joiner, openSecrets } from '../../../server/fleet/joiner.ts';
import { SharedSecrets } from '../../../server/fleet/shared-secrets.ts';
import type { Joining } from '../../../server/program/announcements.ts';
import { simulatedSoftware, testStartLog } from '../../support/attestation/attested-server.ts';
import {
  databaseUrl,
  fleetPolicy,
  type GivingNode,
  type GivingNodeOptions,
  secretCanary,
  startedEnclave,
  startGivingNode,
} from '../../support/server/joining.ts';

const open: (() => Promise<void>)[] = [];
const close = async () => {
  for (const one of open.splice(0)) await one();
};

async function openNode(options?: GivingNodeOptions): Promise<GivingNode> {
  const node = await startGivingNode(options);
  open.push(() => node.close());
  return node;
}

const { signal } = new AbortController();
const closedPort = 'https://127.0.0.1:9';
const otherSoftware = simulatedSoftware.map((set) => ({ ...set, mrTd: '0'.repeat(96) }));

function openJoiner(addresses: readonly string[], { policy = fleetPolicy, isSimulated = true } = {}) {
  const steps: Joining[] = [];
  const pauses: number[] = [];
  let elapsedMs = 0;
  const joiner = new Joiner({
    ...{ addresses, policy, isSimulated, onStep: (step: Joining) => steps.push(step), clock: () => elapsedMs },
    async pause(ms, leaving) {
      leaving.throwIfAborted();
      pauses.push(ms);
      elapsedMs += ms;
    },
  });
  return { joiner, steps, pauses };
}

/** Stops a joiner after some rounds without a node. */
async function roundsOf(addresses: readonly string[], options: Parameters<typeof openJoiner>[1], rounds = 1) {
  const { joiner, steps, pauses } = openJoiner(addresses, options);
  const leaving = new AbortController();
  const found = expect(joiner.findGivers({ signal: leaving.signal })).rejects.toThrow();
  await expect.poll(() => pauses.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(rounds);
  leaving.abort(new Error('left'));
  await found;
  return { steps, pauses };
}

describe('a starting node', () => {
  afterEach(close);

  it('gets the secrets from a verified node, with progress that does not contain them', async () => {
    const node = await openNode();
    const enclave = await startedEnclave();
    const { joiner, steps } = openJoiner([closedPort, node.origin]);
    const givers = await joiner.findGivers({ signal });
    expect(givers.map(({ keysetDigest }) => keysetDigest)).toEqual([node.app.enclave.identity.digest]);
    const secrets = await joiner.receive(givers, enclave, { signal });
    expect(secrets.bytesOf('databaseUrl')?.toString()).toBe(databaseUrl);
    expect(node.given).toEqual([enclave.identity.digest.slice(7, 23)]);
    expect(steps.map(({ address, state }) => [address, state])).toEqual([
      [undefined, 'asking'],
      ...[
        [closedPort, 'refused'],
        [node.origin, 'verified'],
        [node.origin, 'joined'],
      ],
    ]);
    expect(steps[1]!.text).toContain('ECONNREFUSED');
    expect(JSON.stringify([steps, node.refusals]) + node.app.log()).not.toContain(secretCanary);
    secrets.wipe();
    expect(secrets.bytesOf('databaseUrl')?.every((byte) => byte === 0)).toBe(true);
  });

  it('waits, at most 30 seconds at a time, while no node can be reached', async () => {
    const { pauses, steps } = await roundsOf([closedPort], undefined, 8);
    expect(pauses.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000));
    expect(steps.at(2)).toEqual({ state: 'waiting', text: 'no node can give the secrets yet; trying again in 1 s' });
  });

  it('takes nothing from a node outside its policy, and sends it no evidence', async () => {
    const node = await openNode();
    const { steps } = await roundsOf([node.origin], { policy: { ...fleetPolicy, measurements: otherSoftware } });
    expect(steps[1]).toMatchObject({ state: 'refused', text: expect.stringContaining('is not verified') });
    expect([node.given, node.refusals]).toEqual([[], []]);
  });

  it('takes nothing from a node whose software the policy leaves open', async () => {
    const node = await openNode();
    const { steps } = await roundsOf([node.origin], { policy: { measurements: 'any', sources: 'any' } });
    expect(steps[1]!.text).toContain('the policy waives a check');
  });

  it('with TDX takes nothing from a simulated node', async () => {
    const node = await openNode();
    const { steps } = await roundsOf([node.origin], { isSimulated: false });
    expect(steps[1]).toMatchObject({ state: 'refused', text: expect.stringContaining('is not verified') });
  });

  it('passes over a node that gives no secrets', async () => {
    const node = await openNode({ gives: false });
    const { steps } = await roundsOf([node.origin], undefined);
    expect(steps[1]!.text).toBe('it answered 404: this server gives no secrets: it runs without --fleet-secrets');
  });

  it('gives up after three minutes in which the nodes of its start log give nothing', async () => {
    const node = await openNode({ policy: { ...fleetPolicy, measurements: otherSoftware } });
    const { joiner, steps, pauses } = openJoiner([node.origin]);
    const givers = await joiner.findGivers({ signal });
    await expect(joiner.receive(givers, await startedEnclave(), { signal })).rejects.toMatchObject({
      code: 'ERR_START',
      message: expect.stringContaining('start again'),
    });
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeGreaterThanOrEqual(180_000);
    expect(steps.find(({ state, text }) => state === 'refused' && text.includes('policy of the fleet'))?.text).toBe(
      'it answered 400: the node gets no secrets: its evidence does not satisfy the policy of the fleet: ' +
        'The measured software is in the policy',
    );
    expect(node.given).toEqual([]);
  });

  const hostile: readonly [string, RegExp, (body: string) => Promise<string> | string, path: 'GET' | 'POST'][] = [
    ['other keys than were measured', /other keys/, (text) => text.replace(/sha256:\w{4}/, 'sha256:0000'), 'GET'],
    ['a nonce that is none', /nonce must be/, (text) => text.replace(/"nonce":"\w/, '"nonce":"'), 'GET'],
    ['a cut answer', /sealed/, (text) => text.slice(0, text.length / 2), 'POST'],
    ['cut secrets', /inside a frame/, (text) => text.replace(/.{8}"}$/, '"}'), 'POST'],
    ['an answer without limits', /exceeds/, () => 'x'.repeat(300_000), 'POST'],
    ['secrets for another key', /not sealed to the key/, async () => sealedFor(createSealingKey().publicKey), 'POST'],
  ];
  it.each(hostile)('refuses %s', async (_what, reason, change, method) => {
    const node = await openNode();
    const { joiner, steps } = openJoiner([node.origin]);
    const [giver] = await joiner.findGivers({ signal });
    const send: Giver['send'] = async (input, init) => {
      const answer = await giver!.send(input, init);
      if ((init?.method ?? 'GET') !== method) return answer;
      return new Response(await change(await answer.text()), { status: answer.status });
    };
    const leaving = new AbortController();
    const received = expect(joiner.receive([{ ...giver!, send }], await startedEnclave(), leaving)).rejects.toThrow();
    await expect.poll(() => steps.find(({ state }) => state === 'refused')?.text).toMatch(reason);
    leaving.abort(new Error('left'));
    await received;
    expect(JSON.stringify(steps)).not.toContain(secretCanary);
  });

  async function sealedFor(key: Uint8Array): Promise<string> {
    const secrets = new SharedSecrets({ databaseUrl: Buffer.from('postgres://attacker') });
    return formatSealedSecrets(await sealBytes(secrets.encode(), key));
  }

  it('opens only what was sealed to its key, and parses nothing else', async () => {
    const key = createSealingKey();
    const sealed = await sealBytes(new SharedSecrets({ databaseUrl: Buffer.from('a') }).encode(), key.publicKey);
    expect(openSecrets(sealed, key).names).toEqual(['databaseUrl']);
    expect(() => openSecrets(sealed, createSealingKey())).toThrow('not sealed to the key');
    expect(() => openSecrets({ ...sealed, encapsulatedKey: new Uint8Array(32) }, key)).toThrow('not sealed');
    const nothing = { ...sealed, sealed: new Uint8Array() };
    expect(() => openSecrets(nothing, key)).toThrow('do not begin with their version');
  });
});

describe('a running node', () => {
  let node: GivingNode;
  let enclave: Enclave;
  beforeAll(async () => {
    node = await openNode();
    enclave = await startedEnclave();
  });
  afterAll(close);

  const post = (nonce: string, payload: string, to = node) =>
    to.app.app.inject({
      ...{ method: 'POST', url: `/v1/fleet/join?nonce=${nonce}`, payload },
      headers: { 'content-type': 'application/json' },
    });
  const nonceOf = async (to = node) => parseJoinChallenge((await to.app.get('/v1/fleet/join')).text).nonce;

  interface Attempt {
    readonly to?: GivingNode;
    /** The enclave whose evidence is sent, and the one that makes the quote over the key. */
    readonly evidence?: Enclave;
    readonly quoting?: Enclave;
    readonly nonce?: string;
    readonly giver?: string;
    readonly change?: (request: { recipientKey: Uint8Array; quote: Uint8Array; report: string }) => string;
  }

  /** One attempt of a node that does everything right except for what is given. */
  async function attempt({ to = node, evidence = enclave, quoting = evidence, ...given }: Attempt = {}) {
    // Attempts are limited; the tests of limits do not move the clock.
    to.advance(60_000);
    const taken = await nonceOf(to);
    const nonce = given.nonce ?? taken;
    const key = createSealingKey();
    const giver = given.giver ?? to.app.enclave.identity.digest;
    const statement = { giver, nonce, recipientKey: key.publicKey };
    const request = {
      recipientKey: key.publicKey,
      quote: await quoting.proveJoin(statement, { signal }),
      report: await evidence.report({ nonce, client: String(Math.random()) }),
    };
    const answer = await post(taken, given.change?.(request) ?? formatJoinRequest(request), to);
    return { status: answer.statusCode, body: answer.body, key, nonce: taken };
  }

  async function expectRefusal(attempted: Awaited<ReturnType<typeof attempt>>, reason: string, to = node) {
    expect([attempted.status, JSON.parse(attempted.body).details.code]).toEqual([400, 'ERR_REQUEST_INVALID']);
    expect(attempted.body).toContain(reason);
    expect(attempted.body + to.app.log()).not.toContain(secretCanary);
    expect(to.refusals.at(-1)).toContain(reason);
  }

  it('gives a nonce to anyone, and the secrets once for each', async () => {
    const { status, nonce } = await attempt();
    expect(status).toBe(200);
    const again = await post(nonce, '{}');
    expect([again.statusCode, JSON.parse(again.body).error]).toEqual([
      ...[400, expect.stringContaining('the nonce is not one of this node, or too old, or it was used before')],
    ]);
  });

  it('refuses a nonce after a minute, one that it did not make, and a request without one', async () => {
    const old = await nonceOf();
    node.advance(60_000);
    for (const nonce of [old, 'ab'.repeat(32), '']) expect((await post(nonce, '{}')).statusCode).toBe(400);
  });

  it('refuses evidence for another nonce', async () => {
    const other = await attempt({ nonce: 'ab'.repeat(32) });
    await expectRefusal(other, 'does not satisfy the policy of the fleet');
  });

  it('refuses a node that runs other software than the policy lists', async () => {
    const to = await openNode({ policy: { ...fleetPolicy, measurements: otherSoftware } });
    await expectRefusal(await attempt({ to }), 'The measured software is in the policy', to);
  });

  it('refuses a node whose software the policy leaves open', async () => {
    const to = await openNode({ policy: { measurements: 'any', sources: 'any' } });
    await expectRefusal(await attempt({ to }), 'does not satisfy the policy of the fleet', to);
  });

  it('refuses a start log that is not complete', async () => {
    const evidence = await startedEnclave(testStartLog.slice(0, -1));
    await expectRefusal(await attempt({ evidence }), 'does not satisfy the policy of the fleet');
  });

  it('refuses a simulated node if its policy has a requirement that only hardware meets', async () => {
    for (const demand of [{ platformIds: ['00'.repeat(16)] }, { gpuRequired: true }, { tcbEvaluationMin: 1 }]) {
      const to = await openNode({ policy: { ...fleetPolicy, ...demand } });
      await expectRefusal(await attempt({ to }), 'does not satisfy the policy of the fleet', to);
    }
  });

  it('refuses another key than the quote is over', async () => {
    const { publicKey } = createSealingKey();
    const stolen = await attempt({ change: (request) => formatJoinRequest({ ...request, recipientKey: publicKey }) });
    await expectRefusal(stolen, 'its quote was made for another nonce, key or node');
  });

  it('refuses a quote that was made for another node', async () => {
    await expectRefusal(await attempt({ giver: `sha256:${'00'.repeat(32)}` }), 'made for another nonce, key or node');
  });

  it('refuses the evidence of a node together with the quote of another machine', async () => {
    const quoting = await startedEnclave();
    await expectRefusal(await attempt({ quoting }), 'made for another nonce, key or node');
  });

  it('refuses evidence that any client can fetch, without a quote over a key', async () => {
    const channel = { nonce: 'cd'.repeat(32), exporter: 'cd'.repeat(32), certificate: 'cd'.repeat(32), client: 'x' };
    const proof = JSON.parse(await enclave.proveChannel(channel)) as { quote: string };
    const quote = new Uint8Array(Buffer.from(proof.quote, 'base64'));
    const stolen = await attempt({ change: (request) => formatJoinRequest({ ...request, quote }) });
    await expectRefusal(stolen, 'made for another nonce, key or node');
  });

  it('refuses cut and malformed requests without repeating them', async () => {
    const marked = 'canary-of-a-caller';
    const cut = await attempt({ change: (request) => formatJoinRequest(request).slice(0, -2) });
    await expectRefusal(cut, 'its request is malformed (ERR_EVIDENCE_MALFORMED)');
    const foreign = await attempt({ change: () => JSON.stringify({ [marked]: 1 }) });
    await expectRefusal(foreign, 'its request is malformed');
    expect(foreign.body).not.toContain(marked);
    const report = await attempt({ change: (request) => formatJoinRequest({ ...request, report: `{"${marked}":1}` }) });
    await expectRefusal(report, 'does not satisfy the policy of the fleet');
    expect(report.body).not.toContain(marked);
    node.advance(60_000);
    const large = await post(await nonceOf(), ' '.repeat(2 * 1024 * 1024 + 1));
    expect(large.statusCode).toBe(413);
  });

  it('limits the attempts of a network', async () => {
    node.advance(60_000);
    const statuses: number[] = [];
    for (let count = 0; count < 7; count++) statuses.push((await post(await nonceOf(), '{}')).statusCode);
    expect(statuses).toEqual([...Array(6).fill(400), 429]);
    node.advance(5_000);
    expect((await post(await nonceOf(), '{}')).statusCode).toBe(400);
  });

  it('receives at most 16 requests at once', async () => {
    const to = await openNode();
    const { giver } = to.fleet;
    const nonces = await Promise.all(Array.from({ length: 17 }, () => nonceOf(to)));
    const [last, ...others] = nonces;
    for (const [index, nonce] of others.entries()) giver!.admit(`192.0.2.${index}`, nonce);
    const admitLast = () => giver!.admit('198.51.100.1', last);
    expect(admitLast).toThrow(expect.objectContaining({ code: 'ERR_RATE_LIMIT' }));
    giver!.end();
    expect(admitLast()).toBe(last);
  });

  it('gives nothing while it drains', async () => {
    const to = await openNode();
    await to.fleet.start();
    const nonce = await nonceOf(to);
    await to.fleet.drain();
    const answers = [await to.app.get('/v1/fleet/join'), await post(nonce, '{}', to)];
    for (const answer of answers) {
      const [status, text] = 'text' in answer ? [answer.status, answer.text] : [answer.statusCode, answer.body];
      expect([status, JSON.parse(text).details.code]).toEqual([503, 'ERR_DRAINING']);
    }
  });

  it('answers 404 without --fleet-secrets', async () => {
    const to = await openNode({ gives: false });
    expect((await to.app.get('/v1/fleet/join')).status).toBe(404);
    expect((await post('ab'.repeat(32), '{}', to)).statusCode).toBe(404);
  });
});
