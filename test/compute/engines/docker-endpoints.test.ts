/** The three transports to a Docker engine, each with a server that the test runs. */
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerApi } from '../../../compute/engines/docker/docker-api.ts';
import { type DockerEndpoint, dockerClient } from '../../../compute/engines/docker/endpoint.ts';
import { serverCertificate } from '../../../server/tls/certificate.ts';
import { makeSshKey } from '../../support/compute/ssh-login.ts';

const call = { signal: new AbortController().signal, timeoutMs: 5000, changes: false };
const ask = (endpoint: DockerEndpoint) =>
  new DockerApi(dockerClient(endpoint)).send(call, { method: 'GET', path: '/version' });
const answer = { Version: '1' };

describe('an engine behind TLS', () => {
  const host = makeCertificate('127.0.0.1');
  const client = makeCertificate('client');
  const stranger = makeCertificate('stranger');
  let server: HttpsServer;
  let port: number;

  beforeAll(async () => {
    const known = new X509Certificate(client.cert).fingerprint256;
    // The test certificates are valid for servers only, so this server checks client certificates itself.
    const options = { cert: host.cert, key: host.key, requestCert: true, rejectUnauthorized: false };
    server = createHttpsServer(options, (request, response) => {
      const { fingerprint256 } = (request.socket as TLSSocket).getPeerCertificate();
      if (fingerprint256 === known) response.end(JSON.stringify(answer));
      else request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => server.close());

  const endpoint = (fields: { ca?: string; cert?: string; key?: string } = {}): DockerEndpoint => ({
    transport: 'tls',
    host: '127.0.0.1',
    port,
    ca: host.cert,
    cert: client.cert,
    key: client.key,
    ...fields,
  });

  it('answers a client with a trusted certificate', async () => {
    expect(await ask(endpoint())).toEqual(answer);
  });

  it('receives no request if its certificate differs from the configured one', async () => {
    await expect(ask(endpoint({ ca: stranger.cert }))).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });

  it('rejects clients without a trusted certificate', async () => {
    const { cert, key } = stranger;
    await expect(ask(endpoint({ cert, key }))).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });
});

describe('an engine behind SSH', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-ssh-'));
  const socketPath = join(folder, 'docker.sock');
  const hostKey = makeSshKey();
  const clientKey = makeSshKey();
  const ran: string[] = [];
  const warnings: Error[] = [];
  const events = new EventEmitter();
  const warn = (warning: Error) => void warnings.push(warning);
  let connections = 0;
  let engine: HttpServer;
  let server: ssh2.Server;
  let port: number;

  beforeAll(async () => {
    process.on('warning', warn);
    engine = createHttpServer((_, response) => response.end(JSON.stringify(answer)));
    await new Promise<void>((resolve) => engine.listen(socketPath, resolve));
    const allowed = parsedKey(clientKey.public).getPublicSSH();
    server = new ssh2.Server({ hostKeys: [hostKey.private] }, (connection) => {
      connections += 1;
      events.emit('opened');
      connection.on('close', () => {
        connections -= 1;
      });
      connection.on('error', () => undefined);
      connection.on('authentication', (context) => {
        if (context.method === 'publickey' && context.key.data.equals(allowed)) context.accept();
        else context.reject(['publickey']);
      });
      connection.on('session', (accept) => {
        accept().on('exec', (acceptExec, _, { command }) => {
          ran.push(command);
          events.emit('ran');
          const stream = acceptExec();
          const upstream = connect(socketPath);
          upstream.on('error', () => stream.end());
          stream.on('error', () => upstream.destroy());
          stream.pipe(upstream).pipe(stream);
        });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    process.off('warning', warn);
    server.close();
    engine.closeAllConnections();
    engine.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const endpoint = (fields: { privateKey?: string; hostKeyFingerprint?: string } = {}): DockerEndpoint => ({
    transport: 'ssh',
    host: '127.0.0.1',
    port,
    username: 'cloister',
    privateKey: clientKey.private,
    hostKeyFingerprint: fingerprint(hostKey.public),
    ...fields,
  });

  it('answers through the one command that Docker has for this', async () => {
    expect(await ask(endpoint())).toEqual(answer);
    expect(ran).toEqual(['docker system dial-stdio']);
  });

  it('accepts repeated and concurrent requests, and leaves the connection usable for Node', async () => {
    expect(await Promise.all(Array.from({ length: 5 }, () => ask(endpoint())))).toEqual(Array(5).fill(answer));
    expect(await ask(endpoint())).toEqual(answer);
    expect(warnings).toEqual([]);
  });

  it('is left without a connection, also if the client disconnects during login or before the answer', async () => {
    for (const point of ['opened', 'ran']) {
      const leaving = new AbortController();
      events.once(point, () => leaving.abort());
      const asked = new DockerApi(dockerClient(endpoint())).send(
        { ...call, signal: leaving.signal },
        { method: 'GET', path: '/version' },
      );
      await expect(asked).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
      await expect.poll(() => connections, { timeout: 5_000 }).toBe(0);
    }
  });

  it('receives no request if the host has a different key', async () => {
    const before = ran.length;
    const other = endpoint({ hostKeyFingerprint: fingerprint(makeSshKey().public) });
    await expect(ask(other)).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    expect(ran).toHaveLength(before);
  });

  it('rejects other keys', async () => {
    const other = endpoint({ privateKey: makeSshKey().private });
    await expect(ask(other)).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });
});

function makeCertificate(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = serverCertificate({
    publicKey,
    privateKey,
    commonName: name,
    dnsNames: [],
    ipAddresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

function parsedKey(text: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  return Array.isArray(key) ? key[0]! : key;
}

function fingerprint(publicKey: string): string {
  const digest = createHash('sha256').update(parsedKey(publicKey).getPublicSSH()).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}
