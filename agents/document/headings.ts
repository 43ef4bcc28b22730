/** Headings and the text under them: the clauses of a contract, the chapters of a report. */
import { startsWithDay } from '../tools/text/dates.ts';
import type { Range } from '../tools/text/span.ts';

export interface Section extends Range {
  /** The number as written, without trailing punctuation: "12.3", "IV", "A"; undefined if the heading has no number. */
  readonly number?: string;
  /** Empty for the text before the first heading and for numbered paragraphs without a title. */
  readonly title: string;
  /** 1 for the highest. */
  readonly level: number;
  /** Start of the text below the heading; `end` is the start of the next heading. */
  readonly bodyStart: number;
}

/** Longer lines are not headings, and a title at the beginning of a line is at most this long. */
const titleCharactersMax = 90;

export type Heading = Omit<Section, 'end'>;

/**
 * Whether a line of the plain text is a heading: marked by the format, named (`Article 5 Liability`, `Schedule A`), numbered
 * (`12. Governing law`, `12.1 The Supplier shall …`), or all capitals.
 * @param marked level in the format's own markup, if it has one
 */
export function headingOf(text: string, line: Range, marked: number | undefined): Heading | undefined {
  if (line.end === line.start) return undefined;
  const shown = text.slice(line.start, Math.min(line.end, line.start + titleCharactersMax + 40));
  const whole = line.end - line.start <= titleCharactersMax + 40;
  if (marked !== undefined && whole) return markedHeading(shown, line, marked);
  return (
    ruledHeading(shown, line, whole) ??
    namedHeading(shown, line, whole) ??
    numberedHeading(shown, line, whole) ??
    capitalHeading(shown, line, whole)
  );
}

/**
 * Sections divide the whole text; they do not nest: each ends where the next begins.
 * @param headings ordered by position in the text · @param firstContent offset of the first character that is not blank
 */
export function sectionsOf(length: number, headings: readonly Heading[], firstContent = 0): Section[] {
  const sections: Section[] = [];
  let open: Heading = { start: 0, bodyStart: 0, title: '', level: 1 };
  for (const heading of headings) {
    const isFirst = heading.start <= firstContent;
    if (!isFirst && heading.start > open.start) sections.push({ ...open, end: heading.start });
    open = isFirst ? { ...heading, start: 0 } : heading;
  }
  if (open.start < length || sections.length === 0) sections.push({ ...open, end: length });
  return sections;
}

function markedHeading(shown: string, line: Range, level: number): Heading {
  const named = namedHeading(shown, line, true);
  if (named !== undefined) return { ...named, level };
  const numbered = /^(\d{1,3}(?:\.\d{1,3}){0,4})[.)]?[ \t]{1,4}/.exec(shown);
  const title = numbered === null ? shown : shown.slice(numbered[0].length);
  return { ...at(line, line.end), ...numberOf(numbered?.[1]), title: title.trim(), level };
}

const named =
  /^(article|section|clause|schedule|annex|appendix|exhibit|chapter|part|artikel|anlage|article|annexe|článek|příloha|čl\.|art\.|§)(?=[ \u00a0]|\d)[ \u00a0]{0,2}(\d{1,3}(?:\.\d{1,3}){0,3}[a-z]?|[IVXLC]{1,6}|[A-Z])(?![\p{L}\d])[.):–—-]{0,2}[ \u00a0\t]{0,4}/iu;

/** "Article 5 – Liability" on its own line, or followed by a point and its text. */
function namedHeading(shown: string, line: Range, whole: boolean): Heading | undefined {
  const match = named.exec(shown);
  if (match === null) return undefined;
  const rest = shown.slice(match[0].length).replace(/^[–—:.-]{1,2}[ \u00a0]{0,3}/, '');
  const level = /^(?:schedule|annex|appendix|exhibit|part|chapter|anlage|příloha)/i.test(match[1]!) ? 1 : 2;
  // "Section 4. Payment. The Borrower pays …" is a title followed by its text, however short.
  const short = inlineTitle(rest);
  const hasText = short !== undefined && /\.\s*$/.test(rest) && rest.length - short.length >= 15;
  const title =
    whole && !hasText && rest.length <= titleCharactersMax && !/[,;]$/.test(rest) ? titleOf(rest) : undefined;
  // "Section 5 shall apply …" continues as a sentence, so it is a reference and not a heading.
  if (title === undefined) {
    const inline = short;
    const bodyStart = line.start + shown.length - rest.length + (inline?.length ?? 0);
    return inline === undefined
      ? undefined
      : { start: line.start, bodyStart, ...numberOf(match[2]), title: inline.title, level };
  }
  // In "… named in
  // Annex 3.", the second line ends a sentence.
  if (/^\p{Ll}/u.test(title) || (level === 1 && rest.trim() === '' && /\.\s*$/.test(shown))) return undefined;
  return { ...at(line, line.end), ...numberOf(match[2]), title, level };
}

const amountBehind = /^(?:\p{Ll}|[TKM]?(?:EUR|CHF|USD|GBP|SEK|PLN|CZK)\b|Euro\b|[€$£]|[TM]€|Mio|Mrd|Tsd)/u;

function numberedHeading(shown: string, line: Range, whole: boolean): Heading | undefined {
  const match = /^\*{0,2}(\d{1,3}(?:\.\d{1,3}){0,4})([.)]?)[ \u00a0\t]{1,6}(?=\S)/.exec(shown);
  if (match === null || startsWithDay(shown)) return undefined;
  const number = match[1]!;
  const level = number.split('.').length + 1;
  const rest = shown.slice(match[0].length);
  // "8.000.000 euros", "24.310 TEUR" and "1.405 Mio. EUR" continue a sentence with an amount.
  if (/^\d{1,3}(?:\.\d{3})+$/.test(number) && amountBehind.test(rest)) return undefined;
  // "30 days after …" and "1 2 3" are not numbered headings; a number without punctuation needs a title or a word such as
  // "Part".
  if (match[2] === '' && level === 2 && !/^\p{Lu}/u.test(rest)) return undefined;
  if (!/^[\p{L}"“„(*]/u.test(rest)) return undefined;
  const alone = whole && rest.length <= titleCharactersMax && !/[.;,:]$/.test(rest);
  if (alone && rest.split(' ').length <= 12 && /^[\p{Lu}*]/u.test(rest) && !runsOn(rest, level)) {
    return { ...at(line, line.end), number, title: titleOf(rest) ?? '', level };
  }
  if (match[2] === '' && level === 2) return undefined;
  const inline = inlineTitle(rest);
  const bodyStart = line.start + match[0].length + (inline?.length ?? 0);
  return { start: line.start, bodyStart, number, title: inline?.title ?? '', level };
}

/**
 * A line that looks like a heading by its number, name or capitals but is the first line of a wrapped paragraph: the next line
 * continues its sentence.
 * @param next the line directly below · @returns the numbered paragraph without a title; undefined if it has no number
 */
export function asParagraph(text: string, line: Range, heading: Heading): Heading | undefined {
  if (heading.number === undefined) return undefined;
  const shown = text.slice(line.start, line.end);
  const mark = named.exec(shown)?.[0] ?? /^\*{0,2}\d{1,3}(?:\.\d{1,3}){0,4}[.)]?[ \u00a0\t]{1,6}/.exec(shown)?.[0];
  if (mark === undefined) return undefined;
  const inline = inlineTitle(shown.slice(mark.length));
  const bodyStart = line.start + mark.length + (inline?.length ?? 0);
  return { start: line.start, bodyStart, number: heading.number, title: inline?.title ?? '', level: heading.level };
}

/** @param line a heading that fills its line · @param next the line directly below it */
export function continuesBelow(text: string, line: Range, { title, number }: Heading, next: Range): boolean {
  const below = text.slice(next.start, Math.min(next.end, next.start + 160));
  const words = title.split(/[ \u00a0]+/);
  if (title === title.toUpperCase() && number === undefined) {
    const isSentence = / (?:SHALL|WILL|MAY|IS|ARE|NOT|DOES|NO|ANY|BE|IN) /.test(` ${title} `);
    return isSentence && line.end - line.start >= 45 && words.length >= 6 && /^[^\p{Ll}]*\p{Lu}{2}/u.test(below);
  }
  if (words.length < 4 || line.end - line.start < 35) return false;
  // "… Its liability under this Article": a second sentence has begun.
  if (/\p{Ll}{2}[.;] \p{Lu}\p{Ll}/u.test(title)) return true;
  return /^(?:\p{Ll}|\([\p{Ll}“"„])/u.test(below) && !/^[a-z]{1,3}[.)] /.test(below);
}

/** "4.4 The Customer may terminate this Agreement if the" is the first line of a paragraph. */
function runsOn(rest: string, level: number): boolean {
  const words = rest.split(' ').filter((word) => /\p{L}/u.test(word));
  if (
    / (?:the|of|an?|and|to|or|in|by|from|with|within|for|after|upon|that|if|will|shall|may|must|not|its|each|any|der|die|das|und|oder|von|zu|mit|für)$/i.test(
      rest,
    )
  )
    return true;
  if (
    words.length > 4 &&
    / (?:shall|will|may|must|is|are|means|agrees|warrants|undertakes|ist|sind|wird|kann|hat) /i.test(rest)
  )
    return true;
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return level > 2 && rest.length >= 45 && capitals * 2 < words.length;
}

/** "Limitation of Liability. The Supplier …": at most eight words that begin with capitals or are short, up to a point or colon. */
function inlineTitle(rest: string): { title: string; length: number } | undefined {
  const match = /^[*_]{0,2}([\p{Lu}][^.:;\n]{1,79})[.:][*_]{0,2}(?=[ \u00a0]|$)/u.exec(rest);
  if (match === null) return undefined;
  const words = match[1]!.split(/[ \u00a0]/);
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  const looksLikeTitle = words.length <= 8 && (words.length <= 3 || capitals * 2 >= words.length);
  return looksLikeTitle && !/ shall | is | are | will | must /.test(match[1]!)
    ? { title: match[1]!.replaceAll('**', '').trim(), length: match[0].length }
    : undefined;
}

/** "------------ PENSION", "=== Remote work ===": a title in a rule. */
function ruledHeading(shown: string, line: Range, whole: boolean): Heading | undefined {
  const title = /^([-=─═_*~])\1{2,120} ?(\p{Lu}[^\n]{1,60}?)(?: ?[-=─═_*~]{3,120})?$/u.exec(shown)?.[2];
  if (!whole || title === undefined || /[.;,|:]$|[-=─═_~]{3}| {2}/.test(title)) return undefined;
  return { ...at(line, line.end), title, level: 1 };
}

function capitalHeading(shown: string, line: Range, whole: boolean): Heading | undefined {
  if (!whole || shown.length > titleCharactersMax || shown.length < 4 || /[.;,|]$/.test(shown)) return undefined;
  if (shown !== shown.toUpperCase() || !/\p{Lu}{4}/u.test(shown)) return undefined;
  return { ...at(line, line.end), title: shown.replace(/:$/, ''), level: 1 };
}

function titleOf(rest: string): string | undefined {
  const title = rest.replace(/[*_]{2}/g, '').trim();
  return /[.;]$/.test(title) ? title.slice(0, -1) : title;
}

function at(line: Range, bodyStart: number): { start: number; bodyStart: number } {
  return { start: line.start, bodyStart };
}

function numberOf(number: string | undefined): { number?: string } {
  return number === undefined ? {} : { number };
}
