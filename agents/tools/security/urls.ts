/** Finds URLs, and returns them without parts that may be a credential. */
import type { Range } from '../text/span.ts';
import { isDefanged, refang } from './defang.ts';
import { entropyBitsPerCharacter } from './entropy.ts';

const urlStart =
  /(?<![A-Za-z])(?:h[tx]{2}ps?|meows?|f[tx]ps?|sftp|ldaps?|wss?|smb|tcp)(?::\/\/|\[:\]\/\/|\[:\/\/\]|:\[\/\]\[\/\]|:\/\[\/\])/gi;
const urlAuthority = /[^\s<>"'`{}|^\\/?#]{1,300}/y;
const urlTail = /[^\s<>"'`{}|^\\]{0,2048}/y;

/** A bracket after the path holds the text of a link, unless it defangs a mark. */
const linkText = /\[(?![.:@/]|:\/\/|dot\])/i;

export interface FoundUrl extends Range {
  readonly kind: 'url';
  /** Lower-case scheme and host, without user, password and query, long random path segments masked. */
  readonly value: string;
  readonly wasDefanged: boolean;
}

/** Ordered by position in the text, plain or defanged. */
export function* findUrls(text: string): Generator<FoundUrl> {
  let readUpTo = 0;
  for (const match of text.matchAll(urlStart)) {
    const start = match.index;
    const authority = start < readUpTo ? undefined : matchAt(urlAuthority, text, start + match[0].length);
    // The host is validated before the rest is parsed, so that "http://http://…" takes linear time.
    if (authority === undefined || !hostOf(refang(withoutTrailingMarks(authority)))) continue;
    const tail = matchAt(urlTail, text, start + match[0].length + authority.length) ?? '';
    const rest = authority + tail.split(linkText, 1)[0]!;
    const kept = withoutTrailingMarks(rest);
    const end = start + match[0].length + kept.length;
    readUpTo = end;
    const value = normalisedUrl(refang(match[0]).toLowerCase(), refang(kept));
    if (value !== undefined) yield { kind: 'url', value, wasDefanged: isDefanged(text.slice(start, end)), start, end };
  }
}

/** The match of a sticky expression at a position. */
export function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

/** Host and port of an authority, without the text before an `@`. */
function hostOf(authority: string): string | undefined {
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  const sound = /^(?:[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,252}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/u.test(host);
  return sound ? host : undefined;
}

/** @returns undefined if no host follows the scheme */
function normalisedUrl(scheme: string, rest: string): string | undefined {
  const hostEnd = rest.search(/[/?#]/);
  const host = hostOf(hostEnd < 0 ? rest : rest.slice(0, hostEnd));
  if (host === undefined) return undefined;
  if (hostEnd < 0) return `${scheme}${host}`;
  const tail = rest.slice(hostEnd);
  const queryAt = tail.search(/[?#]/);
  // A query, a user name and a random-looking segment may be a credential, which is never repeated.
  const path = (queryAt < 0 ? tail : tail.slice(0, queryAt)).split('/').map(maskedSegment).join('/');
  return `${scheme}${host}${path}${queryAt < 0 ? '' : '?…'}`.slice(0, 300);
}

function maskedSegment(segment: string): string {
  return segment.length >= 20 && entropyBitsPerCharacter(segment) >= 3.5 && /\d/.test(segment) ? '…' : segment;
}

/** Punctuation that ends a sentence or closes a bracket that the indicator did not open. */
export function withoutTrailingMarks(written: string): string {
  let end = written.length;
  for (; end > 0; end -= 1) {
    const last = written[end - 1]!;
    if (last === ')' && hasOpen(written, end, '(')) break;
    if (last === ']' && hasOpen(written, end, '[')) break;
    if (!'.,;:!?)]*'.includes(last)) break;
  }
  return written.slice(0, end);
}

/** Searches back at most 64 characters, so that a run of closing brackets takes linear time. */
function hasOpen(written: string, end: number, bracket: string): boolean {
  return written.slice(Math.max(0, end - 64), end).includes(bracket);
}
