/** The directory of a fleet from any server, also a hostile one. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { fleetListReader, isListAddress } from '../../attestation/client/fleet-list.ts';
import { formatFleetList } from '../../attestation/fleet/entry.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import { chatRequest, fleetPolicy, requestCounts, startTestFleet } from '../support/attestation/test-fleet.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function startList(answer: RequestListener, { tls = false } = {}): Promise<string> {
  const identity = makeIdentity({ host: 'localhost', now: Date.now() });
  const server = tls ? createTlsServer(tlsOptions(identity), answer) : createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http${tls ? 's' : ''}://localhost:${(server.address() as AddressInfo).port}`;
}

async function startFleet() {
  const fleet = await startTestFleet(2);
  ends.push(() => fleet.close());
  const send = attestedFetch(fleetPolicy, { roots: fleet.nodes[0]!.rootPem, fleet: 'announced' });
  return { fleet, send };
}

describe('the directory', () => {
  it.each([
    ['https, with any certificate', true],
    ['http of this machine', false],
  ])('is read without evidence from a server that is no node (%s)', async (_, tls) => {
    const { fleet, send } = await startFleet();
    const asked: string[] = [];
    const list = (entries: readonly string[]): RequestListener => {
      return (request, response) => {
        asked.push(request.url!);
        response.end(formatFleetList(entries));
      };
    };
    const origin = await startList(list(fleet.entries), { tls });
    const answers = Array.from({ length: 8 }, (_, index) => send(`${origin}/v1/chat`, chatRequest(`q${index}`)));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(asked).toEqual(['/v1/fleet']);
    expect([fleet.fetches, requestCounts(fleet).reduce((sum, count) => sum + count)]).toEqual([0, 8]);
  });

  it('of a plain server with no current entry leads nowhere', async () => {
    const { fleet, send } = await startFleet();
    const past = Math.floor(Date.now() / 1000) - 120;
    const old = await fleet.entryOf(fleet.nodes[0]!, { issuedAt: past, expiresAt: past + 30 });
    const origin = await startList((_, response) => response.end(formatFleetList([old])));
    await expect(send(`${origin}/v1/chat`, chatRequest('hi'))).rejects.toMatchObject({
      code: 'ERR_EVIDENCE_UNAVAILABLE',
      message: `${origin} serves no directory of a fleet with current entries`,
    });
    expect(requestCounts(fleet)).toEqual([0, 0]);
  });

  it('is not waited for by a caller who gives up', async () => {
    const { send } = await startFleet();
    const origin = await startList(() => {});
    const start = performance.now();
    const init = { ...chatRequest('hi'), signal: AbortSignal.timeout(100) };
    await expect(send(`${origin}/v1/chat`, init)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it.each<[string, RequestListener]>([
    ['is too large', (_, response) => response.end(' '.repeat(2 * 1024 * 1024 + 1))],
    [
      'does not end',
      (_, response) => {
        const more = () => response.write('['.repeat(65_536), (error) => error || setImmediate(more));
        more();
      },
    ],
    ['is a redirect', (_, response) => response.writeHead(302, { location: 'https://example.org' }).end()],
    ['is an error', (_, response) => response.writeHead(500).end(formatFleetList([]))],
    ['breaks off', (_, response) => void response.write('{', () => response.destroy())],
  ])('is refused if it %s', async (_, answer) => {
    const read = fleetListReader();
    for (const tls of [true, false]) await expect(read(await startList(answer, { tls }))).rejects.toThrow();
  });

  it('is given up after five seconds if it comes too slowly', async () => {
    const origin = await startList((_, response) => {
      const drip = setInterval(() => response.write(' '), 100);
      response.once('close', () => clearInterval(drip));
    });
    const start = performance.now();
    await expect(fleetListReader()(origin)).rejects.toThrow();
    expect(performance.now() - start).toBeLessThan(7_000);
  });

  it('with many nodes that do not exist leads to an error, and other nodes receive nothing', async () => {
    const { fleet, send } = await startFleet();
    const dead = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const node = await startTestFleet(1);
        await node.close();
        return node.entries[0]!;
      }),
    );
    const origin = await startList((_, response) => response.end(formatFleetList(dead)));
    await expect(send(`${origin}/v1/chat`, chatRequest('hi'))).rejects.toMatchObject({
      code: 'ERR_EVIDENCE_UNAVAILABLE',
    });
    expect(requestCounts(fleet)).toEqual([0, 0]);
  });

  it.each([
    ['https://list.example.org', true],
    ['http://localhost:80', true],
    ['http://127.0.0.1', true],
    ['http://[::1]:8080', true],
    ['http://list.example.org', false],
    ['http://localhost.example.org', false],
    ['http://127.example.org', false],
    ['ftp://localhost', false],
  ])('may be at %s: %s', (address, expected) => {
    expect(isListAddress(new URL(address))).toBe(expected);
  });
});
