/** The certificate of the name that all nodes share, next to the one of the node. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedName } from '../../../server/tls/shared-name.ts';
import { byServerName, makeIdentity, tlsOptions } from '../../../server/tls/tls.ts';

const identityFor = (names: readonly string[]) => makeIdentity({ host: '0.0.0.0', names, now: Date.now() });
const shared = identityFor(['api.example.com', '*.nodes.example.com']);
const own = identityFor([]);
const bytesOf = ({ certificate, key }: typeof shared) => ({
  certificate: Buffer.from(certificate),
  key: Buffer.from(key),
});

describe('a server with a shared name', () => {
  const name = new SharedName(bytesOf(shared), { ownName: 'one.nodes.example.com' });
  const server: https.Server = https.createServer({ ...tlsOptions(own), ...byServerName(() => server, name) });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  async function shownTo(servername: string | undefined) {
    const { port } = server.address() as AddressInfo;
    const options = { host: '127.0.0.1', port, rejectUnauthorized: false };
    const socket = connect(servername === undefined ? options : { ...options, servername });
    await once(socket, 'secureConnect');
    const [certificate, protocol] = [socket.getPeerX509Certificate()!.toString(), socket.getProtocol()];
    socket.destroy();
    expect(protocol).toBe('TLSv1.3');
    return shared.certificate.includes(certificate.trim()) ? 'shared' : 'own';
  }

  it.each([
    ['api.example.com', 'shared'],
    ['API.example.com', 'shared'],
    ['two.nodes.example.com', 'shared'],
    // Other nodes verify this one by its own key.
    ['one.nodes.example.com', 'own'],
    ['api.example.org', 'own'],
    [undefined, 'own'],
  ])('shows to a client that asks for %s the %s certificate', async (servername, which) => {
    expect(await shownTo(servername)).toBe(which);
  });

  it('goes on showing it after its own certificate was replaced', async () => {
    server.setSecureContext(tlsOptions(identityFor(['other.example.com'])));
    expect([await shownTo('api.example.com'), await shownTo('one.nodes.example.com')]).toEqual(['shared', 'own']);
  });
});

it('refuses a certificate for another key, and one that is malformed, without repeating them', () => {
  const marked = 'canary-of-a-key';
  const wrong = [
    { ...bytesOf(shared), key: bytesOf(own).key },
    { ...bytesOf(shared), key: Buffer.from(marked) },
    { ...bytesOf(shared), certificate: Buffer.from(marked) },
  ];
  for (const identity of wrong) {
    const open = () => new SharedName(identity, { ownName: 'node' });
    expect(open).toThrow(expect.objectContaining({ code: 'ERR_START' }));
    expect(open).not.toThrow(marked);
  }
});
