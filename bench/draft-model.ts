/**
 * `node bench/draft-model.ts`: the gain of a draft model for one client, and its cost while all of its drafts are wrong.
 *
 * Both models compute fully but recite a list of words, and the draft model recites it wrongly at a known share of the words. So
 * the bench shows what the engine makes of a given agreement and of the two models' speed. It does not show how often two
 * trained models agree. Every measurement starts with a new engine, which first has to find out what the draft model is good for.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadLlamaText } from '../models/gguf/llama-text.ts';
import type { TextModel } from '../models/interface/model.ts';
import { DraftModel } from '../runtime/chat/draft-model.ts';
import { Engine } from '../runtime/chat/engine.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import { randomTransformer, type TransformerShape } from '../test/support/models/random-transformer.ts';
import { reciteAfter } from '../test/support/models/scripted-transformer.ts';
import { spellBytes, type Tokenizer } from '../test/support/models/tokenizers.ts';
import { chatRequest, greedy } from '../test/support/runtime/chat-request.ts';
import { chatmlTemplate } from '../test/support/server/chat-templates.ts';
import { readOptions } from './command-line.ts';
import { type Measurement, runBench } from './in-process.ts';
import { benchModelPath, benchModels } from './make-model.ts';
import { promptText } from './prompts.ts';
import type { Sample } from './results.ts';
import { benchWord, buildWordTokenizer } from './words.ts';

const promptWords = 100;
const answerTokens = 128;
/** The recited list has a part for each share of words on which the models agree. */
const shares = [1, 0.9, 0.75, 0];
const partWords = 1000;
const modes = ['off', 'draft model'] as const;
const vocabulary = benchModels['135m']!.vocabulary;

const help = `node bench/draft-model.ts [options]
  --threads <count>        number of threads [2]
  --answers <count>        answers per measurement, one after another [4]
  --repeats <count>        repeats of each measurement [5]
  --draft-layers <count>   layers of the draft model, which has the width of SmolLM2-135M [6]
`;

const values = readOptions(help, {
  threads: { type: 'string', default: '2' },
  answers: { type: 'string', default: '4' },
  repeats: { type: 'string', default: '5' },
  'draft-layers': { type: 'string', default: '6' },
});
const threads = Number(values.threads);
const answers = Number(values.answers);
const draftLayers = Number(values['draft-layers']);
const options = { sequences: 4, contextPerSequence: 512, threads, gpu: 'off' } as const;
const tokenizer = buildWordTokenizer(vocabulary);
const target = await loadLlamaText({ ...options, modelPath: ensureTarget() });
const draft = await loadLlamaText({ ...options, modelPath: ensureDraft(), batchTokens: 256, draftTokens: 0 });
const measurements = shares.flatMap((share, part) =>
  modes.map((mode): Measurement => {
    const label = `the models agree on ${Math.round(share * 100)} % of the words`;
    return { scenario: 'draft model, 1 client', label, of: mode, measure: () => answer(part, mode) };
  }),
);
const settings = { model: '0.5b, reciting', draftLayers, threads, promptTokens: promptWords, answerTokens, answers };
const header = { name: `draft-model-${draftLayers}-layers`, settings, servers: {}, repeats: Number(values.repeats) };
await runBench(header, measurements);
await Promise.all([target.close(), draft.close()]);

/** Generates answers one after another, timed from the first token of each to its last. */
async function answer(part: number, mode: (typeof modes)[number]): Promise<Sample> {
  const now = () => performance.now();
  const load = async () => keptOpen(draft);
  const model = mode === 'off' ? undefined : await DraftModel.open(load, { target: target.info, now });
  let [text, startedAt, millis] = ['', 0, 0];
  let [usageAtStart, cpuMicros] = [process.cpuUsage(), 0];
  let ended = Promise.withResolvers<void>();
  const engine = new Engine({
    model: keptOpen(target),
    draft: model && { model, mode: 'auto' },
    queuedRequestsMax: 1,
    prefixCacheBytes: 0,
    promptLookup: 'off',
    now,
    emit(events) {
      for (const { event } of events) {
        if (event.kind === 'error') ended.reject(new Error(event.error.message));
        if (event.kind === 'started') [startedAt, usageAtStart] = [now(), process.cpuUsage()];
        if (event.kind === 'delta') text += event.content;
        if (event.kind !== 'done') continue;
        millis += now() - startedAt;
        const { user, system } = process.cpuUsage(usageAtStart);
        cpuMicros += user + system;
        ended.resolve();
      }
    },
  });
  for (let index = 0; index < answers; index += 1) {
    const start = part * partWords + index * (answerTokens + 10);
    [text, ended] = ['', Promise.withResolvers<void>()];
    await engine.submit(index, request(start, index));
    await ended.promise;
    const expected = Array.from({ length: answerTokens }, (_, word) => ` ${benchWord(start + 1 + word)}`).join('');
    if (text !== expected) throw new Error('the answer is not the recited text');
  }
  const { draftTokens, acceptedDraftTokens } = engine.stats;
  await engine.drain();
  const tokens = answers * (answerTokens - 1);
  return {
    outputTokensPerSecond: (tokens / millis) * 1000,
    cpuMsPerToken: cpuMicros / 1000 / tokens,
    ...(draftTokens === 0 ? {} : { rightGuessShare: acceptedDraftTokens / draftTokens }),
  };
}

/** A prompt of other words that ends with the word before the answer. Each answer has its own account: nothing is reused. */
function request(start: number, index: number): Parameters<Engine['submit']>[1] {
  const others = promptText(promptWords - 1, start + 1).split(' ');
  const tokens = [...others, benchWord(start)].map(tokenOf);
  return {
    ...chatRequest('', {
      maxTokens: answerTokens,
      sampling: { ...greedy, temperature: 0.8, topP: 0.95, seed: index },
      account: `client ${index}`,
      timeoutMs: 600_000,
    }),
    input: { tokens },
  };
}

/** Each engine begins with empty sequences and leaves the model loaded. */
function keptOpen(model: TextModel): TextModel {
  return {
    info: model.info,
    prepareChat: (input) => model.prepareChat(input),
    preparePrompt: (input) => model.preparePrompt(input),
    beginSampling: (...sampling) => model.beginSampling(...sampling),
    endSampling: () => model.endSampling(),
    step: (step) => model.step(step),
    async close() {
      const sequences = Array.from({ length: model.info.sequences }, (_, sequence) => sequence);
      await model.step({ operations: sequences.map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
    },
  };
}

function ensureTarget(): string {
  const shape = { ...benchModels['0.5b']!.shape, tied: false };
  return ensure('0.5b-reciter', shape, (position) => position + 1);
}

function ensureDraft(): string {
  const shape = { ...benchModels['135m']!.shape, layers: draftLayers, tied: false };
  return ensure(`${draftLayers}-layers-draft`, shape, (position) => {
    // Evenly spread over each hundred words.
    const isRight = (position * 7919) % 100 < shares[Math.floor(position / partWords)]! * 100;
    return isRight ? position + 1 : position + partWords * shares.length;
  });
}

/** @param next the word that follows the word at a position of the list · @returns the path of the model, created if missing */
function ensure(name: string, shape: TransformerShape, next: (position: number) => number): string {
  const path = benchModelPath(name);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const sources = new Map<number, number[]>();
  for (let position = 0; position < partWords * shares.length; position += 1) {
    sources.set(tokenOf(benchWord(next(position))), [tokenOf(benchWord(position))]);
  }
  const file = randomTransformer(shape, { name, tokenizer, template: chatmlTemplate, type: 'Q8_0', seed: 1 });
  writeGguf(`${path}.partial`, reciteAfter(file, sources));
  renameSync(`${path}.partial`, path);
  return path;
}

function tokenOf(word: string): number {
  return (tokenizer as Tokenizer).idOf(spellBytes(Buffer.from(` ${word}`)));
}
