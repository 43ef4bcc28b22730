/** How a model is asked for the facts of documents: in the agent's vocabulary, with the numbers of the lines that state them. Pure. */
import type { Json } from '../agent/agent.ts';
import { type FactField, type FactKind, statedKinds, type Vocabulary } from '../agent/vocabulary.ts';
import { oncePer } from '../tools/text/once-per.ts';

/** Minimum tokens per sequence: prompt and vocabulary take up to 5,000, and a quarter is for the answer. */
export const factsContextMin = 12_288;

/** The units of a duration in an answer. */
export const durationUnits = ['minute', 'hour', 'day', 'business day', 'week', 'month', 'quarter', 'year'] as const;

/** What a model is asked: the instruction, and the JSON text of the schema of its answer. */
export const factsQuestion: (vocabulary: Vocabulary) => { readonly instruction: string; readonly schema: string } =
  oncePer((vocabulary) => ({
    instruction: factsInstruction(vocabulary),
    schema: JSON.stringify(factsSchema(vocabulary)),
  }));

const codeUnitsMax = 120;
export const nameUnitsMax = 240;

/** Follows the agent's prompt; the same for every request. */
function factsInstruction(vocabulary: Vocabulary): string {
  const kinds = Object.entries(statedKinds(vocabulary)).map(([name, kind]) => describeKind(name, kind));
  return [
    'Now list the facts that the documents state, as JSON: {"facts": [{"kind": …, "line": …, "value": {…}}]}.',
    'Each line of the documents begins with its number and a bar. `line` is the number of the line with the value that the fact states; if several places state the same fact, the one with the most detail, in a table rather than in a sentence.',
    'Use only the kinds and fields below. Leave out a field that the documents do not state. Code compares every number, date and duration with the lines and drops the whole fact if it does not find one of them there, so do not compute: sums, ratios and growth are computed by code. Only units may be converted as the fields say, and the hours between two printed times.',
    'List every fact once, in the order of the lines. Leave out what is negated, only quoted, hypothetical or about somebody else, unless the kind says otherwise.',
    'Numbers are plain (1234567.5). Dates are 2026-03-31, 2026-03 or 2026. Durations have the count and unit that the document prints (72 hours are not 3 days); working days are business days. Names are the document’s own words. Codes are one of the values.',
    '',
    ...kinds,
  ].join('\n');
}

function describeKind(name: string, { means, fields }: FactKind): string {
  return [`${name}: ${means}`, ...Object.entries(fields).map(([field, of]) => `- ${field} ${describeField(of)}`)].join(
    '\n',
  );
}

function describeField({ type, means, values }: FactField): string {
  return values === undefined ? `(${type}): ${means}` : `(${values.join(' | ')}): ${means}`;
}

function factsSchema(vocabulary: Vocabulary): Json {
  const kinds = Object.entries(statedKinds(vocabulary)).map(([name, { fields }]) => ({
    type: 'object',
    properties: {
      kind: { const: name },
      line: { type: 'integer', minimum: 1 },
      value: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(fields).map(([field, of]) => [field, schemaOf(of)])),
        additionalProperties: false,
      },
    },
    required: ['kind', 'line', 'value'],
    additionalProperties: false,
  }));
  return {
    type: 'object',
    properties: { facts: { type: 'array', items: { anyOf: kinds } } },
    required: ['facts'],
    additionalProperties: false,
  };
}

function schemaOf({ type, values }: FactField): Json {
  switch (type) {
    case 'number':
      return { type: 'number' };
    case 'date':
      return { type: 'string', pattern: '^[0-9]{4}(-[0-9]{2}(-[0-9]{2})?)?$' };
    case 'duration':
      return {
        type: 'object',
        properties: { count: { type: 'number' }, unit: { enum: [...durationUnits] } },
        required: ['count', 'unit'],
        additionalProperties: false,
      };
    case 'code':
      return values === undefined ? { type: 'string', maxLength: codeUnitsMax } : { enum: [...values] };
    case 'name':
      return { type: 'string', maxLength: nameUnitsMax };
  }
}
