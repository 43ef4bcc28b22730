/**
 * Numbers that a filing marks in inline XBRL: their scale, sign, concept, period and unit. The text of an element stays where it is;
 * continuations and text facts are not followed.
 * @see https://www.xbrl.org/Specification/inlineXBRL-part1/REC-2013-11-18/inlineXBRL-part1-REC-2013-11-18.html §10
 */
import { indexAt } from '../tools/text/ranges.ts';
import type { Range } from '../tools/text/span.ts';

/** An `ix:nonFraction`, with the range of its contents in the source. */
export interface TaggedNumber extends Range {
  /** Without its prefix: "NetIncomeLoss". */
  readonly concept: string;
  /** Powers of ten that multiply the printed number. */
  readonly scale: number;
  readonly isNegative: boolean;
  /** The decimal mark that its format names. */
  readonly decimalMark?: '.' | ',';
  /** ISO 4217, for amounts and for amounts per share. */
  readonly currency?: string;
  /** Undefined if the file does not contain the context. */
  readonly context?: XbrlContext;
}

export interface XbrlContext {
  /** First day, of a period. */
  readonly start?: string;
  /** Last day, or the day of a balance. */
  readonly end: string;
  /** Whether the fact is that of a segment, a class of shares or another part. */
  readonly isPart: boolean;
}

/** The elements around the only tagged number in a range of the source, the outermost first; none if there are several numbers. */
export type TaggedNumbers = (range: Range) => readonly TaggedNumber[];

const scaleMax = 12;
const element = /<(\/?)ix:nonFraction\b((?:[^<>"']|"[^"<>]{0,400}"|'[^'<>]{0,400}')*)>/gi;

/** @returns undefined if the text has no tagged number */
export function readInlineXbrl(source: string): TaggedNumbers | undefined {
  if (!/<ix:nonFraction\b/i.test(source)) return undefined;
  const contexts = readContexts(source);
  const units = readUnits(source);
  const found: TaggedNumber[] = [];
  const open: { readonly tag: string; readonly start: number }[] = [];
  for (const { 0: all, 1: closes, 2: tag, index } of source.matchAll(element)) {
    if (closes === '') {
      if (!tag!.endsWith('/')) open.push({ tag: tag!, start: index + all.length });
      continue;
    }
    const opened = open.pop();
    const read = opened === undefined ? undefined : numberOf(opened.tag, contexts, units);
    if (read !== undefined) found.push({ ...read, start: opened!.start, end: index });
  }
  if (found.length === 0) return undefined;
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  return (range) => ofOneNumber(numbersIn(found, range));
}

function numbersIn(found: readonly TaggedNumber[], { start, end }: Range): TaggedNumber[] {
  const last = indexAt(found, start) ?? 0;
  let first = last;
  while (first > 0 && last - first < nestedMax && found[first - 1]!.end > start) first -= 1;
  const numbers: TaggedNumber[] = [];
  for (let at = first; at < found.length && found[at]!.start < end; at += 1)
    if (found[at]!.end > start) numbers.push(found[at]!);
  return numbers;
}

const nestedMax = 16;

/** Elements within each other mark one number; elements next to each other, or of different scales, leave open which one counts. */
function ofOneNumber(numbers: readonly TaggedNumber[]): readonly TaggedNumber[] {
  const [outer] = numbers;
  const isOne = numbers.every(
    ({ start, end, scale, isNegative }, index) =>
      scale === outer!.scale &&
      isNegative === outer!.isNegative &&
      (index === 0 || (start >= numbers[index - 1]!.start && end <= numbers[index - 1]!.end)),
  );
  return isOne ? numbers : [];
}

function numberOf(
  tag: string,
  contexts: ReadonlyMap<string, XbrlContext>,
  units: ReadonlyMap<string, string>,
): Omit<TaggedNumber, 'start' | 'end'> | undefined {
  const scale = attributeOf(tag, 'scale') ?? '0';
  if (!/^[+-]?\d{1,2}$/.test(scale) || Math.abs(Number(scale)) > scaleMax) return undefined;
  const mark = /num-?(dot|comma)-?decimal/i.exec(attributeOf(tag, 'format') ?? '')?.[1]?.toLowerCase();
  const context = contexts.get(attributeOf(tag, 'contextRef') ?? '');
  const currency = units.get(attributeOf(tag, 'unitRef') ?? '');
  return {
    concept: (attributeOf(tag, 'name') ?? '').replace(/^[^:]*:/, ''),
    scale: Number(scale),
    isNegative: attributeOf(tag, 'sign') === '-',
    ...(mark === undefined ? {} : { decimalMark: mark === 'comma' ? ',' : '.' }),
    ...(currency === undefined ? {} : { currency }),
    ...(context === undefined ? {} : { context }),
  };
}

const attributes = {
  id: shapeOf('id'),
  name: shapeOf('name'),
  scale: shapeOf('scale'),
  sign: shapeOf('sign'),
  format: shapeOf('format'),
  contextRef: shapeOf('contextRef'),
  unitRef: shapeOf('unitRef'),
};

function shapeOf(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}\\s{0,8}=\\s{0,8}(?:"([^"]*)"|'([^']*)')`, 'i');
}

function attributeOf(tag: string, name: keyof typeof attributes): string | undefined {
  const [, double, single] = attributes[name].exec(tag) ?? [];
  return (double ?? single)?.trim();
}

const partOfHeader =
  /<(\/?)(?:[\w-]{1,20}:)?(context|startDate|endDate|instant|segment|scenario|unit|measure)\b([^<>]*)>([^<>]{0,80})/gi;
const day = /^\s*(\d{4}-\d\d-\d\d)/;

function readContexts(source: string): Map<string, XbrlContext> {
  const contexts = new Map<string, XbrlContext>();
  let open: { readonly id: string; start?: string; end?: string; isPart: boolean } | undefined;
  for (const [, closes, name, tag, text] of source.matchAll(partOfHeader)) {
    const part = name!.toLowerCase();
    if (part === 'context') {
      if (open?.end !== undefined) contexts.set(open.id, { ...open, end: open.end });
      const id = attributeOf(tag!, 'id');
      open = closes !== '' || id === undefined ? undefined : { id, isPart: false };
    } else if (open !== undefined && closes === '') {
      const date = day.exec(text!)?.[1];
      if (part === 'startdate' && date !== undefined) open.start = date;
      else if ((part === 'enddate' || part === 'instant') && date !== undefined) open.end = date;
      else if ((part === 'segment' || part === 'scenario') && !tag!.endsWith('/')) open.isPart = true;
    }
  }
  return contexts;
}

/** The currency of each unit; of "USD per share" as well. */
function readUnits(source: string): Map<string, string> {
  const units = new Map<string, string>();
  let id: string | undefined;
  for (const [, closes, name, tag, text] of source.matchAll(partOfHeader)) {
    const part = name!.toLowerCase();
    if (part === 'unit') id = closes === '' ? attributeOf(tag!, 'id') : undefined;
    const code = part === 'measure' && closes === '' ? /^\s*iso4217:([A-Z]{3})\s*$/.exec(text!)?.[1] : undefined;
    if (id !== undefined && code !== undefined && !units.has(id)) units.set(id, code);
  }
  return units;
}
