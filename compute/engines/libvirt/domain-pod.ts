/** Maps libvirt's description of a machine to a pod. Pure. */
import { XMLParser } from 'fast-xml-parser';
import type { EnginePod, Protection, PublishedPort } from '../engine.ts';
import { metadataNamespace, tdxPolicy } from './domain-xml.ts';
import type { LibvirtHost } from './libvirt-host.ts';

/** The values read from `virsh dumpxml`. */
export interface Domain {
  readonly podId: string;
  readonly instance: string;
  readonly createdAt: Date | undefined;
  /** Protection of the running machine, not of the request. */
  readonly protection: Protection;
  readonly gpuCount: number;
  readonly forwarded: readonly Forwarded[];
}

interface Forwarded {
  readonly port: number;
  readonly hostPort: number;
  readonly protocol: 'tcp' | 'udp';
}

type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
  parseTagValue: false,
  isArray: (name) => ['hostdev', 'interface', 'portForward', 'range'].includes(name),
});

/** @returns undefined if the machine is not a pod */
export function parseDomain(xml: string): Domain | undefined {
  const { domain } = parser.parse(xml) as { domain?: Element };
  const mark = child(child(domain, 'metadata'), 'cloister:pod');
  if (domain === undefined || mark?.['@xmlns:cloister'] !== metadataNamespace) return undefined;
  const devices = child(domain, 'devices');
  const hostdevs = (devices?.hostdev ?? []) as Element[];
  const interfaces = (devices?.interface ?? []) as Element[];
  const created = new Date(String(mark['@created']));
  return {
    podId: String(mark['@id']),
    instance: String(mark['@instance']),
    createdAt: Number.isNaN(created.getTime()) ? undefined : created,
    protection: isTrustDomain(domain) ? 'tdx' : 'plain-vm-test',
    gpuCount: hostdevs.filter((device) => device['@type'] === 'pci').length,
    forwarded: interfaces.flatMap((one) => ((one.portForward ?? []) as Element[]).flatMap(forwardedPorts)),
  };
}

/** @param address address of the machine on a routed network; undefined until it has one */
export function toEnginePod(domain: Domain, host: LibvirtHost, address: string | undefined): EnginePod {
  const { network } = host;
  const forwarded: PublishedPort[] = domain.forwarded.map((port) => ({
    ...port,
    host: network.kind === 'forwarded' ? network.publicHost : '',
  }));
  const routed = address === undefined ? undefined : { host: address, port: 22 };
  const through = forwarded.find(({ port, protocol }) => port === 22 && protocol === 'tcp');
  const ssh = network.kind === 'routed' ? routed : through && { host: through.host, port: through.hostPort };
  return {
    podId: domain.podId,
    machine: host.machine,
    kind: 'confidential',
    protection: domain.protection,
    state: ssh === undefined ? 'starting' : 'running',
    ssh: ssh && { ...ssh, user: 'ubuntu' },
    ports: forwarded.filter((port) => port !== through),
    gpuCount: domain.gpuCount,
    createdAt: domain.createdAt,
    endedAt: undefined,
  };
}

/** A pod that has only disks: the remains of a machine that ended, or a machine that is being created. */
export function diskOnlyPod(podId: string, host: LibvirtHost, state: 'starting' | 'dead'): EnginePod {
  return {
    podId,
    machine: host.machine,
    kind: 'confidential',
    protection: host.profile.kind === 'tdx' ? 'tdx' : 'plain-vm-test',
    state,
    ssh: undefined,
    ports: [],
    gpuCount: 0,
    createdAt: undefined,
    endedAt: undefined,
  };
}

/** @param text output of `virsh domifaddr` · @returns the first IPv4 address */
export function parseAddress(text: string): string | undefined {
  return /\bipv4\s+(\d{1,3}(?:\.\d{1,3}){3})\//.exec(text)?.[1];
}

/** Whether policy and quote service are present. The request alone proves nothing, since libvirt drops unknown elements. */
function isTrustDomain(domain: Element): boolean {
  const security = child(domain, 'launchSecurity');
  const policy = Number(security?.policy);
  const quotes = child(security, 'quoteGenerationService');
  return security?.['@type'] === 'tdx' && policy === Number(tdxPolicy) && quotes?.['@path'] !== undefined;
}

function forwardedPorts(forward: Element): Forwarded[] {
  const protocol = forward['@proto'] === 'udp' ? 'udp' : 'tcp';
  return ((forward.range ?? []) as Element[]).map((range) => ({
    port: Number(range['@to'] ?? range['@start']),
    hostPort: Number(range['@start']),
    protocol,
  }));
}

function child(element: Element | undefined, name: string): Element | undefined {
  const found = element?.[name];
  return typeof found === 'object' && found !== null ? (found as Element) : undefined;
}
