/** Whom limits by address count: whoever has one IPv6 address has a network of 2^64 of them, and takes another at will. */
import { isIPv6 } from 'node:net';

/** @returns an IPv4 address as it is, of an IPv6 address its /64 network */
export function clientNetwork(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [before = '', after] = plain.split('::');
  const head = before === '' ? [] : before.split(':');
  // IPv4 in the last two groups is beyond the network's part, but counts as two of eight.
  const tail = after === undefined || after === '' ? [] : after.replace(/[^:]*\.[^:]*$/, '0:0').split(':');
  const zeros = after === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
