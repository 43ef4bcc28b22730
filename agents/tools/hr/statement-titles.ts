/** Titles and labels as the lines of a document show them: before a colon, a dash or dots, above indented values, over columns. */
import type { Block } from '../../document/blocks.ts';
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { startsWithLength } from './statement-lines.ts';

export const titleCharacters = 90;

/** "Place of work" on a line of its own, with its value further right on the next line. */
export function isFormLabel(text: string, block: Block, next: Block | undefined, wasForm: boolean): boolean {
  if (
    next === undefined ||
    block.kind === 'table' ||
    block.kind === 'item' ||
    block.end - block.start > titleCharacters
  )
    return false;
  const label = text.slice(block.start, block.end);
  const gap = text.slice(block.end, next.start);
  const isLabel =
    /^\p{Lu}[^.:;!?\n]{1,44}:?$/u.test(label) && !/\d{2}/.test(label) && !enumeration.test(label) && !/\S/.test(gap);
  if (!isLabel || gap.split('\n').length !== 2) return false;
  return next.kind === 'table'
    ? next.table.columns.length <= 2 &&
        (wasForm || /(?:^|\n[ \t]*\n)[ \t]*$/.test(text.slice(Math.max(0, block.start - 60), block.start)))
    : indentationAt(text, next.start) >= indentationAt(text, block.start) + 2;
}

/** "Urlaub" on a line of its own between blank lines, without the marks of a heading. */
export function isPlainHeading(text: string, { kind, start, end }: Block): boolean {
  const line = text.slice(start, Math.min(end, start + 60));
  return (
    kind === 'paragraph' &&
    end - start <= 40 &&
    /^\p{Lu}[\p{L}’'&/ -]+$/u.test(line) &&
    line.split(' ').length <= 4 &&
    !startsWithLength(line) &&
    /\n[ \t]*\r?\n[ \t]*$/u.test(text.slice(Math.max(0, start - 40), start)) &&
    /^[ \t]*\r?\n[ \t]*\r?\n/u.test(text.slice(end, end + 40))
  );
}

/** The first words of a block that are its title: before a colon, a dash or the end of a short first sentence. */
export function ownTitle(text: string, block: Block, sentences: readonly Range[]): string {
  const front = text.slice(block.start, Math.min(block.end, block.start + 160)).replace(enumerator, '');
  const colon = /^([\p{Lu}][^.:;?!\n]{1,48}):\s/u.exec(front)?.[1];
  if (colon !== undefined && colon.split(' ').length <= 6) return colon;
  const dash = dashed(front.replace(/\s+/g, ' '));
  if (dash !== undefined) return dash;
  const first = sentences.map(({ start, end }) => text.slice(start, end)).find((each) => /\p{L}{3}/u.test(each)) ?? '';
  const title = first.replace(enumerator, '').replace(/[.:]$/, '');
  const isTitle =
    sentences.length > 1 &&
    /[.:]$/.test(first) &&
    title.length <= 60 &&
    title.split(/\s/).length <= 6 &&
    !/\d|,|;|___/.test(title);
  return isTitle ? title : '';
}

/** The party that a column heading such as "Employer", "from you" or "durch den Arbeitgeber" names alone. */
export function partyOf(head: string): 'employer' | 'employee' | undefined {
  const name =
    /^(?:(?:notice )?(?:by|from|for|durch|seitens|von|par|de|por|da|del?|door|van) )?(?:the |der |den |die |das |l['’]|le |la |el |il |de |het )?(?:(?<employer>employer|company|us|arbeitgeber(?:in)?|dienstgeber(?:in)?|employeur|empresa|datore(?: di lavoro)?|azienda|werkgever)|(?<employee>employee|you|arbeitnehmer(?:in)?|dienstnehmer(?:in)?|mitarbeiter(?:in)?|salariée?|trabajador|trabajadora|lavoratore|dipendente|werknemer))$/iu.exec(
      head,
    )?.groups;
  return name?.employer !== undefined ? 'employer' : name?.employee !== undefined ? 'employee' : undefined;
}

export const indentationMax = 60;

/** Blanks before a position in its line. */
export function indentationAt(text: string, at: number): number {
  const blanks = /[ \t]{0,60}$/.exec(text.slice(Math.max(0, at - indentationMax), at))![0].length;
  return blanks;
}

/** "Artikel 2" numbers a section of a contract. */
const enumeration =
  /^(?:arti(?:kel|cle|culo|colo)|artículo|art|section|clause|cláusula|clausola|schedule|annex|anlage|annexe|bijlage|part|teil|§)(?!\p{L})/iu;

/** "Type of contract      [ ] permanent  [X] fixed term": the label without the value on its line. */
export function formLabel(text: string): string {
  return text.replace(/:\s*$/, '').split(/\s{3,}/, 1)[0]!;
}

export const enumerator =
  /^\s*(?:[-*•–·▪]\s+|\(?(?:\d{1,3}(?:\.\d{1,3}){0,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]?\s+(?=\p{Lu}|[(*])|\d{1,2}[A-Z][.)]?\s+|§\s?\d{1,3}[a-z]?\s+)/u;

/** "Prise d'effet – Votre contrat prend effet le 2 mars": a title before a dash. */
export function dashed(text: string): string | undefined {
  const title = /^([\p{Lu}][^–—.:;\d]{2,60}?) [–—-] (?=\p{Lu})/u.exec(text)?.[1];
  return title !== undefined && title.split(' ').length <= 7 ? title : undefined;
}

interface LeaderLine extends Range {
  readonly label: string;
  readonly value: string;
}

/** A line of a table of contents. */
const isNumbered = /^(?!\d{1,2} \p{L}+ \d{4}$)(?:\d{1,2}[.)]?|[A-Z][.)]|§ ?\d+) +\p{Lu}/u;

/** @returns the indexes of blocks that are labels of the next block: "Salary", "£35,000 per annum", "Hours", "37.5 a week" */
export function stackedRows({ blocks, text }: Pick<Document, 'blocks' | 'text'>): ReadonlySet<number> {
  const found = new Set<number>();
  let run: number[] = [];
  const close = () => {
    for (const from of [0, 1]) {
      const own = run.slice(from, from + 2 * Math.floor((run.length - from) / 2));
      const shown = own.map((index) => text.slice(blocks[index]!.start, blocks[index]!.end));
      const isLabel = (line: string) => /^\p{Lu}[\p{L}’' /()-]{2,40}:?$/u.test(line);
      const values = shown.filter((_, nth) => nth % 2 === 1);
      const isStacked =
        own.length >= 6 &&
        shown.every((line, nth) => (nth % 2 === 1 ? !isNumbered.test(line) : isLabel(line))) &&
        values.filter((line) => /\d/u.test(line)).length * 2 >= values.length;
      if (isStacked && found.size < 400) for (const [nth, index] of own.entries()) if (nth % 2 === 0) found.add(index);
      if (isStacked) break;
    }
    run = [];
  };
  for (const [index, block] of blocks.entries()) {
    const isLine =
      block.kind !== 'table' &&
      block.kind !== 'item' &&
      block.end - block.start <= 80 &&
      !/[\n.;]/u.test(
        text
          .slice(block.start, block.end)
          .trimEnd()
          .replace(/(?<=\d)\./gu, ''),
      );
    const last = run.at(-1);
    const isNext = last !== undefined && text.slice(blocks[last]!.end, block.start).split('\n').length === 2;
    if (!isLine || (last !== undefined && !isNext)) close();
    if (isLine) run.push(index);
  }
  close();
  return found;
}

/** "Start date ........ 15 June 2026", with the lines that continue its value. */
export function leaderLines(text: string, { start, end }: Range): LeaderLine[] {
  const shown = text.slice(start, Math.min(end, start + 4_000));
  if (!shown.includes('...')) return [];
  const lines: { label: string; value: string; start: number; end: number }[] = [];
  let at = start;
  for (const line of shown.split('\n')) {
    const match = /^\s*([\p{L}\d][^\n]{1,60}?)(?: ?\.{4,200} ?| \.{2,3} )(\S[^\n]*)$/u.exec(line);
    const last = lines.at(-1);
    if (match !== null && !/^\d{1,3}$/.test(match[2]!.trim()))
      lines.push({ label: match[1]!, value: match[2]!, start: at, end: at + line.length });
    else if (last !== undefined && line.trim() !== '') {
      last.value += ` ${line.trim()}`;
      last.end = at + line.length;
    }
    at += line.length + 1;
  }
  return lines;
}
