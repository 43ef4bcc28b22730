/**
 * Joins the facts of a model with those of the tools. The model supplies what a document states in so many words, because it reads
 * layouts that the tools do not know; the tools supply what is computed. Pure.
 */
import type { Agent } from '../agent/agent.ts';
import type { Fact, Vocabulary } from '../agent/vocabulary.ts';
import type { Span } from '../tools/text/span.ts';
import { addParts } from './add-parts.ts';
import { compareFacts } from './compare.ts';
import type { ConfirmedFact } from './confirm.ts';

export interface ReportedFact extends Fact {
  /** Who found it; `computed`: from facts of the model. The place and the judged fields are those of the model. */
  readonly by: 'model' | 'tools' | 'both' | 'computed';
  readonly judged?: readonly string[];
  readonly at?: Span;
}

export interface CombinedFacts {
  readonly facts: readonly ReportedFact[];
  /** Facts of the tools that the model could have listed, or that its facts give otherwise: most of these are misread. */
  readonly unlisted: number;
}

/**
 * If a model lists less than a quarter of what the tools found, it did not read the documents, and the tools' facts are kept: small models
 * answer with an empty list.
 * @param found by the tools
 * @param options.isWhole whether the model read all documents and finished its list; otherwise the tools' other facts are kept
 */
export function combineFacts(
  { facts: vocabulary, computedFacts = () => [] }: Pick<Agent, 'facts' | 'computedFacts'>,
  confirmed: readonly ConfirmedFact[],
  found: readonly Fact[],
  { isWhole }: { isWhole: boolean },
): CombinedFacts {
  const { facts: listed, sums } = addParts(vocabulary, confirmed);
  const computed = [...sums, ...computedFacts([...listed, ...sums])];
  const isComputed = (fact: Fact) => computed.some((one) => compareFacts(fact, one, vocabulary).whole);
  const computedKinds = new Set(computed.map(({ kind }) => kind));
  const byKind = Map.groupBy(listed, ({ kind }) => kind);
  const completions = new Map<ConfirmedFact, Fact>();
  const others: ReportedFact[] = [];
  const stated = found.filter(({ kind }) => vocabulary[kind]!.by === undefined);
  const isReading = isWhole && 4 * listed.length >= stated.length;
  let unlisted = 0;
  for (const fact of found) {
    const same = byKind.get(fact.kind)?.find((one) => isSame(fact, one, vocabulary));
    if (same !== undefined) completions.set(same, completions.get(same) ?? fact);
    else if (isComputed(fact)) continue;
    else if (!isReading || (vocabulary[fact.kind]!.by === 'code' && !computedKinds.has(fact.kind))) {
      others.push({ ...fact, by: 'tools' });
    } else unlisted += 1;
  }
  const facts = listed.map((fact): ReportedFact => {
    const same = completions.get(fact);
    if (same === undefined) return { ...fact, by: 'model' };
    return { ...fact, value: { ...computedFields(same, vocabulary), ...fact.value }, by: 'both' };
  });
  return {
    facts: [...facts, ...computed.map((fact): ReportedFact => ({ ...fact, by: 'computed' })), ...others],
    unlisted,
  };
}

/** A computed field, such as whether a number's check digits are right, belongs to one value: all stated fields must be equal. */
function isSame(found: Fact, listed: ConfirmedFact, vocabulary: Vocabulary): boolean {
  const { compatible } = compareFacts(found, listed, vocabulary);
  const { fields } = vocabulary[found.kind]!;
  const stated = Object.entries(found.value).filter(([name]) => fields[name]!.by === undefined);
  if (!compatible || stated.length === Object.keys(found.value).length) return compatible;
  return compareFacts(listed, { kind: found.kind, value: Object.fromEntries(stated) }, vocabulary).whole;
}

function computedFields({ kind, value }: Fact, vocabulary: Vocabulary): Fact['value'] {
  const { fields } = vocabulary[kind]!;
  return Object.fromEntries(Object.entries(value).filter(([name]) => fields[name]!.by === 'code'));
}
