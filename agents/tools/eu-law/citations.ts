/** The tool that reads citations of Union law and normalises them. */

import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import type { Range } from '../text/span.ts';
import { findActs } from './act-citations.ts';
import { type ArticleCitation, findArticles } from './article-citations.ts';
import { findCases, findEclis } from './case-citations.ts';
import { findCelex } from './celex.ts';
import { findElis, findJournals } from './journal-citations.ts';

/** Each citation once, with how often it occurs and where it first appears. */
export const euCitations: AgentTool = {
  name: 'eu_citations',
  version: '2',
  purpose: 'Reads and normalises citations of acts, cases, articles and the Official Journal. Text: the citations.',
  run(documents) {
    const read = documents.map(readDocument).map((document) => {
      const acts = findActs(document.text);
      const placed = <Found extends Range>(list: readonly Found[]) =>
        list.map(({ start, end, ...found }) => ({ ...found, span: document.spanOf({ start, end }) }));
      return {
        acts: placed(acts),
        articles: placed(withoutHeadings(document.text, findArticles(document.text, acts))),
        cases: placed(findCases(document.text)),
        ecli: placed(findEclis(document.text)),
        celex: placed(findCelex(document.text)),
        journal: placed(findJournals(document.text)),
        eli: placed(findElis(document.text)),
      };
    });
    const acts = countOnce(
      read.flatMap((found) => found.acts),
      ({ celex }) => celex,
    );
    const articles = countOnce(
      read.flatMap((found) => found.articles),
      ({ act, normalised }) => `${act} ${normalised}`,
    );
    const cases = countOnce(
      read.flatMap((found) => found.cases),
      ({ celex, number }) => `${celex} ${number}`,
    );
    const ecli = countOnce(
      read.flatMap((found) => found.ecli),
      (found) => found.ecli,
    );
    const celex = countOnce(
      read.flatMap((found) => found.celex),
      (found) => found.celex,
    );
    const journal = countOnce(
      read.flatMap((found) => found.journal),
      ({ normalised }) => normalised,
    );
    const eli = countOnce(
      read.flatMap((found) => found.eli),
      (found) => found.eli,
    );
    const digest = [
      ...acts.slice(0, 15).map((act) => `ACT ${act.normalised} = CELEX ${act.celex}, ${act.count}× ${place(act.span)}`),
      ...articles
        .slice(0, 20)
        .map(
          ({ normalised, act, span }) =>
            `${normalised}${act === undefined ? ' (no act named next to it)' : ` of ${act}`} ${place(span)}`,
        ),
      ...cases
        .slice(0, 8)
        .map(({ number, celex: id, kind, span }) => `CASE ${number} (${kind}) = CELEX ${id} ${place(span)}`),
      ...ecli.slice(0, 6).map((found) => `${found.ecli} ${place(found.span)}`),
      ...celex
        .slice(0, 6)
        .map((found) => `CELEX ${found.celex}: ${found.typeName}, ${found.year} ${place(found.span)}`),
      ...journal.slice(0, 4).map(({ normalised, span }) => `${normalised} ${place(span)}`),
    ];
    const result = sharedBytes({ acts, articles, cases, ecli, celex, journal, eli });
    return toFindings(result, digest, 55);
  },
};

/** Omits "Article 5" alone on a line: it is the heading of the text's own article and not a citation. */
function withoutHeadings(text: string, articles: readonly ArticleCitation[]): ArticleCitation[] {
  return articles.filter(({ kind, act, start, end }) => {
    if (kind !== 'article' || act !== undefined) return true;
    // Only after an empty line, so that a citation wrapped onto a separate line is kept.
    return (
      !/(?:^|\n[ \t]{0,40}\r?\n)[ \t]{0,40}$/.test(text.slice(Math.max(0, start - 90), start)) ||
      !/^[ \t]{0,40}(?:\r?\n|$)/.test(text.slice(end, end + 60))
    );
  });
}
