/** What follows the number of an article: paragraphs, points and subparagraphs, alone or listed. */
import type { Range } from '../text/span.ts';
import {
  numberOfOrdinal,
  ordinal,
  paragraphWord,
  pointWord,
  sentenceWord,
  subparagraphWord,
  unnumberedWord,
} from './article-words.ts';

export interface Parts {
  /** More than one where a list names several. */
  readonly paragraphs?: readonly string[];
  readonly subparagraph?: number;
  /** Each with its brackets: `(a)`, `(a)(ii)`. */
  readonly points?: readonly string[];
  readonly end: number;
}

const afterWord = '(?![A-Za-zÀ-ž\\d])';
const bracket = / ?\((\d{1,3}[a-z]?|[a-z]{1,3}|[ivx]{1,5})\)/iy;
const paragraph = new RegExp(`,? (?:${paragraphWord}) ?\\(?(\\d{1,3}[a-z]?)\\)?${afterWord}`, 'iuy');
const point = new RegExp(
  `,? (?:${pointWord}) ?\\(?(\\d{1,3}|[a-zα-ωа-я]|([a-z])\\2|[ivx]{2,5}|b[a-d])(?:\\)|°)?${afterWord}`,
  'iuy',
);
const ordinalPart = new RegExp(
  `,? (?:the |de |la |le )?(?:(${ordinal}) (${unnumberedWord}|${subparagraphWord}|${sentenceWord})|(${unnumberedWord}) (${ordinal}))(?![A-Za-zÀ-ž])`,
  'iuy',
);
/** "Artikel 4.1 b", "art. 3.2": the paragraph after a full stop. */
const dotted = /\.(\d{1,2})(?:º)?(?: ([a-h])(?= (?:i|och|eller) |[,;)]))?(?![\p{L}\d/]|\.\d)/uy;
const subparagraph = new RegExp(`,? (?:${subparagraphWord}) ?(\\d{1,2})(?!\\d)`, 'iuy');
const sentence = new RegExp(`,? (?:${sentenceWord}) ?(\\d{1,2})(?!\\d)`, 'iuy');

const subparagraphShape = new RegExp(`^(?:${subparagraphWord})$`, 'iu');
const sentenceShape = new RegExp(`^(?:${sentenceWord})$`, 'iu');

/** At most eight parts, so that a run of brackets costs no more than its length. */
export function readParts(text: string, from: number): Parts {
  let parts: Parts = { end: from };
  for (let count = 0; count < 8; count += 1) {
    const next = readPart(text, parts);
    if (next === undefined) return parts;
    parts = next;
  }
  return parts;
}

function readPart(text: string, parts: Parts): Parts | undefined {
  const match = (shape: RegExp) => {
    shape.lastIndex = parts.end;
    return shape.exec(text);
  };
  const inBrackets = match(bracket);
  if (inBrackets !== null) {
    const value = inBrackets[1]!;
    const end = parts.end + inBrackets[0].length;
    if (/^\d/.test(value) && parts.paragraphs === undefined && parts.points === undefined) {
      return { ...parts, ...listed(text, [value], end, furtherBracketed, 'paragraphs') };
    }
    return withPoint(text, parts, value.toLowerCase(), end);
  }
  const afterStop = parts.paragraphs === undefined && parts.points === undefined ? match(dotted) : null;
  if (afterStop !== null) {
    const [written, value, letter] = afterStop;
    const paragraphs = { ...parts, paragraphs: [value!], end: parts.end + written.length };
    return letter === undefined ? paragraphs : { ...paragraphs, points: [`(${letter})`] };
  }
  const counted = match(paragraph);
  if (counted !== null && parts.paragraphs === undefined) {
    return { ...parts, ...listed(text, [counted[1]!], parts.end + counted[0].length, furtherNumber, 'paragraphs') };
  }
  const inOrder = match(ordinalPart);
  if (inOrder !== null) {
    const number = numberOfOrdinal(inOrder[1] ?? inOrder[4] ?? '');
    const noun = inOrder[2] ?? inOrder[3] ?? '';
    const end = parts.end + inOrder[0].length;
    if (number === undefined || sentenceShape.test(noun)) return { ...parts, end };
    if (subparagraphShape.test(noun) || parts.paragraphs !== undefined) return { ...parts, subparagraph: number, end };
    return { ...parts, paragraphs: [String(number)], end };
  }
  const below = match(subparagraph);
  if (below !== null) return { ...parts, subparagraph: Number(below[1]), end: parts.end + below[0].length };
  const said = match(sentence);
  if (said !== null) return { ...parts, end: parts.end + said[0].length };
  const pointed = match(point);
  if (pointed !== null) return withPoint(text, parts, pointed[1]!.toLowerCase(), parts.end + pointed[0].length);
  return undefined;
}

function withPoint(text: string, parts: Parts, value: string, end: number): Parts {
  // A point within a point, as in 6(1)(a)(ii).
  if (parts.points !== undefined) {
    return { ...parts, points: [...parts.points.slice(0, -1), `${parts.points.at(-1)}(${value})`], end };
  }
  const { points, end: last } = furtherPoints(text, [`(${value})`], end);
  return { ...parts, points, end: last };
}

const furtherPointShape =
  /(?:,(?: (?:and|or|und|oder|et|ou|y|e|o|en|i|oraz|a))?|(?: (?:and|or|und|oder|et|ou|y|e|o|en|i|oraz|a|to|bis|à)))(?: (?:point|points|sous|letra|lettera|onder|lit\.|pkt|Buchst\.))? (?:\((\d{1,3}|[a-z]{1,2})\)|(\d{1,3}|[a-z])(?:\)|(?![A-Za-zÀ-ž\d.°%]| \p{Ll}{2})))/iuy;

/** "points (a), (b) and (d)". At most 20. */
function furtherPoints(text: string, first: readonly string[], from: number): { points: string[]; end: number } {
  const points = [...first];
  let end = from;
  const isNumber = /\d/.test(first[0]!);
  while (points.length < 20) {
    furtherPointShape.lastIndex = end;
    const match = furtherPointShape.exec(text);
    if (match === null) break;
    const value = (match[1] ?? match[2])!.toLowerCase();
    // "point (a) and (2)" begins another part.
    if (/\d/.test(value) !== isNumber) break;
    points.push(`(${value})`);
    end += match[0].length;
  }
  return { points, end };
}

const furtherBracketed = /(?:,| (?:and|or|und|oder|et|ou|y|e|en|i|to|bis)|, (?:and|or)) \((\d{1,3}[a-z]?)\)/iuy;
const furtherNumber =
  /(?:,| (?:and|or|und|oder|et|ou|y|e|o|en|of|i|oraz|a|to|bis|tot en met)) (\d{1,3}[a-z]?)(?![A-Za-zÀ-ž\d/%]|[.,]\d| (?:days?|months?|weeks?|years?|hours?|working|business|calendar|Tag|Monat|Woche|Jahr|Stunde|Arbeits|Werk|jour|mois|ans?\b|semaine|heure|giorn|mes[ei]|settiman|ann[io]|ore\b|día|seman|año|hora|dag|maand|we[ek]|jaar|uur|dni|miesi|tyg|lat|godz))/iuy;

function listed(
  text: string,
  first: readonly string[],
  from: number,
  shape: RegExp,
  name: 'paragraphs',
): { readonly paragraphs: readonly string[]; readonly end: number } {
  const values = [...first];
  let end = from;
  while (values.length < 20) {
    shape.lastIndex = end;
    const match = shape.exec(text);
    if (match === null) break;
    values.push(match[1]!);
    end += match[0].length;
  }
  return { [name]: values, end } as { readonly paragraphs: readonly string[]; readonly end: number };
}

const prefixShape = new RegExp(
  `(?<![A-Za-zÀ-ž\\d])(?:(?:${pointWord}) ?\\(?([a-z]{1,2}|\\d{1,3})\\)?((?:(?:,| and| or| et| und| y| e| en) \\(?[a-z]\\)?){0,8}),? )?(?:(?:of|de|del|dell'|van|des) )?(?:the )?(?:(?:(?:${paragraphWord}) ?\\(?(\\d{1,3})\\)?|(${ordinal}) (${unnumberedWord}|${subparagraphWord}|${sentenceWord})|(?:${unnumberedWord}) (${ordinal})) )?(?:of|de l'|de|del|dell'|van|des|w) ?$`,
  'iu',
);

/** "point (c) of", "the second paragraph of", directly before an article. */
export function readPartsBefore(
  text: string,
  articleStart: number,
): (Omit<Parts, 'end'> & { start: number }) | undefined {
  const from = Math.max(0, articleStart - 80);
  const match = prefixShape.exec(text.slice(from, articleStart));
  if (match === null) return undefined;
  const [, first, others = '', counted, inOrder, noun = '', last] = match;
  const number = numberOfOrdinal(inOrder ?? last ?? '');
  if (first === undefined && counted === undefined && number === undefined) return undefined;
  const points =
    first === undefined ? [] : [first, ...[...others.matchAll(/ \(?([a-z])\)?/g)].map(([, letter]) => letter!)];
  const paragraphs =
    counted ??
    (number === undefined || subparagraphShape.test(noun) || sentenceShape.test(noun) ? undefined : String(number));
  return {
    ...(points.length === 0 ? {} : { points: points.map((letter) => `(${letter})`) }),
    ...(paragraphs === undefined ? {} : { paragraphs: [paragraphs] }),
    start: from + match.index,
  };
}

/** Whether the place of a part touches another. */
export function overlaps(one: Range, other: Range): boolean {
  return one.start < other.end && other.start < one.end;
}
