/** The whole life of a trust domain on a scripted host: the commands, their order, and the rejections. */
import { afterEach, describe, expect, it } from 'vitest';
import type { PodSpec } from '../../../compute/engines/engine.ts';
import { LibvirtEngine } from '../../../compute/engines/libvirt/libvirt-engine.ts';
import { type ScriptedVirsh, scriptVirsh } from '../../support/compute/scripted-virsh.ts';

const signal = new AbortController().signal;

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'confidential',
  machine: 'h200-1',
  image: { reference: 'ubuntu-24.04' },
  hostname: 'my-machine',
  sshKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  ports: [{ port: 443, protocol: 'tcp' }],
  gpuCount: 1,
  limits: { cpus: 24, memoryBytes: 2 ** 38 },
  sudoPasswordHash: '$6$salt$hashhashhash',
};

describe('a trust domain', () => {
  let virsh: ScriptedVirsh;

  afterEach(() => virsh.remove());

  function engineOn(options: Parameters<typeof scriptVirsh>[0] = {}, timeouts = {}): LibvirtEngine {
    virsh = scriptVirsh(options);
    return new LibvirtEngine({
      timeouts,
      name: 'h200-1',
      instance: 'prod',
      now: Date.now,
      program: virsh.program,
      host: {
        machine: 'h200-1',
        uri: 'qemu+tls://h200-1.example.com/system',
        profile: { kind: 'tdx', firmware: '/usr/share/ovmf/OVMF.tdx.fd', quoteSocket: '/var/run/tdx-qgs/qgs.socket' },
        pool: 'pods',
        images: { 'ubuntu-24.04': { pool: 'images', volume: 'ubuntu.qcow2', format: 'qcow2' } },
        network: { kind: 'forwarded', publicHost: '203.0.113.7', portsFrom: 40_000 },
        gpus: ['0000:17:00.0'],
        wipeDisks: true,
      },
    });
  }

  const verbs = (): string[] => virsh.calls().map((call) => call.split(' ')[0]!);

  it('is created, read back, and reported with its address', async () => {
    const pod = await engineOn().create(spec, { signal });
    expect(pod).toMatchObject({
      podId: 'p-1',
      protection: 'tdx',
      state: 'running',
      gpuCount: 1,
      ssh: { host: '203.0.113.7', port: 40_000, user: 'ubuntu' },
      ports: [{ port: 443, protocol: 'tcp', hostPort: 40_001 }],
    });
    expect(virsh.volumes()).toEqual(['cloister_prod_p-1.disk.qcow2', 'cloister_prod_p-1.seed.iso']);
  });

  it('is created with validation, after the host reported TDX', async () => {
    await engineOn().create(spec, { signal });
    expect(verbs().indexOf('domcapabilities')).toBeLessThan(verbs().indexOf('vol-create'));
    expect(virsh.calls().find((call) => call.startsWith('create '))).toMatch(/^create --validate /);
  });

  it('puts no password and no key on a command line', async () => {
    await engineOn().create(spec, { signal });
    expect(virsh.calls().join('\n')).not.toMatch(/hashhash|AAAA/);
  });

  it.each([
    ['the whole security', '/<launchSecurity/,/<\\/launchSecurity>/d', 'not_confidential'],
    ['the quote service', '/quoteGenerationService/d', 'not_confidential'],
    ['the GPUs', '/<hostdev/,/<\\/hostdev>/d', 'devices_missing'],
  ])('is rejected and erased if libvirt dropped %s', async (_, forgets, reason) => {
    const created = engineOn({ forgets }).create(spec, { signal });
    await expect(created).rejects.toMatchObject({ code: 'ERR_ENGINE_REFUSED', reason });
    expect(virsh.domain()).toBeUndefined();
    expect(virsh.volumes()).toEqual([]);
  });

  it("has its disks overwritten within the caller's time limit and then erased", async () => {
    const engine = engineOn({ wipeSeconds: 1 }, { changeMs: 700 });
    await engine.create(spec, { signal });
    await engine.destroy(spec.podId, { signal });
    expect(virsh.volumes()).toEqual([]);
    await engine.create({ ...spec, podId: 'p-2' }, { signal });
    const impatient = engine.destroy('p-2', { signal: AbortSignal.timeout(500) });
    await expect(impatient).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    expect(virsh.volumes()).not.toEqual([]);
  });

  it('is never created on a host without TDX, and that host offers none', async () => {
    const engine = engineOn({ tdx: 'no' });
    await expect(engine.create(spec, { signal })).rejects.toMatchObject({ reason: 'not_confidential' });
    const [facts] = await engine.probe({ signal });
    expect(facts?.offers).toEqual([]);
    expect(verbs()).not.toContain('create');
    expect(virsh.volumes()).toEqual([]);
  });

  it('uses all GPUs of its host or is rejected', async () => {
    const created = engineOn().create({ ...spec, gpuCount: 0 }, { signal });
    await expect(created).rejects.toMatchObject({ reason: 'devices_missing' });
    expect(virsh.calls()).toEqual([]);
  });

  it('has its disks overwritten before they are deleted', async () => {
    const engine = engineOn();
    await engine.create(spec, { signal });
    await engine.destroy('p-1', { signal });
    const disk = 'cloister_prod_p-1.disk.qcow2';
    const about = virsh.calls().filter((call) => call.endsWith(disk) && /^vol-(wipe|delete)/.test(call));
    expect(about).toEqual([`vol-wipe --pool pods ${disk}`, `vol-delete --pool pods ${disk}`]);
    expect(virsh.volumes()).toEqual([]);
  });
});
