/** The network that limits by address apply to: a client with one IPv6 address controls 2^64 of them. */
import { isIPv6 } from 'node:net';

/** @returns an IPv4 address unchanged, or the /64 network of an IPv6 address */
export function clientNetwork(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  // An IPv4 address in the last two groups lies outside the network part but counts as two of eight groups.
  const tail = after === undefined || after === '' ? [] : after.replace(/[^:]*\.[^:]*$/, '0:0').split(':');
  const zeros = after === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
