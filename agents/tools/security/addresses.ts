/** What kind of network an IP address belongs to, and the plain form of an IPv6 address. Pure arithmetic. */

/** The scope of an address. Only `public` addresses are indicators that others can act upon. */
export type AddressScope =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link-local'
  | 'shared'
  | 'documentation'
  | 'multicast'
  | 'reserved'
  | 'unspecified';

/** @returns the four octets, or undefined if it is not an IPv4 address in decimal without leading zeros */
export function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const octets = parts.map((part) => (/^(?:0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256));
  return octets.every((octet) => octet <= 255) ? octets : undefined;
}

/** @see RFC 6890 (special-purpose registries), RFC 1918, RFC 6598, RFC 5737, RFC 3927, RFC 5771 */
export function scopeOfIpv4([a = 0, b = 0, c = 0, d = 0]: readonly number[]): AddressScope {
  if (a === 0) return 'unspecified';
  if (a === 127) return 'loopback';
  if (a === 10 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168)) return 'private';
  if (a === 169 && b === 254) return 'link-local';
  if (a === 100 && b >= 64 && b <= 127) return 'shared';
  const block = `${a}.${b}.${c}`;
  if (block === '192.0.2' || block === '198.51.100' || block === '203.0.113') return 'documentation';
  if (block === '192.0.0' || (a === 198 && (b === 18 || b === 19)) || (a === 255 && d === 255)) return 'reserved';
  if (a >= 224 && a <= 239) return 'multicast';
  return a >= 240 ? 'reserved' : 'public';
}

/** @returns the eight groups, or undefined if it is not an IPv6 address @see RFC 4291 §2.2 */
export function parseIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (text === '' || halves.length > 2) return undefined;
  const groups = halves.map((half, index) => parseGroups(half, index === halves.length - 1));
  const [head, tail] = groups;
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 7) return undefined;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Lower case, no leading zeros, the first longest run of zero groups as `::`. @see RFC 5952 §4 */
export function formatIpv6(groups: readonly number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

/** @see RFC 4291, RFC 4193, RFC 3849, RFC 9637 */
export function scopeOfIpv6(groups: readonly number[]): AddressScope {
  const [first = 0, second = 0] = groups;
  if (groups.slice(0, 7).every((group) => group === 0)) {
    if (groups[7] === 0) return 'unspecified';
    if (groups[7] === 1) return 'loopback';
  }
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return scopeOfIpv4([groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255]);
  }
  if ((first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000)) return 'documentation';
  if ((first & 0xfe00) === 0xfc00) return 'private';
  if ((first & 0xffc0) === 0xfe80) return 'link-local';
  if ((first & 0xff00) === 0xff00) return 'multicast';
  return (first & 0xe000) === 0x2000 ? 'public' : 'reserved';
}

/** @param last whether the half ends the address, where an IPv4 address may replace two groups */
function parseGroups(half: string, last: boolean): number[] | undefined {
  if (half === '') return [];
  const groups: number[] = [];
  const parts = half.split(':');
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
      continue;
    }
    const octets = last && index === parts.length - 1 ? parseIpv4(part) : undefined;
    if (octets === undefined) return undefined;
    groups.push(octets[0]! * 256 + octets[1]!, octets[2]! * 256 + octets[3]!);
  }
  return groups.length <= 8 ? groups : undefined;
}
