/** Keeps tenants from making this service speak to addresses that only it can reach (SSRF). */
import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ComputeError } from '../base/errors.ts';
import { type Address, resolvePublicName } from './public-names.ts';

export interface Destination {
  readonly url: URL;
  /** The address that was checked; connect to this one, since the name may lead elsewhere a moment later. */
  readonly address: string;
  readonly family: 4 | 6;
}

export interface GuardOptions {
  /** For developing: plain HTTP, this machine's own networks and the names that it alone knows are allowed. */
  readonly allowPrivate: boolean;
  readonly resolveName?: (hostname: string) => Promise<readonly Address[]>;
}

/** The form alone, without the network. @throws {ComputeError} INVALID_REQUEST */
export function parseWebhookUrl(text: string, { allowPrivate }: { allowPrivate: boolean }): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRight =
    url !== undefined &&
    (url.protocol === 'https:' || (allowPrivate && url.protocol === 'http:')) &&
    url.username === '' &&
    url.password === '' &&
    url.hash === '';
  if (isRight) return url;
  throw new ComputeError('INVALID_REQUEST', '`url` must be an https address without user, password or fragment');
}

/** @throws {ComputeError} INVALID_REQUEST where any of its addresses is not on the public internet */
export async function guardDestination(
  text: string,
  { allowPrivate, resolveName = allowPrivate ? lookUpHere : resolvePublicName }: GuardOptions,
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

async function lookUpHere(name: string): Promise<readonly Address[]> {
  return await lookup(name, { all: true });
}

/** Whether an address belongs to the public internet, by the special-purpose registries of IANA. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return family === 6 ? !special6.check(address, 'ipv6') : !special4.check(address, 'ipv4');
}

// Two lists: one would take an IPv4 address for the IPv6 address that it can be written as.
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
// Only 2000::/3 is given out; of it, what documents, tunnels or translates leads elsewhere.
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
