/**
 * Personal data in documents: kinds, counts and positions. Values are withheld, because a report of personal data must not be
 * another copy of it. Detects data with a known shape or keyword; names without a title are not detected.
 */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { compilePhrases, findPhrases } from '../text/phrases.ts';
import { type Bounded, bounded, type Span } from '../text/span.ts';
import { findIdentifiers } from './identifiers.ts';
import { birthCue, sensitiveKinds } from './sensitive-words.ts';

export interface PersonalDataKind {
  readonly kind: string;
  readonly article: string;
  readonly count: number;
  /** Counts by detail: country, network, or dictionary word. */
  readonly details: Readonly<Record<string, number>>;
  readonly places: Bounded<Span>;
}

const placesMax = 20;
const detailsMax = 20;

export const personalData: AgentTool = {
  name: 'personal_data',
  version: '1',
  purpose: 'Counts personal data by kind, without repeating it. Text: anything.',
  run(documents) {
    const kinds = findPersonalData(documents);
    // The address of a machine alone does not identify a person.
    const identifiers = kinds.filter(
      ({ kind, article }) => article === 'Art. 4(1)' && !/^(?:IP|MAC) address$/.test(kind),
    );
    const special = kinds.filter(({ article }) => article === 'Art. 9(1)' || article === 'Art. 10');
    const result = {
      values: 'withheld',
      total: kinds.reduce((sum, { count }) => sum + count, 0),
      special_categories_with_identifiers: identifiers.length > 0 && special.length > 0,
      kinds,
    };
    return toFindings(result, digestOf(kinds, result.special_categories_with_identifiers));
  },
};

/** Kinds that were found: identifiers first, each group by count and then by name. */
export function findPersonalData(documents: readonly AgentDocument[]): PersonalDataKind[] {
  const kinds = new Map<string, Collected>();
  for (const document of documents) readKinds(kinds, readDocument(document));
  const list = [...kinds].map(([kind, { article, details, places }]): PersonalDataKind => {
    const shown = [...details].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, detailsMax);
    return {
      kind,
      article,
      count: places.length,
      details: Object.fromEntries(shown),
      places: bounded(places, placesMax),
    };
  });
  const rank = ({ article }: PersonalDataKind) => (article === 'Art. 4(1)' ? 0 : 1);
  return list.sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

interface Collected {
  readonly article: string;
  readonly details: Map<string, number>;
  readonly places: Span[];
}

const phrases = compilePhrases(sensitiveKinds.map(({ kind, wording }) => [kind, wording] as const));
const articleOf = new Map(sensitiveKinds.map(({ kind, article }) => [kind, article]));

function readKinds(kinds: Map<string, Collected>, reading: Document): void {
  const keep = (kind: string, article: string, range: { start: number; end: number }, detail?: string) => {
    const known = kinds.get(kind) ?? { article, details: new Map<string, number>(), places: [] };
    kinds.set(kind, known);
    known.places.push(reading.spanOf(range));
    if (detail !== undefined) known.details.set(detail, (known.details.get(detail) ?? 0) + 1);
  };
  for (const { kind, detail, start, end } of findIdentifiers(reading.text))
    keep(kind, 'Art. 4(1)', { start, end }, detail);
  for (const date of reading.dates) {
    const before = reading.text.slice(Math.max(0, date.start - 40), date.start);
    if (birthCue.test(before)) keep('date of birth', 'Art. 4(1)', date);
  }
  let lastEnd = 0;
  for (const { label, start, end } of findPhrases(reading.words, phrases)) {
    // Phrases may overlap: "health insurance" counts once.
    if (start < lastEnd) continue;
    lastEnd = end;
    keep(label, articleOf.get(label) ?? 'Art. 9(1)', { start, end });
  }
}

function digestOf(kinds: readonly PersonalDataKind[], together: boolean): string[] {
  if (kinds.length === 0) return ['No personal data found by shape, check digit or word.'];
  const lines = kinds.map(({ kind, article, count, details, places }) => {
    const shown = Object.entries(details)
      .slice(0, 4)
      .map(([detail, times]) => `${detail} ${times}`);
    const first = places.items[0];
    return `${kind}: ${count}${shown.length > 0 ? ` (${shown.join(', ')})` : ''}, ${article} GDPR${first === undefined ? '' : `, first at ${place(first)}`}.`;
  });
  if (together)
    lines.unshift('Special categories stand beside identifiers of persons: Article 9 GDPR needs a ground of its own.');
  return [...lines, 'Values are withheld by the tool.'];
}
