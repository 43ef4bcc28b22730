import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatIpv6,
  parseIpv4,
  parseIpv6,
  scopeOfIpv4,
  scopeOfIpv6,
} from '../../../../agents/tools/security/addresses.ts';
import { defang, refang } from '../../../../agents/tools/security/defang.ts';
import { findIocs, indicators } from '../../../../agents/tools/security/iocs.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const found = (text: string) => findIocs(text).map(({ kind, value }) => `${kind} ${value}`);

describe('indicators', () => {
  it.each([
    ['198.51.100.7', 'ipv4 198.51.100.7'],
    ['198[.]51[.]100[.]7', 'ipv4 198.51.100.7'],
    ['198.51.100[.]0/24', 'ipv4 198.51.100.0/24'],
    ['2001:db8::1', 'ipv6 2001:db8::1'],
    ['2001[:]0db8[:]0[:]0[:]0[:]0[:]0[:]1', 'ipv6 2001:db8::1'],
    ['evil-domain.com', 'domain evil-domain.com'],
    ['Evil[.]Example(.)COM', 'domain evil.example.com'],
    ['evil[dot]ru', 'domain evil.ru'],
    ['xn--80ak6aa92e.com', 'domain xn--80ak6aa92e.com'],
    ['http://evil.com/a/b.exe', 'url http://evil.com/a/b.exe'],
    ['hxxps://evil[.]com:8443/a', 'url https://evil.com:8443/a'],
    ['hXXp[://]evil[.]com/', 'url http://evil.com/'],
    ['fxp://files.evil.com', 'url ftp://files.evil.com'],
    ['mallory@evil.com', 'email mallory@evil.com'],
    ['mallory[@]evil[.]com', 'email mallory@evil.com'],
    ['mallory [at] evil[.]com', 'email mallory@evil.com'],
    ['44d88612fea8a8f36de82e1278abb02f', 'md5 44d88612fea8a8f36de82e1278abb02f'],
    ['3395856CE81F2B7382DEE72602F798B642F14140', 'sha1 3395856ce81f2b7382dee72602f798b642f14140'],
    [
      '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
      'sha256 275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
    ],
  ])('reads %s', (written, expected) => {
    expect(found(written)).toEqual([expected]);
    expect(found(`(see ${written}, twice).`)).toEqual([expected]);
  });

  it.each([
    'version 1.2.3.4.5',
    '999.1.1.1',
    '01.2.3.4',
    'main.py and setup.sh',
    'the end.It begins',
    'console.log',
    'report.docx',
    '12:30:45',
    '00000000000000000000000000000000',
    '12345678901234567890123456789012',
    'api_key = 44d88612fea8a8f36de82e1278abb02f',
    'e.g. this',
  ])('finds nothing in %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  it('never repeats a part of a URL that may be a credential', () => {
    const text = 'https://bob:hunter2@evil.com/r/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b?token=s3cr3tvalue#frag';
    const result = JSON.stringify(indicators.run([documentOf(text)]));
    for (const secret of ['hunter2', 's3cr3t', '9f86d0', 'frag']) expect(result).not.toContain(secret);
    expect(found(text)).toEqual(['url https://evil.com/r/…?…']);
  });

  it('reports whether the host of a URL is public', () => {
    const urls = 'https://localhost:8443/v1 http://10.0.0.5/ http://[2001:db8::1]/x http://8.8.8.8/ http://evil.com/';
    expect(findIocs(urls).map(({ scope }) => scope)).toEqual([
      'loopback',
      'private',
      'documentation',
      'public',
      undefined,
    ]);
  });

  it('omits values that have the form of a credential', () => {
    const text = `https://hooks.slack.com/services/${'T0A1B2C3D/B4E5F6G7H/'}${'aB3dE5gH7jK9mN1pQ4sT6vX8'} and postgres://app:S3cure99@db.evil.com/x`;
    expect(JSON.stringify(indicators.run([documentOf(text)]))).not.toMatch(/T0A1B2|aB3dE5|S3cure/);
  });

  it('reports each indicator defanged', () => {
    const { result, digest } = indicators.run([documentOf('http://evil.com/x from 8.8.8.8 and 10.0.0.1')]);
    expect(JSON.stringify(result)).not.toMatch(/http:\/\/|8\.8\.8\.8/);
    expect(digest).toEqual([
      'url hxxp[://]evil[.]com/x, 1× [m0:0-17]',
      'ipv4 8[.]8[.]8[.]8, 1× [m0:23-30]',
      '1 addresses are private, documentation or otherwise not public and omitted here',
    ]);
  });
});

describe('defanging', () => {
  it('is undone by refanging', () => {
    const indicator = fc.oneof(
      fc.ipV4(),
      fc.domain(),
      fc.ipV6().map((address) => formatIpv6(parseIpv6(address)!)),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(indicator, (value) => {
        expect(refang(defang(value))).toBe(value);
      }),
    );
  });

  it('leaves no address that a program would turn into a link', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(defang(url)).not.toMatch(/https?:\/\//);
      }),
    );
  });
});

describe('addresses', () => {
  it('reads every IPv6 address and writes it in the form of RFC 5952', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const groups = parseIpv6(address)!;
        expect(groups).toHaveLength(8);
        expect(parseIpv6(formatIpv6(groups))).toEqual(groups);
      }),
    );
    expect(formatIpv6(parseIpv6('2001:db8:0:0:1:0:0:1')!)).toBe('2001:db8::1:0:0:1');
    expect(formatIpv6(parseIpv6('2001:0DB8:0:1:1:1:1:1')!)).toBe('2001:db8:0:1:1:1:1:1');
  });

  it.each([
    ['10.1.2.3', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.64.0.1', 'shared'],
    ['169.254.1.1', 'link-local'],
    ['203.0.113.9', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['8.8.8.8', 'public'],
  ])('classifies %s as %s', (address, scope) => {
    expect(scopeOfIpv4(parseIpv4(address)!)).toBe(scope);
  });

  it.each([
    ['::1', 'loopback'],
    ['fe80::1', 'link-local'],
    ['fd00::1', 'private'],
    ['2001:db8::1', 'documentation'],
    ['2606:4700::1', 'public'],
    ['::ffff:10.0.0.1', 'private'],
  ])('classifies %s as %s', (address, scope) => {
    expect(scopeOfIpv6(parseIpv6(address)!)).toBe(scope);
  });
});
