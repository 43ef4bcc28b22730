/** The libvirt XML of machines. Reviewers compare the files in `golden` with the libvirt manual. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../../compute/engines/engine.ts';
import { supportsTdx } from '../../../compute/engines/libvirt/capabilities.ts';
import { parseEvent } from '../../../compute/engines/libvirt/domain-events.ts';
import { parseAddress, parseDomain, toEnginePod } from '../../../compute/engines/libvirt/domain-pod.ts';
import { domainXml, nameOfDisk, overlayXml } from '../../../compute/engines/libvirt/domain-xml.ts';
import { type LibvirtHost, requireHost } from '../../../compute/engines/libvirt/libvirt-host.ts';

const createdAt = new Date('2026-11-21T08:00:00Z');

const tdxHost: LibvirtHost = {
  machine: 'h200-1',
  uri: 'qemu+tls://h200-1.example.com/system',
  profile: {
    kind: 'tdx',
    firmware: '/usr/share/ovmf/OVMF.inteltdx.fd',
    quoteSocket: '/var/run/tdx-qgs/qgs.socket',
  },
  pool: 'pods',
  images: { 'ubuntu-24.04': { pool: 'images', volume: 'ubuntu-24.04-cuda.qcow2', format: 'qcow2' } },
  network: { kind: 'forwarded', publicHost: '203.0.113.7', portsFrom: 40_000 },
  gpus: ['0000:17:00.0', '0000:18:00.0'],
  wipeDisks: true,
};

const plainHost: LibvirtHost = {
  ...tdxHost,
  profile: { kind: 'plain-vm-for-tests', domainType: 'qemu' },
  network: { kind: 'routed', name: 'default' },
  gpus: [],
};

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'confidential',
  machine: 'h200-1',
  image: { reference: 'ubuntu-24.04' },
  hostname: 'my-machine',
  sshKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  ports: [
    { port: 443, protocol: 'tcp' },
    { port: 51_820, protocol: 'udp' },
  ],
  gpuCount: 2,
  limits: { cpus: 24, memoryBytes: 256 * 2 ** 30 },
};

const golden = (name: string): string => readFileSync(join(import.meta.dirname, 'golden', name), 'utf8');
const build = (host: LibvirtHost): string => domainXml(spec, { host, instance: 'prod', createdAt });

describe('the XML of a machine', () => {
  it('of a trust domain with GPUs matches the expected text', () => {
    expect(build(tdxHost)).toBe(golden('tdx-domain.xml'));
  });

  it('of an unprotected test machine matches the expected text', () => {
    expect(build(plainHost)).toBe(golden('plain-domain.xml'));
  });

  it('of its disk matches the expected text', () => {
    const base = { path: '/var/lib/libvirt/images/ubuntu.qcow2', format: 'qcow2' };
    expect(overlayXml('cloister_prod_p-1.disk.qcow2', 2 ** 40, base)).toBe(golden('overlay.xml'));
  });

  it('gives the host no console, screen, suspended copy or writable firmware', () => {
    expect(build(tdxHost)).not.toMatch(/<(serial|console|graphics|video|channel|nvram|filesystem)\b/);
    expect(build(tdxHost)).not.toMatch(/<suspend-to-(mem|disk) enabled="yes"/);
  });
});

describe("a machine's definition", () => {
  it('is a trust domain with the requested GPUs and ports', () => {
    const domain = parseDomain(build(tdxHost))!;
    expect(domain).toMatchObject({ podId: 'p-1', instance: 'prod', protection: 'tdx', gpuCount: 2, createdAt });
    expect(toEnginePod(domain, tdxHost, undefined)).toMatchObject({
      state: 'running',
      ssh: { host: '203.0.113.7', port: 40_000, user: 'ubuntu' },
      ports: [
        { port: 443, protocol: 'tcp', host: '203.0.113.7', hostPort: 40_001 },
        { port: 51_820, protocol: 'udp', host: '203.0.113.7', hostPort: 40_002 },
      ],
    });
  });

  it.each([
    ['the whole security element', /<launchSecurity[\s\S]*<\/launchSecurity>/],
    ['the quote service', /<quoteGenerationService[^>]*>/],
    ['the policy', /<policy>.*<\/policy>/],
  ])('is rejected if libvirt dropped %s', (_, dropped) => {
    expect(parseDomain(build(tdxHost).replace(dropped, ''))?.protection).toBe('plain-vm-test');
  });

  it('is rejected if its policy lets the host debug it', () => {
    expect(parseDomain(build(tdxHost).replace('0x10000000', '0x10000001'))?.protection).toBe('plain-vm-test');
  });

  it('is foreign without our label', () => {
    expect(parseDomain('<domain><name>cloister_prod_p-1</name></domain>')).toBeUndefined();
    const other = build(tdxHost).replace('urn:cloister:compute:1', 'urn:other');
    expect(parseDomain(other)).toBeUndefined();
  });

  it('on a routed network is starting until it has an address', () => {
    const domain = parseDomain(build(plainHost))!;
    expect(toEnginePod(domain, plainHost, undefined)).toMatchObject({ state: 'starting', protection: 'plain-vm-test' });
    const ssh = { host: '192.168.1.5', port: 22, user: 'ubuntu' };
    expect(toEnginePod(domain, plainHost, '192.168.1.5')).toMatchObject({ state: 'running', ssh });
  });
});

describe('the output of virsh', () => {
  it('contains the address of a lease', () => {
    const lease = ' vnet0      52:54:00:12:34:56    ipv4         192.168.122.45/24\n';
    expect(parseAddress(lease)).toBe('192.168.122.45');
    expect(parseAddress('')).toBeUndefined();
  });

  it('contains the events of our machines', () => {
    const line = (name: string, what: string): string =>
      `2026-11-21 08:50:55.399+0000: event 'lifecycle' for domain '${name}': ${what}`;
    const at = new Date('2026-11-21T08:50:55.399Z');
    expect(parseEvent(line('cloister_prod_p-1', 'Started Booted'), 'prod')).toEqual({
      kind: 'started',
      podId: 'p-1',
      at,
    });
    expect(parseEvent(line('cloister_prod_p-1', 'Stopped Destroyed'), 'prod')).toEqual({
      kind: 'died',
      podId: 'p-1',
      at,
    });
    expect(parseEvent(line('cloister_prod_p-1', 'Resumed Unpaused'), 'prod')).toBeUndefined();
    expect(parseEvent(line('cloister_test_p-1', 'Started Booted'), 'prod')).toBeUndefined();
    expect(parseEvent('events received: 1', 'prod')).toBeUndefined();
  });

  it('contains the owner of a disk volume', () => {
    expect(nameOfDisk('cloister_prod_p-1.disk.qcow2')).toBe('cloister_prod_p-1');
    expect(nameOfDisk('cloister_prod_p-1.seed.iso')).toBe('cloister_prod_p-1');
    expect(nameOfDisk('ubuntu.qcow2')).toBeUndefined();
  });
});

describe('a host', () => {
  const capabilities = (domain: string, tdx: string): string =>
    `<domainCapabilities><domain>${domain}</domain><features><sev supported='no'/>${tdx}</features></domainCapabilities>`;

  it.each([
    ['KVM and TDX', 'kvm', "<tdx supported='yes'/>", true],
    ['no TDX', 'kvm', "<tdx supported='no'/>", false],
    ['a libvirt that does not know TDX', 'kvm', '', false],
    ['emulation only', 'qemu', "<tdx supported='yes'/>", false],
  ])('with %s is offered for trust domains: %s %s → %s', (_, domain, tdx, able) => {
    expect(supportsTdx(capabilities(domain, tdx))).toBe(able);
  });

  it.each<[string, Partial<LibvirtHost>]>([
    ['uri', { uri: 'qemu:///session' }],
    ['uri', { uri: 'qemu+ssh://h/system?command=/bin/sh -c x' }],
    ['uri', { uri: 'test:///default' }],
    ['gpus', { gpus: ['17:00.0'] }],
    ['pool', { pool: '--all' }],
    ['images', { images: { a: { pool: 'p', volume: '../x', format: 'raw' } } }],
    ['quoteSocket', { profile: { kind: 'tdx', firmware: '/a', quoteSocket: 'qgs' } }],
  ])('with a wrong %s stops the start', (field, fields) => {
    expect(() => requireHost({ ...tdxHost, ...fields })).toThrow(field);
  });
});
