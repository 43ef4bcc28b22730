/** The tool that reads citations of Union law and normalises them. */
import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import type { Range } from '../text/span.ts';
import { fillRanges, findCases, findEclis, withEclis } from './case-citations.ts';
import { findCelex } from './celex.ts';
import { doubtReasons } from './certainty.ts';
import { findElis, findJournals } from './journal-citations.ts';
import { readLaw } from './read-law.ts';

/** Each citation once, with how often it occurs and where it first appears. */
export const euCitations: AgentTool = {
  name: 'eu_citations',
  version: '2',
  purpose: 'Reads and normalises citations of acts, cases, articles and the Official Journal. Text: the citations.',
  run(documents) {
    const read = documents.map(readDocument).map((document) => {
      const law = readLaw(document);
      const { text } = law.flat;
      const eclis = findEclis(text);
      const placed = <Found extends Range>(list: readonly Found[]) =>
        list.map(({ start, end, ...found }) => ({ ...found, span: law.spanOf({ start, end }) }));
      return {
        acts: placed(law.acts.map(({ bare: _, ...act }) => act)),
        articles: placed(law.articles.map(({ doubt: _, ...article }) => article)),
        doubts: law.articles.flatMap(({ doubt }) => doubt ?? []),
        cases: placed(withEclis(law.flat, fillRanges(text, findCases(text)), eclis)),
        ecli: placed(eclis),
        celex: placed(findCelex(text)),
        journal: placed(findJournals(text)),
        eli: placed(findElis(text)),
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
      ({ celex, number, ecli }) => `${celex} ${number} ${ecli}`,
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
    const left = leftOut(
      read.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    const digest = [
      ...acts.slice(0, 15).map((act) => `ACT ${act.normalised} = CELEX ${act.celex}, ${act.count}× ${place(act.span)}`),
      ...articles
        .slice(0, 20)
        .map(
          ({ normalised, act, span }) =>
            `${normalised}${act === undefined ? ' (act not named)' : ` of ${act}`} ${place(span)}`,
        ),
      ...cases.slice(0, 8).map(({ number, celex: id, kind, ecli: printed, span }) => {
        const named = printed === undefined ? '' : `, ${printed}`;
        return `CASE ${number} (${kind}) = CELEX ${id}${named} ${place(span)}`;
      }),
      ...ecli.slice(0, 6).map((found) => `${found.ecli} ${place(found.span)}`),
      ...celex
        .slice(0, 6)
        .map((found) => `CELEX ${found.celex}: ${found.typeName}, ${found.year} ${place(found.span)}`),
      ...journal.slice(0, 4).map(({ normalised, span }) => `${normalised} ${place(span)}`),
    ];
    const result = { ...sharedBytes({ acts, articles, cases, ecli, celex, journal, eli }), acts_left_out: left };
    return toFindings(result, [...digest, ...leftOutLines(left)], 55);
  },
};
