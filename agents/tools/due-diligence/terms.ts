/** The terms of a financing or a sale: money, rates, periods, preferences, consents, seats and limits of liability. */
import type { AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import type { Document } from '../../document/document.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { excerpt, type Range, type Span } from '../text/span.ts';
import { certainLimits, doubtReasons, findCertainTerms } from './certainty.ts';
import { type Flow, flowOf } from './flow.ts';
import { findVetoes } from './governance-terms.ts';
import { findAntiDilution, findPreferences, preferencesOfTables } from './preference-terms.ts';
import { dealReadings, inOwnWords, mergeReadings } from './readings.ts';
import { findSeats } from './seats.ts';
import { findWarrantyLimits } from './warranty-limits.ts';

type Placed<Term extends Range> = Omit<Term, 'start' | 'end'> & { readonly span: Span; readonly excerpt: string };

/** Maximum number of terms of one kind per document. */
const termsMax = 60;

export const dealTerms: AgentTool = {
  name: 'deal_terms',
  version: '2',
  purpose:
    'Reads the terms of a financing or a sale. Text: a term sheet, note, charter or agreement, in English, German, French, Spanish or Dutch.',
  run(documents) {
    const found = documentsOnly(documents).map((document) => mergeTerms(dealReadings(document).map(findTerms)));
    const lists = {
      values: found.flatMap(({ values }) => values),
      preferences: found.flatMap(({ preferences }) => preferences),
      anti_dilution: found.flatMap(({ antiDilution }) => antiDilution),
      consents: found.flatMap(({ consents }) => consents),
      seats: found.flatMap(({ seats }) => seats),
      warranty_limits: found.flatMap(({ limits }) => limits),
    };
    const omitted = leftOut(
      found.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    return toFindings({ ...sharedBytes(lists), left_out: omitted }, [...leftOutLines(omitted), ...digestOf(lists)]);
  },
};

type Terms = ReturnType<typeof findTerms>;

/** A document has one value of each term, one preference per class and one form of protection. */
function mergeTerms(readings: readonly Terms[]): Terms {
  const [first, second] = readings;
  const merged = <Kind extends Exclude<keyof Terms, 'doubts'>>(
    kind: Kind,
    keyOf: (term: Terms[Kind][number]) => string,
  ): Terms[Kind] =>
    mergeReadings(
      readings.map((reading) => reading[kind] as readonly Terms[Kind][number][]),
      keyOf,
    ) as Terms[Kind];
  return {
    values: merged('values', ({ kind, term }) => `${kind} ${term}`),
    preferences: first!.preferences.length > 0 ? first!.preferences : (second?.preferences ?? []),
    antiDilution: merged('antiDilution', () => ''),
    consents: merged('consents', ({ action }) => action),
    seats: merged('seats', ({ elected_by: by }) => by),
    limits: merged('limits', ({ limit, scope }) => `${limit} ${scope}`),
    doubts: readings.flatMap(({ doubts }) => doubts),
  };
}

export function findTerms(document: Document) {
  const flow = flowOf(document);
  const terms = findCertainTerms(flow);
  const limits = certainLimits(findWarrantyLimits(document, flow, terms.facts));
  const antiDilution = findAntiDilution(flow);
  const tabled = preferencesOfTables(document).map(({ start, end, ...term }) =>
    inOwnWords(document, {
      ...term,
      span: document.spanOf({ start, end }),
      excerpt: excerpt(document.text, { start, end }),
    }),
  );
  const placed = <Term extends Range>(terms: readonly Term[]) => placedIn(document, flow, terms);
  return {
    values: placed(terms.facts),
    preferences: tabled.length > 0 ? tabled : placed(findPreferences(flow)),
    antiDilution: placed(antiDilution === undefined ? [] : [antiDilution]),
    consents: placed(findVetoes(flow)),
    seats: placed(findSeats(flow)),
    limits: placed(limits.facts),
    doubts: [...terms.doubts, ...limits.doubts],
  };
}

function placedIn<Term extends Range>(document: Document, flow: Flow, terms: readonly Term[]): Placed<Term>[] {
  return terms.slice(0, termsMax).map((term) => {
    const { start, end, ...fields } = term;
    const around = { start: Math.max(0, start - 60), end: Math.min(flow.text.length, end + 40) };
    return inOwnWords(document, {
      ...fields,
      span: document.spanOf(flow.placeOf({ start, end })),
      excerpt: excerpt(flow.text, end - start > 60 ? { start, end } : around),
    });
  });
}

function digestOf(
  lists: Readonly<Record<string, readonly { readonly span: Span; readonly excerpt: string }[]>>,
): string[] {
  return Object.entries(lists).flatMap(([name, terms]) =>
    terms.map(({ span, excerpt: words, ...fields }) => {
      const shown = Object.values(fields).filter((value) => value !== undefined);
      return `${name.replaceAll('_', ' ')}: ${shown.join(' ')} "${words}" ${place(span)}`;
    }),
  );
}
