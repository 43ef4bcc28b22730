/** Citations of articles, recitals and annexes, in English, German, French and Czech, and the act of each. */
import type { Range } from '../text/span.ts';
import type { ActCitation } from './act-citations.ts';

export interface ArticleCitation extends Range {
  readonly kind: 'article' | 'recital' | 'annex';
  /** `6`, `6a`, `III`. */
  readonly number: string;
  readonly paragraph?: string;
  /** Ordinal of the subparagraph, from 1. */
  readonly subparagraph?: number;
  /** Each with its brackets: `(a)`, `(a)(ii)`. */
  readonly points?: readonly string[];
  /** In the form of the Interinstitutional Style Guide: `Article 6(1), point (f)`. */
  readonly normalised: string;
  /** CELEX number of the act that follows it directly or after "of". */
  readonly act?: string;
}

/** Ordered by position in the text. @param acts the result of `findActs` for the same text */
export function findArticles(text: string, acts: readonly ActCitation[]): ArticleCitation[] {
  const found: ArticleCitation[] = [];
  for (const match of text.matchAll(startShape)) {
    const kind = kindOf(match[1]!);
    const number = match[2]!;
    if (kind === 'annex' ? !/^[IVXLC]{1,7}$/.test(number) : !/^\d/.test(number)) continue;
    const parts = readParts(text, match.index + match[0].length);
    const place = { start: match.index, end: parts.end };
    found.push(build(kind, number, parts, place));
    // "Articles 13 and 14", "Art. 13, 14 und 15": each further number is its own article.
    for (const next of furtherNumbers(text, parts.end)) found.push(build(kind, next.number, next.parts, next));
  }
  return withActs(text, found, acts);
}

const startShape =
  /(?<![\p{L}\d])(Articles?|Art\.|Artt\.|Artikeln?|Artikels|[Aa]rticles?|[Aa]rt\.|[Čč]l\.|[Čč]lán(?:ek|ku|ky)|[Rr]ecitals?|Erwägungsgr(?:und|ünde)|considérants?|Annex|Anhang|[Aa]nnexe|[Pp]říloha)[ \u00a0\n]{1,2}(\d{1,3}[a-z]{0,2}(?![\p{L}\d])|[IVXLC]{1,7}(?![\p{L}\d]))/gu;

/** Sticky patterns of the parts that may follow a number, each with the name of the part. */
const partShapes: readonly {
  readonly name: 'paragraph' | 'point' | 'subparagraph' | 'bracket';
  readonly shape: RegExp;
}[] = [
  { name: 'bracket', shape: /[ \u00a0]?\(([0-9]{1,3}[a-z]?|[a-z]{1,3}|[ivx]{1,5})\)/y },
  {
    name: 'paragraph',
    shape:
      /,?[ \u00a0](?:Abs\.|Absatz|paragraphs?|paras?\.?|paragraphe|odst\.|odstavec)[ \u00a0](\d{1,3}[a-z]?)(?![\p{L}\d])/uy,
  },
  {
    name: 'point',
    shape:
      /,?[ \u00a0](?:points?|lit\.|litera|Buchst\.|Buchstabe|letter|písm\.|point)[ \u00a0]?\(?([a-z]{1,2}|\d{1,3})\)?(?![\p{L}\d])/uy,
  },
  {
    name: 'subparagraph',
    shape: /,?[ \u00a0](?:the )?(first|second|third|fourth|fifth)[ \u00a0](?:sub-?paragraph|sentence)/y,
  },
  {
    name: 'subparagraph',
    shape: /,?[ \u00a0](?:UAbs\.|Unterabs\.|Unterabsatz|alinéa|pododst\.)[ \u00a0](\d{1,2})(?!\d)/y,
  },
];
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];

interface Parts {
  readonly paragraph?: string;
  readonly subparagraph?: number;
  readonly points?: readonly string[];
  readonly end: number;
}

/** At most six parts, so that a run of brackets takes linear time. */
function readParts(text: string, from: number): Parts {
  let parts: Parts = { end: from };
  for (let count = 0; count < 6; count += 1) {
    const next = partShapes.map(({ name, shape }) => {
      shape.lastIndex = parts.end;
      return { name, match: shape.exec(text) };
    });
    const first = next.find(({ match }) => match !== null);
    if (first?.match == null) return parts;
    const end = parts.end + first.match[0].length;
    const value = first.match[1]!;
    if (first.name === 'subparagraph') {
      parts = { ...parts, subparagraph: ordinals.includes(value) ? ordinals.indexOf(value) + 1 : Number(value), end };
    } else if (
      first.name === 'paragraph' ||
      (first.name === 'bracket' && /^\d/.test(value) && parts.paragraph === undefined)
    ) {
      parts = { ...parts, paragraph: value, end };
    } else if (parts.points === undefined) {
      parts = { ...parts, ...furtherPoints(text, [`(${value})`], end) };
    } else {
      // A point within a point, as in 6(1)(a)(ii).
      parts = { ...parts, points: [...parts.points.slice(0, -1), `${parts.points.at(-1)}(${value})`], end };
    }
  }
  return parts;
}

const furtherPointShape = /,?[ \u00a0\n](?:(?:and|or|to|und|oder|et|ou|a)[ \u00a0\n])?\(([a-z]{1,2})\)/y;

/** "points (a), (b) and (d)". At most 20. */
function furtherPoints(text: string, first: readonly string[], from: number): { points: string[]; end: number } {
  const points = [...first];
  let end = from;
  while (points.length < 20) {
    furtherPointShape.lastIndex = end;
    const match = furtherPointShape.exec(text);
    if (match === null) break;
    points.push(`(${match[1]})`);
    end += match[0].length;
  }
  return { points, end };
}

const furtherShape =
  /(?:,[ \u00a0]|[ \u00a0](?:and|or|to|und|oder|bis|et|ou|à|a|až)[ \u00a0]|[-–])(\d{1,3}[a-z]?)(?![\p{L}\d/.%])/uy;

/** At most 20. */
function* furtherNumbers(
  text: string,
  from: number,
): Generator<{ number: string; parts: Parts; start: number; end: number }> {
  let at = from;
  for (let count = 0; count < 20; count += 1) {
    furtherShape.lastIndex = at;
    const match = furtherShape.exec(text);
    if (match === null) return;
    const parts = readParts(text, at + match[0].length);
    yield { number: match[1]!, parts, start: at + match[0].length - match[1]!.length, end: parts.end };
    at = parts.end;
  }
}

function build(
  kind: ArticleCitation['kind'],
  number: string,
  { paragraph, subparagraph, points }: Parts,
  { start, end }: Range,
): ArticleCitation {
  const word = { article: 'Article', recital: 'recital', annex: 'Annex' }[kind];
  const inParagraph = paragraph === undefined ? '' : `(${paragraph})`;
  const ordinal =
    subparagraph === undefined ? '' : `, ${ordinals[subparagraph - 1] ?? `${subparagraph}th`} subparagraph`;
  return {
    kind,
    number,
    ...(paragraph === undefined ? {} : { paragraph }),
    ...(subparagraph === undefined ? {} : { subparagraph }),
    ...(points === undefined ? {} : { points }),
    normalised: `${word} ${number}${inParagraph}${ordinal}${listed(points)}`,
    start,
    end,
  };
}

function listed(points: readonly string[] | undefined): string {
  if (points === undefined) return '';
  if (points.length === 1) return `, point ${points[0]}`;
  return `, points ${points.slice(0, -1).join(', ')} and ${points.at(-1)}`;
}

function kindOf(word: string): ArticleCitation['kind'] {
  const lower = word.toLowerCase();
  if (/^(?:recital|erwägung|considérant)/.test(lower)) return 'recital';
  return /^(?:annex|anhang|příloha)/.test(lower) ? 'annex' : 'article';
}

/** What may appear between an article and its act. */
const linkShape =
  /^[ \u00a0\n]{0,2}(?:,[ \u00a0])?(?:(?:of|to)(?: the| that)?|der|des|du|de la|de l’|de l'|de|in)?[ \u00a0\n]{0,2}$/i;

/**
 * Each article belongs to the next act if only such words are between them; in a list, the act of the last article belongs to
 * all.
 */
function withActs(text: string, articles: readonly ArticleCitation[], acts: readonly ActCitation[]): ArticleCitation[] {
  const linked: ArticleCitation[] = [...articles];
  let actIndex = acts.length - 1;
  for (let index = linked.length - 1; index >= 0; index -= 1) {
    const article = linked[index]!;
    while (actIndex > 0 && acts[actIndex - 1]!.start >= article.end) actIndex -= 1;
    const nearest = acts[actIndex];
    const following = nearest !== undefined && nearest.start >= article.end ? nearest : undefined;
    const preceding = following === undefined ? nearest : acts[actIndex - 1];
    const next = linked[index + 1];
    const between = (to: number) =>
      to - article.end > 24 || to < article.end ? undefined : text.slice(article.end, to);
    const toAct = following === undefined ? undefined : between(following.start);
    const toNext = next?.act === undefined ? undefined : between(next.start);
    if (toAct !== undefined && linkShape.test(toAct)) linked[index] = { ...article, act: following!.celex };
    else if (toNext !== undefined && listLink.test(toNext)) linked[index] = { ...article, act: next!.act! };
    else if (preceding !== undefined && standsBefore(text, preceding, article)) {
      linked[index] = { ...article, act: preceding.celex };
    }
  }
  return linked;
}

const listLink = /^(?:,[ \u00a0]|[ \u00a0](?:and|or|to|und|oder|bis|et|ou|à|a|až)[ \u00a0]|[-–])$/u;

/** "Regulation (EU) 2016/679, Article 6": only a comma and a blank between them. */
function standsBefore(text: string, act: Range, article: Range): boolean {
  const distance = article.start - act.end;
  return distance >= 1 && distance <= 2 && /^,?[ \u00a0\n]$/.test(text.slice(act.end, article.start));
}
