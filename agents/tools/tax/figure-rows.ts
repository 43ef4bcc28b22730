/** Rows of figures: a label and numbers in columns, with the period and unit of each column. */

import { absolute, compare, parseRational, type Rational, rational, zero } from '../financial/rational.ts';
import { parseNumber } from '../text/numbers.ts';
import type { Range } from '../text/span.ts';
import { foldText } from './fold.ts';
import type { Layout, Line, Segment } from './layout.ts';

export interface Figure extends Range {
  readonly segment: Segment;
  /** Undefined for a dash, which means no value. */
  readonly value: Rational | undefined;
  readonly isPercent: boolean;
}

export interface FigureRow extends Range {
  readonly line: number;
  readonly label: string;
  readonly folded: string;
  readonly figures: readonly Figure[];
}

const dash = /^(?:[-–—−]|n\/a|–\s?%|-\s?%|nil|\.\/\.)$/i;

/**
 * @param label words of the previous line, which this line continues
 * @param order `any` also reads rows whose figures stand before their label, as in tables of countries or parties
 */
export function figureRow(
  { document }: Layout,
  { index, segments, start, end }: Line,
  label = '',
  order: 'label first' | 'any' = 'label first',
): FigureRow | undefined {
  const figures: Figure[] = [];
  const labels: Segment[] = [];
  for (const segment of segments.length === 1 ? divided(segments[0]!) : withoutSign(segments)) {
    const figure = figureIn(segment, document.decimalMark);
    if (figure === undefined) {
      if (figures.length > 0 && segment.text.length > 80 && /\p{L}{3}/u.test(segment.text)) return undefined;
      if (figures.length === 0 || order === 'any') labels.push(segment);
    } else if (labels.length > 0 || label !== '' || order === 'any') figures.push(figure);
  }
  if (figures.length === 0 || !labels.some(({ text }) => /\p{L}{2}/u.test(text))) return undefined;
  const text = (part: (segment: Segment) => string) => labels.map(part).join(' ');
  const joined = withoutHyphenation(`${label} ${text((segment) => segment.text)}`.trim());
  return { line: index, label: joined, folded: foldText(joined), figures, start, end };
}

/** "Konzern- steuersatz" is one word; in "Verlust- und Zinsvorträge" the hyphen stands for a part that follows. */
function withoutHyphenation(label: string): string {
  return label.replace(/(\p{Ll})- (?!(?:und|oder|bzw|and|or|et|ou|e|o|y|en|of|og|och)\b)(?=\p{Ll})/gu, '$1');
}

const listed =
  /^(.{6,120}?[^\d\s]|.{3,120}?%\)?):\s+([(+−–-]?(?:[€$£]|[A-Z]{3} )?\d[\d.,'’]*\)?(?: ?%)?)(?:\s+[(/]\s?([(−–+-]?\d[\d.,]* ?%)\)?)?$/u;
const trailing = /(?: (?:[€$£] ?)?(?:[(+−–-]{0,2}\d[\d.,'’]*\)?%?|[-–—]))+$/u;

function partOf(segment: Segment, from: number, to: number): Segment {
  return {
    ...segment,
    text: segment.text.slice(from, to),
    folded: segment.folded.slice(from, to),
    start: segment.start + from,
    end: segment.start + to,
    from: segment.from + from,
    to: segment.from + to,
  };
}

/** A line in which single blanks separate the label from its figures: "Tax at 25% 21,080 17,910". */
function divided(segment: Segment): readonly Segment[] {
  const part = (from: number, to: number) => partOf(segment, from, to);
  const item = segment.text.length > 200 ? null : listed.exec(segment.text);
  if (item !== null) {
    const [, label, first, second] = item;
    const from = segment.text.indexOf(first!, label!.length);
    const next = second === undefined ? -1 : segment.text.indexOf(second, from + first!.length);
    // The figures of a list are not below each other, so they are columns by order.
    const ordered = (figure: Segment, place: number): Segment => ({ ...figure, grid: -3, from: place, to: place + 1 });
    return [
      part(0, label!.length),
      ordered(part(from, from + first!.length), 1),
      ...(second === undefined ? [] : [ordered(part(next, next + second.length), 2)]),
    ];
  }
  const shown = segment.text.length > 200 ? null : trailing.exec(segment.text);
  // "Tax at 25% 21,080": the rate behind a short word belongs to the label.
  const rate = shown === null ? null : /(?<=[( ]\p{Ll}{1,3}) [\d.,]+%(?=(?: [(€$£\d−–-][^%\s]*)+$)/u.exec(segment.text);
  const from = rate === null ? shown?.index : rate.index + rate[0].length;
  const tail = shown === null || from === undefined ? null : { 0: segment.text.slice(from), index: from };
  const words = tail?.[0].trim().split(/(?<![€$£]) /u) ?? [];
  const isTable = words.length > 2 || words.some((word) => /\d[.,]\d|\d{3}|^\(\d+\)$/.test(word));
  const isList = words.length === 1 && /^[+−–-]?\d{1,3}[.,]\d{1,2}%?$/.test(words[0]!) && segment.text.length <= 70;
  if (tail === null || tail.index < 6 || !(isList || (words.length >= 2 && isTable))) return [segment];
  let at = tail.index + 1;
  const figures = words.map((word) => {
    const cell = part(at, at + word.length);
    at += word.length + 1;
    return cell;
  });
  return [part(0, tail.index), ...figures];
}

/** "Tax at the statutory rate $ 84      $ 63": one blank before the sign of the first column, more before the others. */
function withoutSign(segments: readonly Segment[]): readonly Segment[] {
  const [first, second] = segments;
  if (first === undefined || second === undefined) return segments;
  const tail = /^\D* ([€$£] ?\(?\d[\d.,]*\)?)$/u.exec(first.text);
  if (tail === null || !/^[€$£]/u.test(second.text)) return segments;
  const at = first.text.length - tail[1]!.length;
  return [partOf(first, 0, at - 1), partOf(first, at, first.text.length), ...segments.slice(1)];
}

const marks = /[€$£]|\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK)\b|(?:%|\bpp\b|\bpts?\b|\bPunkte\b)[*¹²³]?/g;

function figureIn(segment: Segment, decimalMark: '.' | ',' | undefined): Figure | undefined {
  const { text, start, end } = segment;
  if (text.length > 40) return undefined;
  if (dash.test(text)) return { segment, value: undefined, isPercent: text.includes('%'), start, end };
  // SEC filings print ")" in a separate cell.
  const closed = /^\((?!.*\))/.test(text) ? `${text})` : text;
  const bare = closed
    .replace(marks, '')
    // "52.5 (-1.4%)": a minus sign inside the brackets.
    .replace(/^\(\s*[−–-]?\s*(.*)\)\s*$/, '($1)')
    .replace(/\s+\)/, ')')
    .trim();
  if (!/^[+(−–-]{0,2}[\d.,'’\s\u00a0\u202f]+\)?[-−]?$/.test(bare) || !/\d/.test(bare)) return undefined;
  const parsed = parseNumber(
    bare.replace(/^\(?[−–-]\s?/, (sign) => (sign.startsWith('(') ? '(' : '-')),
    { decimalMark },
  );
  const isPercent = /%|\bpp\b|\bpts?\b/.test(text);
  const value =
    parsed === undefined
      ? undefined
      : parseRational(parsed.ambiguous && !isPercent ? parsed.value.replace('.', '') : parsed.value);
  return value === undefined ? undefined : { segment, value, isPercent, start, end };
}

export function figureValue(figure: Figure | undefined): Rational | undefined {
  return figure === undefined ? undefined : (figure.value ?? zero);
}

export interface ColumnHead {
  /** The year in which the period ends. */
  readonly year?: string;
  readonly isPercent: boolean;
}

/** Maximum number of lines above the first row in which header lines are searched. */
const headLinesMax = 45;

/** The headings above the columns of a row that has all of them. */
export function columnHeads(
  layout: Layout,
  row: FigureRow,
  columns: readonly Figure[],
  linesMax = headLinesMax,
): ColumnHead[] {
  const count = columns.length;
  let years: readonly (string | undefined)[] = [];
  let percents: readonly boolean[] = [];
  for (let at = row.line - 1; at >= Math.max(0, row.line - linesMax); at -= 1) {
    const line = layout.lines[at]!;
    if (years.length === 0) years = yearsBelowEachOther(layout, at, count) ?? yearsOver(line, columns);
    if (percents.length === 0) percents = percentsOver(line, columns);
  }
  return Array.from({ length: count }, (_, index) => {
    const year = years[index];
    return {
      ...(year === undefined ? {} : { year }),
      isPercent: (percents[index] ?? false) || columns[index]!.isPercent,
    };
  });
}

/** "Dec. 31, 2024" above "Dec. 31, 2023": the headings of the columns on lines of their own. */
function yearsBelowEachOther({ lines }: Layout, last: number, count: number): readonly string[] | undefined {
  if (count < 2 || last < count - 1) return undefined;
  const years = lines.slice(last - count + 1, last + 1).map(({ segments }) => {
    const [only, ...more] = segments;
    const isHead = more.length === 0 && only!.text.length <= 24 && !/\d[.,]\d|\p{L}{10}/u.test(only!.text);
    return isHead ? yearOf(only!.text) : undefined;
  });
  return years.every((year) => year !== undefined) ? years : undefined;
}

const yearShape = /(?<!\d)(?:(?:19|20)(\d\d)\s?[/–-]\s?(?:(?:19|20))?(\d\d)|((?:19|20)\d\d)|FY\s?['’]?(\d\d))(?!\d)/gi;

/** The year of a heading: "2025/26" and "30 June 2026" end in 2026. @returns undefined if it names none */
export function yearOf(text: string): string | undefined {
  const last = [...text.matchAll(yearShape)].at(-1);
  if (last === undefined) return undefined;
  return last[3] ?? `20${last[2] ?? last[4]}`;
}

/** "31.12." of "31.12.2025". */
const dayOfYear = /(?<!\d)\d{1,2}[./-] ?\d{1,2}[./-] ?(?=(?:19|20)\d\d(?!\d))/g;

function yearsOver({ segments }: Line, columns: readonly Figure[]): readonly (string | undefined)[] {
  const heads = segments.filter(
    ({ text }) =>
      text.length <= 48 && yearOf(text) !== undefined && !/\d[.,]\d|\d{5}/.test(text.replace(dayOfYear, '')),
  );
  // Years are searched in headings, "%" signs between them on the same line.
  const years =
    heads.length === 1
      ? [...heads[0]!.text.matchAll(yearShape)].map(([shown]) => yearOf(shown))
      : heads.map(({ text }) => yearOf(text));
  const isProse = segments.some(({ text }) => text.length > 60);
  if (
    years.length === 0 ||
    isProse ||
    (heads.length === 1 && /\p{L}{3,}.*\p{L}{3,}.*\p{L}{3,}.*\p{L}{3,}/u.test(heads[0]!.text))
  )
    return [];
  return spread(years, columns.length, () => columns.map((column) => yearOf(nearest(heads, column)?.text ?? '')));
}

/** Assigned by order if the counts match, with each heading above as many columns; else by position. */
function spread<Value>(values: readonly Value[], count: number, byPlace: () => readonly Value[]): readonly Value[] {
  if (values.length === count) return values;
  if (count % values.length === 0)
    return Array.from({ length: count }, (_, index) => values[Math.floor((index * values.length) / count)]!);
  return byPlace();
}

const percentHead =
  /%|\b(?:per ?cent|percentage|pct|prozent|vomhundert|pour ?cent|pourcentage|percentuale|por ?ciento|porcentaje|procenty?|prosent|prosentti)\b/i;
/** A caption that says of all columns that they are percentages. */
const percentCaption =
  /(?:^|[\s(])(?:(?:as |expressed |figures |angaben |valeurs |valori |cijfers |tall |belopp )?(?:in|en|i|w|v|em) |as a )?(?:%|per ?cent|percentage|prozent|pour ?cent|pourcentage|percentuale|porcentaje|procent|procentach|prosent)\)?:?$/i;
const unitHead =
  /€|£|\$|000|\b(?:EUR|TEUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|MEUR|TCHF|MNOK|MSEK|Mio|m|k€|T€|million|thousand|mln|tys|amounts?|betrag|montant|importo|importe|bedrag|belop|beløp|belopp|kwota)\b/i;

function percentsOver({ segments }: Line, columns: readonly Figure[]): readonly boolean[] {
  const heads = segments.filter(({ text }) => text.length <= 30 && (percentHead.test(text) || unitHead.test(text)));
  const percents = heads.filter(({ text }) => percentHead.test(text));
  if (percents.length === 0 || segments.some(({ text }) => /\d[.,]\d/.test(text))) return [];
  if (heads.length === columns.length) return heads.map(({ text }) => percentHead.test(text));
  // "in %" over the labels, or in the caption, is said of every column.
  const isLeft = percents.every(({ grid, to }) => grid === columns[0]!.segment.grid && to <= columns[0]!.segment.from);
  if (heads.length === 1 && (isLeft || segments.length === 1) && percentCaption.test(heads[0]!.text))
    return columns.every(isSmall) ? columns.map(() => true) : [];
  const over = columns.map(({ segment }) => percents.some((head) => overlaps(head, segment)));
  if (over.some(Boolean) && !over.every(Boolean)) return over;
  // Percentages next to each amount, with only a sign above them.
  if (percents.length * 2 === columns.length) return columns.map((_, index) => index % 2 === 1);
  return percents.length === columns.length ? columns.map(() => true) : [];
}

function isSmall({ value }: Figure): boolean {
  return value === undefined || compare(absolute(value), rational(100n)) < 0;
}

function overlaps(one: Segment, other: Segment): boolean {
  return (
    one.grid === other.grid && Math.min(one.to, other.to) - Math.max(one.from, other.from) > (one.grid === 0 ? -2 : 0)
  );
}

function nearest(heads: readonly Segment[], { segment }: Figure): Segment | undefined {
  const distance = (head: Segment) => Math.abs(head.to - segment.to);
  return heads.filter(({ grid }) => grid === segment.grid).sort((a, b) => distance(a) - distance(b))[0];
}

/** The figure of a row for each column: by order if the row has all of them, else by position. */
export function alignFigures({ figures }: FigureRow, columns: readonly Figure[]): readonly (Figure | undefined)[] {
  if (figures.length === columns.length) return figures;
  const aligned = new Array<Figure | undefined>(columns.length).fill(undefined);
  for (const figure of figures) {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, { segment }] of columns.entries()) {
      const distance =
        segment.grid === figure.segment.grid ? Math.abs(segment.to - figure.segment.to) : Number.POSITIVE_INFINITY;
      if (distance < least) [best, least] = [index, distance];
    }
    if (best !== -1) aligned[best] ??= figure;
  }
  return aligned;
}
