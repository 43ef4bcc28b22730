/**
 * Withholds disclosures that the document does not confirm: one covenant, forecast or restatement with two values, figures that only
 * quoted speech or an aside in parentheses states.
 */
import { type Document, sentenceAt } from '../../document/document.ts';
import { findItems, flattened } from './prose-sentences.ts';
import { compare, type Rational } from './rational.ts';

export interface Unrivalled<Found> {
  readonly facts: readonly Found[];
  readonly leftOut: number;
}

/** The first finding of each key; none of a key whose findings differ in an amount, because one of them states something else. */
export function withoutRivals<Found>(
  found: readonly Found[],
  { keyOf, amountsOf }: { keyOf: (each: Found) => string; amountsOf: (each: Found) => readonly Rational[] },
): Unrivalled<Found> {
  const isContested = ([first, ...others]: readonly Found[]) =>
    others.some((other) => amountsOf(other).some((amount, index) => compare(amount, amountsOf(first!)[index]!) !== 0));
  const groups = [...Map.groupBy(found, keyOf).values()];
  const contested = new Set(groups.filter(isContested));
  return {
    facts: groups.flatMap((group) => (contested.has(group) ? [] : [group[0]!])),
    leftOut: [...contested].flat().length,
  };
}

/** "We ended the quarter with $170.8 million in cash and securities," said the chief executive: speech does not define its figures. */
export function isSpeech(document: Document, at: number): boolean {
  const { start } = sentenceAt(document, at);
  const before = document.text.slice(Math.max(start, at - charactersMax), at);
  return /^["“„«]\s?\p{Lu}/u.test(before) && !/["”“»]/.test(before.slice(1));
}

/** "The acquisition of Hortiline (revenue 2024: €18.6 million)": item and amount explain a word of the sentence. */
export function isAside(document: Document, at: number): boolean {
  const { start } = sentenceAt(document, at);
  const before = flattened(document.text.slice(Math.max(start, at - charactersMax), at));
  const open = before.lastIndexOf('(');
  return open > before.lastIndexOf(')') && findItems(before.slice(open + 1)).length > 0;
}

const charactersMax = 400;
