/** Whether a text encoder is computed by our own kernels: where its weights are found and the numbers come out the same. */
import { BertEncoder } from '@cloister/native/bert-encoder';
import type { BertWeights } from '@cloister/native/bert-weights';
import { returnFreeMemory } from '@cloister/native/memory';
import { BertEmbeddingModel } from '../bert/embedding.ts';
import { type BertReading, readBertWeights, releaseWeights } from '../bert/weights.ts';
import type { PinnedFiles } from '../files/pinned-files.ts';
import type { EmbeddingModel } from '../interface/embedding-model.ts';
import { firstLine } from '../onnx/onnx-provider.ts';
import type { Graph } from './onnx-embedding-graph.ts';
import type { OnnxEmbeddingModel, OnnxModelFacts } from './onnx-embedding-model.ts';

export interface KernelCandidate {
  /** On ONNX Runtime; it is closed where our own kernels take its place. */
  readonly model: OnnxEmbeddingModel;
  readonly source: {
    readonly path: string;
    readonly graph: Pick<Graph, 'output' | 'pooling'>;
    readonly config: Readonly<Record<string, unknown>>;
    readonly files: PinnedFiles;
  };
  readonly facts: OnnxModelFacts;
  readonly threads: number;
  /** Opens the model on ONNX Runtime again. */
  readonly reopen: () => Promise<OnnxEmbeddingModel>;
}

/** Lengths of the texts that both are given, where the context allows them; and the longest that it does, of each bound. */
const probeLengths = [1, 7, 33];
const probeLengthsMax = [512, 2048];
/** Where longer ones hold a padding token. */
const paddedAt = 5;
const seed = 0x2545f491;
/** Sums in another order do not move the cosine by a millionth; a model that is read wrongly falls far below. */
const floatCosineMin = 0.99999;
/**
 * Where activations are rounded to eight bits, such a sum may fall on the other side of a step, and all after it sees
 * that. Of 1,800 texts through six random layers the worst was 0.9996, where eight bits themselves cost 0.9994 beside
 * fp32; through 24 layers it was 0.9995.
 */
const cosineMinQuantised = 0.999;
/** Of a vector's length, where it is not made 1. */
const lengthTolerance = 0.01;

/** @returns whichever model computes from now on, saying why where it is ONNX Runtime's */
export async function chooseKernels(candidate: KernelCandidate): Promise<EmbeddingModel> {
  const { model, reopen } = candidate;
  const trial = await prepareTrial(candidate);
  if (typeof trial === 'string') return model.explain(trial);
  // Large weights should not be in memory three times.
  await model.close();
  const own = await tryKernels(candidate, trial);
  release(trial.weights);
  return typeof own === 'string' ? (await reopen()).explain(own) : own;
}

interface Trial extends BertReading {
  readonly pooling: NonNullable<Graph['pooling']>;
  readonly probes: readonly Int32Array[];
  /** What ONNX Runtime makes of each. */
  readonly expected: readonly Float32Array[];
}

/** @returns why there is none; the model on ONNX Runtime stays as it is, whatever goes wrong */
async function prepareTrial({ model, source, facts }: KernelCandidate): Promise<Trial | string> {
  let weights: BertWeights | undefined;
  try {
    if (!BertEncoder.isSupported()) return 'our own kernels need AVX-512 with VNNI';
    const { output, pooling } = source.graph;
    if (pooling === undefined) return 'nothing says how the graph pools';
    const reading = readBertWeights({ ...source, output, contextLength: facts.contextLength }, source.files);
    if (typeof reading === 'string') return reading;
    weights = reading.weights;
    const probes = probesFor(weights, facts);
    return { ...reading, pooling, probes, expected: await embedEach(model, probes) };
  } catch (error) {
    if (weights !== undefined) release(weights);
    return firstLine(error);
  }
}

function release(weights: BertWeights): void {
  releaseWeights(weights);
  returnFreeMemory();
}

/** @returns why not, where the numbers are others or the kernels do not take the weights */
async function tryKernels(candidate: KernelCandidate, trial: Trial): Promise<EmbeddingModel | string> {
  const { model, facts, threads } = candidate;
  const { device, whyNotGpu } = model.info;
  const place = { device, ...(whyNotGpu && { whyNotGpu }) };
  const description = `${facts.description}, own kernels`;
  let own: BertEmbeddingModel | undefined;
  try {
    own = new BertEmbeddingModel({ ...facts, ...trial, threads, description, place });
    const difference = differenceOf(trial, await embedEach(own, trial.probes));
    if (difference === undefined) return own;
    await own.close();
    return difference;
  } catch (error) {
    await own?.close();
    return firstLine(error);
  }
}

function differenceOf({ probes, expected, isQuantised }: Trial, found: readonly Float32Array[]): string | undefined {
  const cosineMin = isQuantised ? cosineMinQuantised : floatCosineMin;
  for (const [index, vector] of found.entries()) {
    const other = expected[index]!;
    if (vector.length !== other.length) {
      return `our own kernels give ${vector.length} numbers for a text, the graph gives ${other.length}`;
    }
    const { cosine, lengths } = compare(vector, other);
    // Written so that what is no number is refused.
    if (cosine > cosineMin && Math.abs(lengths - 1) < lengthTolerance) continue;
    return `our own kernels give other numbers: a cosine of ${cosine.toFixed(6)} for ${probes[index]!.length} tokens`;
  }
  return undefined;
}

/** Tokens at random, the same at each load; longer ones hold one of padding, which some encoders give a place of its own. */
function probesFor(weights: BertWeights, { contextLength, ...facts }: OnnxModelFacts): readonly Int32Array[] {
  const paddingToken = weights.paddingToken ?? facts.paddingToken;
  const longest = probeLengthsMax.map((bound) => Math.min(contextLength, bound));
  const lengths = new Set([...probeLengths.filter((length) => length < contextLength), ...longest]);
  let state = seed;
  const nextToken = () => {
    // Xorshift, of 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % weights.vocabulary;
  };
  return Array.from(lengths, (length) => {
    const probe = Int32Array.from({ length }, nextToken);
    if (length > paddedAt) probe[paddedAt] = paddingToken;
    return probe;
  });
}

async function embedEach(model: EmbeddingModel, probes: readonly Int32Array[]): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const probe of probes) vectors.push(await model.embed([probe]));
  return vectors;
}

/** @param b as many numbers as `a` · @returns the cosine, and the quotient of the lengths */
function compare(a: Float32Array, b: Float32Array): { readonly cosine: number; readonly lengths: number } {
  let [product, aSquares, bSquares] = [0, 0, 0];
  for (let index = 0; index < b.length; index++) {
    product += a[index]! * b[index]!;
    aSquares += a[index]! ** 2;
    bSquares += b[index]! ** 2;
  }
  return { cosine: product / Math.sqrt(aSquares * bSquares), lengths: Math.sqrt(aSquares / bSquares) };
}
