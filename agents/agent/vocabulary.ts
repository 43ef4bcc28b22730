/**
 * The kinds of facts that an agent's documents state, with the fields of each. An agent's `facts.json` lists them. The model is asked
 * for facts in these words, and the evaluation's labels use them.
 */

/**
 * Further forms in which documents write a value. Of numbers, `share`: percentages in words and as multiples ("half pay", "1.5 times");
 * `multiple`: multiples in percent and in words; `hours`: times such as 7:30; `body`: units of body measures other than cm, kg and °C.
 * Of durations, `interval`: adverbs ("quarterly").
 */
export type AlsoWritten = 'share' | 'multiple' | 'hours' | 'body' | 'interval';

export interface FactField {
  /** `date`: `2026`, `2026-03` or `2026-03-31`. `code`: one of `values`, or an identifier. `name`: words of the document. */
  readonly type: 'number' | 'date' | 'duration' | 'code' | 'name';
  readonly means: string;
  /** The values of a code; any value if undefined. */
  readonly values?: readonly string[];
  readonly also?: AlsoWritten;
  /** May follow from the documents without being printed in them. */
  readonly inferred?: true;
  /** Values whose amount a document may print in parts, which code then adds. */
  readonly inParts?: readonly string[];
  /** Only the tools state it, because it is computed: a model is not asked for it. */
  readonly by?: 'code';
}

export interface FactKind {
  readonly means: string;
  readonly fields: Readonly<Record<string, FactField>>;
  readonly by?: 'code';
}

/** By name: lower-case words joined by underscores. */
export type Vocabulary = Readonly<Record<string, FactKind>>;

export type FactValue = string | number | { readonly count: number; readonly unit: string };

export interface Fact {
  readonly kind: string;
  /** By field. A field that the document does not state is omitted. */
  readonly value: Readonly<Record<string, FactValue>>;
}

/** The kinds and fields that a document states in so many words, and that a model can therefore be asked for. */
export function statedKinds(vocabulary: Vocabulary): Vocabulary {
  const kinds = Object.entries(vocabulary).filter(([, { by }]) => by === undefined);
  return Object.fromEntries(
    kinds.map(([name, { means, fields }]) => [
      name,
      { means, fields: Object.fromEntries(Object.entries(fields).filter(([, { by }]) => by === undefined)) },
    ]),
  );
}
