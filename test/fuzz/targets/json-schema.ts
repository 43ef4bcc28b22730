/**
 * Converts a caller's JSON schema, a pattern in it, or the schemas of a tool's arguments to a grammar and samples the first tokens
 * with it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadLlamaText } from '../../../models/gguf/llama-text.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import type { ChatInput, ChatTool } from '../../../models/interface/model.ts';
import { FailedAnswer, randomAnswers } from '../../native/random-answers.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import type { Random } from '../../support/random.ts';
import { chatmlTemplate } from '../../support/server/chat-templates.ts';
import { llamaTemplates } from '../llama-templates.ts';
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
    summary: 'JSON schemas of an answer',
    ...limits,
    generate(source) {
      const { corpus, random } = source;
      const input = random.below(3) === 0 ? bytesOf(JSON.stringify(randomSchema(random, 4))) : mutateSchema(source);
      return input.length <= inputBytesMax ? input : random.pick(corpus);
    },
    open: () => openChats(answerContext, chatmlTemplate, (input) => ({ jsonSchema: textOf(input) })),
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
    open: () =>
      openChats(answerContext, chatmlTemplate, (input) => ({
        jsonSchema: JSON.stringify({ type: 'string', pattern: textOf(input).toWellFormed() }),
      })),
  },
  {
    name: 'tool-arguments',
    summary: 'schemas of arguments that a template writes as plain text between tags',
    ...limits,
    generate(source) {
      const { corpus, random } = source;
      const input = random.below(3) === 0 ? mutateSchema(source) : bytesOf(JSON.stringify(randomArguments(random)));
      return input.length <= argumentBytesMax && isObject(textOf(input)) ? input : random.pick(corpus);
    },
    open: () =>
      openChats(toolContext, taggedTemplate(), (input) => ({ tools: [toolOf(input)], toolChoice: 'required' })),
  },
];

/** The template writes the schemas into the prompt, where a character takes up to six bytes, each a token. */
const argumentBytesMax = 1_024;

/** In tokens. */
const answerContext = 64;
const toolContext = 8_192;

/** Of a format in which `<parameter=name>` and `</parameter>` enclose each argument. */
const taggedTemplate = () => llamaTemplates().find(({ name }) => name === 'Qwen3-Coder.jinja')!.text;

function toolOf(input: Uint8Array): ChatTool {
  const properties = JSON.parse(textOf(input)) as { [name: string]: Json };
  return { type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Schemas by the names of one to three arguments, mostly strings. */
function randomArguments(random: Random): Json {
  const keys: Record<string, () => Json> = {
    ...stringKeywords(random),
    enum: () =>
      Array.from({ length: 1 + random.below(4) }, () => random.pick(['x', '', 'a\nb', '</parameter>', canary])),
    const: () => random.pick(['x', '</parameter>\n', '<']),
  };
  const text = () => {
    const names = Array.from({ length: random.below(4) }, () => random.pick(Object.keys(keys)));
    return { type: 'string', ...Object.fromEntries(names.map((name) => [name, keys[name]!()])) };
  };
  const schemas = ['a', 'b', canary].slice(0, 1 + random.below(3));
  return Object.fromEntries(schemas.map((name) => [name, random.below(5) === 0 ? randomSchema(random, 2) : text()]));
}

const mutateSchema = jsonGenerator({
  strings: [...keywords, ...types, ...formats, canary, '#', '#/$defs/a'],
  values: ['^(a?){1500}a$', '^a{5,2}$', '^.{0,20}$', '(?!a)b', '#/properties/a'],
});

async function openChats(
  contextPerSequence: number,
  template: string,
  asks: (input: Uint8Array) => Partial<ChatInput>,
): Promise<FuzzSubject> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-schemas-'));
  const modelPath = join(folder, 'model.gguf');
  writeGguf(modelPath, smallModel(template));
  const sizes = { sequences: 1, contextPerSequence, batchTokens: contextPerSequence, threads: 1, poll: 0 };
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
      await withoutEcho(async () => {
        const prepared = await model.prepareChat({ ...chat, ...asks(input) });
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
  const count = () => randomCount(random);
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
    ...stringKeywords(random),
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

/** Keywords of strings, each with a function that makes its value. */
function stringKeywords(random: Random): Record<string, () => Json> {
  const count = () => randomCount(random);
  return {
    minLength: count,
    maxLength: count,
    pattern: () => Array.from({ length: 1 + random.below(6) }, () => random.pick(pieces)).join(''),
    format: () => random.pick(formats),
  };
}

function randomCount(random: Random): number {
  return random.pick([0, 1, 2, 3, 40, 5000, 2 ** 32]);
}
