/** The TLS key generated at start: certificates with a quote, certificate signing requests, and issued chains. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { intelRootCa } from '../../../attestation/collateral/intel-root.ts';
import { prepareCollateral } from '../../../attestation/collateral/prepare.ts';
import type { AttestedPlatform } from '../../../attestation/guest/platform.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { judgeRatls, ratlsPemGuard, ratlsReportData, readRatls } from '../../../attestation/ratls/ratls.ts';
import { readConfig } from '../../../server/program/config.ts';
import { followIssuedChain } from '../../../server/tls/issued-chain.ts';
import { makeIdentity, OwnTlsKey, type TlsIdentity, tlsOptions } from '../../../server/tls/tls.ts';
import { simulatedSoftware } from '../../support/attestation/attested-server.ts';

const now = Date.now();
const key = new OwnTlsKey({ host: 'api.example.org' });
let attested: TlsIdentity;
let quote: Uint8Array;
let platform: AttestedPlatform;

beforeAll(async () => {
  platform = await openSimulatedPlatform(now);
  quote = await platform.quote(await ratlsReportData(key.spki));
  attested = key.identity({ now, quote });
});

const der = (pem: string) => new Uint8Array(new X509Certificate(pem).raw);

describe('a certificate with a quote', () => {
  it('carries a quote over its key', async () => {
    const found = await readRatls(der(attested.certificate));
    expect(Buffer.from(found!.quote)).toEqual(Buffer.from(quote));
    expect(Buffer.from(parseQuote(found!.quote).body.reportData)).toEqual(Buffer.from(found!.reportData));
  });

  it('has the same key as the certificate without a quote, so that a pin stays valid', () => {
    const spki = (pem: string) => new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' });
    expect(spki(attested.certificate)).toEqual(spki(key.identity({ now }).certificate));
    expect(attested.key).toBe(key.identity({ now }).key);
    expect(new X509Certificate(attested.certificate).checkHost('api.example.org')).toBe('api.example.org');
  });

  it('is parsed from its DER by Node as itself, not as Intel’s certificate in the quote', () => {
    const bytes = Buffer.from(attested.certificate.replace(/-----[^-]+-----|\n/g, ''), 'base64');
    const read = new X509Certificate(bytes);
    expect(read.checkHost('api.example.org')).toBe('api.example.org');
    expect(read.publicKey.export({ type: 'spki', format: 'der' })).toEqual(Buffer.from(key.spki));
    expect(read.raw).toEqual(bytes);
    // Without a PEM text that ends OpenSSL's search earlier, the search finds the certificate of the platform's authority in the quote.
    const unguarded = Buffer.from(
      bytes.toString('latin1').replace(ratlsPemGuard, ' '.repeat(ratlsPemGuard.length)),
      'latin1',
    );
    expect(new X509Certificate(unguarded).subject).toContain('Cloister simulation');
  });

  it('is detected as forged by the report data if it combines the quote with another key', async () => {
    const stolen = new OwnTlsKey({ host: 'api.example.org' }).identity({ now, quote });
    const found = await readRatls(der(stolen.certificate));
    expect(Buffer.from(parseQuote(found!.quote).body.reportData)).not.toEqual(Buffer.from(found!.reportData));
  });

  it('is verified by a client at the handshake: accepted over its own key, rejected over any other', async () => {
    const collateral = await prepareCollateral(platform.simulation!.collateral, [platform.simulation!.rootCa]);
    const trust = { collateral, policy: { measurements: simulatedSoftware, rtmr3: 'any' } as const, nowMs: now };
    expect((await judgeRatls(der(attested.certificate), trust))?.verdict).toBe('verified');
    const stolen = new OwnTlsKey({ host: 'api.example.org' }).identity({ now, quote });
    const judged = await judgeRatls(der(stolen.certificate), trust);
    expect(judged?.verdict).toBe('not-verified');
    expect(judged?.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)).toEqual(['report-data']);
    const intel = { ...trust, collateral: await prepareCollateral(platform.simulation!.collateral, [intelRootCa]) };
    expect((await judgeRatls(der(attested.certificate), intel))?.verdict).toBe('not-verified');
    expect(await judgeRatls(der(key.identity({ now }).certificate), trust)).toBeUndefined();
  });

  it('cannot be checked by a policy with some or no registers', async () => {
    const collateral = await prepareCollateral(platform.simulation!.collateral, [platform.simulation!.rootCa]);
    for (const measurements of [[{ mrOwner: '00'.repeat(48) }], 'any' as const]) {
      const trust = { collateral, policy: { measurements, rtmr3: 'any' } as const, nowMs: now };
      const judged = await judgeRatls(der(attested.certificate), trust);
      expect(judged?.verdict).toBe('could-not-check');
      const open = judged?.checks.filter(({ outcome, required }) => outcome !== 'pass' && required);
      expect(open?.map(({ id }) => id)).toEqual(['software']);
    }
  });

  it('is presented at the handshake by a server that started without it', async () => {
    const server = https.createServer(tlsOptions(key.identity({ now })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.setSecureContext(tlsOptions(attested));
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, ca: attested.certificate, servername: 'api.example.org' });
    await once(socket, 'secureConnect');
    const seen = socket.getPeerX509Certificate()!;
    expect(Buffer.from((await readRatls(new Uint8Array(seen.raw)))!.quote)).toEqual(Buffer.from(quote));
    socket.destroy();
    server.close();
  });

  it('is not found in a truncated certificate or one without a quote', async () => {
    expect(await readRatls(der(key.identity({ now }).certificate))).toBeUndefined();
    await expect(readRatls(der(attested.certificate).subarray(0, 900))).rejects.toMatchObject({
      code: 'ERR_CERTIFICATE_MALFORMED',
    });
  });
});

/** OpenSSL checks the result; a machine without it skips these tests and reports it. */
const hasOpenssl = (() => {
  try {
    return execFileSync('openssl', ['version']).length > 0;
  } catch {
    console.warn('openssl is not installed: requests are not checked with it');
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('a certificate signing request', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-csr-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString();
  let chain: string;

  beforeAll(() => {
    writeFileSync(join(folder, 'request.pem'), key.request());
    openssl(
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Test CA',
    );
    openssl(
      'x509',
      '-req',
      '-in',
      'request.pem',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-copy_extensions',
      'copyall',
      '-out',
      'issued.pem',
      '-days',
      '2',
    );
    chain = openssl('x509', '-in', 'issued.pem') + openssl('x509', '-in', 'ca.pem');
  });

  it('is signed by the key and contains the names', () => {
    const text = openssl('req', '-in', 'request.pem', '-noout', '-verify', '-text');
    expect(text).toContain('DNS:api.example.org');
    expect(text).toContain('TLS Web Server Authentication');
  });

  it('yields a chain that only this key accepts', () => {
    const identity = key.withChain(chain);
    expect(new X509Certificate(identity.certificate).issuer).toBe('CN=Test CA');
    expect(identity.key).toBe(attested.key);
    expect(() => new OwnTlsKey({ host: 'x' }).withChain(chain)).toThrow(/not for the key of this run/);
    expect(() => key.withChain('no PEM')).toThrow(/not for the key of this run/);
  });

  it('yields a chain file that is loaded when it appears and when it changes', async () => {
    const path = join(folder, 'chain.pem');
    const stop = new AbortController();
    const events: string[] = [];
    let wake: () => void = () => undefined;
    const happened = (event: string) => {
      events.push(event);
      wake();
    };
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        wake = () => events.length >= count && resolve();
        wake();
      });
    const following = followIssuedChain(
      {
        path,
        key,
        pollMs: 1,
        onChain: ({ certificate }) => happened(new X509Certificate(certificate).issuer),
        onRefused: (error) => happened((error as Error).message),
      },
      stop,
    );
    writeFileSync(path, makeIdentity({ host: 'x', now }).certificate);
    await until(1);
    writeFileSync(path, chain);
    await until(2);
    stop.abort();
    await following;
    expect(events).toEqual([expect.stringContaining('not for the key of this run'), 'CN=Test CA']);
  });
});

it('a chain for the generated key and a configured key are mutually exclusive', () => {
  const args = ['--tls-chain', 'chain.pem', '--tls-cert', 'cert.pem', '--tls-key', 'key.pem'];
  expect(() => readConfig({ args, env: {}, cwd: '/srv' })).toThrow(/--tls-key replaces that key/);
  const { config } = readConfig({ args: args.slice(0, 2), env: {}, cwd: '/srv' });
  expect(config.tlsChain).toBe('/srv/chain.pem');
});
