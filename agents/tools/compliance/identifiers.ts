/**
 * Finds identifiers of persons by shape and check digits. Returns kind, position and at most a country or network, but never a
 * value or a part of one.
 */
import type { Range } from '../text/span.ts';
import { ibanLength, passesIban, passesLuhn, weighted } from './check-digits.ts';
import { nationalIdOf } from './national-ids.ts';

export type IdentifierKind =
  | 'email address'
  | 'IBAN'
  | 'payment card number'
  | 'national identifier'
  | 'IP address'
  | 'MAC address'
  | 'phone number'
  | 'name with title'
  | 'postal address';

export interface FoundIdentifier extends Range {
  readonly kind: IdentifierKind;
  /** Examples: "DE", "visa", "PL PESEL", "IPv6 private". */
  readonly detail?: string;
}

/** Ordered by position in the text; if two overlap, the one with the stronger evidence is kept. */
export function findIdentifiers(text: string): FoundIdentifier[] {
  const found = [
    ...emails(text),
    ...ibans(text),
    ...cards(text),
    ...nationalIds(text),
    ...hardwareAddresses(text),
    ...ipAddresses(text),
    ...phones(text),
    ...titledNames(text),
    ...postalAddresses(text),
  ];
  const taken = new Uint8Array(text.length);
  const kept = found.filter(({ start, end }) => {
    if (taken[start] === 1 || taken[end - 1] === 1) return false;
    taken.fill(1, start, end);
    return true;
  });
  return kept.sort((a, b) => a.start - b.start);
}

/** Up to nine labels of at most 63 characters: RFC 1035. */
const domainShape =
  /(?:[A-Za-z0-9\u00c0-\u024f](?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9])/y;

/** At most 64 characters before the sign: RFC 5321 §4.5.3.1.1. */
function* emails(text: string): Generator<FoundIdentifier> {
  for (let sign = text.indexOf('@'); sign !== -1; sign = text.indexOf('@', sign + 1)) {
    let start = sign;
    while (start > 0 && sign - start < 64 && isLocalPart(text.charCodeAt(start - 1))) start -= 1;
    while (start < sign && "'.`*|".includes(text[start]!)) start += 1;
    if (start === sign) continue;
    domainShape.lastIndex = sign + 1;
    const domain = domainShape.exec(text);
    if (domain !== null) yield { kind: 'email address', start, end: sign + 1 + domain[0].length };
  }
}

/** Letters, digits and the marks of RFC 5322 `atext`, with the point; letters of Latin scripts too. */
function isLocalPart(code: number): boolean {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)) return true;
  return (code >= 0xc0 && code <= 0x24f) || ".!#$%&'*+/=?^_`{|}~-".includes(String.fromCharCode(code));
}

function* ibans(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?=[ ]?[A-Z0-9])/g)) {
    const length = ibanLength(match[0].slice(0, 2));
    if (length === undefined) continue;
    let bare = '';
    let at = match.index;
    for (; bare.length < length && at < text.length && at - match.index < 48; at += 1) {
      const character = text[at]!;
      if (/[A-Z0-9]/.test(character)) bare += character;
      else if (character !== ' ' && character !== '\u00a0') break;
    }
    if (passesIban(bare) && !/[A-Za-z0-9]/.test(text[at] ?? ' ')) {
      yield { kind: 'IBAN', start: match.index, end: at, detail: bare.slice(0, 2) };
    }
  }
}

/** Prefixes and lengths as published by the networks. */
const networks: readonly (readonly [string, RegExp])[] = [
  ['visa', /^4(?:\d{12}|\d{15}|\d{18})$/],
  ['mastercard', /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d{2}|7[01]\d|720)\d{12})$/],
  ['american express', /^3[47]\d{13}$/],
  ['diners club', /^3(?:0[0-5]|[68]\d)\d{11}$/],
  ['discover', /^6(?:011|5\d{2}|4[4-9]\d)\d{12}$/],
  ['jcb', /^35(?:2[89]|[3-8]\d)\d{12}$/],
  ['unionpay', /^62\d{14,17}$/],
  ['maestro', /^(?:50|5[6-9]|6[0-9])\d{11,17}$/],
];

function* cards(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(/(?<![\d.,/-])\d(?:[ -]?\d){12,18}(?![\d/]|[.,-]\d)/g)) {
    const bare = match[0].replace(/[ -]/g, '');
    const network = networks.find(([, shape]) => shape.test(bare))?.[0];
    if (network === undefined || !passesLuhn(bare) || /^(\d)\1+$/.test(bare)) continue;
    yield { kind: 'payment card number', start: match.index, end: match.index + match[0].length, detail: network };
  }
}

const nationalShape =
  /(?<![\w.+/-])(?:[A-Za-z]{6}\d{2}[A-Za-z]\d{2}[A-Za-z]\d{3}[A-Za-z]|[XYZ\d]-?\d{7}-?[A-Z]|\d{6}[-+A]\d{3}[\dA-Y]|\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}|756\.?\d{4}\.?\d{4}\.?\d{2}|(?:\d{2})?\d{6}[-+]\d{4}|\d{6}\/\d{4}|\d{6} \d{5}|[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}|\d{2} ?\d{3} ?\d{3} ?\d{3}|\d{10,13})(?![\w]|[.,/-]\d)/g;

function* nationalIds(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(nationalShape)) {
    const id = nationalIdOf(match[0]);
    const range = { start: match.index, end: match.index + match[0].length };
    if (id !== undefined) yield { kind: 'national identifier', ...range, detail: `${id.country} ${id.name}` };
  }
  // National Insurance and Social Security numbers have no check digit, but a unique shape.
  for (const match of text.matchAll(
    /(?<![\w-])(?:(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]|(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4})(?![\w-])/g,
  )) {
    const detail = /^[A-Z]/.test(match[0]) ? 'GB National Insurance number' : 'US Social Security number';
    yield { kind: 'national identifier', start: match.index, end: match.index + match[0].length, detail };
  }
  // The eleven-test of a Dutch BSN passes too often for a bare number, so the name must precede it.
  for (const match of text.matchAll(
    /\b(?:BSN|burgerservicenummer)[: ]{0,3}(?:is |no\.? |number )?(\d{9}|\d{4}\.\d{2}\.\d{3})(?!\d)/gi,
  )) {
    const bare = match[1]!.replaceAll('.', '');
    const end = match.index + match[0].length;
    if (weighted(bare, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 !== 0) continue;
    yield { kind: 'national identifier', start: end - match[1]!.length, end, detail: 'NL BSN' };
  }
}

function* hardwareAddresses(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(
    /(?<![0-9A-Fa-f:-])[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![0-9A-Fa-f:-])/g,
  )) {
    yield { kind: 'MAC address', start: match.index, end: match.index + match[0].length };
  }
}

function* ipAddresses(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(/(?<![\d.\w])(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?!\d|\.\d|\w)/g)) {
    const octets = match.slice(1, 5).map(Number);
    // "version 10.0.1.2", "section 1.2.3.4" are none.
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    if (octets.some((octet) => octet > 255) || /(?:version|release|section|clause|§|v)[ .]{0,2}$/i.test(before))
      continue;
    yield {
      kind: 'IP address',
      start: match.index,
      end: match.index + match[0].length,
      detail: `IPv4${isPrivate(octets) ? ' private' : ''}`,
    };
  }
  for (const match of text.matchAll(/(?<![0-9A-Za-z:.])[0-9A-Fa-f:]{3,39}(?![0-9A-Za-z:])/g)) {
    if (!isIpv6(match[0])) continue;
    const isLocal = /^(?:fe[89ab]|f[cd]|::1$)/i.test(match[0]);
    yield {
      kind: 'IP address',
      start: match.index,
      end: match.index + match[0].length,
      detail: `IPv6${isLocal ? ' private' : ''}`,
    };
  }
}

/** RFC 1918, loopback, link-local, and the documentation blocks of RFC 5737. */
function isPrivate([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (
    a === 10 ||
    a === 127 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254)
  )
    return true;
  return (
    (a === 192 && b === 0 && c === 2) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113)
  );
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2 || !/[0-9A-Fa-f]/.test(text)) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  if (groups.some((group) => !/^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  // "12:30" is a time and "a::b" may be code: at least two groups next to the gap, or all eight.
  return halves.length === 2 ? groups.length >= 2 && groups.length <= 7 && /\d/.test(text) : groups.length === 8;
}

function* phones(text: string): Generator<FoundIdentifier> {
  for (const match of text.matchAll(
    /(?<![\w+])(?:\+|00)[1-9]\d{0,2}[ (./-]{0,3}\d(?:[ ()./-]{0,2}\d){5,13}(?![\d])/g,
  )) {
    const digits = match[0].replace(/\D/g, '').length;
    if (digits >= 8 && digits <= 17)
      yield { kind: 'phone number', start: match.index, end: match.index + match[0].length };
  }
  for (const match of text.matchAll(
    /\b(?:tel|telephone|phone|mobile|cell|fax|telefon|mobil|handy|téléphone|gsm)[a-z]{0,6}[.:]{0,2} {0,3}((?:\(?0|[1-9])[\d()./ -]{6,18}\d)(?!\d)/gi,
  )) {
    const digits = match[1]!.replace(/\D/g, '').length;
    const end = match.index + match[0].length;
    if (digits >= 7 && digits <= 13) yield { kind: 'phone number', start: end - match[1]!.length, end };
  }
}

function* titledNames(text: string): Generator<FoundIdentifier> {
  const shape =
    /(?<!\p{L})(?:Mrs?|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau|Mme|Mlle|Monsieur|Madame|Sig|Sig\.ra|Sra?|pan|paní|Pan|Paní)\.? (?:Dr\.? |Prof\.? )?\p{Lu}[\p{L}'’-]{1,30}(?: \p{Lu}[\p{L}'’-]{1,30})?/gu;
  for (const match of text.matchAll(shape)) {
    yield { kind: 'name with title', start: match.index, end: match.index + match[0].length };
  }
}

function* postalAddresses(text: string): Generator<FoundIdentifier> {
  const shape =
    /(?<![\p{L}\d])(?:\d{1,4}[a-z]? (?:\p{Lu}\p{L}{1,20} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Row|Square|Close|Way|Court|Boulevard)\b|\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place) (?:de |du |des |la |l'){0,3}\p{Lu}[\p{L}-]{1,24}|\p{Lu}\p{L}{1,24}(?:straße|strasse|str\.|weg|platz|gasse|allee|ova|ská|gatan|straat|laan) \d{1,4}[a-z]?|(?:Via|Calle|ul\.|ulice) \p{Lu}\p{L}{1,24}(?: \p{Lu}\p{L}{1,24})? ?,? \d{1,4})(?![\p{L}\d])/gu;
  for (const match of text.matchAll(shape)) {
    yield { kind: 'postal address', start: match.index, end: match.index + match[0].length };
  }
}
