/** Clauses that the special conditions of the same document delete or replace in part: what they say is not agreed. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';

export interface ChangedClause extends Range {
  /** The words of the clause that were replaced; undefined if the whole clause does not apply. */
  readonly replaced?: string;
}

const clause =
  '(?:clauses?|sections?|paragraphs?|articles?|conditions?|ziffer|klausel|artikel|cláusula|§)\\s(\\d{1,3}(?:\\.\\d{1,3}){0,3})';
const deleted = new RegExp(
  `(?<![\\p{L}])${clause}\\s(?:(?:is|are|shall be)\\s(?:hereby\\s)?(?:deleted|struck out|disapplied|omitted)|(?:does|do|shall)\\s(?:not\\sapply)(?=\\s?(?:to\\s(?:this|the)\\s(?:contract|agreement|order|lease|hire))?\\s?[.;])|entfällt|wird\\s(?:ersatzlos\\s)?gestrichen|gilt\\snicht(?=\\s?[.;])|est\\ssupprimée?|queda\\ssuprimida|se\\ssuprime|vervalt)(?![\\p{L}])`,
  'giu',
);
const quoted = '["“„«]([^"“”„»«\\n]{2,80})["”“»]';
const replacing = new RegExp(
  `(?<![\\p{L}])${clause}\\s[^.;"“„«]{0,40}(?:for\\s${quoted}\\sread|replace\\s${quoted}\\s(?:with|by)|${quoted}\\s(?:is|shall be)\\sreplaced)`,
  'giu',
);
/** "Donde dice «A» dirá «B»", "«A» se sustituye por «B»": words that are replaced wherever the document has them. */
const swapped = new RegExp(
  `(?:donde\\sdice\\s${quoted}\\s(?:dirá|debe decir)|${quoted}\\s(?:se\\ssustituye|is replaced|wird\\s(?:durch|ersetzt)|est\\sremplacée?|wordt\\svervangen))|(?:en lugar de|in place of|anstelle von|anstelle der|au lieu de|in plaats van)\\s((?:los |las |the |der |des |de )?[^,.;:\\n]{8,60}),`,
  'giu',
);
const wordsMin = 6;
const conditional = /(?<!\p{L})(?:if|where|unless|to the extent|wenn|falls|sofern|soweit|si|indien)(?!\p{L})/iu;
const changesMax = 40;

/** Ordered by the places that announce the changes. */
export function changedClauses({ text, sections }: Pick<Document, 'text' | 'sections'>): ChangedClause[] {
  const changes: { readonly number: string; readonly at: number; readonly replaced?: string }[] = [];
  for (const match of text.matchAll(deleted)) {
    const before = text.slice(Math.max(0, match.index - 120), match.index);
    if (!conditional.test(before.split(/[.;]\s/).at(-1)!)) changes.push({ number: match[1]!, at: match.index });
  }
  for (const match of text.matchAll(replacing))
    changes.push({ number: match[1]!, at: match.index, replaced: (match[2] ?? match[3] ?? match[4])! });
  const swaps = [...text.matchAll(swapped)].slice(0, changesMax).flatMap(({ 1: said, 2: old, 3: instead, index }) => {
    const replaced = (said ?? old ?? instead)!;
    const place = text.indexOf(replaced);
    return replaced.length < wordsMin || place === -1 || place >= index ? [] : [{ start: 0, end: index, replaced }];
  });
  const parts = changes
    .slice(0, changesMax)
    .flatMap(({ number, at, replaced }) =>
      sections
        .filter((section) => isPart(section.number, number) && !(at >= section.start && at < section.end))
        .map(({ start, end }) => ({ start, end, ...(replaced === undefined ? {} : { replaced }) })),
    );
  return [...swaps, ...parts].slice(0, changesMax);
}

function isPart(own: string | undefined, number: string): boolean {
  return own === number || own?.startsWith(`${number}.`) === true;
}
