/**
 * Machines on a real libvirt and QEMU, rented through the whole service: from the request to the login, and their state
 * after the service is killed during a create. Emulated, so no trust domains; every response states that.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashSudoPassword } from '../../../compute/base/sudo-password.ts';
import { LibvirtEngine } from '../../../compute/engines/libvirt/libvirt-engine.ts';
import { ComputeServer } from '../../support/compute/compute-server.ts';
import { ComputeTenant, rentOf } from '../../support/compute/compute-tenant.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { diskFiles, startLibvirt } from '../../support/compute/libvirt.ts';
import { libvirtService, libvirtVm, writeStoppingVirsh } from '../../support/compute/libvirt-service.ts';
import { makeSshKey, runOverSsh } from '../../support/compute/ssh-login.ts';

const price = 600_000;
const plain = { confidential_compute: false, protection: 'plain-vm-test', warning: expect.stringMatching(/protect/) };
/** Emulated machines boot slowly on a busy computer. */
const boot = { timeoutMs: 180_000 };

describeOn('machines on libvirt under a whole service', await startLibvirt(), (libvirt) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-machines-'));
  const virsh = writeStoppingVirsh(folder);
  const server = new ComputeServer(folder, libvirtService(libvirt, { instance: 'rent', program: virsh.program }));
  const tenant = new ComputeTenant(server);
  const key = makeSshKey();
  const machines = () => libvirt.virsh('list', '--name').split('\n').filter(Boolean);

  beforeAll(async () => {
    await server.start();
    await tenant.register(key.public);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('C-057 and C-065 offers no confidential machine if a host runs plain ones, and says so', async () => {
    // The host probes its QEMU before its first answer.
    const free = async () => (await tenant.call('GET', 'machines')).body[0]?.available;
    await expect.poll(free, { timeout: 180_000, interval: 500 }).toBe(1);
    const [machine] = (await tenant.call('GET', 'machines')).body;
    expect(machine).toMatchObject({ resource_name: 'vm-small', available: 1, ...plain });
    const { body } = await server.call('GET', '/api/confidential/vm/tiers');
    expect(body.tiers).toMatchObject([{ resourceName: 'vm-small', protection: 'plain-vm-test' }]);
  });

  it('C-101 to C-110 and C-130: allows the tenant to log in as ubuntu, and erases the disk on stop', async () => {
    const before = tenant.available();
    const { status, body } = await tenant.call('POST', 'pods', libvirtVm);
    expect({ status, body }).toMatchObject({ status: 200, body: { success: true, hourlyPrice: 0.6, ...plain } });
    const id = body.podId as string;
    expect(tenant.available()).toBe(before - price);
    // C-133
    expect(await tenant.call('POST', `pods/${id}/stop`)).toMatchObject({
      status: 409,
      body: { code: 'POD_DEPLOYING' },
    });
    const address = await tenant.reached(id, boot);
    expect(address.user).toBe('ubuntu');
    const output = await runOverSsh(address, key.private, 'id -un; hostname; cat /etc/shadow', boot);
    expect(output).toMatch(/^ubuntu\nmy-vm\n/);
    const [, hash = '', salt] = /^ubuntu:(\$6\$([^$:]+)\$[^:]+):/m.exec(output) ?? [];
    expect(hashSudoPassword(body.sudoPassword, salt)).toBe(hash);
    expect(server.log).not.toContain(body.sudoPassword);
    // The host key is created inside the machine, where only the tenant can read it.
    expect(await tenant.details(id)).toMatchObject({ ssh_host_key: null, provider_status: 'running', ...plain });
    expect((await tenant.call('GET', 'pods')).body).toMatchObject([{ id: body.workloadUid, ...plain }]);
    expect(diskFiles(libvirt)).toEqual([`cloister_rent_${id}.disk.qcow2`, `cloister_rent_${id}.seed.iso`]);
    const stopped = await tenant.call('POST', `pods/${body.workloadUid}/stop`);
    expect(server.log).not.toMatch(/cannot be destroyed/);
    const books = tenant.books(id);
    expect(stopped).toEqual({ status: 200, body: { success: true, prepaidRefund: (price - rentOf(books)) / 1e6 } });
    expect(tenant.available()).toBe(before - rentOf(books));
    expect(machines()).toEqual([]);
    expect(diskFiles(libvirt)).toEqual([]);
    expect((await tenant.call('DELETE', `pods/${id}`)).body).toEqual({ success: true, prepaidRefund: 0 });
  });

  it('C-142 and C-148: killed before the host created the machine, it refunds the hour and erases the disks', async () => {
    const before = tenant.available();
    virsh.stopAt('before', 'create');
    const lost = tenant.call('POST', 'pods', libvirtVm).catch(() => undefined);
    await virsh.stopped();
    await server.kill();
    virsh.end();
    await lost;
    expect(diskFiles(libvirt)).toHaveLength(3);
    expect(tenant.available()).toBe(before - price);
    await server.start();
    const [{ id }] = server.rows("select id from compute_pods where state = 'provisioning'");
    expect((await tenant.details(id)).provider_status).toBe('provisioning');
    // Longer than any create may take.
    server.moveClock(130_000);
    expect(await tenant.gone(id)).toBe('never_started');
    expect(diskFiles(libvirt)).toEqual([]);
    expect(tenant.available()).toBe(before);
  });

  it('C-142 and C-150: killed after the host created the machine, it keeps that machine without a second charge', async () => {
    const before = tenant.available();
    virsh.stopAt('after', 'create');
    const lost = tenant.call('POST', 'pods', libvirtVm).catch(() => undefined);
    await virsh.stopped();
    await server.kill();
    virsh.end();
    await lost;
    await strayMachine();
    expect(machines()).toHaveLength(2);
    await server.start();
    const [{ id, workload_uid: uid }] = server.rows("select * from compute_pods where state = 'provisioning'");
    // Unrented machines under the service's name are destroyed; foreign ones stay.
    await expect.poll(machines, { timeout: 60_000, interval: 250 }).toEqual([`cloister_rent_${id}`]);
    await expect.poll(() => diskFiles(libvirt).some((name) => name.includes('stray')), { timeout: 60_000 }).toBe(false);
    expect(diskFiles(libvirt)).toContain('someone-elses.qcow2');
    const address = await tenant.reached(id, boot);
    expect(await runOverSsh(address, key.private, 'id -un', boot)).toBe('ubuntu\n');
    expect((await tenant.call('GET', 'pods')).body).toMatchObject([{ id: uid }]);
    await tenant.release(id);
    expect(tenant.available()).toBe(before - rentOf(tenant.books(id)));
    expect(machines()).toEqual([]);
    expect(diskFiles(libvirt)).toEqual(['someone-elses.qcow2']);
    expect(await server.run('compute', 'audit')).toMatch(/agree/);
  });

  /** A machine and a disk under the service's name that are not in its database, and a foreign disk. */
  const strayMachine = async () => {
    const engine = new LibvirtEngine({ name: 'stray', instance: 'rent', now: Date.now, host: libvirt.host });
    const signal = AbortSignal.timeout(60_000);
    await engine.create(
      {
        podId: 'pod-stray',
        kind: 'confidential',
        machine: 'm-1',
        image: { reference: 'ubuntu-24.04' },
        hostname: 'stray',
        sshKeys: [key.public],
        ports: [],
        gpuCount: 0,
        limits: { cpus: 1, memoryBytes: 2 ** 28 },
      },
      { signal },
    );
    libvirt.virsh('vol-create-as', 'pods', 'cloister_rent_pod-stray-disk.disk.qcow2', '1M');
    libvirt.virsh('vol-create-as', 'pods', 'someone-elses.qcow2', '1M');
  };
});
