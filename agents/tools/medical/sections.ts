/** The sections of clinical documents: what the heading or label above a position means for the statements below it. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { headings, type SectionKind } from './section-headings.ts';

export type { SectionKind } from './section-headings.ts';

export interface ClinicalSection extends Range {
  readonly kind: SectionKind;
  readonly title: string;
}

/** Headings that must match as a whole, and words of headings, each with the rank of its kind. */
const wholes = new Map<string, SectionKind>();
const contained = new Map<string, number>();

for (const [rank, [kind, list]] of headings.entries()) {
  for (const entry of list.split(';')) {
    const words = entry.trim().replace(/^=/, '');
    if (!wholes.has(words)) wholes.set(words, kind);
    if (!entry.trim().startsWith('=') && words.length > 3 && !contained.has(words)) contained.set(words, rank);
  }
}

/** Labels of other lines, which are not section headings. */
const wordsMax = 7;
const markedWordsMax = 12;

/** @returns undefined if the words are not a known heading */
export function kindOfHeading(written: string, max: number = wordsMax): SectionKind | undefined {
  const plain = unspaced(written)
    .toLowerCase()
    .replace(/[’]/g, "'")
    .replace(/\([^()]{0,60}\)/g, ' ')
    .replace(/\b\d{1,4}([./-]\d{1,4}){0,2}\b/g, ' ')
    .replace(/[^\p{L}\p{N}/&'-]+/gu, ' ')
    .trim();
  if (plain === '' || plain.split(' ').length > max) return undefined;
  const whole = wholes.get(plain);
  if (whole !== undefined) return whole;
  let best = headings.length;
  for (const words of [...runsOf(plain.split(' ')), ...plain.split(/[ /]+/)])
    best = Math.min(best, contained.get(words) ?? best);
  return headings[best]?.[0];
}

/** "E n t l a s s m e d i k a t i o n": a heading in spaced letters. */
export function unspaced(written: string): string {
  return /(?:^|\s)(?:\p{L} ){4}\p{L}(?:\s|$)/u.test(written)
    ? written
        .split(/ {2,}/)
        .map((word) => word.replace(/(?<=(?:^|[^\p{L}]|(?<!\p{L})\p{L})) (?=\p{L}(?:\s|$))/gu, ''))
        .join(' ')
    : written;
}

function runsOf(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    words.slice(from, from + 5).map((__, count) => words.slice(from, from + count + 1).join(' ')),
  );
}

const known = new WeakMap<Document, readonly ClinicalSection[]>();

/** In the order of the text, without gaps. */
export function clinicalSections(document: Document): readonly ClinicalSection[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const sections: ClinicalSection[] = [];
  let open: { start: number; kind: SectionKind; title: string } = { start: 0, kind: 'other', title: '' };
  for (const heading of findHeadings(document)) {
    if (heading.start > open.start) sections.push({ ...open, end: heading.start });
    open = heading;
  }
  sections.push({ ...open, end: document.text.length + 1 });
  known.set(document, sections);
  return sections;
}

export function sectionAt(document: Document, position: number): ClinicalSection {
  const sections = clinicalSections(document);
  return sections[indexAt(sections, position) ?? 0]!;
}

/** A label before a colon at the beginning of a line, of a cell, or after a sentence or two blanks. */
const labelShape =
  /(?<=^|[\n\t.;]|[ ]{2})[ \t]*(?:[#>*•–-]{1,4}[ \t]*)?(?:\d{1,2}[.)][ \t]+)?(\p{L}[\p{L}\p{M}\d /&.,'’()-]{0,60}?)[ \u00a0]?:(?![\d/])/gu;

interface FoundHeading {
  readonly start: number;
  readonly kind: SectionKind;
  readonly title: string;
}

function findHeadings(document: Document): FoundHeading[] {
  const { text } = document;
  const found: FoundHeading[] = [];
  for (const match of text.matchAll(labelShape)) {
    const kind = kindOfHeading(match[1]!);
    // "A: pneumonia" is an assessment, "A: 120" a measure.
    const isMeasure =
      match[1]!.length === 1 &&
      /^\s{0,3}\d/.test(text.slice(match.index + match[0].length, match.index + match[0].length + 4));
    if (kind !== undefined && !isMeasure) found.push({ start: match.index, kind, title: match[1]! });
  }
  found.push(...markedHeadings(document));
  let start = 0;
  for (const line of text.split('\n')) {
    const heading = headingOfLine(line);
    if (heading !== undefined) found.push({ start, ...heading });
    start += line.length + 1;
  }
  found.sort((one, other) => one.start - other.start);
  // A label in capitals is found as label and as line.
  const distinct = found.filter(
    ({ start: at, kind }, index) => at > (found[index - 1]?.start ?? -1) || kind !== found[index - 1]!.kind,
  );
  const all: FoundHeading[] = [];
  for (const [index, heading] of distinct.entries())
    all.push(...withEnd(text, heading, all.at(-1), distinct[index + 1]?.start));
  return all;
}

/**
 * Headings that the format marks. One that we do not know ends the section before it, unless it is a part of that section: a
 * lower level than that of its heading.
 */
function markedHeadings({ blocks, text }: Document): FoundHeading[] {
  const found: FoundHeading[] = [];
  let openLevel = 7;
  for (const block of blocks) {
    if (block.kind !== 'heading' || block.isMarked !== true) continue;
    const title = text.slice(block.start, Math.min(block.end, block.start + 90)).trim();
    const { level } = block.heading;
    // "# AKI: Held Entresto on admission" and "# Acute sinusitis. Likely viral" are items of a note, and no headings.
    const isItem = /^[^:]{1,60}: ?\S/.test(title) || /;|\.(?:\s|$)/.test(title.replace(/(?<=\d)\./g, ''));
    const kind = isItem ? undefined : kindOfHeading(title, markedWordsMax);
    const isTitle = !isItem && title.split(' ').length <= 8 && !/[.;,]/.test(title);
    if (kind === undefined && (level > openLevel || !isTitle)) continue;
    openLevel = kind === undefined ? 7 : level;
    found.push({ start: block.start, kind: kind ?? 'other', title });
  }
  return found;
}

/** The scope of a label ends with its lines: at an empty line, and for stopped medicines at the end of its line. */
function withEnd(
  text: string,
  heading: FoundHeading,
  /** The section that is open there. */
  before: FoundHeading | undefined,
  next: number = text.length,
): FoundHeading[] {
  const lineEnd = text.indexOf('\n', heading.start + heading.title.length + (ofLine.has(heading.kind) ? 0 : 1));
  const own = text.slice(heading.start, lineEnd === -1 ? text.length : Math.min(lineEnd, heading.start + 400));
  const isInline =
    own
      .replace(/\([^()]{0,60}\)/g, '')
      .trim()
      .replace(/[:*#\s-]{1,6}$/, '').length >
    heading.title.length + 6;
  if (!isInline || lineEnd === -1) return [heading];
  const isOfLine = ofLine.has(heading.kind) || isOfItem(text, heading, lineEnd);
  const end = isOfLine ? endOfLines(text, lineEnd) : text.indexOf('\n\n', heading.start);
  if (end === -1 || end >= next) return [heading];
  const kind = isOfLine && before !== undefined ? before.kind : 'other';
  return [heading, { start: end + 1, kind, title: kind === 'other' ? '' : (before?.title ?? '') }];
}

const ofLine: ReadonlySet<SectionKind> = new Set([
  'allergies',
  'stopped',
  'held',
  'proposed',
  'limits',
  'not performed',
  'administrative',
]);

/** "- Patient education: …" between other items: advice to the patient ends with its item. */
const ofItem: ReadonlySet<SectionKind> = new Set(['literature', 'instructions', 'risks']);
function isOfItem(text: string, { kind, start }: FoundHeading, lineEnd: number): boolean {
  const isItem = (at: number) => itemMark.test(text.slice(at, at + 12));
  return ofItem.has(kind) && isItem(start) && isItem(endOfLines(text, lineEnd) + 1);
}

const itemMark = /^\s{0,8}[-*•–]\s/;

/** The end of a line that no other line continues. */
function endOfLines(text: string, from: number): number {
  let end = from;
  for (let lines = 0; lines < 8; lines += 1) {
    const next = text.indexOf('\n', end + 1);
    const following = text.slice(end + 1, next === -1 ? text.length : next);
    const goesOn =
      /[,;]\s*$/.test(text.slice(Math.max(0, end - 3), end)) || /^\s{0,20}\p{Ll}/u.test(following.slice(0, 24));
    if (!goesOn || next === -1) break;
    end = next;
  }
  return end;
}

/** "Blood tests 14 May 2026": the day does not make a heading long. */
const writtenDay =
  / ?(?:(?:on|of|vom|am|du|le|del|dal|van|af|fra|från|z dnia|de) )?(?:\d{1,2}\.? (?:de )?\p{L}{3,10}\.?,? (?:de )?\d{4}|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})(?:,? \d{1,2}[:.]\d\d)?$/u;

/** A separate line, the first cell of a row in capitals, or capitals before the text of their line. */
function headingOfLine(line: string): Omit<FoundHeading, 'start'> | undefined {
  if (line.length < 2 || line.length > 4_000) return undefined;
  const shown = line.slice(0, 90);
  // "--- Message 4 of 6 -----": what stands above it has ended.
  const divider = /^ {0,4}[-=_*~]{3,} {1,3}(\p{L}[^-=_*~\n]{1,60}?) {1,3}[-=_*~]{3,}/u.exec(shown)?.[1];
  if (divider !== undefined) return { kind: kindOfHeading(divider) ?? 'other', title: divider };
  const cell = shown.split('\t', 1)[0]!.trim();
  const bare = cell.replace(/^[#>*•–\s-]{1,5}/, '').replace(/[:*]{1,3}$/, '');
  const isAlone = line.trim() === cell || unspaced(cell) !== cell;
  if (isAlone && cell.length <= 70 && !/[.;,]$/.test(cell)) {
    const kind = kindOfHeading(bare);
    // "HOME MEDICATIONS (per wife, bottles not available)"
    const main = unspaced(bare.replace(/\s?\([^()]{0,60}\)$/, '')).replace(writtenDay, '');
    const isShort = main.split(' ').length <= 4 || main === main.toUpperCase();
    if (kind !== undefined && isShort) return { kind, title: bare };
  }
  const capitals = /^(?:\p{Lu}{2,}[ /&-]{0,3}){1,5}(?=\t|[ ]{1,4}\S)/u.exec(shown.trimStart())?.[0].trim();
  const kind = capitals === undefined || capitals.length < 3 ? undefined : wholes.get(capitals.toLowerCase());
  return kind === undefined ? undefined : { kind, title: capitals! };
}
