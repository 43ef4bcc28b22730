/**
 * `node bench/schema-answers.ts --schemas <folder>`: validates with Ajv the answers of a model with random weights under
 * third-party schemas. Reads the layouts of the JSON Schema test suite (`tests/draft2020-12`) and of JSONSchemaBench
 * (`maskbench/data`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import type { LlamaText } from '../models/gguf/llama-text.ts';
import { ModelError } from '../models/interface/errors.ts';
import { asking } from '../test/native/chats.ts';
import { loadTiny } from '../test/native/models.ts';
import { randomAnswers } from '../test/native/random-answers.ts';
import { readOptions } from './command-line.ts';

const help = `node bench/schema-answers.ts --schemas <folder> [options]
  --schemas <folder>   schemas, each file one, or a list of cases with one each; may be repeated
  --accepted <n>       how many accepted schemas of each folder to answer, spread over its files [500]
  --tokens <n>         longest answer [400]
`;
/** The formats of JSON Schema that ajv-formats supports; its `url`, `int32`, `byte` and others are not formats of JSON Schema. */
const standardFormats: FormatName[] = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference'] as const),
  ...(['uri-template', 'uuid', 'json-pointer', 'relative-json-pointer', 'regex'] as const),
];
const seeds = [1, 2, 3, 4];

interface NamedSchema {
  readonly name: string;
  readonly schema: object | boolean;
}

interface Counts {
  schemas: number;
  refused: number;
  /** Accepted schemas under which at least one answer was completed. */
  answered: number;
  answers: number;
  unfinished: number;
  /** Schemas that Ajv does not compile, so that their answers are not validated. */
  unjudged: number;
  invalid: number;
}

const values = readOptions(help, {
  schemas: { type: 'string', multiple: true, default: [] },
  accepted: { type: 'string', default: '500' },
  tokens: { type: 'string', default: '400' },
});

const model = await loadTiny({ context: 8192 }, { contextPerSequence: 1024, sequences: seeds.length });
for (const folder of values.schemas) {
  const counts = await judgeFolder(model, readSchemas(folder), Number(values.accepted));
  console.log(`${folder}: ${JSON.stringify(counts)}`);
}
await model.close();

async function judgeFolder(model: LlamaText, schemas: readonly NamedSchema[], acceptedMax: number): Promise<Counts> {
  const counts: Counts = {
    ...{ schemas: 0, refused: 0, answered: 0, answers: 0, unfinished: 0, unjudged: 0, invalid: 0 },
  };
  for (const named of spreadOut(schemas)) {
    if (counts.answered === acceptedMax) break;
    counts.schemas += 1;
    await judgeSchema(model, named, counts);
  }
  return counts;
}

async function judgeSchema(model: LlamaText, { name, schema }: NamedSchema, counts: Counts): Promise<void> {
  const validate = compile(schema);
  if (validate === undefined) {
    counts.unjudged += 1;
    return;
  }
  const prepared = await model
    .prepareChat(asking('x', { jsonSchema: JSON.stringify(schema) }))
    .catch((error: unknown) => {
      if (error instanceof ModelError && error.code === 'ERR_GRAMMAR_INVALID') return undefined;
      throw error;
    });
  if (prepared === undefined) {
    counts.refused += 1;
    return;
  }
  const { texts, unfinished } = await randomAnswers(model, prepared, {
    seeds: seeds,
    tokensMax: Number(values.tokens),
  });
  if (texts.length > 0) counts.answered += 1;
  counts.answers += texts.length;
  counts.unfinished += unfinished;
  for (const text of texts) {
    if (isValid(validate, text)) continue;
    counts.invalid += 1;
    console.log(`${name}\n  schema ${JSON.stringify(schema)}\n  answer ${text}\n  ${JSON.stringify(validate.errors)}`);
  }
}

/** Every `n`-th item, then the items between them, so that a part of the list is a representative sample. */
function spreadOut<T>(list: readonly T[]): T[] {
  const stride = 17;
  return Array.from({ length: stride }, (_, first) => list.filter((_, index) => index % stride === first)).flat();
}

function readSchemas(folder: string): NamedSchema[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return files.sort().flatMap((file) => schemasOf(file, JSON.parse(readFileSync(join(folder, file), 'utf8'))));
}

function schemasOf(file: string, content: unknown): NamedSchema[] {
  if (!Array.isArray(content)) {
    const { schema = content } = content as { schema?: unknown };
    return [{ name: file, schema: schema as object }];
  }
  return (content as { description: string; schema: object }[]).map(({ description, schema }) => ({
    name: `${file}: ${description}`,
    schema,
  }));
}

/** @returns undefined if Ajv does not accept the schema */
function compile(schema: object | boolean): ValidateFunction | undefined {
  const options = { strict: false, logger: false, multipleOfPrecision: 6, ownProperties: true } as const;
  const dialect = typeof schema === 'object' ? (schema as { $schema?: unknown }).$schema : undefined;
  const isOld = typeof dialect === 'string' && /draft-0[3-7]/.test(dialect);
  const ajv = addFormats.default(isOld ? new Ajv(options) : new Ajv2020(options), standardFormats);
  try {
    // Ajv has only the meta-schemas of its own dialects.
    const { $schema: _, ...rest } = typeof schema === 'object' ? (schema as { $schema?: unknown }) : {};
    return ajv.compile(typeof schema === 'object' ? rest : schema);
  } catch {
    return undefined;
  }
}

function isValid(validate: ValidateFunction, text: string): boolean {
  try {
    return validate(JSON.parse(text)) as boolean;
  } catch {
    return false;
  }
}
