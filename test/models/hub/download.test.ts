import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import https from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { isSafeUrl } from '../../../models/files/safe-url.ts';
import { HttpClient, readText, requireStatus } from '../../../models/hub/download.ts';
import { parseRetryAfter, withRetries } from '../../../models/hub/retry.ts';
import { serverCertificate } from '../../../server/tls/certificate.ts';

const { signal } = new AbortController();

/** A server on loopback, with TLS if `tls` is set. */
async function serve(listener: RequestListener, tls?: { key: string; cert: string }) {
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new HttpClient(tls === undefined ? {} : { ca: tls.cert });
  return {
    url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    client,
    async [Symbol.asyncDispose]() {
      client.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function makeCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cert = serverCertificate({
    publicKey,
    privateKey,
    commonName: 'test',
    dnsNames: [],
    ipAddresses: ['127.0.0.1'],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

describe('HttpClient', () => {
  it('follows at most five redirects', async () => {
    await using server = await serve((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const get = (url: string) => server.client.send({ method: 'GET', url, signal });
    expect(await readText(await get(`${server.url}/5`), 100)).toBe('there');
    await expect(get(`${server.url}/6`)).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
  });

  it.each(['http://example.org/x', 'file:///etc/passwd', 'ftp://127.0.0.1/x', 'https://user:word@example.org/'])(
    'refuses the redirect to %s',
    async (location) => {
      await using server = await serve((_, response) => response.writeHead(302, { location }).end());
      const refused = server.client.send({ method: 'GET', url: server.url, signal });
      await expect(refused).rejects.toMatchObject({ code: 'ERR_URL_REFUSED' });
      await expect(refused).rejects.not.toThrow('word');
    },
  );

  it('refuses a redirect from https to http, even on loopback', async () => {
    await using plain = await serve((_, response) => response.end('plain'));
    const location = plain.url;
    await using server = await serve((_, response) => response.writeHead(302, { location }).end(), makeCertificate());
    const refused = server.client.send({ method: 'GET', url: server.url, signal });
    await expect(refused).rejects.toThrow(/redirects from https to http:.*: refused/);
  });

  it('does not send the token to another origin', async () => {
    let seen: string | undefined = 'nothing came';
    await using other = await serve((request, response) => {
      seen = request.headers.authorization;
      response.end();
    });
    await using server = await serve((_, response) => response.writeHead(302, { location: other.url }).end());
    const answer = await server.client.send({ method: 'GET', url: server.url, token: 'hf_secret', signal });
    answer.body.resume();
    expect(seen).toBeUndefined();
  });

  it('does not trust a self-signed certificate, and does not retry', async () => {
    await using server = await serve((_, response) => response.end(), makeCertificate());
    const client = new HttpClient();
    const sent = client.send({ method: 'GET', url: server.url, signal });
    await expect(sent).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
    await expect(sent).rejects.toThrow('NODE_EXTRA_CA_CERTS');
    client.close();
  });

  it('uses the proxy of the environment', async () => {
    const tls = makeCertificate();
    await using server = await serve((_, response) => response.end('through'), tls);
    const asked: string[] = [];
    const proxy = http.createServer().on('connect', (request, socket) => {
      asked.push(request.url!);
      const upstream = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(socket).pipe(upstream);
      });
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = new HttpClient({ ca: tls.cert, env: { HTTPS_PROXY } });
    expect(await readText(await client.send({ method: 'GET', url: server.url, signal }), 100)).toBe('through');
    expect(asked).toEqual([new URL(server.url).host]);
    client.close();
    proxy.close();
  });

  it('requests the identity encoding and refuses encoded bodies', async () => {
    await using server = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    });
    const answer = await server.client.send({ method: 'GET', url: server.url, signal });
    expect(() => requireStatus(answer, [200], server.client.clock)).toThrow('sent a body encoded as gzip');
  });

  it('limits the size of a text', async () => {
    await using server = await serve((_, response) => response.end('x'.repeat(1000)));
    const answer = await server.client.send({ method: 'GET', url: server.url, signal });
    await expect(readText(answer, 999)).rejects.toThrow('sent more than 999 bytes');
  });

  it('fails soon after its signal is aborted', async () => {
    const controller = new AbortController();
    await using server = await serve(() => controller.abort());
    const sent = server.client.send({ method: 'GET', url: server.url, signal: controller.signal });
    await expect(
      withRetries(() => sent, { clock: server.client.clock, signal: controller.signal }),
    ).rejects.toMatchObject({
      code: 'ERR_ABORTED',
    });
  });

  it('refuses a token that is invalid in a header, without showing it', async () => {
    await using server = await serve((_, response) => response.end());
    const sent = server.client.send({ method: 'GET', url: server.url, token: 'hf_secret\n', signal });
    await expect(sent).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
    await expect(sent).rejects.not.toThrow('hf_secret');
  });
});

describe('isSafeUrl', () => {
  it.each(['https://example.org/x', 'http://127.0.0.1:80/x', 'http://localhost/x', 'http://[::1]/x'])(
    'takes %s',
    (url) => {
      expect(isSafeUrl(url)).toBe(true);
    },
  );

  it.each(['http://example.org', 'http://127.0.0.1.example.org', 'http://localhost.example.org', 'x', 'data:,x'])(
    'refuses %s',
    (url) => {
      expect(isSafeUrl(url)).toBe(false);
    },
  );
});

describe('parseRetryAfter', () => {
  it.each<[string | undefined, number | undefined]>([
    ['5', 5000],
    ['Thu, 01 Jan 1970 00:00:09 GMT', 8000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %j as %j ms', (header, ms) => {
    expect(parseRetryAfter(header, 1000)).toBe(ms);
  });
});
