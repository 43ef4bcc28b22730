/** Citations of the Court's cases and of judgments by ECLI. Pure. */
import type { Range } from '../text/span.ts';
import type { FlatText } from './flat-text.ts';

export interface CaseCitation extends Range {
  /** `C-311/18`, `C-441/17 R`; of a case before 1989 without its letter, `26/62`. */
  readonly number: string;
  readonly court: 'Court of Justice' | 'General Court' | 'Civil Service Tribunal';
  /** CELEX number of the judgment, or of the opinion if the text mentions one directly before. */
  readonly celex: string;
  readonly kind: 'judgment' | 'order' | 'opinion';
  /** Identifier that the text prints with the number, or alone in a line for its own case. */
  readonly ecli?: string;
}

const hyphen = '[-\u2010\u2011\u2012\u2013]';
const caseShape = new RegExp(
  String.raw`(?<![\w-])(?:([CTF])${hyphen}(\d{1,4})\/(\d{2})|(?:Case|Rechtssache|Rs\.|affaire|věc|věci|zaak|causa|asunto|sprawa|sprawie|processo)[ \u00a0](\d{1,3})\/([5-8]\d))(?![\w/])(?: (P(?:PU)?|R|RENV|OP|INT|REV|DEP|SA|TO)(?![\w-]))?`,
  'gu',
);

/** Ordered by position in the text. Two-digit years from 53 on are in the twentieth century. */
export function findCases(text: string): CaseCitation[] {
  const found: CaseCitation[] = [];
  const words = [...text.matchAll(kindWords)];
  let next = 0;
  for (const match of text.matchAll(caseShape)) {
    while (next < words.length && words[next]!.index < match.index) next += 1;
    const [written, letter = 'C', modern, modernYear, old, oldYear, suffix] = match;
    const digits = modern ?? old ?? '';
    const shortYear = modernYear ?? oldYear ?? '';
    const year = Number(shortYear) >= 53 ? 1900 + Number(shortYear) : 2000 + Number(shortYear);
    const word = words[next - 1];
    const kind = word === undefined || match.index - word.index > 60 ? 'judgment' : kindOf(word[0]);
    const letters = letter + (kind === 'judgment' ? 'J' : kind === 'order' ? 'O' : 'C');
    found.push({
      number: `${modern === undefined ? '' : `${letter}-`}${Number(digits)}/${shortYear}${suffix === undefined ? '' : ` ${suffix}`}`,
      court: letter === 'T' ? 'General Court' : letter === 'F' ? 'Civil Service Tribunal' : 'Court of Justice',
      celex: `6${year}${letters}${digits.padStart(4, '0')}`,
      kind,
      start: match.index,
      end: match.index + written.length,
    });
  }
  return found;
}

const kindWords =
  /(?<![A-Za-zÀ-ž])(?:judgments?|urteile?|arrêts?|arrest|sentencia|sentenza|wyrok[A-Za-zÀ-ž]{0,3}|orders?|beschluss|ordonnance|auto|ordinanza|beschikking|postanowieni[A-Za-zÀ-ž]{1,2}|opinion|schlussanträge|conclusions|conclusie|conclusiones|conclusioni|opini[A-Za-zÀ-ž]{1,3}|rozsudek|usnesení|stanovisko)(?![A-Za-zÀ-ž])/giu;

/** Only advocates general of the Court of Justice give opinions, although other identifiers have the same form. */
function kindOf(word: string): CaseCitation['kind'] {
  if (/^(?:orders?|beschluss|ordonnance|auto|ordinanza|beschikking|postanowieni.{1,2}|usnesení)$/i.test(word))
    return 'order';
  return /^(?:opini.{1,3}|schlussanträge|conclusions|conclusie|conclusiones|conclusioni|stanovisko)$/i.test(word)
    ? 'opinion'
    : 'judgment';
}

/** At most so many cases are filled in between the first and the last of a range. */
const rangeMax = 20;

/** "C-622/16 P to C-624/16 P" with the cases between, each at the place of the range. */
export function fillRanges(text: string, cases: readonly CaseCitation[]): CaseCitation[] {
  return cases.flatMap((first, index) => {
    const last = cases[index + 1];
    if (last === undefined || !/^ (?:to|bis|à|a|al|tot en met|tot|do|až|–) $/u.test(text.slice(first.end, last.start)))
      return [first];
    const [one, other] = [numbersOf(first), numbersOf(last)];
    if (one === undefined || other === undefined || one.rest !== other.rest || one.letter !== other.letter)
      return [first];
    const count = other.count - one.count - 1;
    if (count < 1 || count > rangeMax) return [first];
    const between = Array.from({ length: count }, (_, step): CaseCitation => {
      const digits = one.count + step + 1;
      const celex = first.celex.slice(0, 7) + String(digits).padStart(4, '0');
      return { ...first, number: `${one.letter}-${digits}/${one.rest}`, celex };
    });
    return [first, ...between];
  });
}

function numbersOf({ number }: CaseCitation): { letter: string; count: number; rest: string } | undefined {
  const match = /^([CTF])-(\d+)\/(.+)$/.exec(number);
  return match === null ? undefined : { letter: match[1]!, count: Number(match[2]), rest: match[3]! };
}

/** Farther than this, an identifier belongs to another judgment. */
const ecliDistanceMax = 260;

/** Gives each case the identifier after it in its sentence; those of a list share it. */
export function withEclis(flat: FlatText, cases: readonly CaseCitation[], eclis: readonly Ecli[]): CaseCitation[] {
  const used = new Set<Ecli>();
  const linked: CaseCitation[] = [...cases];
  let next = eclis.length - 1;
  for (let index = cases.length - 1; index >= 0; index -= 1) {
    const found = cases[index]!;
    while (next > 0 && eclis[next - 1]!.start >= found.end) next -= 1;
    const ecli = eclis[next];
    const following = cases[index + 1];
    if (following !== undefined && isListed(flat.text, found, following)) {
      const shared = linked[index + 1]!.ecli;
      if (shared !== undefined && found.number[0] === following.number[0]) linked[index] = { ...found, ecli: shared };
      continue;
    }
    if (ecli === undefined || ecli.start < found.end || ecli.start - found.end > ecliDistanceMax) continue;
    if (following !== undefined && following.start < ecli.start) continue;
    if (
      /[\n\t;]|\. \p{Lu}\p{Ll}+ \p{Ll}/u.test(flat.text.slice(found.end, ecli.start)) ||
      ecli.court !== found.number[0]
    )
      continue;
    linked[index] = { ...found, ecli: ecli.ecli };
    used.add(ecli);
  }
  const own = ownEcli(flat, eclis, used);
  if (own === undefined) return linked;
  // The case in the title comes first, alone or with those joined to it.
  const title = new Set<string>();
  for (const [index, { number }] of linked.entries()) {
    if (index > 0 && !isListed(flat.text, linked[index - 1]!, linked[index]!)) break;
    if (number[0] === own.split(':')[2]) title.add(number);
  }
  return linked.map((found) => (found.ecli === undefined && title.has(found.number) ? { ...found, ecli: own } : found));
}

function isListed(text: string, one: Range, next: Range): boolean {
  return one.end <= next.start
    ? /^(?:,|,? (?:and|und|et|y|e|en|i|a|to|bis|à|do|až|tot en met|–)) $/u.test(text.slice(one.end, next.start))
    : one.start === next.start;
}

/** The identifier in a line of its own is the document's: the Court prints it at the foot. */
function ownEcli(flat: FlatText, eclis: readonly Ecli[], used: ReadonlySet<Ecli>): string | undefined {
  const alone = eclis.filter((each) => {
    const block = flat.blockAt(each.start);
    if (used.has(each) || each.courtName === undefined || block === undefined) return false;
    const rest = `${flat.text.slice(block.start, each.start)}${flat.text.slice(each.end, block.end)}`;
    return rest.length < 40 && /^[\s\d.,:*()[\]-]*$/.test(rest);
  });
  return new Set(alone.map(({ ecli }) => ecli)).size === 1 ? alone[0]!.ecli : undefined;
}

export interface Ecli extends Range {
  /** With the prefix, in capitals. */
  readonly ecli: string;
  readonly country: string;
  readonly court: string;
  /** For the courts of the Union and the European Court of Human Rights. */
  readonly courtName?: string;
  readonly year: number;
  readonly ordinal: string;
}

/**
 * Also accepts the Court's own short form, `EU:C:2020:559`. @see Council conclusions on ECLI, OJ C 127, 29.4.2011, p. 1, annex
 * §1
 */
export function findEclis(text: string): Ecli[] {
  const found: Ecli[] = [];
  for (const match of text.matchAll(ecliShape)) {
    const [written, prefix, country = '', court = '', year = '', ordinal = ''] = match;
    if (prefix === undefined && country !== 'EU') continue;
    const kept = ordinal.replace(/[.:]+$/, '');
    const courtName = country === 'EU' || country === 'CE' ? courtNames.get(court.toUpperCase()) : undefined;
    found.push({
      ecli: `ECLI:${country}:${court}:${year}:${kept}`.toUpperCase(),
      country: country.toUpperCase(),
      court: court.toUpperCase(),
      ...(courtName === undefined ? {} : { courtName }),
      year: Number(year),
      ordinal: kept.toUpperCase(),
      start: match.index,
      end: match.index + written.length - (ordinal.length - kept.length),
    });
  }
  return found;
}

/**
 * Country of two letters, court of one to seven characters that begins with a letter, year, and up to 25 letters, digits and
 * points.
 */
const ecliShape =
  /(?<![\w:])(ECLI:)?([A-Z]{2}):([A-Z][A-Z0-9]{0,6}):((?:1[89]|20)\d{2}):([A-Z0-9][A-Z0-9.]{0,24})(?![A-Z0-9])/gi;

const courtNames = new Map([
  ['C', 'Court of Justice'],
  ['T', 'General Court'],
  ['F', 'Civil Service Tribunal'],
  ['ECHR', 'European Court of Human Rights'],
]);
