/**
 * `node bench/prompt-lookup.ts`: the gain of prompt-lookup decoding for responses that quote the prompt, and its cost for those
 * that do not. The model has the shape of SmolLM2-135M and computes fully, but recites a fixed list of words. A prompt that
 * contains the list is quoted completely; one with other words in between only partly.
 */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadLlamaText } from '../models/gguf/llama-text.ts';
import type { TextModel } from '../models/interface/model.ts';
import { Engine } from '../runtime/chat/engine.ts';
import type { PromptLookupMode } from '../runtime/chat/speculation.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import { randomTransformer } from '../test/support/models/random-transformer.ts';
import { reciteScript } from '../test/support/models/scripted-transformer.ts';
import { chatRequest, greedy } from '../test/support/runtime/chat-request.ts';
import { chatmlTemplate } from '../test/support/server/chat-templates.ts';
import { readOptions } from './command-line.ts';
import { type Measurement, runBench } from './in-process.ts';
import { benchModelPath, benchModels } from './make-model.ts';
import { promptText } from './prompts.ts';
import type { Sample } from './results.ts';
import { benchWord, benchWordCount, buildWordTokenizer } from './words.ts';

const promptWords = 400;
const answerTokens = 96;
const modes = ['off', 'auto', 'on'] as const satisfies readonly PromptLookupMode[];

/** A prompt's words by the text that is recited; `other` are words that the answer never says. */
const prompts: Readonly<
  Record<string, (word: (index: number) => string, other: (index: number) => string) => string[]>
> = {
  'all of it quoted': (word) => Array.from({ length: promptWords }, (_, index) => word(index)),
  'one word in eight differs': (word, other) =>
    Array.from({ length: promptWords }, (_, index) => (index % 8 === 7 ? other(index) : word(index))),
  'guesses are always wrong': (word, other) =>
    Array.from({ length: promptWords }, (_, index) =>
      index % 4 === 3 ? other(index) : word(Math.floor(index / 4) + (index % 4)),
    ),
  'nothing quoted': () => promptText(promptWords, 1).split(' '),
};

const help = `node bench/prompt-lookup.ts [options]
  --threads <count>     number of threads [2]
`;

const values = readOptions(help, { threads: { type: 'string', default: '2' } });
const threads = Number(values.threads);
const model = await loadLlamaText({
  modelPath: ensureReciter(),
  sequences: 16,
  contextPerSequence: 1024,
  threads,
  gpu: 'off',
});
const measurements = [1, 4, 16].flatMap((rows) =>
  Object.entries(prompts).flatMap(([label, prompt]) =>
    modes.map((mode): Measurement => {
      const words = prompt(benchWord, (index) => benchWord(benchWordCount - 1 - index));
      return { scenario: `prompt lookup, ${rows} ${rows === 1 ? 'answer' : 'answers'}`, label, of: mode, measure };

      function measure(): Promise<Sample> {
        return answer(model, { rows, prompt: words.join(' '), mode });
      }
    }),
  ),
);
const settings = { model: '135m, reciting', threads, promptTokens: promptWords, answerTokens: answerTokens };
const header = { name: 'prompt-lookup', settings, servers: {} };
await runBench(header, measurements);
await model.close();

/** Runs this many equal answers in parallel, timed from the first token of the last one to the last token of all. */
async function answer(
  model: TextModel,
  { rows, prompt, mode }: { rows: number; prompt: string; mode: PromptLookupMode },
): Promise<Sample> {
  const firstAt: number[] = [];
  let open = rows;
  let endedAt = 0;
  let tokens = 0;
  const first = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const engine = new Engine({
    model: { ...shared(model), info: model.info },
    queuedRequestsMax: rows,
    prefixCacheBytes: 0,
    promptLookup: mode,
    now: () => performance.now(),
    emit(events) {
      for (const { id, event } of events) {
        if (event.kind === 'error') {
          const error = new Error(event.error.message);
          for (const wait of [first, over]) wait.reject(error);
        }
        if (event.kind === 'started') {
          firstAt[id] = performance.now();
          first.resolve();
        }
        if (event.kind === 'finished') tokens += event.completionTokens;
        if (event.kind !== 'done') continue;
        endedAt = performance.now();
        open -= 1;
        if (open === 0) over.resolve();
      }
    },
  });
  // The other choices copy the prompt of the first, which is not the subject of the measurement.
  await engine.submit(0, request(prompt, 0));
  await first.promise;
  for (let id = 1; id < rows; id++) await engine.submit(id, request(prompt, id));
  await over.promise;
  if (tokens !== rows * answerTokens) throw new Error(`expected ${rows * answerTokens} tokens, got ${tokens}`);
  const { draftTokens, acceptedDraftTokens } = engine.stats;
  await engine.drain();
  return {
    outputTokensPerSecond: (tokens / (endedAt - Math.max(...firstAt))) * 1000,
    ...(draftTokens === 0 ? {} : { rightGuessShare: acceptedDraftTokens / draftTokens }),
  };
}

function request(prompt: string, id: number): Parameters<Engine['submit']>[1] {
  return chatRequest(prompt, {
    maxTokens: answerTokens,
    sampling: { ...greedy, temperature: 0.8, topP: 0.95, seed: id },
    timeoutMs: 600_000,
  });
}

/** Each engine begins with empty sequences and leaves the model loaded. */
function shared(model: TextModel): Omit<TextModel, 'info'> {
  return {
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

/** @returns the path of the model, which is created if it does not exist */
function ensureReciter(): string {
  const path = benchModelPath('135m-reciter');
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const { shape, vocabulary } = benchModels['135m']!;
  const tokenizer = buildWordTokenizer(vocabulary);
  const untied = { ...shape, tied: false };
  const options = { name: 'reciter', tokenizer, template: chatmlTemplate, type: 'Q8_0', seed: 1 } as const;
  const pieces = Array.from({ length: benchWordCount }, (_, index) => Buffer.from(` ${benchWord(index)}`));
  // Every prompt ends with the line break of the template.
  const script = { pieces, tokenizer, start: 'Ċ', end: '<|im_end|>' };
  writeGguf(`${path}.partial`, reciteScript(randomTransformer(untied, options), script));
  renameSync(`${path}.partial`, path);
  return path;
}
