/** The configuration of a libvirt host. One host is one machine, rented as a whole. */

export interface LibvirtHost {
  /** Name of the machine. */
  readonly machine: string;
  /** Such as `qemu:///system`, `qemu+tls://host/system`, `qemu+ssh://user@host/system`. */
  readonly uri: string;
  /**
   * `tdx`: every pod is a trust domain, otherwise its creation fails. `plain-vm-for-tests`: unprotected machines, labelled
   * `plain-vm-test` in all responses; never used as a fallback.
   */
  readonly profile: TdxProfile | PlainProfile;
  /** A storage pool for the disks of pods. */
  readonly pool: string;
  /** Image name in tiers → volume of the base image, which is never written to. */
  readonly images: Readonly<Record<string, BaseImage>>;
  readonly network: RoutedNetwork | ForwardedNetwork;
  /** PCI addresses such as `0000:17:00.0`, bound to VFIO when a pod starts. The pod gets all of them. */
  readonly gpus: readonly string[];
  /** Overwrites disks before deletion; needed unless the storage itself does so. */
  readonly wipeDisks: boolean;
}

export interface TdxProfile {
  readonly kind: 'tdx';
  /** Path of the TDVF image on the host. */
  readonly firmware: string;
  /** Path of the socket of Intel's quote generation service on the host; guests cannot get quotes without it. */
  readonly quoteSocket: string;
}

export interface PlainProfile {
  readonly kind: 'plain-vm-for-tests';
  /** `qemu` emulates: slow, but requires no KVM. */
  readonly domainType: 'kvm' | 'qemu';
  /** Boots this kernel instead of the disk. Paths on the host. */
  readonly kernel?: { readonly path: string; readonly initrd: string; readonly commandLine: string };
}

export interface BaseImage {
  readonly pool: string;
  readonly volume: string;
  readonly format: 'qcow2' | 'raw';
}

/** The pod has its own address, from the network's DHCP; all its ports are open. */
export interface RoutedNetwork {
  readonly kind: 'routed';
  /** Name of the libvirt network. */
  readonly name: string;
}

/** The pod shares the host's address; passt forwards its ports (requires libvirt ≥ 9.2, and passt on the host). */
export interface ForwardedNetwork {
  readonly kind: 'forwarded';
  readonly publicHost: string;
  /** Host port of SSH; the pod's ports follow in order. */
  readonly portsFrom: number;
}

const nameForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const pathForm = /^\/[A-Za-z0-9._/+-]{1,255}$/;
const pciForm = /^[0-9a-f]{4}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$/;
const uriForm = /^qemu(\+(tls|ssh|unix))?:\/\/[A-Za-z0-9@.:[\]_-]*\/system(\?[A-Za-z0-9=&%./_-]*)?$/;

/** Validates the configuration at the start. @throws {RangeError} naming the invalid field */
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
