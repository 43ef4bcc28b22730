/** A libvirt host as the operator configures it. One host is one machine, rented whole. */

export interface LibvirtHost {
  /** As the machine is listed. */
  readonly machine: string;
  /** Such as `qemu:///system`, `qemu+tls://host/system`, `qemu+ssh://user@host/system`. */
  readonly uri: string;
  /**
   * `tdx`: every machine is a trust domain, or there is none. `plain-vm-for-tests`: ordinary machines, labelled
   * `plain-vm-test` wherever they are shown; nothing ever falls back to it.
   */
  readonly profile: TdxProfile | PlainProfile;
  /** A storage pool for the disks of pods. */
  readonly pool: string;
  /** Name that tiers use → volume of the base image; it is never written to. */
  readonly images: Readonly<Record<string, BaseImage>>;
  readonly network: RoutedNetwork | ForwardedNetwork;
  /** PCI addresses such as `0000:17:00.0`, bound to VFIO when a pod starts. All of them go to the one pod. */
  readonly gpus: readonly string[];
  /** Overwrites disks before they are deleted; only useful where the storage does not do so itself. */
  readonly wipeDisks: boolean;
}

export interface TdxProfile {
  readonly kind: 'tdx';
  /** Path of the TDVF image on the host. */
  readonly firmware: string;
  /** Path of the socket of Intel's quote generation service on the host. Without it quotes are empty. */
  readonly quoteSocket: string;
}

export interface PlainProfile {
  readonly kind: 'plain-vm-for-tests';
  /** `qemu` is emulation: slow, and works anywhere. */
  readonly domainType: 'kvm' | 'qemu';
  /** Boots this instead of the disk. Paths on the host. */
  readonly kernel?: { readonly path: string; readonly initrd: string; readonly commandLine: string };
}

export interface BaseImage {
  readonly pool: string;
  readonly volume: string;
  readonly format: 'qcow2' | 'raw';
}

/** The pod has an address of its own, given by the network's DHCP; every port of it is open. */
export interface RoutedNetwork {
  readonly kind: 'routed';
  /** Of libvirt. */
  readonly name: string;
}

/** The host's own address, with ports forwarded by passt (libvirt ≥ 9.2 and passt on the host). */
export interface ForwardedNetwork {
  readonly kind: 'forwarded';
  readonly publicHost: string;
  /** The first forwarded port is SSH, the next are the pod's, in order. */
  readonly portsFrom: number;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const pathForm = /^\/[A-Za-z0-9._/+-]{1,255}$/;
const pciForm = /^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/;
const uriForm = /^qemu(\+(tls|ssh|unix))?:\/\/[A-Za-z0-9@.:[\]_-]*\/system(\?[A-Za-z0-9=&%./_-]*)?$/;

/** @throws {RangeError} naming the field: an operator's mistake stops the start */
export function requireHost(host: LibvirtHost): LibvirtHost {
  const { profile, network, images } = host;
  require(uriForm.test(host.uri), 'uri must be qemu:///system or a TLS, SSH or socket form of it');
  require(nameForm.test(host.pool), 'pool must be the name of a storage pool');
  require(host.gpus.every((address) => pciForm.test(address)), 'gpus must be PCI addresses such as 0000:17:00.0');
  for (const image of Object.values(images)) {
    require(nameForm.test(image.pool) && nameForm.test(image.volume), 'images must name pools and volumes');
  }
  if (network.kind === 'routed') require(nameForm.test(network.name), 'network.name must be the name of a network');
  else require(network.portsFrom >= 1024 && network.portsFrom <= 65_000, 'network.portsFrom must be 1024 to 65000');
  if (profile.kind === 'tdx') {
    require(pathForm.test(profile.firmware), 'profile.firmware must be an absolute path');
    require(pathForm.test(profile.quoteSocket), 'profile.quoteSocket must be an absolute path');
  } else if (profile.kernel !== undefined) {
    require(pathForm.test(profile.kernel.path), 'profile.kernel.path must be an absolute path');
    require(pathForm.test(profile.kernel.initrd), 'profile.kernel.initrd must be an absolute path');
  }
  return host;
}

function require(holds: boolean, message: string): void {
  if (!holds) throw new RangeError(`host: ${message}`);
}
