/** How the tools of this agent read a document: as it is, and by English words if it is in another language. */
import type { Document, DocumentSource } from '../../document/document.ts';
import { glossedSource, readingsOf } from '../gloss/gloss.ts';
import type { GlossLanguage } from '../gloss/languages.ts';
import { excerpt, type Span } from '../text/span.ts';

/** Languages of the tools' own tables. */
const own: ReadonlySet<GlossLanguage> = new Set(['fr', 'es', 'nl', 'it']);

export function dealReadings(source: DocumentSource): readonly Document[] {
  return readingsOf(source, 'deal', own);
}

/** Findings with a place in the caller's text; an excerpt of a gloss shows the caller's words. */
export function inOwnWords<Finding extends { readonly span: Span; readonly excerpt: string }>(
  reading: Document,
  finding: Finding,
): Finding {
  const source = glossedSource(reading);
  return source === undefined ? finding : { ...finding, excerpt: excerpt(source.text, finding.span) };
}

/** The findings of several readings of a document; of two with the same key, the first reading's. */
export function mergeReadings<Finding>(
  readings: readonly (readonly Finding[])[],
  keyOf: (finding: Finding) => string,
): Finding[] {
  const [first = [], ...others] = readings;
  const known = new Set(first.map(keyOf));
  return [...first, ...others.flat().filter((finding) => !known.has(keyOf(finding)))];
}

/** The same, for findings that name a place: one that overlaps with one of the first reading is the same. */
export function mergePlaces<Finding extends { readonly span: Span }>(
  readings: readonly (readonly Finding[])[],
): Finding[] {
  const [first = [], ...others] = readings;
  const isKnown = ({ span }: Finding) =>
    first.some(({ span: other }) => span.message === other.message && span.start < other.end && other.start < span.end);
  return [...first, ...others.flat().filter((finding) => !isKnown(finding))];
}
