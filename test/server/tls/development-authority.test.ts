import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { type AuthorityFiles, openAuthority } from '../../../server/tls/development-authority.ts';
import { byServerName, makeIdentity, subjectNames, tlsOptions, useIdentity } from '../../../server/tls/tls.ts';

const now = Date.now();
const dayMs = 86_400_000;

function newFiles(): AuthorityFiles {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-authority-'));
  return { certificate: join(folder, 'certificate.pem'), key: join(folder, 'certificate-key.pem') };
}

const open = (files: AuthorityFiles, { host = 'localhost', at = now } = {}) =>
  openAuthority(files, { names: subjectNames(host), now: at });

/** @returns the result of a client that trusts only `ca` and connects to a server with this certificate */
async function call(options: { issuer: ReturnType<typeof open>; host: string; ca: string; name?: string }) {
  const { issuer, host, ca, name = 'localhost' } = options;
  const server = https.createServer(tlsOptions(makeIdentity({ host, issuer, now })), (_, response) =>
    response.end('yes'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const request = https.get({ host: '127.0.0.1', port, ca, servername: name, agent: false });
    const [response] = await once(request, 'response');
    return response.statusCode as number;
  } catch (error) {
    return (error as Error).message;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('the development authority', () => {
  it('is kept across restarts, so that a client keeps trusting servers with new keys', async () => {
    const files = newFiles();
    const first = open(files);
    const ca = readFileSync(files.certificate, 'utf8');
    const again = open(files);
    expect(again.certificate).toBe(ca);
    expect(readFileSync(files.certificate, 'utf8')).toBe(ca);
    expect(statSync(files.key).mode & 0o777).toBe(0o600);
    const keys = [first, again].map((issuer) => makeIdentity({ host: 'localhost', issuer, now }).key);
    expect(keys[0]).not.toBe(keys[1]);
    for (const issuer of [first, again]) expect(await call({ issuer, host: 'localhost', ca })).toBe(200);
  });

  it('certifies no other name and no other authority', async () => {
    const files = newFiles();
    const issuer = open(files);
    const ca = issuer.certificate;
    expect(await call({ issuer, host: 'bank.example', ca, name: 'bank.example' })).toBe('permitted subtree violation');
    expect(new X509Certificate(ca).ca).toBe(true);
    expect(new X509Certificate(makeIdentity({ host: 'localhost', issuer, now }).certificate).ca).toBe(false);
  });

  it('certifies further names of the server', async () => {
    const names = ['api.internal'];
    const issuer = openAuthority(newFiles(), { names: subjectNames('localhost', names), now });
    const server = https.createServer(
      tlsOptions(makeIdentity({ host: 'localhost', names, issuer, now })),
      (_, response) => response.end('yes'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const ca = issuer.certificate;
    const request = https.get({ host: '127.0.0.1', port, ca, servername: 'api.internal', agent: false });
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    server.close();
    server.closeAllConnections();
  });

  it('shows clients that connect by name a certificate without addresses, and others one with them', async () => {
    const issuer = open(newFiles());
    const identity = makeIdentity({ host: 'localhost', issuer, now });
    const server: https.Server = https.createServer({ ...tlsOptions(identity), ...byServerName(() => server) });
    useIdentity(server, identity);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const shown = async (servername?: string) => {
      const socket = tls.connect({
        host: '127.0.0.1',
        port,
        ca: issuer.certificate,
        ...(servername && { servername }),
      });
      await once(socket, 'secureConnect');
      const { subjectaltname: names, pubkey } = socket.getPeerCertificate();
      socket.destroy();
      return { names, key: pubkey?.toString('hex') };
    };
    const [byName, byAddress] = [await shown('localhost'), await shown()];
    expect(byName.names).toMatch(/DNS:localhost/);
    expect(byName.names).not.toContain('IP');
    expect(byAddress.names).toMatch(/DNS:localhost.*IP Address:127\.0\.0\.1/);
    expect(byName.key).toBe(byAddress.key);
    server.close();
  });

  it('is replaced if its key is missing, it expires within a month, or the machine’s name changed', () => {
    const files = newFiles();
    const first = open(files).certificate;
    expect(open(files, { at: now + 360 * dayMs }).certificate).toBe(first);
    const later = open(files, { at: now + 370 * dayMs }).certificate;
    expect(later).not.toBe(first);
    const renamed = open(files, { host: 'api.example.org', at: now + 370 * dayMs }).certificate;
    expect(renamed).not.toBe(later);
    rmSync(files.key);
    expect(open(files, { host: 'api.example.org', at: now + 370 * dayMs }).certificate).not.toBe(renamed);
  });
});
