/**
 * Relay-proof channel: an attacker who stole the TLS key can terminate connections and relay the server's genuine quotes, and still
 * receives nothing. A thousand scripted relays over real sockets, against the real application.
 */
import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelExporter } from '../../../attestation/base/channel-data.ts';
import { attestServer } from '../../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../../attestation/client/attested-fetch.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { serverCertificate } from '../../../server/tls/certificate.ts';
import { makeIdentity, type TlsIdentity } from '../../../server/tls/tls.ts';
import { startLogWith } from '../../support/attestation/attested-server.ts';
import {
  askServer,
  certificateDigest,
  nonceOf,
  type Relay,
  type RelayOptions,
  startRelay,
} from '../../support/attestation/relay.ts';
import { type AttestedApp, appNowMs, startAttestedApp } from '../../support/server/attested-app.ts';
import { modelId } from '../../support/server/test-app.ts';

const policy: EvidencePolicy = { measurements: 'any', sources: [{ repoCommit: 'c0ffee' }] };
const source = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null };
const secret = 'a canary that nobody may see';
let app: AttestedApp;
let port: number;
let roots: readonly Uint8Array[];
const relays: Relay[] = [];

beforeAll(async () => {
  app = await startAttestedApp({ script: (chat) => void chat.answer('Good', ' day') });
  for (const event of startLogWith('build', { source })) await app.platform.measure(event);
  port = Number(new URL(await app.listen()).port);
  roots = [app.platform.simulation!.rootCa];
});
afterAll(async () => {
  for (const relay of relays) await relay.close();
  await app.close();
});

const client = () => attestedFetch(policy, { roots, now: () => appNowMs });
const ask = { model: modelId, messages: [{ role: 'user', content: secret }] };
const request = () => ({
  method: 'POST',
  headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
  body: JSON.stringify(ask),
});

async function start(options: Omit<RelayOptions, 'identity' | 'target'> & { identity?: TlsIdentity }): Promise<Relay> {
  const relay = await startRelay({ identity: app.identity, target: { port }, ...options });
  relays.push(relay);
  return relay;
}

/** @returns how often each refusal came, by its code and the beginning of its message */
async function attempt(
  relay: Relay,
  count: number,
  options: { refill?: boolean; afterFirst?: () => void } = {},
): Promise<Map<string, number>> {
  const outcomes = new Map<string, number>();
  const send = client();
  // The server limits the nonces per minute.
  app.advance(60_000);
  const one = async () => {
    if (options.refill === true) app.advance(10_000);
    const outcome = await send(`${relay.origin}/v1/chat/completions`, request()).then(
      (answer) => `answered ${answer.status}`,
      (error) => `${error.code ?? error.cause?.code}: ${String(error.message).slice(0, 60)}`,
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  await one();
  options.afterFirst?.();
  for (let done = 1; done < count; ) {
    const batch = Math.min(options.refill === true ? 1 : 8, count - done);
    await Promise.all(Array.from({ length: batch }, one));
    done += batch;
  }
  return outcomes;
}

/** Every attempt was refused for `reason`, and neither the relay nor the server received the request. */
function expectRefused(relay: Relay, outcomes: Map<string, number>, count: number, reason: RegExp): void {
  expect([...outcomes.keys()]).toEqual([...outcomes.keys()].filter((outcome) => reason.test(outcome)));
  expect([...outcomes.values()].reduce((a, b) => a + b, 0)).toBe(count);
  expect(relay.stolen).toEqual([]);
  expect(relay.resumed()).toBe(0);
  expect(app.engine.chats).toHaveLength(0);
}

const boundElsewhere =
  /^ERR_NOT_VERIFIED: (the proof was made for another connection|the quote of the connection was made f)/;

// Takes seconds on an idle machine: two handshakes for each relay.
describe('attestedFetch refuses 1,000 relays before it sends a byte of a request:', { timeout: 180_000 }, () => {
  it('250 relays with the stolen key that forward the proof of their own connection', async () => {
    const relay = await start({ proof: async (path) => (await askServer(port, path)).body });
    expectRefused(relay, await attempt(relay, 250), 250, boundElsewhere);
  });

  it('250 reflections: a proof over the same exporter, made for another certificate', async () => {
    const certificate = await certificateDigest(app.identity);
    const relay = await start({
      // The stolen key in a certificate of the relay's own: the server's key, so it is an attested one.
      identity: sameKeyOtherCertificate(app.identity),
      proof: async (path, socket) => {
        const exporter = socket.exportKeyingMaterial(channelExporter.bytes, channelExporter.label, Buffer.alloc(0));
        const call = { nonce: nonceOf(path), exporter: exporter.toString('hex'), certificate, client: 'a peer' };
        return app.enclave.proveChannel(call);
      },
    });
    expectRefused(relay, await attempt(relay, 250), 250, boundElsewhere);
  });

  it('150 relays that resume a TLS session with the server', async () => {
    const statuses = new Set<number>();
    const relay = await start({
      proof: async (path) => {
        const first = await askServer(port, path);
        const again = await askServer(port, path, first.session);
        expect(again.isResumed).toBe(true);
        statuses.add(again.status);
        return first.body;
      },
    });
    expectRefused(relay, await attempt(relay, 150), 150, boundElsewhere);
    // The server proves no connection on which it presented no certificate.
    expect([...statuses]).toEqual([400]);
  });

  it('150 relays that send a recorded proof early, before the request for it', async () => {
    const recorded = await askServer(port, `/v1/aci/channel?nonce=${'0f'.repeat(32)}`);
    let isVerified = false;
    let sent = 0;
    const relay = await start({
      unasked: () => {
        if (!isVerified) return undefined;
        sent += 1;
        return `HTTP/1.1 200 OK\r\ncontent-length: ${recorded.body.length}\r\n\r\n${recorded.body}`;
      },
      proof: async () => recorded.body,
    });
    const afterFirst = () => {
      isVerified = true;
    };
    expectRefused(relay, await attempt(relay, 150, { afterFirst }), 150, boundElsewhere);
    expect(sent).toBe(149);
  });

  it('150 relays that downgrade to TLS 1.2, which allows renegotiation', async () => {
    const relay = await start({ proof: async (path) => (await askServer(port, path)).body });
    const outcomes = await attempt(relay, 150, { afterFirst: () => relay.speakOnly('TLSv1.2') });
    expectRefused(
      relay,
      outcomes,
      150,
      new RegExp(`${boundElsewhere.source}|^ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION|^ERR_SSL_`),
    );
    expect([...outcomes.values()]).toEqual([1, 149]);
  });

  it('50 proxies that terminate TLS with their own key', async () => {
    const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    const relay = await start({ identity, proof: async (path) => (await askServer(port, path)).body });
    expectRefused(relay, await attempt(relay, 50, { refill: true }), 50, /^ERR_NOT_VERIFIED: .* is not verified/);
  });
});

it('a policy with channel "key" accepts a relay with the stolen key', async () => {
  app.advance(60_000);
  const relay = await start({ proof: async () => '' });
  const send = attestedFetch({ ...policy, channel: 'key' }, { roots, now: () => appNowMs });
  await send(`${relay.origin}/v1/chat/completions`, request());
  expect(relay.stolen).toEqual([expect.stringContaining(secret)]);
});

it('cloister verify and attestServer reject a relay with the stolen key', async () => {
  app.advance(60_000);
  const relay = await start({ proof: async (path) => (await askServer(port, path)).body });
  const outcomeOf = async (wishes: EvidencePolicy, origin = relay.origin) => {
    const { verification } = await attestServer(origin, { policy: wishes, roots, now: () => appNowMs });
    const { outcome, reason } = verification.checks.find(({ id }) => id === 'connection')!;
    return { outcome, reason, acceptable: verification.acceptable, verdict: verification.verdict };
  };
  expect(await outcomeOf(policy)).toEqual({
    outcome: 'fail',
    reason: expect.stringMatching(/the proof was made for another connection|the quote of the connection was made for/),
    acceptable: false,
    verdict: 'not-verified',
  });
  expect(await outcomeOf({ ...policy, channel: 'key' })).toMatchObject({ outcome: 'not-checked', acceptable: true });
  expect(await outcomeOf(policy, `https://localhost:${port}`)).toMatchObject({ outcome: 'pass', acceptable: true });
});

describe('the honest server', () => {
  it('proves each connection with a separate quote', async () => {
    app.advance(60_000);
    const send = client();
    const origin = `https://localhost:${port}`;
    const before = app.enclave.channelQuotes.counts;
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(`${origin}/v1/chat/completions`, request())));
    for (const answer of answers) expect(answer.status).toBe(200);
    const { pooled, direct, shared } = app.enclave.channelQuotes.counts;
    expect([pooled + direct - before.pooled - before.direct, shared - before.shared]).toEqual([4, 0]);
  });

  it('issues session tickets that allow no early data', async () => {
    const { output, reason } = await openssl(['s_client', '-connect', `127.0.0.1:${port}`, '-tls1_3', '-ign_eof']);
    if (output === undefined) return console.log(`skipped: ${reason}`);
    expect(output).toMatch(/Max Early Data: 0/);
    expect(output).not.toMatch(/Max Early Data: [1-9]/);
  });
});

/** The same private key in a certificate that differs. */
function sameKeyOtherCertificate({ key }: TlsIdentity): TlsIdentity {
  const privateKey = createPrivateKey(key);
  const certificate = serverCertificate({
    privateKey,
    publicKey: createPublicKey(privateKey),
    commonName: 'Cloister',
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
  });
  return { certificate, key };
}

function openssl(parameters: string[]): Promise<{ output?: string; reason?: string }> {
  return new Promise((resolve) => {
    const child = execFile('openssl', parameters, { timeout: 5_000 }, (error, output) => {
      if (error !== null && output === '') resolve({ reason: `openssl cannot be run: ${error.message}` });
      else resolve({ output });
    });
    child.stdin?.end('GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n');
  });
}
