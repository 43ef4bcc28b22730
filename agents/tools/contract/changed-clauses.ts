/** Clauses that the special conditions of the same document delete or replace in part: what they say is not agreed. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';

export interface ChangedClause extends Range {
  /** The words of the clause that were replaced; undefined if the whole clause does not apply. */
  readonly replaced?: string;
}

const clause =
  '(?:clauses?|sections?|paragraphs?|articles?|conditions?|ziffer|klausel|artikel|cláusula|§)\\s([A-Z]{0,2}\\d{1,3}(?:\\.\\d{1,3}){0,3})(?:\\s\\([^()\\n]{1,60}\\))?';
const deleted = new RegExp(
  `(?<![\\p{L}])${clause}\\s(?:(?:is|are|shall be)\\s(?:hereby\\s)?(?:deleted|struck out|disapplied|omitted)|(?:does|do|shall)\\s(?:not\\sapply)(?=\\s?(?:to\\s(?:this|the)\\s(?:contract|agreement|order|lease|hire))?\\s?[.;])|entfällt|wird\\s(?:ersatzlos\\s)?gestrichen|gilt\\snicht(?=\\s?[.;])|(?:binds?|appl(?:y|ies)\\sto)\\s[^.;\\n]{1,60}\\sonly|est\\ssupprimée?|queda\\ssuprimida|se\\ssuprime|vervalt)(?![\\p{L}])`,
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
  const parts = changes.slice(0, changesMax).flatMap(({ number, at, replaced }) =>
    placesOf(number, text, sections)
      .filter(({ start, end }) => !(at >= start && at < end))
      .map(({ start, end }) => ({ start, end, ...(replaced === undefined ? {} : { replaced }) })),
  );
  return [...swaps, ...parts].slice(0, changesMax);
}

/** The sections of this number; numbers such as "C9.1" begin a line, but no section. */
function placesOf(number: string, text: string, sections: Document['sections']): Range[] {
  const own = sections.filter((section) => isPart(section.number, number));
  if (own.length > 0) return own;
  const escaped = number.replaceAll('.', '\\.');
  const opening = new RegExp(`(?:^|\\n)[ \\t]{0,12}${escaped}(?:\\.\\d{1,3})*[.)]?[ \\t]{1,12}(?=\\S)`, 'g');
  const next = /\n[ \t]{0,12}[A-Z]{0,2}\d{1,3}(?:\.\d{1,3})*[.)]?[ \t]{1,12}\S/g;
  return [...text.matchAll(opening)].slice(0, changesMax).map(({ index, 0: { length } }) => {
    next.lastIndex = index + length;
    return { start: index, end: next.exec(text)?.index ?? text.length };
  });
}

const newWords = `(?:is|are|shall be)\\s(?:hereby\\s)?replaced\\s(?:by|with)\\s`;
const renewing = new RegExp(
  `(?<![\\p{L}])${clause}\\s?[^.;"“„«]{0,40}${quoted}\\s${newWords}${quoted}|(?:sum|amount|figure|limit|cap)\\s(?:stated\\s)?in\\s${clause}\\s${newWords}([^.;\\n]{2,40}\\d)`,
  'giu',
);
const sumShape = /(?:[$€£]|(?:EUR|GBP|USD)\s)\d[\d,.]*\d/g;

/**
 * The text with the words that its special conditions put into a clause in place of others; all offsets stay. New words that
 * are longer than the old ones are not filled in: the old ones are then blank.
 */
export function withNewWords(text: string): string {
  let renewed = text;
  for (const { 1: number, 2: old, 3: fresh, 4: summed, 5: sum, index } of [...text.matchAll(renewing)].slice(
    0,
    changesMax,
  )) {
    for (const { start, end } of placesOf((number ?? summed)!, text, [])) {
      if (index >= start && index < end) continue;
      const part = text.slice(start, end);
      const sums = old === undefined ? [...part.matchAll(sumShape)] : [];
      // Of two sums, it is not known which one is meant.
      const before = old ?? (sums.length === 1 ? sums[0]![0] : undefined);
      const at = before === undefined ? -1 : part.indexOf(before);
      if (before === undefined || at === -1 || part.indexOf(before, at + 1) !== -1) continue;
      const words = (fresh ?? sum)!;
      const filled = words.length <= before.length ? words.padEnd(before.length) : ' '.repeat(before.length);
      renewed = renewed.slice(0, start + at) + filled + renewed.slice(start + at + before.length);
    }
  }
  return renewed;
}

function isPart(own: string | undefined, number: string): boolean {
  return own === number || own?.startsWith(`${number}.`) === true;
}
