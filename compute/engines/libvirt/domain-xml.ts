/** Builds the libvirt XML of a pod, with an XML library and from validated values only. Pure. */
import { XMLBuilder } from 'fast-xml-parser';
import { publishedPorts } from '../check-spec.ts';
import type { PodSpec } from '../engine.ts';
import { podName } from '../pod-name.ts';
import type { LibvirtHost, PlainProfile, TdxProfile } from './libvirt-host.ts';

/** Namespace of the element that marks a machine as a pod. A name, never fetched. */
export const metadataNamespace = 'urn:cloister:compute:1';
/** TD attributes: not debuggable; all other bits are zero. */
export const tdxPolicy = '0x10000000';

export interface DomainParts {
  readonly host: LibvirtHost;
  readonly instance: string;
  readonly createdAt: Date;
}

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
});

/** Names of a pod's volumes in the pool of its host. */
export interface DiskNames {
  readonly disk: string;
  readonly seed: string;
  /** Exists while the pod is being created; distinguishes a machine not yet started from one that ended. */
  readonly making: string;
}

export function diskNames(instance: string, podId: string): DiskNames {
  const name = podName(instance, podId);
  return { disk: `${name}.disk.qcow2`, seed: `${name}.seed.iso`, making: `${name}.making` };
}

/** @returns the pod's name, from a volume name of {@link diskNames} */
export function nameOfDisk(volume: string): string | undefined {
  return /^(.+)\.(disk\.qcow2|seed\.iso|making)$/.exec(volume)?.[1];
}

/** A copy-on-write disk over the base image, which is never written to. */
export function overlayXml(name: string, capacityBytes: number, base: { path: string; format: string }): string {
  return builder.build({
    volume: {
      name,
      capacity: { '@unit': 'bytes', '#text': capacityBytes },
      target: { format: { '@type': 'qcow2' } },
      backingStore: { path: base.path, format: { '@type': base.format } },
    },
  });
}

/** The machine. It has no device that lets the host inspect, save or migrate it: no console, display or balloon. */
export function domainXml(spec: PodSpec, { host, instance, createdAt }: DomainParts): string {
  const { profile, pool } = host;
  const { disk, seed } = diskNames(instance, spec.podId);
  const volume = (name: string, format: string, target: string, readonly: boolean) => ({
    '@type': 'volume',
    '@device': 'disk',
    driver: { '@name': 'qemu', '@type': format },
    source: { '@pool': pool, '@volume': name },
    target: { '@dev': target, '@bus': 'virtio' },
    ...(readonly ? { readonly: {} } : {}),
  });
  return builder.build({
    domain: {
      '@type': profile.kind === 'tdx' ? 'kvm' : profile.domainType,
      name: podName(instance, spec.podId),
      metadata: { 'cloister:pod': podMark(spec, instance, createdAt) },
      memory: { '@unit': 'b', '#text': spec.limits.memoryBytes },
      vcpu: { '@placement': 'static', '#text': Math.max(1, Math.floor(spec.limits.cpus)) },
      ...(profile.kind === 'tdx' ? tdxMachine(profile) : plainMachine(profile)),
      clock: { '@offset': 'utc', timer: { '@name': 'hpet', '@present': 'no' } },
      on_poweroff: 'destroy',
      // A trust domain cannot be reset, so its reboot ends it; plain machines restart.
      on_reboot: profile.kind === 'tdx' ? 'destroy' : 'restart',
      on_crash: 'destroy',
      pm: { 'suspend-to-mem': { '@enabled': 'no' }, 'suspend-to-disk': { '@enabled': 'no' } },
      devices: {
        // Both disks are virtio: cloud kernels lack a SATA driver, and the firmware of trust domains lacks SCSI.
        disk: [volume(disk, 'qcow2', 'vda', false), volume(seed, 'raw', 'vdb', true)],
        controller: { '@type': 'usb', '@model': 'none' },
        interface: networkInterface(spec, host),
        ...(host.gpus.length > 0 ? { hostdev: host.gpus.map(passedThrough) } : {}),
        memballoon: { '@model': 'none' },
        rng: { '@model': 'virtio', backend: { '@model': 'builtin' } },
      },
      ...(profile.kind === 'tdx' ? { launchSecurity: launchSecurity(profile) } : {}),
    },
  });
}

function podMark({ podId }: PodSpec, instance: string, createdAt: Date): Record<string, string> {
  return {
    '@xmlns:cloister': metadataNamespace,
    '@id': podId,
    '@instance': instance,
    '@created': createdAt.toISOString(),
  };
}

function tdxMachine({ firmware }: TdxProfile): Record<string, unknown> {
  return {
    memoryBacking: { source: { '@type': 'anonymous' }, access: { '@mode': 'private' } },
    os: {
      type: { '@arch': 'x86_64', '@machine': 'q35', '#text': 'hvm' },
      // Stateless firmware: the host could modify stored UEFI variables.
      loader: { '@readonly': 'yes', '@type': 'rom', '#text': firmware },
      boot: { '@dev': 'hd' },
    },
    features: { acpi: {}, apic: {}, smm: { '@state': 'off' }, ioapic: { '@driver': 'qemu' } },
    cpu: { '@mode': 'host-passthrough' },
  };
}

function plainMachine({ kernel, domainType }: PlainProfile): Record<string, unknown> {
  const direct = kernel && { kernel: kernel.path, initrd: kernel.initrd, cmdline: kernel.commandLine };
  return {
    os: {
      type: { '@arch': 'x86_64', '@machine': 'q35', '#text': 'hvm' },
      ...(direct ?? { boot: { '@dev': 'hd' } }),
    },
    features: { acpi: {}, apic: {} },
    ...(domainType === 'kvm' ? { cpu: { '@mode': 'host-passthrough' } } : {}),
  };
}

function launchSecurity({ quoteSocket }: TdxProfile): Record<string, unknown> {
  return { '@type': 'tdx', policy: tdxPolicy, quoteGenerationService: { '@path': quoteSocket } };
}

function networkInterface(spec: PodSpec, { network }: LibvirtHost): Record<string, unknown> {
  const model = { '@type': 'virtio' };
  if (network.kind === 'routed') return { '@type': 'network', source: { '@network': network.name }, model };
  const ports = publishedPorts(spec).map((port, index) => ({ ...port, hostPort: network.portsFrom + index }));
  const forward = (protocol: 'tcp' | 'udp') => ({
    '@proto': protocol,
    range: ports
      .filter((port) => port.protocol === protocol)
      .map(({ port, hostPort }) => ({ '@start': hostPort, '@to': port })),
  });
  const portForward = [forward('tcp'), forward('udp')].filter(({ range }) => range.length > 0);
  return { '@type': 'user', backend: { '@type': 'passt' }, model, portForward };
}

function passedThrough(address: string): Record<string, unknown> {
  const [domain, bus, rest = ''] = address.split(':');
  const [slot, fn] = rest.split('.');
  return {
    '@mode': 'subsystem',
    '@type': 'pci',
    // libvirt unbinds the device from its host driver, and binds it again later.
    '@managed': 'yes',
    source: {
      address: { '@domain': `0x${domain}`, '@bus': `0x${bus}`, '@slot': `0x${slot}`, '@function': `0x${fn}` },
    },
  };
}
