/** Finds indicators of compromise, plain or defanged, and returns each defanged and normalised. */
import type { AgentTool } from '../../agent/agent.ts';
import { type DocumentSource, readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { spanOf } from '../text/span.ts';
import { formatIpv6, parseIpv4, parseIpv6, scopeOfIpv4, scopeOfIpv6 } from './addresses.ts';
import { findAttackFiles } from './attack-files.ts';
import { defang, isDefanged, refang } from './defang.ts';
import { hasKnownEnding, looksLikeFile } from './domains.ts';
import { entropyBitsPerCharacter } from './entropy.ts';
import { type IndicatorRole, IndicatorRoles } from './indicator-role.ts';
import { findSecrets } from './secrets.ts';
import { findUrls, matchAt, withoutTrailingMarks } from './urls.ts';

export type IocKind = 'url' | 'email' | 'ipv4' | 'ipv6' | 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512' | 'domain';

export interface Ioc {
  readonly kind: IocKind;
  /** Normalised, not defanged. For a URL: without user, password and query, and with long random path segments masked. */
  readonly value: string;
  /** Scope of addresses, and of URLs whose host is an address or the local machine: see `addresses.ts`. */
  readonly scope?: string;
  /** Whether the text contained it in defanged form. */
  readonly wasDefanged: boolean;
  readonly start: number;
  readonly end: number;
}

const kinds: readonly IocKind[] = [
  'url',
  'domain',
  'ipv4',
  'ipv6',
  'email',
  'sha512',
  'sha384',
  'sha256',
  'sha1',
  'md5',
];

/**
 * Each indicator once, by kind, defanged, with its role, the number of occurrences and the first position. Files and registry keys
 * are reported only as those of an attacker.
 */
export const indicators: AgentTool = {
  name: 'indicators',
  version: '2',
  purpose: 'Extracts indicators of compromise, defanged. Text: anything that names them.',
  run(documents) {
    const all = countOnce(documents.flatMap(observablesOf), ({ kind, defanged }) => `${kind} ${defanged}`);
    const result = sharedBytes(
      Object.fromEntries([...kinds, 'file', 'registry'].map((kind) => [kind, all.filter((ioc) => ioc.kind === kind)])),
    );
    const telling = all.filter(({ role, scope }) => role === 'attacker' || scope === undefined || scope === 'public');
    const lineOf = ({ kind, defanged, count, span }: (typeof all)[number]) =>
      `${kind} ${shortened(defanged)}, ${count}× ${place(span)}`;
    const digest = telling.filter(({ role }) => role === 'attacker').map((ioc) => `ATTACKER ${lineOf(ioc)}`);
    const mentioned = telling.filter(({ role }) => role === 'mentioned');
    for (const kind of kinds)
      digest.push(
        ...mentioned
          .filter((ioc) => ioc.kind === kind)
          .slice(0, 4)
          .map(lineOf),
      );
    const internal = all.length - telling.length;
    if (internal > 0)
      digest.push(`${internal} addresses are private, documentation or otherwise not public and omitted here`);
    return toFindings(result, digest);
  },
};

/** Roles are judged in the plain text; addresses are found in the caller's text too, where markup hides them. */
function observablesOf(source: DocumentSource) {
  const { message, text } = source;
  const document = readDocument(source);
  const roles = new IndicatorRoles(document, text);
  const rolesByValue = new Map<string, IndicatorRole>();
  for (const ioc of findIocs(document.text)) {
    const key = `${ioc.kind} ${ioc.value}`;
    if (rolesByValue.get(key) !== 'attacker') rolesByValue.set(key, roles.roleOf(ioc, ioc.kind, ioc.wasDefanged));
  }
  const observables = findIocs(text).map(({ kind, value, scope, wasDefanged, start, end }) => ({
    kind: kind as IocKind | 'file' | 'registry',
    defanged: defang(value),
    // An address inside a network is not the attacker's, even where it stands among those of the attacker.
    role: isReachable(scope) ? (rolesByValue.get(`${kind} ${value}`) ?? 'mentioned') : ('mentioned' as const),
    ...(scope === undefined ? {} : { scope }),
    wasDefanged,
    span: spanOf(message, { start, end }),
  }));
  const files = findAttackFiles(document.text).flatMap((file) =>
    roles.roleOf(file, file.kind, false) === 'attacker'
      ? [
          {
            kind: file.kind as IocKind | 'file' | 'registry',
            defanged: file.value,
            role: 'attacker' as const,
            wasDefanged: false,
            span: document.spanOf(file),
          },
        ]
      : [],
  );
  return [...observables, ...files] as readonly ((typeof observables)[number] & { readonly scope?: string })[];
}

const isReachable = (scope: string | undefined) =>
  scope === undefined || scope === 'public' || scope === 'documentation';

/**
 * Ordered by position in the text; a part of a URL or an e-mail address is not reported again as a domain, and a credential (a
 * password before an `@` looks like a mail address) is never reported.
 */
export function findIocs(text: string): Ioc[] {
  const taken = new Uint8Array(text.length);
  for (const { start, end } of findSecrets(text)) taken.fill(1, start, end);
  const found: Ioc[] = [];
  for (const find of [findScopedUrls, findEmails, findIpv6, findIpv4, findHashes, findDomains]) {
    for (const ioc of find(text)) {
      if (taken[ioc.start] === 1 || taken[ioc.end - 1] === 1) continue;
      taken.fill(1, ioc.start, ioc.end);
      found.push(ioc);
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

const dot = String.raw`(?:\.|\[\.\]|\(\.\)|\{\.\}|\\\.|\[dot\]|\(dot\))`;
function* findScopedUrls(text: string): Generator<Ioc> {
  for (const url of findUrls(text)) {
    const host = /^[^/]{1,12}\/\/(\[[^\]]{1,60}\]|[^/:]{1,253})/.exec(url.value)?.[1] ?? '';
    const scope = scopeOfHost(host.replace(/^\[|\]$/g, ''));
    yield scope === undefined ? url : { ...url, scope };
  }
}

function scopeOfHost(host: string): string | undefined {
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  const octets = parseIpv4(host);
  if (octets !== undefined) return scopeOfIpv4(octets);
  const groups = parseIpv6(host);
  return groups === undefined ? undefined : scopeOfIpv6(groups);
}

const atSign = /@|\[@\]|\(@\)|\{@\}|\s?[[(]at[\])]\s?/gi;
const localBefore = /[A-Za-z0-9._%+'-]{1,64}$/;
const domainAfter = new RegExp(`[A-Za-z0-9-]{1,63}(?:${dot}[A-Za-z0-9-]{1,63}){1,8}`, 'y');

function* findEmails(text: string): Generator<Ioc> {
  for (const match of text.matchAll(atSign)) {
    const after = match.index + match[0].length;
    const domain = matchAt(domainAfter, text, after);
    const local = localBefore.exec(text.slice(Math.max(0, match.index - 64), match.index))?.[0];
    if (domain === undefined || local === undefined) continue;
    const name = refang(domain).toLowerCase();
    const { start, end } = { start: match.index - local.length, end: after + domain.length };
    if (!hasKnownEnding(name)) continue;
    yield { kind: 'email', value: `${local}@${name}`, wasDefanged: isDefanged(text.slice(start, end)), start, end };
  }
}

const ipv4Shape = new RegExp(
  String.raw`(?<![\w.]|\d-)\d{1,3}(?:${dot}\d{1,3}){3}(?![\d]|\.\d)(?:\/\d{1,2}(?!\d))?`,
  'g',
);

function* findIpv4(text: string): Generator<Ioc> {
  for (const match of text.matchAll(ipv4Shape)) {
    const [address = '', bits] = refang(match[0]).split('/');
    const octets = parseIpv4(address);
    if (octets === undefined || (bits !== undefined && Number(bits) > 32)) continue;
    const value = bits === undefined ? address : `${address}/${Number(bits)}`;
    yield { kind: 'ipv4', value, scope: scopeOfIpv4(octets), ...placeOf(match) };
  }
}

/** Runs of address characters with at least two colons; validated by the parser and not by the expression. */
const ipv6Shape = /(?<![\w:.[\]])(?:[0-9A-Fa-f]{1,4}|:)(?:[0-9A-Fa-f.]|:|\[:\]|\[\.\]){2,80}(?![\w:])/g;

function* findIpv6(text: string): Generator<Ioc> {
  for (const match of text.matchAll(ipv6Shape)) {
    const written = withoutTrailingMarks(match[0]);
    const groups = written.includes(':') ? parseIpv6(refang(written)) : undefined;
    // "::" alone, and times such as 10::5, are punctuation more often than addresses.
    if (groups === undefined || written.length < 6) continue;
    const place = { ...placeOf(match), end: match.index + written.length };
    yield { kind: 'ipv6', value: formatIpv6(groups), scope: scopeOfIpv6(groups), ...place };
  }
}

const hashKinds = new Map<number, IocKind>([
  [32, 'md5'],
  [40, 'sha1'],
  [64, 'sha256'],
  [96, 'sha384'],
  [128, 'sha512'],
]);

/** A SHA-256 that a narrow column breaks in the middle. */
const brokenHash =
  /(?<=sha-?256[^\n]{0,40}?)(?<![0-9A-Za-z_])([0-9a-f]{32})(?![0-9A-Za-z_])[^\n]{0,60}\n[\s|]{0,80}?([0-9a-f]{32})(?![0-9A-Za-z_])/gi;

function* findHashes(text: string): Generator<Ioc> {
  for (const match of text.matchAll(brokenHash))
    yield { kind: 'sha256', value: `${match[1]}${match[2]}`.toLowerCase(), ...placeOf(match) };
  for (const match of text.matchAll(/(?<![0-9A-Za-z_])[0-9a-fA-F]{32,128}(?![0-9A-Za-z_])/g)) {
    const kind = hashKinds.get(match[0].length);
    // A hash has letters and digits and is not one repeated character.
    if (kind === undefined || entropyBitsPerCharacter(match[0]) < 2.5 || !/[a-f]/i.test(match[0])) continue;
    if (namedSecret(text, match.index)) continue;
    yield { kind, value: match[0].toLowerCase(), ...placeOf(match) };
  }
}

/** A hexadecimal value that the text calls a key or a password is not a hash and must not be repeated. */
function namedSecret(text: string, at: number): boolean {
  return /(?:key|token|secret|passw(?:or)?d|pwd)["']?\s{0,3}[:=]\s{0,3}["']?$/i.test(
    text.slice(Math.max(0, at - 32), at),
  );
}

/** "OSX/Agent.DJ" is the name under which a scanner reports malware. */
const domainShape = new RegExp(
  String.raw`(?<![\w@-]|(?<![\w.:/])[A-Za-z]\w{1,11}\/)[A-Za-z0-9_-]{1,63}(?:${dot}[A-Za-z0-9-]{1,63}){1,10}(?![\w-])`,
  'g',
);

function* findDomains(text: string): Generator<Ioc> {
  for (const match of text.matchAll(domainShape)) {
    const name = refang(match[0]);
    const ending = name.slice(name.lastIndexOf('.') + 1);
    if (!hasKnownEnding(name) || /^[A-Z][a-z]/.test(ending) || /(?:^|\.)-|-(?:\.|$)/.test(name)) continue;
    const wasDefanged = isDefanged(match[0]);
    if (looksLikeFile(name) && !wasDefanged && !/^www\./i.test(name)) continue;
    if (!/[a-z]/i.test(name.slice(0, name.lastIndexOf('.')))) continue;
    yield { kind: 'domain', value: name.toLowerCase(), ...placeOf(match) };
  }
}

function placeOf(match: RegExpMatchArray): { wasDefanged: boolean; start: number; end: number } {
  const start = match.index!;
  return { wasDefanged: isDefanged(match[0]), start, end: start + match[0].length };
}

function shortened(value: string): string {
  return value.length > 90 ? `${value.slice(0, 89)}…` : value;
}
