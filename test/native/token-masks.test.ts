/**
 * native/src/grammar/token_masks.cc: which tokens a grammar allows, compared with a plain Earley recogniser that checks each token
 * (`token-masks.cc`, a separate program), in random answers under random schemas.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../support/random.ts';

const root = join(import.meta.dirname, '../..');
const corpus = join(root, 'test/fuzz/corpus/json-schema');
const build = join(root, 'native/build');
const compiled =
  /^(char_\w+|grammar_r\w+|json_\w+|number_language|regex\w*|schema_(?!hooks)\w+|string_formats|token_(?!bound)\w+)-[0-9a-f]{16}\.o$/;
/** The memory limit for rows and masks of one answer, plus the maximum size of one more row: see `kStoredBytesMax`. */
const storedBytesMax = 2.5 * 2 ** 20;

/** Edges looked at for a mask of 900 tokens: reading each token by itself would take more. */
const maskWorkMax = 40_000;

const folder = mkdtempSync(join(tmpdir(), 'cloister-token-masks-'));
const program = join(folder, 'token-masks');

beforeAll(() => {
  const objects = readdirSync(build).filter((name) => compiled.test(name));
  const headers = ['include', 'ggml/include'].map((name) => join(build, 'llama.cpp', name));
  execFileSync('g++', [
    ...['-std=c++20', '-O1', `-I${join(root, 'native/src')}`, ...headers.flatMap((name) => ['-isystem', name])],
    ...['-o', program, join(import.meta.dirname, 'token-masks.cc'), ...objects.map((name) => join(build, name))],
  ]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

interface Findings {
  readonly masks: number;
  readonly allowed: number;
  readonly wrong: number;
  readonly bytes: number;
  readonly collected: number;
  readonly work: number;
  readonly repeated: number;
}
type Outcome = 'refused' | 'too complex' | Findings;

/** @returns per schema what a random answer of at most `length` tokens found */
function walk(spellings: readonly Buffer[], schemas: readonly unknown[], { length, seed = 1 }: WalkOptions): Outcome[] {
  const input = [
    ...spellings.map((bytes) => `token ${bytes.toString('hex')}`),
    `control ${Buffer.from('<|im_end|>').toString('hex')}`,
    ...schemas.map((schema, index) => `schema ${seed + index} ${length} ${JSON.stringify(schema)}`),
  ].join('\n');
  const { stdout, status } = spawnSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  expect(status).toBe(0);
  return stdout.trim().split('\n').map(readOutcome);
}
interface WalkOptions {
  readonly length: number;
  readonly seed?: number;
}

function readOutcome(line: string): Outcome {
  if (line === 'refused' || line === 'too complex') return line;
  const words = line.split(' ');
  const pairs = words.flatMap((word, index) => (index % 2 === 0 ? [[word, Number(words[index + 1])]] : []));
  return Object.fromEntries(pairs) as Findings;
}

/** @returns per case, the microseconds of the mask after `beginning` */
function timeMasks(spellings: readonly Buffer[], cases: readonly { beginning: string; schema: object }[]): number[] {
  const input = [
    ...spellings.map((bytes) => `token ${bytes.toString('hex')}`),
    ...cases.map(({ beginning, schema }) => `time ${Buffer.from(beginning).toString('hex')} ${JSON.stringify(schema)}`),
  ].join('\n');
  const output = execFileSync(program, { input, encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[1]));
}

const found = (outcomes: readonly Outcome[]) => outcomes.filter((outcome) => typeof outcome === 'object');
const sum = (outcomes: readonly Outcome[], of: keyof Findings) =>
  found(outcomes).reduce((total, outcome) => total + outcome[of], 0);

const pieces = [
  ...[
    '"',
    '",',
    '":',
    '": "',
    '{',
    '}',
    '[',
    ']',
    '{"',
    '"}',
    '"]',
    ', ',
    ',\n',
    '\n',
    '\n  ',
    '  ',
    '\\',
    '\\"',
    '\\u00',
  ],
  ...[
    'null',
    'true',
    'false',
    'abc',
    'foo',
    'bar',
    '-1',
    '0.',
    'e10',
    '2024',
    '-01',
    'a',
    'b',
    'name',
    'me":',
    'é',
    '日本',
  ],
  ...[
    '語',
    '😀',
    'xy',
    'axyb',
    '\u2028',
    '\u007f',
    '\u0000',
    'x'.repeat(60),
    'é'.repeat(30),
    ' '.repeat(50),
    'ab'.repeat(6),
  ],
];

/** All bytes, and tokens of pieces of JSON and text: some cut within a character, some with equal text, one empty. */
function randomVocabulary(random: Random, size: number): Buffer[] {
  const spellings = [Buffer.alloc(0), ...Array.from({ length: 256 }, (_, byte) => Buffer.of(byte))];
  while (spellings.length < size) {
    const letter = () => String.fromCharCode(32 + random.below(95));
    const parts = Array.from({ length: 1 + random.below(4) }, () =>
      random.below(4) === 0 ? letter() : random.pick(pieces),
    );
    const bytes = Buffer.from(parts.join(''));
    spellings.push(random.below(7) === 0 ? bytes.subarray(0, 1 + random.below(bytes.length)) : bytes);
  }
  return spellings;
}

/** More rows than are kept at once. */
const list = {
  ...{ type: 'array', minItems: 300, maxItems: 500 },
  items: { type: 'string', minLength: 210, maxLength: 220 },
};

const leaves: readonly ((random: Random) => object)[] = [
  () => ({ type: 'string' }),
  () => ({}),
  (random) => ({
    type: 'string',
    pattern: random.pick(['^[a-z]+$', 'foo.*bar', '^(ab|a)*$', '^\\S+$', '^[^a]*$', '^(x[^y]|[^x])*$', '^.{0,20}$']),
  }),
  (random) => random.pick([{ type: 'integer' }, { type: 'number', minimum: -3 }, { enum: ['abc', 'abcd', 1, null] }]),
  (random) => {
    const minLength = random.pick([0, 1, 5]);
    return { type: 'string', minLength, maxLength: minLength + random.pick([0, 1, 5, 12, 60, 200, 5000]) };
  },
];

function randomSchema(random: Random, depth: number): object {
  const inner = () => randomSchema(random, depth - 1);
  switch (depth === 0 ? 0 : random.below(4)) {
    case 1: {
      const properties = Object.fromEntries(['a', 'name', 'abc'].slice(random.below(3)).map((name) => [name, inner()]));
      const required = random.below(2) === 0 ? Object.keys(properties) : [];
      return {
        type: 'object',
        properties,
        required,
        additionalProperties: random.pick([true, false]),
        maxProperties: 5,
      };
    }
    case 2: {
      const minItems = random.below(3);
      return { type: 'array', items: inner(), minItems, maxItems: minItems + random.pick([1, 3, 400]) };
    }
    case 3:
      return { anyOf: Array.from({ length: 2 + random.below(3) }, inner) };
    default:
      return random.pick(leaves)(random);
  }
}

describe('a mask over the vocabulary', () => {
  it.each([1, 2, 3])('allows the tokens that a plain recogniser accepts, under random schemas (%i)', (seed) => {
    const random = new Random(seed);
    const schemas = Array.from({ length: 60 }, () => randomSchema(random, 3));
    const outcomes = walk(randomVocabulary(random, 900), schemas, { length: 40, seed });
    expect(found(outcomes).length).toBeGreaterThan(50);
    expect(sum(outcomes, 'allowed')).toBeGreaterThan(100_000);
    expect(sum(outcomes, 'wrong')).toBe(0);
  });

  it('allows the same under schemas known to be difficult', () => {
    const schemas = readdirSync(corpus).map((name) => JSON.parse(readFileSync(join(corpus, name), 'utf8')) as unknown);
    const outcomes = walk(randomVocabulary(new Random(4), 900), schemas, { length: 60 });
    expect(sum(outcomes, 'masks')).toBeGreaterThan(100);
    expect(sum(outcomes, 'wrong')).toBe(0);
  });

  it.each([
    ['a pattern that is never sure', { type: 'string', maxLength: 4000, pattern: '(foo|bar|a.*b.*c)' }],
    [
      'five readings of a string',
      { anyOf: ['^a', 'b$', 'c', 'd.*e', '^[^f]*$'].map((pattern) => ({ type: 'string', pattern })) },
    ],
    ['a character that may not follow another', { type: 'string', pattern: '^(x[^y]|[^x])*$' }],
    ['long lists of strings with bounds', list],
  ])('caches little of %s, and gives the same result after evicting rows', (_, schema) => {
    const outcomes = walk(randomVocabulary(new Random(5), 900), [schema, schema], { length: 700 });
    expect(found(outcomes)).toHaveLength(2);
    expect(sum(outcomes, 'wrong')).toBe(0);
    expect(Math.max(...found(outcomes).map(({ bytes }) => bytes))).toBeLessThan(storedBytesMax);
    if (schema === list) expect(sum(outcomes, 'collected')).toBeGreaterThan(0);
  });

  it('costs nothing for a known state, and little for a new one', () => {
    const schemas = [...leaves.map((leaf) => leaf(new Random(6))), list];
    const outcomes = walk(randomVocabulary(new Random(6), 900), schemas, { length: 100 });
    expect(found(outcomes).map(({ repeated }) => repeated)).toEqual(schemas.map(() => 0));
    expect(Math.max(...found(outcomes).map(({ work }) => work))).toBeLessThan(maskWorkMax);
  });

  it.each([11, 8])('costs far less than a walk over the vocabulary in a string with room for %i characters', (room) => {
    const random = new Random(7);
    const letters = (count: number) => Array.from({ length: count }, () => random.pick([...'etaoinsrhdlu'])).join('');
    const words = Array.from({ length: 40_000 }, () => Buffer.from(letters(2 + random.below(12))));
    const spellings = [...randomVocabulary(random, 900), ...words];
    const [nearlyFull, walked] = timeMasks(spellings, [
      { beginning: '"abc', schema: { type: 'string', maxLength: 3 + room } },
      { beginning: '"abc', schema: { type: 'string', pattern: '^[^%]*$' } },
    ]);
    expect(nearlyFull!).toBeLessThan(walked! / 3);
  });
});
