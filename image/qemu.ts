/** Builds QEMU's arguments for an image. Only this file defines the machine's hardware, which the firmware measures. Pure. */
import { join } from 'node:path';
import { type AttachedDisks, artifactNames } from './artifacts.ts';

export interface MachineShape {
  readonly vcpus: number;
  /** In QEMU's notation, for example `8G`. */
  readonly memory: string;
}

export interface MachineOptions extends MachineShape {
  /** `tdx` on a TDX host; elsewhere `tcg`, software emulation without attestation. */
  readonly accelerator: 'tdx' | 'tcg';
  readonly folder: string;
  readonly boot: Boot;
  readonly forwards: readonly PortForward[];
  /** Socket of the host's quote generation service; TDX only. */
  readonly quoteService?: QuoteService | undefined;
  /** PCI addresses of GPUs for VFIO, for example `0000:41:00.0`. */
  readonly gpus?: readonly string[];
}

/** `direct`: QEMU passes kernel, initial RAM disk and command line; `uefi`: the firmware starts the boot disk. */
export type Boot =
  | { readonly method: 'direct'; readonly cmdline: string; readonly disks: AttachedDisks }
  | { readonly method: 'uefi'; readonly disk: string };

export interface PortForward {
  readonly hostAddress: string;
  readonly hostPort: number;
  readonly guestPort: number;
}

export type QuoteService =
  | { readonly type: 'unix'; readonly path: string }
  | { readonly type: 'vsock'; readonly cid: string; readonly port: string };

/** OVMF's MMIO window for the GPUs' memory in MiB; each GPU has up to 128 GiB. */
const gpuWindowMib = 262_144;

/** Builds the arguments of `qemu-system-x86_64`, which contain no secrets. */
export function qemuArguments(options: MachineOptions): string[] {
  const { folder, vcpus, memory, gpus = [] } = options;
  return [
    ...machine(options),
    ...['-smp', String(vcpus), '-m', memory],
    ...['-nodefaults', '-no-user-config', '-no-reboot', '-nographic', '-serial', 'stdio'],
    ...['-bios', join(folder, artifactNames.firmware)],
    ...bootArguments(options),
    ...network(options.forwards),
    ...(gpus.length > 0 ? gpuDevices(gpus) : []),
  ];
}

/** Quotes a command for a shell. */
export function shellLine(program: string, args: readonly string[]): string {
  return [program, ...args]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

function machine({ accelerator, quoteService }: MachineOptions): string[] {
  // One thread for all CPUs: with several, QEMU 7.2 occasionally executes code that the guest is patching ("Oops: int3").
  if (accelerator === 'tcg') return ['-machine', 'q35,hpet=off', '-accel', 'tcg,thread=single', '-cpu', 'max'];
  const guest = {
    'qom-type': 'tdx-guest',
    id: 'tdx',
    ...(quoteService === undefined ? {} : { 'quote-generation-socket': quoteService }),
  };
  return [
    ...['-accel', 'kvm', '-cpu', 'host', '-object', JSON.stringify(guest)],
    ...['-machine', 'q35,kernel-irqchip=split,confidential-guest-support=tdx,hpet=off'],
  ];
}

function bootArguments({ folder, boot }: MachineOptions): string[] {
  if (boot.method === 'uefi') return disk(boot.disk, 0);
  return [
    ...['-kernel', join(folder, artifactNames.kernel), '-initrd', join(folder, artifactNames.initrd)],
    ...['-append', boot.cmdline],
    ...diskPaths(folder, boot.disks).flatMap(disk),
  ];
}

/** Lists the disks in the order that the guest's init expects. */
function diskPaths(folder: string, { config, models = [] }: AttachedDisks): string[] {
  return [join(folder, artifactNames.root), ...(config === undefined ? [] : [config]), ...models];
}

function disk(path: string, index: number): string[] {
  // QEMU separates options by commas; a double comma is a literal comma.
  const file = path.replaceAll(',', ',,');
  return [
    ...['-drive', `file=${file},if=none,id=disk${index},format=raw,readonly=on`],
    ...['-device', `virtio-blk-pci,drive=disk${index}`],
  ];
}

function network(forwards: readonly PortForward[]): string[] {
  const rules = forwards.map((one) => `,hostfwd=tcp:${one.hostAddress}:${one.hostPort}-:${one.guestPort}`);
  return ['-netdev', `user,id=net0${rules.join('')}`, '-device', 'virtio-net-pci,netdev=net0,romfile='];
}

function gpuDevices(addresses: readonly string[]): string[] {
  return [
    ...['-object', 'iommufd,id=iommufd0', '-fw_cfg', `name=opt/ovmf/X-PciMmio64Mb,string=${gpuWindowMib}`],
    ...addresses.flatMap((address, index) => [
      ...['-device', `pcie-root-port,id=gpu${index},bus=pcie.0,chassis=${index + 1}`],
      ...['-device', `vfio-pci,host=${address},bus=gpu${index},iommufd=iommufd0`],
    ]),
  ];
}
