/** Citations of articles, recitals and annexes in nine languages. Which act each belongs to is decided by `resolve-act.ts`. */
import type { Range } from '../text/span.ts';
import { type Parts, readParts, readPartsBefore } from './article-parts.ts';
import {
  annexWord,
  articleWord,
  listWord,
  numberOfOrdinal,
  ordinal,
  paragraphWord,
  rangeWord,
  recitalWord,
} from './article-words.ts';
import { findNumberFirst } from './number-first.ts';

export interface ArticleCitation extends Range {
  readonly kind: 'article' | 'recital' | 'annex';
  /** `6`, `6a`, `3 bis`, `III`. Of a range the first. */
  readonly number: string;
  /** Of a range, "Articles 12 to 15": the last. */
  readonly until?: string;
  readonly paragraph?: string;
  /** Ordinal of the subparagraph, from 1. */
  readonly subparagraph?: number;
  /** Each with its brackets: `(a)`, `(a)(ii)`. */
  readonly points?: readonly string[];
  /** In the form of the Interinstitutional Style Guide: `Article 6(1), point (f)`. */
  readonly normalised: string;
}

/** A citation as the text has it, before its act is known. */
export interface FoundArticle extends ArticleCitation {
  /** Citations of one list share it: "Articles 13 and 14", "Article 5(1) and Article 6". */
  readonly list: number;
}

const number =
  '(\\d{1,3}(?:[a-z]{1,2}(?![A-Za-zÀ-ž])| (?:bis(?! \\d)|ter|quater|quinquies|sexies)(?![A-Za-zÀ-ž]))?|premier|1er|1\\.?[ºo°](?![A-Za-zÀ-ž]))';
const roman = '([IVXLC]{1,7})(?![A-Za-zÀ-ž\\d])';
const rangeStart = "(?:da |dall'|de l'|del |de los |dal |od |von )?";

const startShape = new RegExp(
  `(?<![A-Za-zÀ-ž\\d-])(?:(?:(${articleWord})|(${recitalWord})) (${rangeStart})(\\((?=\\d{1,3}\\)))?${number}(?:\\.?[ºª])?(?![A-Za-zÀ-ž\\d])|(${annexWord}) ${roman}|(${ordinal}) (${recitalWord})(?![A-Za-zÀ-ž]))`,
  'giu',
);
const furtherShape = new RegExp(
  `(?:(,| (?:${listWord}|a)|, (?:${listWord})) |( (?:${rangeWord}|al|a) |[-–]| ?– ?))(?:\\((?=\\d{1,3}\\)))?${number}(?:\\)(?<=\\(\\d{1,3}\\)))?(?:\\.?[ºª])?(?![A-Za-zÀ-ž\\d/%]|[.,]\\d)(?! (?:days?|months?|weeks?|years?|hours?|working|Tag|Monat|Woche|Jahr|Stunde|jour|mois|semaine|heure|giorn|mes[ei]|settiman|ann[io]|día|seman|año|hora|dag|maand|we[ek]|jaar|uur|dni|miesi|tyg|lat|godz))`,
  'iuy',
);

/** Ordered by position in the text. */
export function findArticles(text: string): FoundArticle[] {
  const found: FoundArticle[] = [];
  let list = 0;
  for (const match of text.matchAll(startShape)) {
    const [written, article, recital, opening = '', bracket, first, annex, inRoman, ordinalWord] = match;
    if (match.index < (found.at(-1)?.end ?? 0)) continue;
    const kind = annex !== undefined ? 'annex' : article !== undefined ? 'article' : 'recital';
    if (annex !== undefined && inRoman !== inRoman!.toUpperCase()) continue;
    const value = inRoman ?? (ordinalWord === undefined ? plainNumber(first!) : String(numberOfOrdinal(ordinalWord)));
    const end = match.index + written.length + (bracket === undefined ? 0 : 1);
    const parts = ordinalWord === undefined ? readParts(text, end) : { end };
    const before = kind === 'article' ? readPartsBefore(text, match.index) : undefined;
    if (!continuesList(text, found.at(-1), before?.start ?? match.index)) list += 1;
    const place = { start: before?.start ?? match.index, end: parts.end };
    found.push(...build(kind, value, undefined, merge(parts, before), place, list));
    if (kind === 'annex' || ordinalWord !== undefined) continue;
    const isCzech = /^[čČ]l/.test(article ?? '');
    // "Articles 13 and 14", "Art. 13, 14 und 15": each further number is its own article.
    const isSingular = /^(?:article|artículo|articolo|artigo|recital|considérant|artikels)$/i.test(
      article ?? recital ?? '',
    );
    if (!isSingular) addFurther(text, found, { kind, list, isCzech, opens: opening !== '' });
  }
  const others = findNumberFirst(text).filter(
    ({ start, end }) => !found.some((one) => one.start < end && start < one.end),
  );
  for (const { kind, number: value, paragraph, point, ...place } of others) {
    list += 1;
    const parts = {
      ...(paragraph === undefined ? {} : { paragraphs: [paragraph] }),
      ...(point === undefined ? {} : { points: [`(${point})`] }),
      end: place.end,
    };
    found.push(...build(kind, value.toLowerCase(), undefined, parts, place, list));
  }
  return others.length === 0 ? found : found.sort((one, other) => one.start - other.start);
}

function plainNumber(written: string): string {
  return /^(?:premier|1er|1\.?[ºo°])$/i.test(written) ? '1' : written.toLowerCase();
}

interface ListState {
  readonly kind: ArticleCitation['kind'];
  readonly list: number;
  readonly isCzech: boolean;
  /** "da 1 a 3": the next number ends a range. */
  readonly opens: boolean;
}

/** At most 20. */
function addFurther(text: string, found: FoundArticle[], { kind, list, isCzech, opens }: ListState): void {
  for (let count = 0; count < 20; count += 1) {
    const last = found.at(-1)!;
    furtherShape.lastIndex = last.end;
    const match = furtherShape.exec(text);
    if (match === null) return;
    const [written, , , value = ''] = match;
    const numberText = plainNumber(value);
    const link = written.slice(0, written.lastIndexOf(value)).replace('(', '').trim().toLowerCase();
    const isA = link === 'a';
    const isRange = opens ? count === 0 : isA ? !isCzech : match[2] !== undefined;
    const end = last.end + written.length;
    if (
      isRange &&
      last.paragraph === undefined &&
      last.points === undefined &&
      Number.parseInt(numberText, 10) >= Number.parseInt(last.number, 10)
    ) {
      found[found.length - 1] = build(kind, last.number, numberText, { end }, { start: last.start, end }, list)[0]!;
      continue;
    }
    const parts = readParts(text, end);
    found.push(...build(kind, numberText, undefined, parts, { start: end - value.length, end: parts.end }, list));
  }
}

const betweenArticles = new RegExp(
  `^(?:,|;| –| -|\\))? ?(?:(?:${listWord}|a|and also|as well as|read in conjunction with|in conjunction with|in Verbindung mit|i\\. ?V\\. ?m\\.|lu en combinaison avec|en relación con|in combinato disposto con) )?(?:(?:with|the|in|under|to|its|l'|les|de l'|à l'|au|el|del|gli|agli|dell'|all'|dem|den|des|der|het|w|z|son|sa|su|ihre[mnrs]?) ?){0,2}$`,
  'iu',
);

/** "Article 5(1)(c) and Article 6(3)". */
function continuesList(text: string, last: FoundArticle | undefined, start: number): boolean {
  if (last === undefined || start < last.end || start - last.end > 40) return false;
  const between = text.slice(last.end, start);
  return between.trim() !== '' && betweenArticles.test(between);
}

function merge(after: Parts, before: Omit<Parts, 'end'> | undefined): Parts {
  if (before === undefined) return after;
  const { points, paragraphs } = before;
  return {
    ...after,
    ...(after.paragraphs === undefined && paragraphs !== undefined ? { paragraphs } : {}),
    ...(after.points === undefined && points !== undefined ? { points } : {}),
  };
}

/** One citation per paragraph; points belong to the last. */
function build(
  kind: ArticleCitation['kind'],
  value: string,
  until: string | undefined,
  { paragraphs, subparagraph, points }: Parts,
  { start, end }: Range,
  list: number,
): FoundArticle[] {
  const of = paragraphs ?? [undefined];
  return of.map((paragraph, index) => {
    const isLast = index === of.length - 1;
    const shown = isLast ? points : undefined;
    const part = isLast ? subparagraph : undefined;
    return {
      kind,
      number: value,
      ...(until === undefined ? {} : { until }),
      ...(paragraph === undefined ? {} : { paragraph }),
      ...(part === undefined ? {} : { subparagraph: part }),
      ...(shown === undefined ? {} : { points: shown }),
      normalised: normalise(kind, value, until, paragraph, part, shown),
      start,
      end,
      list,
    };
  });
}

/** A citation with another article's number, as when a paragraph alone is cited. */
export function withParts(article: FoundArticle, parts: Parts): FoundArticle[] {
  return build(article.kind, article.number, undefined, parts, article, article.list);
}

const names = { article: 'Article', recital: 'recital', annex: 'Annex' } as const;
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

function normalise(
  kind: ArticleCitation['kind'],
  value: string,
  until: string | undefined,
  paragraph: string | undefined,
  subparagraph: number | undefined,
  points: readonly string[] | undefined,
): string {
  if (until !== undefined) return `${names[kind]}s ${value} to ${until}`;
  const inParagraph = paragraph === undefined ? '' : `(${paragraph})`;
  const part = subparagraph === undefined ? '' : `, ${ordinals[subparagraph - 1] ?? `${subparagraph}th`} subparagraph`;
  return `${names[kind]} ${value}${inParagraph}${part}${listed(points)}`;
}

function listed(points: readonly string[] | undefined): string {
  if (points === undefined) return '';
  if (points.length === 1) return `, point ${points[0]}`;
  return `, points ${points.slice(0, -1).join(', ')} and ${points.at(-1)}`;
}

/** A paragraph of the same article, or of the article cited before: "under paragraph 1", "nach Absatz 1". */
export interface FoundParagraph extends Range {
  readonly paragraph: string;
}

const paragraphShape = new RegExp(
  `(?<![A-Za-zÀ-ž])(?:(?:under|in|to|from|of|with|by|nach|von|gemäß|zu|des|in|au|du|le|les|aux|del|al|en el|nel|al|dal|di cui al|van|in|bedoeld in|het|w|o którym mowa w|zgodnie z|podle|v) )(?:(?:the |dem |den |el |il |de )?(?:${paragraphWord})) (\\d{1,2}[a-z]?)(?![A-Za-zÀ-ž\\d/]|\\.\\d)`,
  'giu',
);

/** Ordered by position; whatever is part of an article's citation is left out by the caller. */
export function findParagraphs(text: string): FoundParagraph[] {
  return [...text.matchAll(paragraphShape)].map((match) => ({
    paragraph: match[1]!,
    start: match.index,
    end: match.index + match[0].length,
  }));
}
