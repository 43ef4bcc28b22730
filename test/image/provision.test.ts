/** Provisioning of secrets: both sides of the handshake over real connections, on a simulated platform. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PinnedAgent, sendPinned } from '../../attestation/client/pinned-https.ts';
import type { Policy } from '../../attestation/policy/policy.ts';
import { type Secrets, secretNames } from '../../attestation/provision/provision.ts';
import { createSimulatedPlatform, type SimulatedPlatform } from '../../attestation/simulate/platform.ts';
import type { SimulatedTd } from '../../attestation/simulate/quote-writer.ts';
import { operatorKeyHex, provision } from '../../image/provision-client.ts';
import { receiveSecrets } from '../../server/guest/provision.ts';
import { formatProvisionRequest, parseProvisionRequest } from '../../server/guest/provision-request.ts';

const nowMs = Date.now();
const operator = generateKeyPairSync('ed25519').privateKey;
const secrets: Secrets = { databaseUrl: 'postgres://cloister:hidden@10.0.0.2/accounts' };
const mrTd = new Uint8Array(48).fill(3);
const register = (byte: number) => new Uint8Array(48).fill(byte);
const boot = { mrTd, rtmrs: [register(0), register(1), register(2), register(0)] };
const registers = { rtmr1: '01'.repeat(48), rtmr2: '02'.repeat(48) };
const policy: Policy = { measurements: [{ mrTd: '03'.repeat(48), ...registers }], rtmr3: 'any' };
const agents: PinnedAgent[] = [];
let platform: SimulatedPlatform;

beforeAll(async () => {
  platform = await createSimulatedPlatform(nowMs);
});
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

/** Starts a guest that waits for secrets. */
async function guest({
  td = boot,
  wanted = ['databaseUrl'] as const,
}: {
  td?: SimulatedTd;
  wanted?: readonly 'databaseUrl'[];
} = {}) {
  const listening = Promise.withResolvers<number>();
  const received = receiveSecrets({
    platform: { quote: (reportData) => platform.quote(reportData, td) },
    operatorKey: Buffer.from(operatorKeyHex(operator), 'hex'),
    wanted,
    host: '127.0.0.1',
    port: 0,
    now: () => nowMs,
    onListening: listening.resolve,
  });
  return { origin: `https://127.0.0.1:${await listening.promise}`, received };
}

function bring(
  origin: string,
  changes: { secrets?: Secrets; operatorKey?: KeyObject; policy?: Policy } = {},
): Promise<void> {
  return provision({
    origin,
    secrets: changes.secrets ?? secrets,
    operatorKey: changes.operatorKey ?? operator,
    trust: { policy: changes.policy ?? policy, roots: [platform.rootCa], collateral: platform.collateral, nowMs },
    signal: AbortSignal.timeout(20_000),
  });
}

async function send(
  origin: string,
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  const agent = new PinnedAgent({ accept: () => undefined });
  agents.push(agent);
  const body = init.body === undefined ? undefined : new TextEncoder().encode(init.body);
  const headers = new Headers(init.headers);
  return await sendPinned(agent, { url: new URL(path, origin), method: init.method ?? 'GET', headers, body });
}

describe('provisioning', () => {
  it('reaches a guest that matches the policy, which then closes its port', async () => {
    const { origin, received } = await guest();
    await bring(origin);
    expect(await received).toEqual(secrets);
    await expect(bring(origin)).rejects.toThrow();
  });

  it('sends no secrets to a guest that does not match the policy or has a non-zero RTMR3', async () => {
    const { origin, received } = await guest({ td: { ...boot, mrTd: register(4) } });
    await expect(bring(origin)).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
    await bring(origin, { policy: { measurements: [{ mrTd: '04'.repeat(48), ...registers }] } });
    await received;
    const started = await guest({ td: { ...boot, rtmrs: [...boot.rtmrs.slice(0, 3), register(1)] } });
    await expect(bring(started.origin)).rejects.toThrow(/rtmr3/);
    await bring(started.origin, { policy }).catch(() => undefined);
  });

  it('sends no secrets with a policy that accepts other software: of one register, or of any', async () => {
    const { origin, received } = await guest();
    for (const measurements of [[{ mrTd: '03'.repeat(48) }], [{ mrOwner: '00'.repeat(48) }], 'any' as const]) {
      await expect(bring(origin, { policy: { measurements } })).rejects.toThrow(/software: .*RTMR1/);
    }
    await bring(origin);
    await received;
  });

  it("is rejected with another operator's signature, and the guest keeps waiting", async () => {
    const { origin, received } = await guest();
    const other = generateKeyPairSync('ed25519').privateKey;
    await expect(bring(origin, { operatorKey: other })).rejects.toThrow(/403.*not signed by the operator/);
    await bring(origin);
    expect(await received).toEqual(secrets);
  });

  it('is rejected with a missing or unrequested secret, without repeating its value', async () => {
    const { origin, received } = await guest();
    for (const wrong of [{}, { ...secrets, tlsKey: 'KEY' }]) {
      const refused = bring(origin, { secrets: wrong });
      await expect(refused).rejects.toThrow(/400/);
      await refused.catch((error: Error) => expect(error.message).not.toMatch(/hidden|KEY/));
    }
    await bring(origin);
    await received;
  });
});

describe('a waiting guest', () => {
  it.each([
    ['/v1/provision', {}, 400, /nonce must be/],
    [`/v1/provision?nonce=${'A'.repeat(64)}`, {}, 400, /nonce must be/],
    ['/v1/chat/completions', {}, 404, /there is only/],
    ['/v1/provision', { method: 'DELETE' }, 405, /GET and POST/],
    ['/v1/provision', { method: 'POST', body: JSON.stringify({ secrets }) }, 400, /is not sealed/],
    [
      '/v1/provision',
      { method: 'POST', body: 'x'.repeat(70_000), headers: { 'ehbp-encapsulated-key': '09'.repeat(32) } },
      400,
      /./,
    ],
  ] as const)('answers %s %j with %i', async (path, init, status, message) => {
    const { origin, received } = await guest();
    const response = await send(origin, path, init as Parameters<typeof send>[2]);
    expect([response.status, message.test(await response.text())]).toEqual([status, true]);
    await bring(origin);
    await received;
  });

  it('reports the missing quote service of its host', async () => {
    const listening = Promise.withResolvers<number>();
    const { AttestationError } = await import('../../attestation/base/errors.ts');
    let isBroken = true;
    const received = receiveSecrets({
      platform: {
        quote: (reportData) =>
          isBroken
            ? Promise.reject(new AttestationError('ERR_QUOTE_SERVICE_UNREACHABLE', 'the host has no quote service'))
            : platform.quote(reportData, boot),
      },
      operatorKey: Buffer.from(operatorKeyHex(operator), 'hex'),
      wanted: ['databaseUrl'],
      host: '127.0.0.1',
      port: 0,
      now: () => nowMs,
      onListening: listening.resolve,
    });
    const origin = `https://127.0.0.1:${await listening.promise}`;
    await expect(bring(origin)).rejects.toThrow(/503.*no quote service/);
    isBroken = false;
    await bring(origin);
    await received;
  });
});

describe('the provisioning request on the configuration disk', () => {
  const operatorKey = new Uint8Array(32).fill(9);

  it('is parsed as it was formatted', () => {
    for (const wanted of [['databaseUrl'], ['tlsCert', 'tlsKey'], [...secretNames]] as const) {
      const wish = { operatorKey, secrets: wanted };
      expect(parseProvisionRequest(formatProvisionRequest(wish))).toEqual({
        operatorKey: new Uint8Array(operatorKey),
        secrets: wanted,
      });
    }
  });

  it.each([[], ['tlsKey'], ['databaseUrl', 'databaseUrl'], ['password']])('rejects the secret names %j', (...named) => {
    const text = JSON.stringify({ operatorKey: '09'.repeat(32), secrets: named });
    expect(() => parseProvisionRequest(text)).toThrow(/secrets must be some of|at most/);
  });
});
