/** Citations of the Court's cases and of judgments by ECLI. Pure. */
import type { Range } from '../text/span.ts';

export interface CaseCitation extends Range {
  /** `C-311/18`, `C-441/17 R`; of a case before 1989 without its letter, `26/62`. */
  readonly number: string;
  readonly court: 'Court of Justice' | 'General Court' | 'Civil Service Tribunal';
  /** CELEX number of the judgment, or of the opinion if the text mentions one directly before. */
  readonly celex: string;
  readonly kind: 'judgment' | 'order' | 'opinion';
}

const hyphen = '[-\u2010\u2011\u2012\u2013]';
const caseShape = new RegExp(
  String.raw`(?<![\w-])(?:([CTF])${hyphen}(\d{1,4})\/(\d{2})|(?:Case|Rechtssache|Rs\.|affaire|věc)[ \u00a0](\d{1,3})\/([5-8]\d))(?![\w/])(?: (P(?:PU)?|R|RENV|OP|INT|REV|DEP|SA|TO)(?![\w-]))?`,
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
  /(?<!\p{L})(?:judgment|urteil|arrêt|order|beschluss|ordonnance|opinion|schlussanträge|conclusions|rozsudek|usnesení|stanovisko)(?!\p{L})/giu;

/** Only advocates general of the Court of Justice give opinions, although other identifiers have the same form. */
function kindOf(word: string): CaseCitation['kind'] {
  if (/^(?:order|beschluss|ordonnance|usnesení)$/i.test(word)) return 'order';
  return /^(?:opinion|schlussanträge|conclusions|stanovisko)$/i.test(word) ? 'opinion' : 'judgment';
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
