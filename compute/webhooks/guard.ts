/** Protects against server-side request forgery: tenants' webhooks may only lead to public addresses. */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ComputeError } from '../base/errors.ts';
import { type Address, resolvePublicName } from './public-names.ts';

export interface Destination {
  readonly url: URL;
  /** The checked address. Connect to it, since a second lookup of the name may return another one. */
  readonly address: string;
  readonly family: 4 | 6;
}

export interface GuardOptions {
  /** For development: allows plain HTTP, private networks and names of the local resolver. */
  readonly allowPrivate: boolean;
  readonly resolveName?: (hostname: string) => Promise<readonly Address[]>;
}

/** Checks the form of the URL, without network access. @throws {ComputeError} INVALID_REQUEST */
export function parseWebhookUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isValid =
    url !== undefined &&
    (url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (isValid) return url;
  throw new ComputeError('INVALID_REQUEST', '`url` must be an https address without user, password or fragment');
}

/** @throws {ComputeError} INVALID_REQUEST if any address of the host is not on the public internet */
export async function guardDestination(
  text: string,
  { allowPrivate, resolveName = allowPrivate ? lookUpLocally : resolvePublicName }: GuardOptions,
): Promise<Destination> {
  const url = parseWebhookUrl(text, { allowPrivate });
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolveName(host) : [{ address: host, family: isIP(host) }];
  const first = addresses[0];
  if (first === undefined || (!allowPrivate && addresses.some(({ address }) => !isPublicAddress(address)))) {
    throw new ComputeError('INVALID_REQUEST', '`url` must lead to an address on the public internet');
  }
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

async function lookUpLocally(name: string): Promise<readonly Address[]> {
  return await lookup(name, { all: true });
}

/** Whether an address is public, according to IANA's special-purpose address registries. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return family === 6 ? !special6.check(address, 'ipv6') : !special4.check(address, 'ipv4');
}

// Separate lists: a combined BlockList also matches IPv4 addresses against rules for IPv4-mapped IPv6 addresses.
const special4 = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special4.addSubnet(network, prefix, 'ipv4');
}
const special6 = new BlockList();
// Only 2000::/3 is global unicast; within it, documentation, tunnel and translation prefixes are excluded.
for (const [network, prefix] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special6.addSubnet(network, prefix, 'ipv6');
}
