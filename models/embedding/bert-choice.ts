/** Decides whether Cloister's own kernels compute a text encoder: if its weights are found in the graph and the results match. */
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
  /** The model on ONNX Runtime; it is closed if the own kernels replace it. */
  readonly model: OnnxEmbeddingModel;
  readonly source: {
    readonly path: string;
    readonly graph: Pick<Graph, 'output' | 'pooling'>;
    readonly config: Readonly<Record<string, unknown>>;
    readonly files: PinnedFiles;
    /** Whether the output is the logit of a pair. */
    readonly hasHead?: boolean | undefined;
  };
  readonly facts: OnnxModelFacts;
  readonly threads: number;
  /** Opens the model on ONNX Runtime again. */
  readonly reopen: () => Promise<OnnxEmbeddingModel>;
}

/** Lengths of the test texts, as far as the context allows; in addition, the longest possible text within each maximum. */
const probeLengths = [1, 7, 33];
const probeLengthsMax = [512, 2048];
/** Position of a padding token in longer test texts. */
const paddedAt = 5;
const seed = 0x2545f491;
/** A different order of summation changes the cosine by less than a millionth; a misread model is far below this. */
const floatCosineMin = 0.99999;
/**
 * If activations are quantized to eight bits, a different order of summation can change a rounding, which affects all later
 * layers. The lowest cosine of 1,800 texts was 0.9996 with six random layers and 0.9995 with 24; quantization itself gives
 * 0.9994 compared with fp32.
 */
const cosineMinQuantized = 0.999;
/** Relative tolerance of a logit, in fp32 and with quantized activations: their cosines as above. */
const logitTolerance = { float: 0.002, quantized: 0.05 } as const;
/** Relative tolerance of a vector's length, for models that do not normalize. */
const lengthTolerance = 0.01;

/** @returns the model to use; if it is the one on ONNX Runtime, its info contains the reason */
export async function chooseKernels(candidate: KernelCandidate): Promise<EmbeddingModel> {
  const { model, reopen } = candidate;
  const trial = await prepareTrial(candidate);
  if (typeof trial === 'string') return model.explain(trial);
  // Closed first, so that large weights are not in memory three times.
  await model.close();
  const own = await tryKernels(candidate, trial);
  release(trial.weights);
  return typeof own === 'string' ? (await reopen()).explain(own) : own;
}

interface Trial extends BertReading {
  readonly pooling: NonNullable<Graph['pooling']>;
  readonly probes: readonly Int32Array[];
  /** The results of ONNX Runtime, one per probe. */
  readonly expected: readonly Float32Array[];
}

/** @returns the reason if the kernels cannot be tried; never throws and does not change the model on ONNX Runtime */
async function prepareTrial({ model, source, facts }: KernelCandidate): Promise<Trial | string> {
  let weights: BertWeights | undefined;
  try {
    if (!BertEncoder.isSupported()) return "Cloister's kernels need AVX2";
    const { output, pooling } = source.graph;
    if (pooling === undefined) return 'the pooling of the graph is unknown';
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

/** @returns the reason if the results differ or the kernels do not support the weights */
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

function differenceOf(trial: Trial, found: readonly Float32Array[]): string | undefined {
  const { probes, expected, isQuantized } = trial;
  const cosineMin = isQuantized ? cosineMinQuantized : floatCosineMin;
  for (const [index, vector] of found.entries()) {
    const other = expected[index]!;
    if (vector.length !== other.length) {
      return `Cloister's kernels return ${vector.length} numbers per text, the graph returns ${other.length}`;
    }
    if (trial.head !== undefined) {
      const difference = Math.abs(vector[0]! - other[0]!) / (1 + Math.abs(other[0]!));
      // NaN fails the comparison, so it is refused.
      if (difference < (isQuantized ? logitTolerance.quantized : logitTolerance.float)) continue;
      return `the results of Cloister's kernels differ: by ${difference.toFixed(6)} for ${probes[index]!.length} tokens`;
    }
    const { cosine, lengths } = compare(vector, other);
    // NaN fails both comparisons, so it is refused.
    if (cosine > cosineMin && Math.abs(lengths - 1) < lengthTolerance) continue;
    return `the results of Cloister's kernels differ: cosine ${cosine.toFixed(6)} for ${probes[index]!.length} tokens`;
  }
  return undefined;
}

/**
 * Pseudorandom texts, the same at each load. Longer texts contain a padding token, to which some encoders give its own position.
 */
function probesFor(weights: BertWeights, { contextLength, ...facts }: OnnxModelFacts): readonly Int32Array[] {
  const paddingToken = weights.paddingToken ?? facts.paddingToken;
  const longest = probeLengthsMax.map((bound) => Math.min(contextLength, bound));
  const lengths = new Set([...probeLengths.filter((length) => length < contextLength), ...longest]);
  let state = seed;
  const nextToken = () => {
    // Xorshift with 32 bits.
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

/** @param b same length as `a` · @returns the cosine, and the ratio of the lengths */
function compare(a: Float32Array, b: Float32Array): { readonly cosine: number; readonly lengths: number } {
  let [product, aSquares, bSquares] = [0, 0, 0];
  for (let index = 0; index < b.length; index++) {
    product += a[index]! * b[index]!;
    aSquares += a[index]! ** 2;
    bSquares += b[index]! ** 2;
  }
  return { cosine: product / Math.sqrt(aSquares * bSquares), lengths: Math.sqrt(aSquares / bSquares) };
}
