import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeIdentity, readIdentity, subjectNames } from '../../../server/tls/tls.ts';

const now = Date.UTC(2026, 10, 20);

describe('the certificate generated at start', () => {
  const { certificate, key } = makeIdentity({ host: 'api.example.org', now });
  const parsed = new X509Certificate(certificate);

  it('is self-signed with P-256 and matches its key', () => {
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(parsed.ca).toBe(false);
  });

  it('names localhost, this machine and the configured host', () => {
    for (const name of ['localhost', hostname(), 'api.example.org']) expect(parsed.checkHost(name)).toBe(name);
    for (const address of ['127.0.0.1', '::1']) expect(parsed.checkIP(address)).toBe(address);
    expect(parsed.checkHost('other.example.org')).toBeUndefined();
  });

  it.each(['192.0.2.7', 'fe80::1:2', '2001:db8::', '::ffff:192.0.2.7'])('names the address %s', (host) => {
    expect(new X509Certificate(makeIdentity({ host, now }).certificate).checkIP(host)).toBe(host);
  });

  it('does not name the unspecified address', () => {
    expect(new X509Certificate(makeIdentity({ host: '0.0.0.0', now }).certificate).checkIP('0.0.0.0')).toBeUndefined();
  });

  it('names further names and addresses, in any order', () => {
    const names = ['api.internal', '192.0.2.9', 'fd00::9'];
    const further = new X509Certificate(makeIdentity({ host: '0.0.0.0', names, now }).certificate);
    expect(further.checkHost('api.internal')).toBe('api.internal');
    expect([further.checkIP('192.0.2.9'), further.checkIP('fd00::9')]).toEqual(['192.0.2.9', 'fd00::9']);
    expect(subjectNames('x', names.toReversed())).toEqual(subjectNames('x', names));
  });

  it('is valid for 397 days from the previous day, also beyond 2050', () => {
    expect([parsed.validFromDate, parsed.validToDate]).toEqual([
      new Date(Date.UTC(2026, 10, 19)),
      new Date(Date.UTC(2027, 11, 22)),
    ]);
    const later = new X509Certificate(makeIdentity({ host: 'x', now: Date.UTC(2049, 11, 31) }).certificate);
    expect(later.validToDate.getUTCFullYear()).toBe(2051);
  });

  it('differs at every start', () => {
    const other = new X509Certificate(makeIdentity({ host: 'api.example.org', now }).certificate);
    expect(other.serialNumber).not.toBe(parsed.serialNumber);
    expect(other.checkPrivateKey(createPrivateKey(key))).toBe(false);
  });
});

it('a configured certificate is read, and the error for a missing file names it', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'cloister-tls-')), 'cert.pem');
  writeFileSync(path, 'PEM');
  expect(readIdentity({ certificatePath: path, keyPath: path })).toEqual({ certificate: 'PEM', key: 'PEM' });
  expect(() => readIdentity({ certificatePath: `${path}x`, keyPath: path })).toThrow(`${path}x cannot be read`);
});
