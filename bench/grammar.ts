/**
 * `node bench/grammar.ts --peer <folder>`: the cost of constraining responses to a JSON schema, compared with XGrammar as
 * WebAssembly on the same vocabulary, schemas and tokens. Results are CPU time of the process, which other work on the machine
 * does not affect. Cloister's cost is the CPU time of an engine's steps with a schema minus that of steps without one.
 */
import type { PreparedChat, Sampling, StepOperation } from '../models/interface/model.ts';
import { asking } from '../test/native/chats.ts';
import { greedy } from '../test/support/runtime/chat-request.ts';
import { readOptions } from './command-line.ts';
import { type GrammarModel, loadReciter } from './grammar-model.ts';
import { type Measurement, runBench, timeCalls } from './in-process.ts';
import { loadXgrammar, type XgrammarCompiler } from './peers/xgrammar.ts';
import type { Sample } from './results.ts';
import { median, quantile } from './statistics.ts';

const help = `node bench/grammar.ts [options]
  --peer <folder>   folder of npm install --prefix <folder> @mlc-ai/web-xgrammar
`;
const vocabularies = [32_000, 128_000];
const rowsPerStep = 128;
const stepsOf = (rows: number) => (rows === 1 ? 40 : 4);
const peerPackage = 'web-xgrammar';

const text = { type: 'string' };
const closed = (properties: Record<string, object>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});
const person = closed({
  name: text,
  born: { type: 'integer' },
  tags: { type: 'array', items: text },
  place: closed({ city: text, country: text }),
  active: { type: 'boolean' },
});
const schemas: Readonly<Record<string, object>> = {
  'an object of five properties': person,
  'twenty optional properties': {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field${index}`, text])),
    additionalProperties: false,
  },
  'an enumeration of 100 texts': { enum: Array.from({ length: 100 }, (_, index) => `value-${index}`) },
  'a pattern and a length': closed({ code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }, note: text }),
  'a tree': closed({ value: text, children: { type: 'array', items: { $ref: '#' } } }),
};
const personAnswer =
  '{"name": "Ada Lovelace", "born": 1815, "tags": ["engine", "number"], "place": {"city": "Hull", "country": "UK"}, "active": true}';
/** JSON contains no control character, so the grammar forbids every token that this model prefers. */
const forbiddenAnswer = Array.from({ length: 30 }, (_, index) => `\u0007${String(index).padStart(2, '0')}`).join('');

interface Habit {
  readonly label: string;
  readonly answer: string;
  readonly sampling: Sampling;
}
const habits: readonly Habit[] = [
  { label: 'every token fits', answer: personAnswer, sampling: greedy },
  // No top-p: sorting thousands of equally likely tokens is not part of the mask's cost.
  { label: 'no token fits', answer: forbiddenAnswer, sampling: { ...greedy, temperature: 0.8 } },
];

interface Walk {
  /** [step], CPU time. */
  readonly micros: readonly number[];
  /** [step][row] */
  readonly tokens: readonly Int32Array[];
}

const { peer } = readOptions(help, { peer: { type: 'string' } });
const xgrammar = peer === undefined ? undefined : loadXgrammar(peer);
const measurements: Measurement[] = [];
for (const vocabulary of vocabularies) measurements.push(...(await measurementsOf(vocabulary)));
await runBench(
  {
    name: 'grammar',
    settings: { threads: 1 },
    servers: xgrammar === undefined ? {} : { [peerPackage]: [`@mlc-ai/web-xgrammar ${xgrammar.version}, WebAssembly`] },
  },
  measurements,
);
process.exit();

async function measurementsOf(vocabulary: number): Promise<Measurement[]> {
  const size = vocabulary.toLocaleString('en');
  const models = await Promise.all(
    habits.map(({ answer }) => loadReciter(answer, { vocabulary, sequences: rowsPerStep })),
  );
  const list: Measurement[] = [];
  for (const [index, { label, sampling }] of habits.entries()) {
    const reciter = models[index]!;
    const compiler = await createCompiler(reciter);
    for (const rows of [1, rowsPerStep]) {
      const named = {
        scenario: `${size} tokens: mask and advance`,
        label: `${label}, ${rows} ${rows === 1 ? 'row' : 'rows'}`,
      };
      // The same tokens for the peer, prepared before the measurement.
      const { tokens } = await walk(reciter, { rows, sampling, schema: person });
      list.push({ ...named, of: 'cloister', measure: () => measureOwn(reciter, { rows, sampling }) });
      if (compiler !== undefined) {
        list.push({ ...named, of: peerPackage, measure: () => measurePeer(compiler, reciter, tokens) });
      }
    }
  }
  const reciter = models[0]!;
  const compiler = await createCompiler(reciter);
  for (const [label, schema] of Object.entries(schemas)) {
    const named = { scenario: `${size} tokens: compile`, label };
    list.push({ ...named, of: 'cloister', measure: () => measureOwnCompile(reciter, schema) });
    if (compiler !== undefined)
      list.push({ ...named, of: peerPackage, measure: () => measurePeerCompile(compiler, schema) });
  }
  return list;
}

async function createCompiler({ model, tokenizer }: GrammarModel): Promise<XgrammarCompiler | undefined> {
  return await xgrammar?.createCompiler(tokenizer.tokens, [...model.info.endTokens]);
}

function prepare({ model }: GrammarModel, schema: object | undefined): Promise<PreparedChat> {
  return model.prepareChat(asking('x', schema === undefined ? {} : { jsonSchema: JSON.stringify(schema) }));
}

/** Answers of all rows at once; a row whose answer ends begins another. */
async function walk(
  reciter: GrammarModel,
  { rows, sampling, schema }: { rows: number; sampling: Sampling; schema: object | undefined },
): Promise<Walk> {
  const { model } = reciter;
  const prepared = await prepare(reciter, schema);
  // All allowed tokens are equally likely; one in ten ends the current text.
  const quote = reciter.tokenizer.idOf('"');
  const logitBias =
    sampling.temperature === 0 ? [] : [{ token: quote, bias: Math.log(model.info.vocabulary.size / 10) }];
  const begin = (sequence: number) => {
    model.beginSampling(sequence, { ...sampling, seed: sequence, logitBias }, prepared);
    return { sequence, position: 0, next: prepared.tokens };
  };
  const answers = Array.from({ length: rows }, (_, sequence) => begin(sequence));
  const micros: number[] = [];
  const drawn: Int32Array[] = [];
  for (let step = 0; step < stepsOf(rows); step++) {
    const operations = answers
      .filter(({ position }) => position === 0)
      .map(({ sequence }): StepOperation => ({ kind: 'trim', sequence, from: 0 }));
    const before = process.cpuUsage();
    const result = await model.step({
      operations,
      rows: answers.map(({ sequence, position, next }) => ({ sequence, position, tokens: next, sample: true })),
    });
    // A step that reads prompts, too, is another kind of step.
    if (operations.length === 0) micros.push(cpuMicrosSince(before));
    drawn.push(result.tokens);
    for (const [row, answer] of answers.entries()) {
      const next = result.tokens.slice(row, row + 1);
      answers[row] = model.info.endTokens.has(next[0]!)
        ? begin(answer.sequence)
        : { ...answer, position: answer.position + answer.next.length, next };
    }
  }
  return { micros, tokens: drawn };
}

async function measureOwn(
  reciter: GrammarModel,
  { rows, sampling }: { rows: number; sampling: Sampling },
): Promise<Sample> {
  const free = await walk(reciter, { rows, sampling, schema: undefined });
  const held = await walk(reciter, { rows, sampling, schema: person });
  const base = median(free.micros);
  return latencies(
    held.micros.map((micros) => micros - base),
    rows,
  );
}

async function measurePeer(
  compiler: XgrammarCompiler,
  { model }: GrammarModel,
  tokens: readonly Int32Array[],
): Promise<Sample> {
  const rows = tokens[0]!.length;
  const grammar = await compiler.compileJSONSchema(JSON.stringify(person));
  const matchers = await Promise.all(Array.from({ length: rows }, () => xgrammar!.createMatcher(grammar)));
  const micros: number[] = [];
  for (const step of tokens) {
    const before = process.cpuUsage();
    for (const [row, token] of step.entries()) {
      await matchers[row]!.getNextTokenBitmask();
      const isAccepted = matchers[row]!.acceptToken(token);
      if (!isAccepted) throw new Error(`the peer rejects token ${token}`);
      if (model.info.endTokens.has(token)) matchers[row]!.reset();
    }
    micros.push(cpuMicrosSince(before));
  }
  for (const matcher of matchers) matcher.dispose();
  grammar.dispose();
  return latencies(micros, rows);
}

function cpuMicrosSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function latencies(micros: readonly number[], rows: number): Sample {
  const [p50, p99] = [quantile(micros, 0.5), quantile(micros, 0.99)];
  if (rows === 1) return { latencyP50Us: p50, latencyP99Us: p99 };
  return { latencyP50Ms: p50 / 1000, latencyP99Ms: p99 / 1000 };
}

async function measureOwnCompile(reciter: GrammarModel, schema: object): Promise<Sample> {
  const plain = await timeCalls(20, () => prepare(reciter, undefined));
  const held = await timeCalls(20, () => prepare(reciter, schema));
  return inMs(held, plain.latencyP50Us!);
}

async function measurePeerCompile(compiler: XgrammarCompiler, schema: object): Promise<Sample> {
  const json = JSON.stringify(schema);
  return inMs(await timeCalls(3, async () => (await compiler.compileJSONSchema(json)).dispose()), 0);
}

function inMs({ latencyP50Us, latencyP99Us }: Sample, baseUs: number): Sample {
  return { latencyP50Ms: (latencyP50Us! - baseUs) / 1000, latencyP99Ms: (latencyP99Us! - baseUs) / 1000 };
}
