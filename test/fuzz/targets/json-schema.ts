/** Converts a caller's JSON schema, or a pattern in it, to a grammar and samples the first tokens with it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadLlamaText } from '../../../models/gguf/llama-text.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import type { ChatInput } from '../../../models/interface/model.ts';
import { FailedAnswer, randomAnswers } from '../../native/random-answers.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import type { Random } from '../../support/random.ts';
import { chatmlTemplate } from '../../support/server/chat-templates.ts';
import { type Json, jsonGenerator } from '../mutation/json.ts';
import { smallModel } from '../small-models.ts';
import {
  bytesOf,
  canary,
  type FuzzSubject,
  type FuzzTarget,
  type GeneratorSource,
  textOf,
  withoutEcho,
} from '../target.ts';

const limits = {
  isNative: true,
  // A schema may take 100 ms of a thread; the rest is the chat that contains it.
  cpuMsMax: 250,
  growthBytesMax: { after: 64 * 2 ** 20, during: 128 * 2 ** 20 },
};

/** A schema above 256 KiB is rejected unparsed, so longer inputs would only test copying. */
const inputBytesMax = 512 * 1024;

/** Tokens to sample with the schema's grammar. */
const answerTokens = 6;

const keywords = [
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength'],
  ...['maxLength', 'pattern', 'format', 'items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'properties'],
  ...[
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    '$ref',
  ],
  ...['$defs', 'allOf', 'anyOf', 'oneOf', 'not', 'unevaluatedProperties', 'if', 'contains'],
];
const types = ['string', 'integer', 'number', 'object', 'array', 'boolean', 'null'];
const formats = ['date', 'date-time', 'email', 'uri', 'uuid', 'ipv6', 'duration'];
const pieces = [
  ...['a', '.', '[a-z]', '[^"]', '\\d', '\\w', '\\S', '(', ')', '(?:', '(?=', '(?!', '|', '*', '+', '?', '{2,5}'],
  ...['{5,2}', '{400}', '{0,2000}', '^', '$', '[', ']', '\\', '\\u{1F600}', '😀', '"', '-', '.*', '(a?){30}', canary],
];

export const targets: readonly FuzzTarget[] = [
  {
    name: 'json-schema',
    summary: 'JSON schemas, as response format and as parameters of a tool',
    ...limits,
    generate(source) {
      const { corpus, random } = source;
      const input = random.below(3) === 0 ? bytesOf(JSON.stringify(randomSchema(random, 4))) : mutateSchema(source);
      return input.length <= inputBytesMax ? input : random.pick(corpus);
    },
    open: () => openSchemas((input) => textOf(input)),
  },
  {
    name: 'json-schema-patterns',
    summary: 'regular expressions in JSON schemas',
    ...limits,
    generate({ corpus, random }: GeneratorSource) {
      const parts = Array.from({ length: 1 + random.below(12) }, () =>
        random.below(8) === 0 ? textOf(random.pick(corpus)) : random.pick(pieces),
      );
      return bytesOf(parts.join(''));
    },
    open: () => openSchemas((input) => JSON.stringify({ type: 'string', pattern: textOf(input).toWellFormed() })),
  },
];

const mutateSchema = jsonGenerator({
  strings: [...keywords, ...types, ...formats, canary, '#', '#/$defs/a'],
  values: ['^(a?){1500}a$', '^a{5,2}$', '^.{0,20}$', '(?!a)b', '#/properties/a'],
});

async function openSchemas(schemaOf: (input: Uint8Array) => string): Promise<FuzzSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-schemas-'));
  const modelPath = join(folder, 'model.gguf');
  writeGguf(modelPath, smallModel(chatmlTemplate));
  const sizes = { sequences: 1, contextPerSequence: 64, batchTokens: 64, threads: 1, poll: 0 };
  const model = await loadLlamaText({ modelPath, ...sizes, gpu: 'off' });
  rmSync(folder, { recursive: true });
  const chat: ChatInput = {
    messages: [{ role: 'user', content: 'x' }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    jsonSchema: undefined,
    reasoning: false,
  };
  return {
    // The model has a token for every byte, so some token must always be able to continue the output.
    isRefusal: (error) =>
      (error instanceof ModelError && error.code === 'ERR_GRAMMAR_INVALID') ||
      (error instanceof FailedAnswer && error.code === 'ERR_GRAMMAR_TOO_COMPLEX'),
    async run(input) {
      const jsonSchema = schemaOf(input);
      await withoutEcho(async () => {
        const prepared = await model.prepareChat({ ...chat, jsonSchema });
        // A model with random weights rarely samples an allowed token, so nearly every token needs the full mask.
        await randomAnswers(model, prepared, { seeds: [input.length], tokensMax: answerTokens });
      });
    },
    close: () => model.close(),
  };
}

/** Generates a mostly valid schema: keywords with values of their type. */
function randomSchema(random: Random, depth: number): Json {
  if (depth === 0 || random.below(12) === 0) return random.pick<Json>([true, false, {}, { type: random.pick(types) }]);
  const nested = () => randomSchema(random, depth - 1);
  const number = () => random.pick([0, 1, 2, 5, -3, 0.5, 0.01, 1e9, 2 ** 53, -(2 ** 63)]);
  const count = () => random.pick([0, 1, 2, 3, 40, 5000, 2 ** 32]);
  const some = (make: () => Json, most: number) => Array.from({ length: 1 + random.below(most) }, make);
  const named = () =>
    Object.fromEntries(some(() => [random.pick(['a', 'b', 'c', canary]), nested()], 4) as [string, Json][]);
  const makers: Record<string, () => Json> = {
    type: () => (random.below(3) === 0 ? some(() => random.pick(types), 3) : random.pick(types)),
    enum: () => some(() => random.pick<Json>(['x', 'a"b', 1, 1.5, null, true, [1], { a: 1 }]), 5),
    const: () => random.pick<Json>(['x', -1, null, { a: [] }]),
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: () => Math.abs(number()),
    minLength: count,
    maxLength: count,
    pattern: () => some(() => random.pick(pieces), 6).join(''),
    format: () => random.pick(formats),
    items: nested,
    prefixItems: () => some(nested, 3),
    minItems: count,
    maxItems: count,
    uniqueItems: () => true,
    properties: named,
    required: () => some(() => random.pick(['a', 'b', 'd']), 3),
    additionalProperties: nested,
    patternProperties: () => ({ [random.pick(pieces)]: nested(), '^a': nested() }),
    propertyNames: nested,
    minProperties: () => random.below(4),
    maxProperties: () => random.below(6),
    $ref: () => random.pick(['#', '#/$defs/a', '#/properties/a', '#/nowhere']),
    $defs: named,
    allOf: () => some(nested, 3),
    anyOf: () => some(nested, 4),
    oneOf: () => some(nested, 3),
    not: nested,
  };
  const names = some(() => random.pick(Object.keys(makers)), 5) as string[];
  return Object.fromEntries(names.map((name) => [name, makers[name]!()]));
}
