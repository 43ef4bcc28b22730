/** Judges what the tools report for mutants of the labelled documents. */

import type { Fact, FactValue, Vocabulary } from '../../../agents/agent/vocabulary.ts';
import { compareFacts } from '../../../agents/facts/compare.ts';
import { type LabelledDocument, readDocuments, readKinds } from '../documents.ts';
import { judgeReading, readingOf, statesNumber } from '../evaluate.ts';
import type { Mutant, Mutation } from './mutations.ts';

/** A number, date or duration that is reported for a mutant, and that no label of the document allows. */
export interface WrongNumber {
  readonly slug: string;
  readonly document: string;
  readonly seed: number;
  readonly fact: Fact;
}

export interface MutationFigures {
  readonly mutants: number;
  readonly judged: number;
  readonly labels: number;
  readonly missed: number;
  readonly wrong: readonly WrongNumber[];
}

/**
 * Kinds whose facts a mutation may change: numbers of lines move with the tables above, and an event that a log names in other
 * words is not counted.
 */
const mayChange: ReadonlySet<string> = new Set(['secret', 'event_count']);

/**
 * @param every of so many documents, one for each seed
 * @throws Error if the labels cannot be read, or there is no such agent
 */
export async function judgeMutation(
  slug: string,
  mutation: Mutation,
  seeds: readonly number[],
  every = 1,
): Promise<MutationFigures> {
  const kinds = readKinds(slug);
  let [mutants, judged, labels, missed] = [0, 0, 0, 0];
  const wrong: WrongNumber[] = [];
  for (const [index, document] of readDocuments(slug, 'development').entries()) {
    const chosen = seeds.filter((seed) => index % every === seed % every);
    if (chosen.length === 0) continue;
    const own = new Set(judgeText(slug, document, document.text, kinds).wrong.map(keyOf));
    for (const seed of chosen) {
      const mutant = mutation(document.text, seed);
      if (mutant === undefined) continue;
      const judgement = judgeText(slug, document, mutant.text, kinds);
      mutants += 1;
      judged += judgement.judged;
      labels += judgement.labels;
      missed += judgement.missed.length;
      for (const fact of judgement.wrong) {
        if (
          !statesNumber(fact) ||
          mayChange.has(fact.kind) ||
          own.has(keyOf(fact)) ||
          isRight(fact, document, mutant, kinds)
        )
          continue;
        wrong.push({ slug, document: document.name, seed, fact });
      }
    }
  }
  return { mutants, judged, labels, missed, wrong };
}

function judgeText(slug: string, document: LabelledDocument, text: string, kinds: Vocabulary) {
  return judgeReading(document, readingOf(slug, text), kinds);
}

function keyOf({ kind, value }: Fact): string {
  return JSON.stringify([kind, Object.entries(value).sort()]);
}

/** Whether a fact is right once the document's own words are put back into its names. */
function isRight(fact: Fact, document: LabelledDocument, { originals }: Mutant, kinds: Vocabulary): boolean {
  const byCase = new Map([...originals].map(([unknown, word]) => [unknown.toLowerCase(), word]));
  const restore = (field: FactValue) =>
    typeof field === 'string' ? field.replace(/\p{L}+/gu, (word) => byCase.get(word.toLowerCase()) ?? word) : field;
  const value = Object.fromEntries(Object.entries(fact.value).map(([name, field]) => [name, restore(field)]));
  return document.labels.facts.some((label) => compareFacts({ kind: fact.kind, value }, label, kinds).compatible);
}
