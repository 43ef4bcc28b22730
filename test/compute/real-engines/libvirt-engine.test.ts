/**
 * Machines on a real libvirt and QEMU, private to this file. They are emulated, so that they boot on any host, and are not
 * trust domains; one test checks that a host without support for trust domains offers none.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EngineEvent, EnginePod, PodSpec } from '../../../compute/engines/engine.ts';
import { LibvirtEngine, type LibvirtEngineOptions } from '../../../compute/engines/libvirt/libvirt-engine.ts';
import type { LibvirtHost } from '../../../compute/engines/libvirt/libvirt-host.ts';
import { answersSsh, poll } from '../../../compute/engines/waiting.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { diskFiles, startLibvirt } from '../../support/compute/libvirt.ts';
import { makeSshKey, runOverSsh } from '../../support/compute/ssh-login.ts';

const key = makeSshKey();
const sudoPasswordHash =
  '$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/';

describeOn('machines on libvirt', await startLibvirt(), (libvirt) => {
  const engine = make();
  const signal = AbortSignal.timeout(900_000);

  function make({
    host = {},
    ...options
  }: Partial<Omit<LibvirtEngineOptions, 'host'>> & { host?: Partial<LibvirtHost> } = {}) {
    return new LibvirtEngine({
      name: 'libvirt',
      instance: 'test',
      now: Date.now,
      ...options,
      host: { ...libvirt.host, ...host },
    });
  }

  function specOf(podId: string, fields: Partial<PodSpec> = {}): PodSpec {
    return {
      podId,
      kind: 'confidential',
      machine: 'm-1',
      image: { reference: 'ubuntu-24.04' },
      hostname: 'my-machine',
      sshKeys: [key.public],
      ports: [],
      gpuCount: 0,
      limits: { cpus: 1, memoryBytes: 2 ** 28 },
      sudoPasswordHash,
      ...fields,
    };
  }

  const untilRunning = async (podId: string): Promise<EnginePod> => {
    const look = async (): Promise<EnginePod | undefined> => {
      const pod = await engine.inspect(podId, { signal });
      return pod?.state === 'running' ? pod : undefined;
    };
    return (await poll(look, { everyMs: 250, timeoutMs: 120_000, signal }))!;
  };

  const filesOf = (podId: string): string[] => diskFiles(libvirt).filter((name) => name.includes(`_${podId}.`));

  it('describes the host, and states that its machines are unprotected', async () => {
    const [facts] = await engine.probe({ signal });
    expect(facts).toMatchObject({
      machine: 'm-1',
      offers: ['confidential'],
      protection: 'plain-vm-test',
      refusals: [],
    });
    expect(facts!.engineVersion).toMatch(/^QEMU \d/);
    for (const bytes of [facts!.memoryBytes, facts!.diskFreeBytes!]) expect(bytes).toBeGreaterThan(2 ** 28);
  });

  it('finds the base image by the name that tiers use, and no other', async () => {
    const reference = await engine.prepare({ kind: 'confidential', image: 'ubuntu-24.04' }, { signal });
    expect(reference).toEqual({ reference: 'ubuntu-24.04' });
    const other = engine.prepare({ kind: 'confidential', image: 'toString' }, { signal });
    await expect(other).rejects.toMatchObject({ code: 'ERR_SPEC_INVALID' });
    const unknown = engine.prepare({ kind: 'confidential', image: 'constructor' }, { signal });
    await expect(unknown).rejects.toMatchObject({ code: 'ERR_IMAGE_UNAVAILABLE' });
  });

  describe('a machine', () => {
    let pod: EnginePod;

    beforeAll(async () => {
      pod = await engine.create(specOf('p-1'), { signal });
    });

    it('is starting until its network has given it an address', async () => {
      expect(pod).toMatchObject({ state: 'starting', protection: 'plain-vm-test', ssh: undefined });
      pod = await untilRunning('p-1');
      expect(pod.ssh).toMatchObject({ port: 22, user: 'ubuntu' });
    });

    it('allows the tenant to log in as ubuntu, under the given name and with a password known only to the tenant', async () => {
      const output = await runOverSsh(pod.ssh!, key.private, 'id -un; hostname; cat /etc/shadow', {
        timeoutMs: 60_000,
      });
      expect(output).toMatch(/^ubuntu\nmy-machine\n/);
      expect(output).toContain(`ubuntu:${sudoPasswordHash}:`);
      expect(await answersSsh(pod.ssh!, { signal })).toBe(true);
    });

    it('is found by a repeated create, and stays the only one', async () => {
      expect(await engine.create(specOf('p-1'), { signal })).toEqual(pod);
      expect(await engine.list({ signal })).toEqual([pod]);
    });

    it('belongs to its own control plane and is invisible to another', async () => {
      const other = make({ instance: 'other' });
      expect(await other.list({ signal })).toEqual([]);
      await other.destroy('p-1', { signal });
      expect((await engine.inspect('p-1', { signal }))?.state).toBe('running');
    });

    it('is removed with its disks when it is destroyed; a second destroy is harmless', async () => {
      expect(filesOf('p-1')).toEqual(['cloister_test_p-1.disk.qcow2', 'cloister_test_p-1.seed.iso']);
      await engine.destroy('p-1', { signal });
      expect(filesOf('p-1')).toEqual([]);
      expect(await engine.inspect('p-1', { signal })).toBeUndefined();
      expect(await engine.list({ signal })).toEqual([]);
      await engine.destroy('p-1', { signal });
    });
  });

  it('a machine that ended by itself is listed as dead until its disks are erased', async () => {
    await engine.create(specOf('p-ends'), { signal });
    libvirt.virsh('destroy', 'cloister_test_p-ends');
    expect(await engine.list({ signal })).toMatchObject([{ podId: 'p-ends', state: 'dead' }]);
    await engine.destroy('p-ends', { signal });
    expect(filesOf('p-ends')).toEqual([]);
  });

  it('lists disks without a machine, and ignores foreign machines', async () => {
    libvirt.virsh('vol-create-as', 'pods', 'cloister_test_p-orphan.disk.qcow2', '1M');
    libvirt.virsh('vol-create-as', 'pods', 'someone-elses.qcow2', '1M');
    expect(await engine.list({ signal })).toMatchObject([{ podId: 'p-orphan', state: 'dead' }]);
    await engine.destroy('p-orphan', { signal });
    expect(diskFiles(libvirt)).toEqual(['someone-elses.qcow2']);
  });

  it('recreates a machine over the remains of a failed deploy', async () => {
    libvirt.virsh('vol-create-as', 'pods', 'cloister_test_p-half.disk.qcow2', '1M');
    expect((await engine.create(specOf('p-half'), { signal })).state).toBe('starting');
    await engine.destroy('p-half', { signal });
  });

  it('leaves a machine to the process that is creating it, and recreates it after a timeout', async () => {
    libvirt.virsh('vol-create-as', 'pods', 'cloister_test_p-made.making', '512b');
    libvirt.virsh('vol-create-as', 'pods', 'cloister_test_p-made.disk.qcow2', '1M');
    expect(await engine.list({ signal })).toMatchObject([{ podId: 'p-made', state: 'starting' }]);
    const unknown = { code: 'ERR_OUTCOME_UNKNOWN' };
    await expect(engine.create(specOf('p-made'), { signal })).rejects.toMatchObject(unknown);
    const later = make({ now: () => Date.now() + 3_600_000 });
    expect((await later.inspect('p-made', { signal }))?.state).toBe('dead');
    expect((await later.create(specOf('p-made'), { signal })).state).toBe('starting');
    await engine.destroy('p-made', { signal });
    expect(filesOf('p-made')).toEqual([]);
  });

  it('creates one machine for two concurrent calls, and both find it', async () => {
    const both = [engine.create(specOf('p-race'), { signal }), engine.create(specOf('p-race'), { signal })];
    const told = (await Promise.allSettled(both)).map((outcome) =>
      outcome.status === 'fulfilled' ? 'made' : outcome.reason.code,
    );
    expect(told.sort()).toEqual(['ERR_OUTCOME_UNKNOWN', 'made']);
    expect(await engine.list({ signal })).toMatchObject([{ podId: 'p-race' }]);
    await engine.destroy('p-race', { signal });
  });

  it('never creates a machine on a TDX host that cannot run trust domains', async () => {
    const profile = { kind: 'tdx', firmware: '/usr/share/ovmf/OVMF.tdx.fd', quoteSocket: '/run/qgs.socket' } as const;
    const tdx = make({ host: { profile } });
    const [facts] = await tdx.probe({ signal });
    expect(facts!.offers).toEqual([]);
    expect(facts!.refusals[0]).toContain('trust domains');
    const refusal = { code: 'ERR_ENGINE_REFUSED', reason: 'not_confidential' };
    await expect(tdx.create(specOf('p-tdx'), { signal })).rejects.toMatchObject(refusal);
    expect(filesOf('p-tdx')).toEqual([]);
  });

  it('rejects GPUs that the host lacks, and leaves nothing behind', async () => {
    const refusal = { code: 'ERR_ENGINE_REFUSED', reason: 'devices_missing' };
    await expect(engine.create(specOf('p-gpu', { gpuCount: 8 }), { signal })).rejects.toMatchObject(refusal);
    const absent = make({ host: { gpus: ['0000:ff:1f.7'] } });
    await expect(absent.create(specOf('p-gpu', { gpuCount: 1 }), { signal })).rejects.toMatchObject(refusal);
    expect(filesOf('p-gpu')).toEqual([]);
  });

  it('reports machines that start and die, and outages of the host', async () => {
    const stop = new AbortController();
    const waiting = new Map<string, () => void>();
    const seen: EngineEvent[] = [];
    const reached = (kind: string): Promise<void> => new Promise((resolve) => waiting.set(kind, resolve));
    const connected = reached('connected');
    const running = (async () => {
      for await (const event of engine.events({ signal: stop.signal })) {
        seen.push(event);
        waiting.get(event.kind)?.();
      }
    })();
    await connected;
    const died = reached('died');
    await engine.create(specOf('p-event'), { signal });
    await engine.destroy('p-event', { signal });
    await died;
    const kinds = seen.flatMap((event) => ('podId' in event && event.podId === 'p-event' ? [event.kind] : []));
    expect(kinds).toEqual(['started', 'died']);
    const disconnected = reached('disconnected');
    await libvirt.kill();
    await disconnected;
    const again = reached('connected');
    await libvirt.start();
    await again;
    stop.abort();
    await running;
  });

  it('an unreachable host has created nothing', async () => {
    const away = make({ host: { uri: 'qemu+unix:///system?socket=/nonexistent/libvirt-sock' } });
    await expect(away.create(specOf('p-away'), { signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    await expect(away.list({ signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
  });

  it('a host that does not answer times out', async () => {
    libvirt.freeze();
    try {
      const short = make({ timeouts: { readMs: 300, changeMs: 300 } });
      await expect(short.list({ signal })).rejects.toMatchObject({ code: 'ERR_ENGINE_UNREACHABLE' });
    } finally {
      libvirt.thaw();
    }
  });

  it('a host that dies while it creates the machine leaves the outcome unknown; the repeat finds the one machine', async () => {
    const program = join(libvirt.folder, 'dying-virsh');
    const kill = `case " $* " in *" create "*) kill -9 ${libvirt.pid()};; esac`;
    writeFileSync(program, `#!/bin/sh\n/usr/bin/virsh "$@"\nstatus=$?\n${kill}\nexit $status\n`);
    chmodSync(program, 0o755);
    const dying = make({ program });
    await expect(dying.create(specOf('p-lost'), { signal })).rejects.toMatchObject({ code: 'ERR_OUTCOME_UNKNOWN' });
    await libvirt.start();
    const found = await engine.inspect('p-lost', { signal });
    expect(found).toMatchObject({ podId: 'p-lost', protection: 'plain-vm-test' });
    expect((await engine.create(specOf('p-lost'), { signal })).createdAt).toEqual(found!.createdAt);
    await engine.destroy('p-lost', { signal });
    expect(filesOf('p-lost')).toEqual([]);
  });
});
