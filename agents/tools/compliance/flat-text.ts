/** Joins the wrapped lines of plain text, so that the width of the lines does not split sentences and words. */

import { findPhrases, type PhraseList } from '../text/phrases.ts';
import { splitWords } from '../text/words.ts';

/** Stands for the apostrophe of an elided article, so that the article and its noun are two words. */
export const elisionMark = '´';

/** A part of a clause's text as the document prints it, on one line. */
export function printed(text: string): string {
  return text
    .replaceAll(elisionMark, "'")
    .replace(/\s{1,200}/g, ' ')
    .trim();
}

const elided = /(?<![\p{L}'’])(l|d|n|s|c|j|m|qu|dell|all|nell|sull|dall|un|quest)['’](?=\p{L})/giu;
/** "confi-\n     dentiality"; not "Personal- und", which a German text divides on purpose. */
const dividedWord =
  /(\p{Ll})-([ \t]{0,40}\n[ \t]{0,40})(?!(?:und|oder|bzw|et|and|or|en|of|e|o|y)(?!\p{L}))(\p{Ll}{1,40})/gu;

/** Points that end no sentence, where the next word may begin with a capital. */
const abbreviation =
  /(?<![\p{L}.])(?:z\. ?B|d\. ?h|u\. ?a|p\. ?ej|p\. ?ex|EE\. ?UU|RR\. ?HH|e\.g|i\.e|ff|resp|ca|cf|bzw|approx|incl|dir|abs|lit|nr|no|núm|rev|n|vers)\.(?=[ \n]{1,3}[\p{L}\d(])/giu;

/** Of the same length, so that positions stay. */
export function flatten(text: string): string {
  return text
    .replace(abbreviation, (found) => found.replaceAll('.', ' '))
    .replace(
      dividedWord,
      (_, before: string, gap: string, after: string) => `${before}${after} ${' '.repeat(gap.length)}`,
    )
    .replace(elided, `$1${elisionMark}`)
    .replace(/[\n\r\t\u00a0\u202f]/g, ' ');
}

const phraseCaches = new WeakMap<object, Map<string, ReadonlySet<unknown>>>();
const cachedTitlesMax = 2_000;

/** The labels of a list in a heading or the name of a column, which many clauses share. */
export function labelsInTitle<Label>(title: string, list: PhraseList<Label>): ReadonlySet<Label> {
  let cache = phraseCaches.get(list);
  if (cache === undefined || cache.size > cachedTitlesMax) {
    cache = new Map();
    phraseCaches.set(list, cache);
  }
  const known = cache.get(title) as ReadonlySet<Label> | undefined;
  if (known !== undefined) return known;
  const labels = new Set(findPhrases(splitWords(title), list).map(({ label }) => label));
  cache.set(title, labels);
  return labels;
}
