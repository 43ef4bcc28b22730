/** `GET /v1/aci/channel`: the server side of an attested connection. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AttestationError } from '../../../attestation/base/errors.ts';
import { readChannelProof, requireBoundChannel } from '../../../attestation/client/bound-channel.ts';
import { NewConnection } from '../../../attestation/client/new-connection.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import { makeIdentity, tlsOptions } from '../../../server/tls/tls.ts';
import { type AttestedApp, appNowMs, startAttestedApp } from '../../support/server/attested-app.ts';
import { startTestApp } from '../../support/server/test-app.ts';

const nonce = '0f'.repeat(32);
const path = '/v1/aci/channel';
const url = `${path}?nonce=${nonce}`;
const bytesMax = 32 * 1024;
let app: AttestedApp;
let port: number;
const sockets: TLSSocket[] = [];

beforeAll(async () => {
  app = await startAttestedApp();
  port = Number(new URL(await app.listen()).port);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

async function open(to = port): Promise<NewConnection> {
  const socket = connect({ port: to, host: '127.0.0.1', rejectUnauthorized: false });
  sockets.push(socket);
  await once(socket, 'secureConnect');
  return new NewConnection(socket, 'localhost');
}
const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe('the proof of a connection', () => {
  it('covers the requesting connection, requires no key and leaves the connection open for requests', async () => {
    const connection = await open();
    const answer = await connection.get(url, { bytesMax });
    expect(answer.status).toBe(200);
    const proof = readChannelProof(answer.body);
    expect(() => requireBoundChannel(proof, { nonce, channel: connection.channel })).not.toThrow();
    const another = await open();
    expect(() => requireBoundChannel(proof, { nonce, channel: another.channel })).toThrow(/made for/);
    expect((await connection.get('/health/live', { bytesMax })).status).toBe(200);
  });

  it('is also available at an IPv6 address', async () => {
    const { headers } = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
      const server = https.createServer(tlsOptions(app.identity), (request, response) => {
        response.end();
        server.close();
        resolve(request);
      });
      server.once('error', reject).listen(0, '::1', async () => {
        const socket = connect({
          port: (server.address() as AddressInfo).port,
          host: '::1',
          rejectUnauthorized: false,
        });
        sockets.push(socket);
        await once(socket, 'secureConnect');
        await new NewConnection(socket, '::1').get(url, { bytesMax });
        socket.destroy();
      });
    });
    expect(headers.host).toMatch(/^\[::1\]:\d+$/);
  });

  it('is issued once per connection, and does not count towards the limits of reports', async () => {
    const connection = await open();
    expect((await connection.get(url, { bytesMax })).status).toBe(200);
    const again = await connection.get(url, { bytesMax });
    expect([again.status, textOf(again)]).toEqual([400, expect.stringContaining('open a new one')]);
    for (let count = 0; count < 20; count++) expect((await (await open()).get(url, { bytesMax })).status).toBe(200);
    expect((await app.get(`/v1/aci/attestation?nonce=${nonce}`)).status).toBe(200);
  });

  it.each(['', '?nonce=', '?nonce=0F', `?nonce=${nonce}&nonce=${nonce}`, `?nonce=${nonce}&exporter=${nonce}`])(
    'accepts exactly one nonce in the defined format: %j',
    async (query) => {
      expect((await (await open()).get(`${path}${query}`, { bytesMax })).status).toBe(400);
    },
  );

  it('is not issued if TLS does not terminate in this process', async () => {
    const { status, text } = await app.get(url);
    expect([status, JSON.parse(text).error.message]).toEqual([
      400,
      expect.stringMatching(/needs a TLS 1.3 connection/),
    ]);
  });

  it('names the certificate that this connection received, even if the certificate changed since', async () => {
    const before = await open();
    const next = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    (app.app.server as unknown as { setSecureContext(options: object): void }).setSecureContext(tlsOptions(next));
    const after = await open();
    for (const connection of [before, after]) {
      const proof = readChannelProof((await connection.get(url, { bytesMax })).body);
      expect(() => requireBoundChannel(proof, { nonce, channel: connection.channel })).not.toThrow();
    }
    expect(after.channel.certificate).not.toBe(before.channel.certificate);
  });
});

describe('a server without a quote', () => {
  it('has no such route, or requires a key for it', async () => {
    const plain = await startTestApp();
    const connection = await open(Number(new URL(await plain.listen()).port));
    expect((await connection.get(url, { bytesMax })).status).toBe(401);
    await plain.close();
  });

  it.each([
    ['ERR_QUOTE_TIMEOUT', 503],
    ['ERR_QUOTE_BUSY', 429],
  ] as const)('answers with the status of the report endpoint if the quote fails with %s', async (code, status) => {
    const platform = await openSimulatedPlatform(appNowMs);
    const quote = () => Promise.reject(new AttestationError(code, 'the machine says no'));
    const broken = await startAttestedApp({ enclave: { platform: { ...platform, startLog: [], quote } } });
    const connection = await open(Number(new URL(await broken.listen()).port));
    const answer = await connection.get(url, { bytesMax });
    expect(answer.status).toBe(status);
    expect(textOf(answer)).not.toContain('the machine says no');
    await broken.close();
  });
});
