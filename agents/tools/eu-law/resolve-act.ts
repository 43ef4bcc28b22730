/**
 * Which act a cited article belongs to. The rules are tried in order, and the first that gives exactly one act decides; an article of
 * another law is left out, and one that no rule decides has no act.
 */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Mention } from './act-references.ts';
import { type ArticleCitation, type FoundArticle, type FoundParagraph, withParts } from './article-citations.ts';
import { overlaps, readParts } from './article-parts.ts';
import { type Doubt, ownActDoubt } from './certainty.ts';
import { amendedAt, amendedParts, articleHeadings, type QuotedPart, quotedParts } from './document-parts.ts';
import type { FlatBlock, FlatText } from './flat-text.ts';
import { isOtherLaw, linksBack, linksForward, particularBefore, possessiveBefore, refersBack } from './links.ts';
import type { DocumentKind } from './own-act.ts';
import { type ColumnAct, columnActs } from './table-acts.ts';
import { topicAt } from './topics.ts';

export interface ResolvedArticle extends ArticleCitation {
  /** CELEX number. */
  readonly act?: string;
  /** The words around the article speak against the act that the context gives. */
  readonly doubt?: Doubt;
}

export interface Context {
  readonly flat: FlatText;
  readonly mentions: readonly Mention[];
  readonly kind: DocumentKind;
}

/** Ordered by position. @param paragraphs that are no part of an article's citation */
export function resolveArticles(
  context: Context,
  articles: readonly FoundArticle[],
  paragraphs: readonly FoundParagraph[],
): ResolvedArticle[] {
  const resolver = new Resolver(context, articles);
  const lists = Map.groupBy(articles, ({ list }) => list);
  const resolved = [...lists.values()].flatMap((list) => resolver.resolve(list)).sort((a, b) => a.start - b.start);
  const known = actsOfProvisions(resolved);
  const alone = paragraphs.flatMap((paragraph) => resolver.resolveParagraph(paragraph, resolved));
  return [...resolved, ...alone]
    .sort((a, b) => a.start - b.start)
    .map(({ list: _, ...article }) => {
      const act =
        article.doubt === undefined ? (article.act ?? known.get(`${article.kind} ${article.number}`)) : undefined;
      return act === undefined ? article : { ...article, act };
    });
}

/** Articles that the document cites with one act only: a bare citation elsewhere means the same. */
function actsOfProvisions(articles: readonly ResolvedArticle[]): ReadonlyMap<string, string> {
  const acts = new Map<string, Set<string>>();
  for (const { kind, number, act } of articles) {
    if (act === undefined) continue;
    const key = `${kind} ${number}`;
    acts.set(key, (acts.get(key) ?? new Set()).add(act));
  }
  return new Map([...acts].flatMap(([key, of]) => (of.size === 1 ? [[key, [...of][0]!] as const] : [])));
}

type Placed = FoundArticle & { readonly act?: string; readonly doubt?: Doubt };

/** `other`: a provision of another law. */
type Decision = { readonly act: string } | { readonly doubt: Doubt } | 'other' | undefined;

class Resolver {
  readonly #context: Context;
  readonly #headings: readonly (Range & { readonly number: string })[];
  /** The number of the last article that the document itself has; infinite if it shows fewer than two. */
  readonly #lastHeading: number;
  readonly #quotes: readonly QuotedPart[];
  readonly #amended: readonly QuotedPart[];
  readonly #columns: ReadonlyMap<FlatBlock, ReadonlyMap<number, ColumnAct>>;
  /** The act of the last article that was resolved, and where. */
  #last: { readonly act: string; readonly at: number } | undefined;

  constructor(context: Context, articles: readonly FoundArticle[]) {
    this.#context = context;
    this.#headings = articleHeadings(context.flat, articles);
    const numbers = this.#headings.map(({ number }) => Number.parseInt(number, 10)).filter((number) => number > 0);
    this.#lastHeading = numbers.length < 2 ? Infinity : numbers.reduce((most, number) => Math.max(most, number));
    this.#quotes = quotedParts(context.flat, context.mentions);
    this.#amended = amendedParts(context.flat, context.mentions, this.#headings);
    this.#columns = columnActs(context.flat, context.mentions, articles);
  }

  resolve(list: readonly FoundArticle[]): Placed[] {
    const cited = list.filter((article) => !this.#isHeading(article));
    if (cited.length === 0) return [];
    const placed: Placed[] = [];
    // From the end: "Articles 5, 6(1)(a) and 9 of Regulation …" names the act once for the whole list.
    let decision: Decision;
    for (let index = cited.length - 1; index >= 0; index -= 1) {
      const article = cited[index]!;
      const own = this.#following(article);
      if (own !== undefined) decision = own.decision;
      else if (index === cited.length - 1) decision = this.#fromContext(cited[0]!, article);
      if (decision === 'other') continue;
      const whole = own?.parts === undefined ? [article] : withParts(article, own.parts);
      const resolved = decision;
      placed.unshift(...whole.map((each) => ({ ...each, ...resolved })));
    }
    const last = placed.at(-1);
    if (last?.act !== undefined) this.#last = { act: last.act, at: last.end };
    return placed;
  }

  /** "under paragraph 1": of the article around it, in an act; elsewhere of the article cited before it in the same block. */
  resolveParagraph({ paragraph, start, end }: FoundParagraph, resolved: readonly Placed[]): Placed[] {
    const { flat, kind } = this.#context;
    if (this.#quoteAt(start) !== undefined) return [];
    const parts = { paragraphs: [paragraph], end };
    const base = { kind: 'article' as const, normalised: '', start, end, list: -1 };
    if (kind.own !== undefined) {
      const heading = indexAt(this.#headings, start);
      if (heading === undefined || /^ of (?:Article|Annex)/i.test(flat.text.slice(end, end + 12))) return [];
      const { number } = this.#headings[heading]!;
      return withParts({ ...base, number }, parts).map((article) => ({ ...article, act: kind.own!.celex }));
    }
    if (!/(?:abs|lid|ust|odst)/iu.test(flat.text.slice(start, end))) return [];
    const block = flat.blockAt(start);
    const last = indexAt(resolved, start - 1);
    const before = last === undefined ? undefined : resolved[last];
    if (before?.act === undefined || block === undefined || before.start < block.start) return [];
    const { act } = before;
    return withParts({ ...base, number: before.number }, parts).map((article) => ({ ...article, act }));
  }

  #isHeading(article: FoundArticle): boolean {
    const index = indexAt(this.#headings, article.start);
    return index !== undefined && article.start < this.#headings[index]!.end;
  }

  /** The act in the same noun phrase, after the article, and the parts that follow it. */
  #following(
    article: FoundArticle,
  ): { readonly decision: Decision; readonly parts?: ReturnType<typeof readParts> } | undefined {
    const { flat, mentions } = this.#context;
    const next = this.#firstAfter(article.end);
    // "32011R0182 – Article 5" and the next number: a list with the act first.
    const isListed = next !== undefined && /^3\d{4}[A-Z]/.test(flat.text.slice(next.start, next.start + 6));
    if (
      next !== undefined &&
      !isListed &&
      linksForward(flat.text.slice(article.end, Math.min(next.start, article.end + 121)))
    ) {
      const parts =
        article.paragraph === undefined && article.points === undefined
          ? partsAfterAct(flat.text, next.end)
          : undefined;
      return { decision: { act: next.celex }, ...(parts === undefined ? {} : { parts }) };
    }
    if (refersBack(flat.text.slice(article.end, article.end + 20))) {
      const before = this.#lastBefore(article.start, mentions);
      return { decision: before === undefined ? undefined : { act: before.celex } };
    }
    return isOtherLaw(flat.text.slice(article.end, article.end + 90)) ? { decision: 'other' } : undefined;
  }

  #fromContext(first: FoundArticle, last: FoundArticle): Decision {
    const { flat, kind, mentions } = this.#context;
    const block = flat.blockAt(first.start);
    const before = this.#lastBefore(first.start, mentions);
    const nearest = indexAt(mentions, first.start - 1);
    const gap =
      nearest === undefined
        ? undefined
        : flat.text.slice(mentions[nearest]!.end, Math.min(first.start, mentions[nearest]!.end + 120));
    // "Modified by 32028R0102 – Addition article 12": in the data of an act, of the act itself.
    if (
      kind.about !== undefined &&
      nearest !== undefined &&
      modifiedBy.test(flat.text.slice(Math.max(0, mentions[nearest]!.start - 40), mentions[nearest]!.start))
    )
      return { act: kind.about };
    const column = block === undefined ? undefined : this.#columnAct(block, first);
    if (column !== undefined) return column === 'unknown' ? undefined : column;
    if (before !== undefined && block !== undefined && before.start >= block.start) {
      const head = this.#headOf(block, first.start);
      if (gap !== undefined && linksBack(gap))
        return { act: (/[A-Za-zÀ-ž]/u.test(gap) ? (head ?? before) : before).celex };
      if (head !== undefined && particularBefore(flat.text.slice(Math.max(0, first.start - 50), first.start)))
        return { act: head.celex };
      // Keywords at the head of a judgment: "Directive 2011/83/EU – Article 9(1) – Right of withdrawal – Article 16".
      if (flat.text.slice(block.start, Math.min(block.end, block.start + 2_000)).split(' – ').length > 3)
        return { act: before.celex };
    }
    const quote = this.#quoteAt(first.start);
    if (quote !== undefined) return quote.act === undefined ? undefined : { act: quote.act };
    if (possessiveBefore(flat.text.slice(Math.max(0, first.start - 20), first.start))) {
      const head = block === undefined ? undefined : (this.#headOf(block, first.start) ?? before);
      return head === undefined ? undefined : { act: head.celex };
    }
    // "Article 17 old" in the notes to a correlation table.
    if (/^ (?:alt|a\. ?F\.|old|ancien|oud)(?![A-Za-zÀ-ž])/iu.test(flat.text.slice(last.end, last.end + 8)))
      return undefined;
    const amended = amendedAt(this.#amended, first.start);
    if (amended !== undefined) return { act: amended };
    if (kind.own !== undefined) {
      const isWithin = last.kind !== 'article' || Number.parseInt(last.number, 10) <= this.#lastHeading;
      const doubt = isWithin ? ownActDoubt(flat.text, last, this.#firstAfter(last.end)) : 'act';
      return doubt === undefined ? { act: kind.own.celex } : { doubt };
    }
    if (kind.national !== undefined && first.start < kind.national.end) return 'other';
    return this.#fromSurroundings(first, block);
  }

  /** In letters, opinions and judgments: the sentence's only act, else the act of the article before, else of the lead-in or the heading. */
  #fromSurroundings(first: FoundArticle, block: FlatBlock | undefined): Decision {
    const { flat, mentions } = this.#context;
    if (block === undefined) return undefined;
    const sentence = flat.sentenceAt(first.start);
    const inSentence = this.#actsIn({ start: sentence.start, end: first.start });
    const lastAct = this.#last !== undefined && this.#last.at >= block.start ? this.#last : undefined;
    if (inSentence.size === 1) return { act: [...inSentence][0]! };
    // The legal basis that the sentence before names is not what the block speaks of.
    if (lastAct !== undefined && !isTreaty(lastAct.act)) return { act: lastAct.act };
    if (inSentence.size > 1) return undefined;
    const row = block.kind === 'row' ? this.#actOfRow(block, first.start) : undefined;
    if (row !== undefined) return row;
    const inBlock = this.#actsIn({ start: block.start, end: first.start });
    if (inBlock.size === 1) return { act: [...inBlock][0]! };
    if (inBlock.size > 1) return undefined;
    const topic = this.#context.kind.about ?? topicAt({ flat, mentions }, first.start);
    if (topic !== undefined) return { act: topic };
    const index = indexAt(flat.blocks, first.start)!;
    for (let at = index - 1, looked = 0; at >= 0 && looked < 12; at -= 1, looked += 1) {
      const above = flat.blocks[at]!;
      const isLeadIn = block.kind === 'item' && above.kind !== 'item';
      const named = this.#actsIn(above);
      if (isLeadIn && named.size > 0) {
        const last = this.#lastBefore(above.end, mentions);
        return named.size === 1 || flat.text.slice(above.end - 1, above.end) === ':' ? { act: last!.celex } : undefined;
      }
      if (above.kind === 'heading' && named.size > 0) return named.size === 1 ? { act: [...named][0]! } : undefined;
      if (above.kind === 'heading' && block.kind !== 'item') return undefined;
    }
    return undefined;
  }

  /** The act that begins one of the cells before: the row is about it. A row about a proposal cites that. */
  #actOfRow(block: FlatBlock, position: number): Decision {
    const { flat, mentions } = this.#context;
    for (const { start, end } of block.cells) {
      if (end > position) return undefined;
      if (/^(?:COM|JOIN) ?\(\d{4}\)/u.test(flat.text.slice(start, start + 12))) return 'other';
      const index = indexAt(mentions, start + 24);
      const mention = index === undefined ? undefined : mentions[index];
      if (mention !== undefined && mention.start >= start && mention.end <= end && !mention.isInTitle)
        return { act: mention.celex };
    }
    return undefined;
  }

  #actsIn({ start, end }: Range): Set<string> {
    const { mentions } = this.#context;
    const found = new Set<string>();
    const treaties = new Set<string>();
    const before = indexAt(mentions, start - 1);
    for (
      let at = before === undefined ? 0 : before + 1;
      at < mentions.length && mentions[at]!.start < end && found.size < 4;
      at += 1
    ) {
      const { celex, isInTitle, how, type } = mentions[at]!;
      if (!isInTitle && how !== 'bare') (type === 'treaty' ? treaties : found).add(celex);
    }
    // An act and its legal basis: the article is of the act.
    return found.size === 0 ? treaties : found;
  }

  /** The first act of the sentence that is no part of another's title: what its clauses speak of. */
  #headOf(block: FlatBlock, position: number): Mention | undefined {
    const { flat, mentions } = this.#context;
    const sentence = flat.sentenceAt(position);
    const from = Math.max(block.start, sentence.start);
    const before = indexAt(mentions, from - 1);
    const first = mentions[before === undefined ? 0 : before + 1];
    return first !== undefined && first.start < position && first.start >= from ? first : undefined;
  }

  #lastBefore(position: number, mentions: readonly Mention[]): Mention | undefined {
    let index = indexAt(mentions, position - 1);
    for (let looked = 0; index !== undefined && index >= 0 && looked < 12; index -= 1, looked += 1) {
      const mention = mentions[index]!;
      if (mention.how !== 'bare' && mention.end <= position && !mention.isInTitle) return mention;
    }
    return undefined;
  }

  #firstAfter(position: number): Mention | undefined {
    const { mentions } = this.#context;
    const index = indexAt(mentions, position - 1);
    return mentions[index === undefined ? 0 : index + 1];
  }

  #quoteAt(position: number): QuotedPart | undefined {
    const index = indexAt(this.#quotes, position);
    const quote = index === undefined ? undefined : this.#quotes[index];
    return quote !== undefined && position < quote.end ? quote : undefined;
  }

  /** `unknown` for the remarks next to the columns of several acts. */
  #columnAct(block: FlatBlock, article: FoundArticle): Decision | 'unknown' {
    const columns = this.#columns.get(block);
    if (columns === undefined || article.kind !== 'article') return undefined;
    const cell = block.cells.find(({ start, end }) => overlaps({ start, end }, article));
    // A cell of words only mentions articles.
    if (cell === undefined || article.start - cell.start > 12) return undefined;
    const act = columns.get(cell.column);
    if (act === undefined) return columns.size > 1 ? 'unknown' : undefined;
    return act === 'other' ? 'other' : { act };
  }
}

/** CELEX numbers of the Treaties and the Charter. */
const isTreaty = (celex: string) => celex.startsWith('1');

const modifiedBy =
  /(?:modified|amended|corrected|completed|affected|geändert|berichtigt|ergänzt|modifié|rectifié|complété|modificado|corregido|completado|modificato|rettificato|completato|gewijzigd|gerectificeerd|aangevuld|zmienion\p{L}{1,2}|sprostowan\p{L}{1,2}|změněn|opraven) (?:by|durch|par|por|da|dal|bij|door|przez):? $/iu;

/** "In Article 4 of Regulation (EU) 2019/1020, paragraph 5 is replaced", "Article 4 of the GDPR, headed 'Definitions', provides in points (1) and (4)". */
function partsAfterAct(text: string, from: number): ReturnType<typeof readParts> | undefined {
  const shown = text.slice(from, from + 140);
  const lead =
    /^(?: ?\(\d{1,2}\))?(?:, (?:headed|entitled|mit der Überschrift|intitulé|titulado|intitolato|met als opschrift|zatytułowany) ["'„“‘«][^"'“”’»]{1,80}["'“”’»],?)?(?: (?:provides?|states?|lists?|defines?) in)?/u.exec(
      shown,
    )!;
  const start = from + lead[0].length;
  const parts = readParts(text, start);
  return (parts.paragraphs === undefined && parts.points === undefined) || /^ ?\(/.test(text.slice(start, start + 2))
    ? undefined
    : parts;
}
