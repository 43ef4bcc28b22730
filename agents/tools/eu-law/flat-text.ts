/**
 * A document's text with one blank where it has white space, so that patterns need not know how lines are wrapped: blocks and rows
 * end with a line feed, cells with a tab. Offsets lead back to the document.
 */
import type { Document } from '../../document/document.ts';
import { isAbbreviation } from '../text/abbreviations.ts';
import { blankRanges } from '../text/blanks.ts';
import { monthNumbers } from '../text/dates.ts';
import { isBlank } from '../text/lines.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';

export interface FlatCell extends Range {
  readonly column: number;
}

export interface FlatBlock extends Range {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'field' | 'line' | 'row';
  /** Of a row. */
  readonly cells: readonly FlatCell[];
}

export interface FlatText {
  /** Apostrophes are `'` and hyphens `-` in every font. */
  readonly text: string;
  /** Ordered by position; each row of a table is one. */
  readonly blocks: readonly FlatBlock[];
  /** Within blocks and cells, ordered by position. */
  readonly sentences: readonly Range[];
  /** The place in the document's text. */
  sourceOf(range: Range): Range;
  /** @returns undefined before the first block */
  blockAt(position: number): FlatBlock | undefined;
  sentenceAt(position: number): Range;
}

/** Flattens a document once; the tools of an agent read it in turn. */
export function flatTextOf(document: Document): FlatText {
  const known = flatTexts.get(document);
  if (known !== undefined) return known;
  const flat = flatten(document);
  flatTexts.set(document, flat);
  return flat;
}

const flatTexts = new WeakMap<Document, FlatText>();

function flatten(document: Document): FlatText {
  const writer = new Writer(document.text);
  const blocks: FlatBlock[] = [];
  for (const block of document.blocks) {
    if (block.kind !== 'table') {
      const last = blocks.at(-1);
      if (last !== undefined && writer.runsOn(last, document.text, block)) {
        const { end } = writer.continue(block);
        const cells = last.cells.map((cell, index) => (index === last.cells.length - 1 ? { ...cell, end } : cell));
        blocks[blocks.length - 1] = { ...last, end, cells };
      } else {
        const range = writer.write(block);
        if (range.end > range.start) blocks.push({ ...range, kind: block.kind, cells: [] });
      }
      writer.mark('\n', block.end);
      continue;
    }
    const { headerRows, columns, rows } = block.table;
    // Where separators count the columns, a row keeps them though its empty cells are dropped.
    const isCounted = headerRows[0]?.every(({ from, to }, index) => from === index && to === index + 1) === true;
    const headers = headerRows.map((cells) =>
      cells.map((cell) => ({
        cell,
        column: isCounted ? cell.from : columns.findIndex(({ headerCells }) => headerCells.includes(cell)),
      })),
    );
    const body = rows.map(({ cells }) =>
      cells.flatMap((cell, column) => (cell === undefined ? [] : [{ cell, column: isCounted ? cell.from : column }])),
    );
    for (const row of [...headers, ...body].sort((a, b) => (a[0]?.cell.start ?? 0) - (b[0]?.cell.start ?? 0))) {
      const cells: FlatCell[] = [];
      for (const { cell, column } of row) {
        cells.push({ ...writer.write(cell), column: column === -1 ? cells.length : column });
        writer.mark('\t', cell.end);
      }
      if (cells.length > 0) blocks.push({ start: cells[0]!.start, end: cells.at(-1)!.end, kind: 'row', cells });
      writer.mark('\n', row.at(-1)?.cell.end ?? block.end);
    }
  }
  const built = writer.build();
  const text = blankRanges(built.text, replacedWordings(built.text, blocks));
  const { places } = built;
  const sentences = blocks.flatMap((block) =>
    block.cells.length === 0 ? sentencesOf(text, block) : block.cells.flatMap((cell) => sentencesOf(text, cell)),
  );
  return {
    text,
    blocks,
    sentences,
    sourceOf: ({ start, end }) => ({
      start: places[start] ?? document.text.length,
      end: end > start ? (places[end - 1] ?? document.text.length) + 1 : (places[start] ?? document.text.length),
    }),
    blockAt: (position) => {
      const index = indexAt(blocks, position);
      return index === undefined ? undefined : blocks[index];
    },
    sentenceAt: (position) => {
      const index = indexAt(sentences, position);
      return index === undefined ? { start: position, end: position } : sentences[index]!;
    },
  };
}

/** The wording that a corrigendum replaces ("for: '…', read: '…'") is not read. In all languages of the Official Journal. */
const replacedWording =
  /^(?:for|instead of|where it reads|(?:an)?statt|au lieu de|donde (?:dice|pone)|anziché|invece di|in plaats van|zamiast|místo|onde se lê|em vez de|i stället för|i stedet for|står(?: det)?|în loc de|în loc să se citească|αντί(?: για)?|вместо|umjesto|namesto|helyett|asemel|vietā|vietoj|minflok|in ionad|on|oikaistaan)(?: ?:)?[ \t]?["'‘“„«”»]/iu;
const correctedWording =
  /(?:read|(?:muss|müssen) es (?:richtig )?(?:heißen|lauten)|lire|(?:debe (?:decir|leerse)|léase)|leggasi|leggere|leggi|(?:te )?lezen|lees|(?:powinno być|czytaj)|(?:má být|čti|správně)|deve ler-se|leia-se|ska(?:ll)? (?:det )?(?:stå|vara)|(?:skal )?læses?|se va citi|se citește|διάβαζε|да се чете|treba stajati|glasi|pravilno|helyesen|loetakse|lasīt|skaityti|aqra|pitää olla)(?: ?:)?[ \t]?["'‘“„«”»]/iu;
/** Characters between the two wordings. */
const replacedMax = 1_500;

function replacedWordings(text: string, blocks: readonly FlatBlock[]): Range[] {
  return blocks.flatMap(({ start, end }, index): Range[] => {
    if (!replacedWording.test(text.slice(start, Math.min(end, start + 40)))) return [];
    const corrected = correctedWording.exec(text.slice(start, Math.min(end, start + replacedMax)));
    if (corrected !== null) return [{ start, end: start + corrected.index }];
    const after = blocks.slice(index + 1, index + 12);
    const isCorrected = after.some(
      (next) => correctedWording.exec(text.slice(next.start, Math.min(next.end, next.start + 60)))?.index === 0,
    );
    return isCorrected ? [{ start, end }] : [];
  });
}

class Writer {
  readonly #source: string;
  readonly #parts: string[] = [];
  readonly #places: number[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  write({ start, end }: Range): Range {
    const from = this.#places.length;
    let blank = true;
    for (let at = start; at < end; at += 1) {
      const code = this.#source.charCodeAt(at);
      if (code === 0x2d || code === 0xad || code === 0x2010) {
        const next = wordContinuesAt(this.#source, at, end);
        if (next !== undefined) {
          at = next - 1;
          continue;
        }
      }
      if (isBlank(code)) {
        if (!blank) this.#push(' ', at);
        blank = true;
      } else {
        this.#push(plainCharacters.get(code) ?? this.#source[at]!, at);
        blank = false;
      }
    }
    const to = this.#places.length > from && blank ? this.#places.length - 1 : this.#places.length;
    return { start: from, end: to };
  }

  /** "… the second paragraph of" and "Article 296 TFEU" on the next line: a wrapped line that looks like a heading. */
  runsOn(last: Range, source: string, next: Range): boolean {
    const end = (this.#places[last.end - 1] ?? 0) + 1;
    const between = source.slice(end, next.start);
    if (between.length > 60 || between.trim() !== '' || between.split('\n').length !== 2) return false;
    const before = this.#parts[last.end - 1] ?? '';
    if (/^\p{Ll}[A-Za-zÀ-ž']/u.test(source.slice(next.start, next.start + 2)) && !/[.:;!?]/.test(before)) return true;
    return unfinished.test(this.#parts.slice(Math.max(last.start, last.end - 14), last.end).join(''));
  }

  /** Writes on behind the last block, instead of the mark that ended it. */
  continue(block: Range): Range {
    while (this.#parts.at(-2) === '\t' || this.#parts.at(-2) === '\n') {
      this.#parts.pop();
      this.#places.pop();
    }
    this.#parts[this.#parts.length - 1] = ' ';
    return this.write(block);
  }

  mark(character: '\t' | '\n', at: number): void {
    this.#push(character, at);
  }

  build(): { text: string; places: readonly number[] } {
    return { text: this.#parts.join(''), places: this.#places };
  }

  #push(character: string, at: number): void {
    this.#parts.push(character);
    this.#places.push(at);
  }
}

/** A hyphen at the end of a line, between the halves of a word. */
const divided =
  /[-\u00ad\u2010][ \t]{0,4}\r?\n[ \t>|*]{0,40}(?!(?:und|oder|sowie|bzw|and|or|et|ou|y|o|e|i|en|of|lub|oraz|nebo)\b)(?=\p{Ll}{2})/uy;

/** @returns the position at which a divided word continues after its hyphen: "Ver-" and "ordening" on the next line */
function wordContinuesAt(source: string, at: number, end: number): number | undefined {
  if (!/\p{L}\p{Ll}/u.test(source.slice(Math.max(0, at - 2), at))) return undefined;
  divided.lastIndex = at;
  const match = divided.exec(source);
  return match === null || at + match[0].length >= end ? undefined : at + match[0].length;
}

/** Ends of lines after which a sentence goes on, whatever follows. */
const unfinished =
  /(?:,| –|(?<![A-Za-zÀ-ž])(?:council|commission|implementing|delegated|framework|regulations?|directives?|decisions?|verordnung(?:en)?|richtlinien?|beschluss|règlements?|reglamentos?|regolament[oi]|verordening(?:en)?|rozporządzeni[aeu]|of|the|and|or|in|under|to|by|with|from|until|than|on|as|for|at|see|zum|zur|vom|am|bis|ab|seit|im|an|auf|des|der|die|das|dem|den|und|oder|nach|mit|von|gemäß|siehe|du|de|la|le|les|et|ou|à|au|par|voir|aux|dans|sur|sous|les|del|y|con|según|hasta|desde|para|el|di|della|del|il|al|all|dal|dalla|dell|alla|nel|nella|per|van|en|het|bij|met|op|tot|vanaf|uit|ter|ten|om|voor|i|oraz|w|z|do|od|po|dnia|przez|na|podle|v|ve|a|art\.|abs\.|nr\.|no|n\.o|ust\.))$/iu;

const plainCharacters: ReadonlyMap<number, string> = new Map([
  [0x2019, "'"],
  [0x02bc, "'"],
  [0x2032, "'"],
  [0x2010, '-'],
  [0x2011, '-'],
]);

/** Words before a point that ends no sentence, in addition to the general abbreviations. */
const legalAbbreviations = new Set(
  (
    'abl art artt arts abs uabs unterabs buchst nr nrn rn rs rz urt ziff bzw ust lit pkt nr dz u urz poz zob odst písm čl sb pag pág pp p ' +
    'par para paras subpara s n núm apdo apdos l oj jo gu do pb pbeu ges vgl ff f ca mme mm sp zal sygn'
  ).split(' '),
);

const sentenceEnd = /[.!?;][)"'»”’]{0,3} (?=[\p{Lu}\d"'«“„‘(►▼§])/gu;

/** At a mark followed by a blank and a capital, a digit or a quote. */
function sentencesOf(text: string, { start, end }: Range): Range[] {
  const found: Range[] = [];
  let from = start;
  // Only the block is searched: each search of the whole text would run to the next mark anywhere.
  for (const match of text.slice(start, end).matchAll(sentenceEnd)) {
    const at = start + match.index;
    if (match[0].startsWith('.') && match[0].length === 2 && !pointEnds(text, from, at)) continue;
    if (match[0].startsWith(';') && !/^\p{Lu}/u.test(text.slice(at + match[0].length, at + match[0].length + 1)))
      continue;
    found.push({ start: from, end: at + match[0].trimEnd().length });
    from = at + match[0].length;
  }
  if (from < end) found.push({ start: from, end });
  return found;
}

function pointEnds(text: string, from: number, at: number): boolean {
  const word = /[A-Za-zÀ-ž\d.]{1,16}$/u.exec(text.slice(Math.max(from, at - 16), at))?.[0] ?? '';
  const next = /^ ([A-Za-zÀ-ž]{2,12})?/u.exec(text.slice(at + 1, at + 16))?.[1]?.toLowerCase() ?? '';
  if (word.length === at - from && /^(?:\d{1,3}[a-z]?|[a-z]|[ivxIVX]{1,5})$/.test(word)) return false;
  if (/^\d{1,2}$/.test(word)) {
    // "14. 4. 2026" is one date.
    const isDate = /^\. ?(?:\d{1,2}\. ?)?(?:19|20)\d\d(?!\d)/.test(text.slice(at, at + 12));
    return !monthNumbers.has(next) && !isDate;
  }
  if (word === 'r') return next.length > 0;
  return !isAbbreviation(word) && !legalAbbreviations.has(word.toLowerCase().replace(/\.$/, ''));
}
