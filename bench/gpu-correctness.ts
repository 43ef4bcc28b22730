/** Whether a GPU computes what the CPU computes: greedy chats, embeddings and images of the demo models on both, compared. */
import { join } from 'node:path';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '../models/embedding/onnx-embedding.ts';
import { loadLlamaText } from '../models/gguf/llama-text.ts';
import { loadImagePipeline } from '../models/image/pipeline.ts';
import type { Sampling } from '../models/interface/model.ts';
import type { Sample } from './results.ts';

export type GpuKind = 'cuda' | 'vulkan';
type Device = GpuKind | 'off';

export interface Comparison {
  /** The device that computed, as the model reports it. ONNX models run on the CPU where no provider for the GPU is installed. */
  readonly device: string;
  readonly sample: Sample;
  /** What differs by more than rounding explains; empty if nothing does. */
  readonly faults: readonly string[];
}

export interface ComparisonOptions {
  readonly gpu: GpuKind;
  readonly threads: number;
  /** The least work that exercises everything. */
  readonly quick: boolean;
}

/** Half-precision products differ by about this; where two tokens are closer, either may win. */
const logprobDifferenceMax = 0.25;
const cosineMin = 0.999;
/** Of 255, on average over the pixels of an image. */
const pixelDifferenceMax = 4;

const demo = join(import.meta.dirname, '../models/demo');
const greedy: Sampling = {
  ...{ temperature: 0, topP: 1, topK: 0, minP: 0, presencePenalty: 0, frequencyPenalty: 0 },
  ...{ logitBias: [], seed: 1, logprobs: 2 },
};
const questions = [
  'What is 7 + 5?',
  'Repeat this exactly: The Velora office in Brenmark opened on 4 March 2021.',
  'Say hello.',
  'Extract the names as JSON: Tomas Ildren met Noor in Pelham.',
];

/** Answers are compared token by token, until they differ where the CPU holds two tokens for about equally likely. */
export async function compareChats({ gpu, threads, quick }: ComparisonOptions): Promise<Comparison> {
  const asked = quick ? questions.slice(0, 1) : questions;
  const expected = await answers('off', asked, threads);
  const got = await answers(gpu, asked, threads);
  const faults: string[] = [];
  let [difference, equal, compared] = [0, 0, 0];
  for (const [index, { tokens }] of expected.texts.entries()) {
    for (const [at, cpu] of tokens.entries()) {
      const other = got.texts[index]!.tokens[at];
      compared += 1;
      if (other?.token !== cpu.token) {
        if (cpu.lead > logprobDifferenceMax)
          faults.push(`question ${index + 1} is answered differently at token ${at + 1}`);
        break;
      }
      equal += 1;
      difference = Math.max(difference, Math.abs(cpu.logprob - other.logprob));
    }
  }
  if (difference > logprobDifferenceMax) faults.push(`log probabilities differ by up to ${difference.toFixed(3)}`);
  return { device: got.device, sample: { equalTokenShare: equal / compared, logprobDifference: difference }, faults };
}

async function answers(gpu: Device, asked: readonly string[], threads: number) {
  const modelPath = join(demo, 'chat/cloister-demo-chat.gguf');
  const model = await loadLlamaText({ modelPath, sequences: asked.length, contextPerSequence: 512, threads, gpu });
  try {
    const texts = [];
    for (const [sequence, content] of asked.entries()) {
      const input = {
        tools: [],
        toolChoice: 'none',
        parallelToolCalls: false,
        jsonSchema: undefined,
        reasoning: true,
      } as const;
      const prepared = await model.prepareChat({ ...input, messages: [{ role: 'user', content }] });
      model.beginSampling(sequence, greedy, prepared);
      const tokens = [];
      let [next, position] = [prepared.tokens, 0];
      while (tokens.length < 32) {
        const rows = [{ sequence, position, tokens: next, sample: true }];
        const step = await model.step({ operations: [], rows });
        const [{ logprob, top }, token] = [step.logprobs[0]!, step.tokens[0]!];
        tokens.push({ token, logprob, lead: top[0]!.logprob - top[1]!.logprob });
        if (model.info.endTokens.has(token)) break;
        position += next.length;
        next = Int32Array.of(token);
      }
      texts.push({ tokens });
    }
    return { device: model.info.device, texts };
  } finally {
    await model.close();
  }
}

/** Compares the vectors of one batch by their cosines. */
export async function compareEmbeddings({ gpu, threads }: ComparisonOptions): Promise<Comparison> {
  const expected = await vectors('off', threads);
  const got = await vectors(gpu, threads);
  const cosines = expected.rows.map((row, index) =>
    row.reduce((sum, value, at) => sum + value * got.rows[index]![at]!, 0),
  );
  const least = Math.min(...cosines);
  const faults = least >= cosineMin ? [] : [`the least cosine of an embedding with the CPU's is ${least.toFixed(5)}`];
  return { device: got.device, sample: { cosineMin: least }, faults };
}

async function vectors(gpu: Device, threads: number) {
  const modelPath = join(demo, 'embedding/onnx/model.onnx');
  const tokenizer = await loadOnnxTokenizer({ modelPath });
  const model = await loadOnnxEmbedding({ modelPath, threads, gpu });
  try {
    const all = await model.embed(tokenizer.tokenize(questions));
    const width = all.length / questions.length;
    return { device: model.info.device, rows: questions.map((_, row) => all.subarray(row * width, (row + 1) * width)) };
  } finally {
    await model.close();
  }
}

/** Compares the pixels of one image of the same seed. */
export async function compareImages({ gpu, threads, quick }: ComparisonOptions): Promise<Comparison> {
  const expected = await image('off', threads, quick);
  const got = await image(gpu, threads, quick);
  const sum = expected.pixels.reduce((total, value, at) => total + Math.abs(value - got.pixels[at]!), 0);
  const difference = sum / expected.pixels.length;
  const faults =
    difference <= pixelDifferenceMax ? [] : [`pixels differ by ${difference.toFixed(2)} of 255 on average`];
  return { device: got.device, sample: { pixelDifference: difference }, faults };
}

async function image(gpu: Device, threads: number, quick: boolean) {
  const indexPath = join(demo, 'image/model_index.json');
  const pipeline = await loadImagePipeline(
    { indexPath, batchRowsMax: 8, threads, gpu },
    { onProgress: () => undefined },
  );
  try {
    const size = pipeline.info.nativeSizes[0]!;
    const job = {
      prompt: 'a red circle',
      negativePrompt: '',
      count: 1,
      size,
      steps: quick ? 4 : 20,
      guidanceScale: 3,
      seed: 7,
    };
    const ignored = { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false };
    const [drawn] = await pipeline.draw({ ...job, previews: 0 }, ignored);
    return { device: pipeline.info.device, pixels: drawn!.pixels };
  } finally {
    await pipeline.close();
  }
}
