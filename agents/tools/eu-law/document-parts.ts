/** Parts of a document that decide what a bare article means: headings of articles, and quoted provisions of another act. */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Mention } from './act-references.ts';
import type { FoundArticle } from './article-citations.ts';
import type { FlatText } from './flat-text.ts';

/** Headings "Article 5", "Art. 39a.", "Artikel 1 – Begriffe" of the text's own articles: they cite nothing. Ordered by position. */
export function articleHeadings(
  flat: FlatText,
  articles: readonly FoundArticle[],
): (Range & { readonly number: string })[] {
  return articles.flatMap(({ kind, number, start, end }) => {
    const block = flat.blockAt(start);
    if (kind !== 'article' || block === undefined || block.kind === 'row') return [];
    if (!/^["'„“‘«►▼]?$/u.test(flat.text.slice(block.start, start).trim())) return [];
    const rest = flat.text.slice(end, Math.min(block.end, end + 80));
    const isAlone = rest.trim() === '' || /^\.(?: (?:\p{Lu}|\d)|$)/u.test(rest);
    const isTitled =
      block.kind === 'heading' && block.end - block.start < 90 && /^(?::| [–—-]| \p{Lu}[^.;]*$)/u.test(rest);
    return isAlone || isTitled ? [{ start, end, number }] : [];
  });
}

export interface QuotedPart extends Range {
  /** The act whose provision is quoted, if the words before name it. */
  readonly act?: string;
}

/** No quotation runs over more blocks. */
const quotedBlocksMax = 400;

/** Blocks in quotes after a line that ends with a colon: "Article 4 is replaced by the following: '…'". Ordered by position. */
export function quotedParts(flat: FlatText, mentions: readonly Mention[]): QuotedPart[] {
  const parts: QuotedPart[] = [];
  for (let index = 1; index < flat.blocks.length; index += 1) {
    const lead = flat.blocks[index - 1]!;
    const first = flat.blocks[index]!;
    if (flat.text[lead.end - 1] !== ':' || !/^["'„“‘«]/u.test(flat.text.slice(first.start, first.start + 1))) continue;
    let last = index;
    while (last < flat.blocks.length - 1 && last - index < quotedBlocksMax && !closes(flat, last)) last += 1;
    const named = lastMention(mentions, lead);
    parts.push({
      start: first.start,
      end: flat.blocks[last]!.end,
      ...(named === undefined ? {} : { act: named.celex }),
    });
    index = last;
  }
  return parts;
}

function closes(flat: FlatText, index: number): boolean {
  const { end } = flat.blocks[index]!;
  return /["'“”’»][.;,”]{0,3}$/u.test(flat.text.slice(end - 4, end));
}

function lastMention(mentions: readonly Mention[], { start, end }: Range): Mention | undefined {
  const index = indexAt(mentions, end);
  const mention = index === undefined ? undefined : mentions[index];
  return mention !== undefined && mention.start >= start && mention.how !== 'own' ? mention : undefined;
}

const amendedLead =
  /(?<![A-Za-zÀ-ž])(?:(?:is|are) (?:hereby )?amended as follows|(?:wird|werden) wie folgt geändert|(?:est|sont) modifiée?s? comme suit|se modifican? como sigue|(?:queda|quedan) modificad[oa]s? como sigue|(?:è|sono) (?:così )?modificat[oaie](?: come segue)?|(?:wordt|worden) als volgt gewijzigd|wprowadza się następujące zmiany|se mění takto) ?:$/iu;

/** From "Regulation … is amended as follows:" to the next article of the amending act. Ordered by position. */
export function amendedParts(flat: FlatText, mentions: readonly Mention[], headings: readonly Range[]): QuotedPart[] {
  return flat.blocks.flatMap((block): QuotedPart[] => {
    if (!amendedLead.test(flat.text.slice(Math.max(block.start, block.end - 60), block.end))) return [];
    const act = lastMention(mentions, block);
    if (act === undefined) return [];
    const next = headings.find(
      ({ start }) => start > block.end && !/["'„“‘«]/u.test(flat.text.slice(Math.max(0, start - 1), start)),
    );
    return [{ start: block.end, end: next?.start ?? flat.text.length, act: act.celex }];
  });
}

/** The act whose amendments are listed at a position. */
export function amendedAt(parts: readonly QuotedPart[], position: number): string | undefined {
  return parts.find(({ start, end }) => start <= position && position < end)?.act;
}
