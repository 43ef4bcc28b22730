/** QEMU's arguments for a TD and for emulation, and the escaping of paths. */
import { describe, expect, it } from 'vitest';
import type { AttachedDisks } from '../../image/artifacts.ts';
import { ConsoleLines } from '../../image/console.ts';
import { parseMemory } from '../../image/memory.ts';
import { type MachineOptions, qemuArguments, shellLine } from '../../image/qemu.ts';

const options: MachineOptions = {
  accelerator: 'tcg',
  folder: '/image',
  boot: { method: 'direct', cmdline: 'quiet', disks: {} },
  vcpus: 4,
  memory: '8G',
  forwards: [{ hostAddress: '127.0.0.1', hostPort: 1, guestPort: 8443 }],
};
const withDisks = (disks: AttachedDisks) => ({ boot: { method: 'direct', cmdline: 'quiet', disks } }) as const;
const lineOf = (changes: Partial<MachineOptions>) => qemuArguments({ ...options, ...changes }).join(' ');

describe('qemuArguments', () => {
  it('configures a TD with a split irqchip, firmware as BIOS file, and the host’s quote service', () => {
    const line = lineOf({ accelerator: 'tdx', quoteService: { type: 'unix', path: '/run/qgs' } });
    expect(line).toContain('-accel kvm -cpu host');
    expect(line).toContain('-machine q35,kernel-irqchip=split,confidential-guest-support=tdx,hpet=off');
    expect(line).toContain(
      '{"qom-type":"tdx-guest","id":"tdx","quote-generation-socket":{"type":"unix","path":"/run/qgs"}}',
    );
    expect(line).toContain('-bios /image/OVMF.fd -kernel /image/vmlinuz -initrd /image/initrd.img -append quiet');
  });

  it('configures emulation without a quote service outside TDX', () => {
    const line = lineOf({ quoteService: { type: 'vsock', cid: '2', port: '4050' } });
    expect(line).toContain('-accel tcg,thread=single -cpu max');
    expect(line).not.toContain('tdx');
  });

  it('attaches root, configuration and models in the order that the guest expects, all read-only', () => {
    const line = lineOf(withDisks({ config: '/c.img', models: ['/m0.img', '/m1.img'] }));
    const drives = [...line.matchAll(/-drive file=(\S+?),if=none,id=disk(\d),format=raw,readonly=on/g)];
    expect(drives.map(([, file, index]) => [file, index])).toEqual([
      ['/image/rootfs.img', '0'],
      ['/c.img', '1'],
      ['/m0.img', '2'],
      ['/m1.img', '3'],
    ]);
  });

  it('attaches only the boot disk for a boot by UEFI, and passes no kernel', () => {
    const line = lineOf({ boot: { method: 'uefi', disk: '/boot.img' } });
    expect(line).toContain('-bios /image/OVMF.fd -drive file=/boot.img,if=none,id=disk0,format=raw,readonly=on');
    expect(line).not.toMatch(/-kernel|-initrd|-append|disk1/);
  });

  it('attaches GPUs by VFIO, each to its own root port', () => {
    const line = lineOf({ accelerator: 'tdx', gpus: ['0000:41:00.0', '0000:61:00.0'] });
    expect(line).toContain('-object iommufd,id=iommufd0 -fw_cfg name=opt/ovmf/X-PciMmio64Mb,string=262144');
    expect(line).toContain('-device vfio-pci,host=0000:61:00.0,bus=gpu1,iommufd=iommufd0');
  });

  it('escapes a comma in a path', () => {
    expect(lineOf(withDisks({ config: '/a,readonly=off' }))).toContain('file=/a,,readonly=off,if=none');
  });
});

describe('shellLine', () => {
  it('quotes words with characters that are special to a shell', () => {
    expect(shellLine('qemu', ['-append', "a b'c", '{"x":1}', '-m', '8G'])).toBe(
      `qemu -append 'a b'\\''c' '{"x":1}' -m 8G`,
    );
  });
});

describe('parseMemory', () => {
  it.each([
    ['512M', 536_870_912],
    ['8G', 8_589_934_592],
    ['0G', undefined],
    ['8', undefined],
    ['8g', undefined],
    ['8.5G', undefined],
  ])('parses %s as %s', (text, bytes) => {
    expect(parseMemory(text)).toBe(bytes);
  });
});

describe('ConsoleLines', () => {
  it('returns complete lines without escape sequences, however the text is split', () => {
    const lines = new ConsoleLines();
    expect(lines.add('\x1b[2J\x1b[01;01HBds')).toEqual([]);
    expect(lines.add('Dxe\r\n\r\n\x1b[=3h{"event"')).toEqual(['BdsDxe']);
    expect(lines.add(':"ready"}\r')).toEqual([]);
    expect(lines.add('\nlast')).toEqual(['{"event":"ready"}']);
    expect([lines.end(), lines.end()]).toEqual([['last'], []]);
  });

  it('splits an overlong line', () => {
    expect(new ConsoleLines().add('x'.repeat(20_000))).toEqual(['x'.repeat(20_000)]);
  });
});
