/** Reads the weights of a BERT from an ONNX file, for Cloister's own kernels. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BertWeights } from '@cloister/native/bert-weights';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { readExternalFiles } from '../onnx/external.ts';
import { withOnnxGraph } from '../onnx/graph.ts';
import { firstLine } from '../onnx/onnx-provider.ts';
import { type BertConfig, bertConfig } from './config.ts';
import { type BertParts, findBert, type LayerParts } from './graph.ts';
import { type BertHead, readHead } from './head.ts';
import { fail } from './not-bert.ts';

export interface BertSource {
  /** The graph. */
  readonly path: string;
  /** Name of the graph's output: token rows, or their pooled result. */
  readonly output: string;
  /** The object in `config.json`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Maximum tokens of a text. */
  readonly contextLength: number;
  /** Whether the output is a logit, computed by a head on the first token. */
  readonly hasHead?: boolean | undefined;
}

export interface BertReading {
  readonly weights: BertWeights;
  /** Whether weights of a layer have eight bits, so that ONNX Runtime also quantizes activations. */
  readonly isQuantized: boolean;
  readonly head?: BertHead | undefined;
}

/** @returns the weights, or the reason why the kernels cannot compute the graph or the file cannot be read */
export function readBertWeights(source: BertSource, files: PinnedFiles): BertReading | string {
  try {
    const config = bertConfig(source.config);
    return withOnnxGraph(source.path, files, (graph) => {
      const parts = findBert(graph, source.output, config);
      const sizes = requireShapes(parts, { ...config, ...source });
      requireFileSize(parts, sizes, bytesOf(source.path));
      const head = source.hasHead ? readHead(graph, source.output) : undefined;
      const weights = weightsOf(parts, { ...config, ...sizes });
      return { weights, isQuantized: parts.layers.some(isLayerQuantized), head };
    });
  } catch (error) {
    return firstLine(error);
  }
}

/** Frees the memory of the arrays at once, because the garbage collector may wait; the arrays are empty afterwards. */
export function releaseWeights(weights: BertWeights): void {
  const left: unknown[] = [weights];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (ArrayBuffer.isView(part)) (part.buffer as ArrayBuffer).transfer(0);
    else if (typeof part === 'object' && part !== null) left.push(...Object.values(part));
  }
}

type Sizes = Pick<BertWeights, 'width' | 'feedForward' | 'epsilon'>;

function requireShapes(
  { tables, norm, layers }: BertParts,
  { heads, contextLength, firstPosition }: { heads: number; contextLength: number; firstPosition: number },
): Sizes {
  const { width } = norm;
  const feedForward = layers[0]?.up.outputs ?? fail('the graph has no layers');
  if (width % heads !== 0) fail(`the width ${width} is not a multiple of ${heads} heads`);
  if (tables.places.rows < firstPosition + contextLength) fail('the position table is shorter than the context');
  for (const table of [tables.words, tables.places, tables.kinds]) {
    if (table !== undefined && (table.width !== width || table.rows === 0)) fail('the tables have different widths');
  }
  for (const layer of layers) {
    const { query, key, value, attended, attentionNorm, up, down, outputNorm } = layer;
    const isSquare = [query, key, value, attended].every(
      ({ inputs, outputs }) => inputs === width && outputs === width,
    );
    const isWide =
      up.inputs === width && up.outputs === feedForward && down.inputs === feedForward && down.outputs === width;
    const norms = [attentionNorm, outputNorm].every((one) => one.width === width && one.epsilon === norm.epsilon);
    if (!isSquare || !isWide || !norms) fail('the layers have different shapes');
  }
  return { width, feedForward, epsilon: norm.epsilon };
}

/** Refuses graphs whose layers share one matrix, which would be read into many times the size of the file: each weight takes at least a byte. */
function requireFileSize({ tables, layers }: BertParts, { width, feedForward }: Sizes, bytes: number): void {
  const ofTables = (tables.words.rows + tables.places.rows) * width;
  const ofLayers = layers.length * (4 * width * width + 2 * width * feedForward);
  if (ofTables + ofLayers > bytes) fail('the layers share weights: together they exceed the size of the file');
}

/** Bytes of the graph and its external weight files. */
function bytesOf(path: string): number {
  const paths = [path, ...readExternalFiles(path).map((name) => join(dirname(path), name))];
  return paths.reduce((sum, one) => sum + statSync(one).size, 0);
}

function weightsOf(
  { tables, norm, layers }: BertParts,
  sizes: Sizes & Pick<BertConfig, 'heads' | 'firstPosition' | 'paddingToken'>,
): BertWeights {
  const { width, heads, feedForward, firstPosition, paddingToken, epsilon } = sizes;
  return {
    ...{ width, heads, feedForward, firstPosition, epsilon },
    ...(paddingToken !== undefined && { paddingToken }),
    vocabulary: tables.words.rows,
    positions: tables.places.rows,
    words: tables.words.readPacked?.() ?? tables.words.read(),
    places: tables.places.read(),
    ...(tables.kinds && { kind: tables.kinds.read().slice(0, width) }),
    norm: norm.read(),
    layers: layers.map(readLayer),
  };
}

function isLayerQuantized({ query, key, value, attended, up, down }: LayerParts): boolean {
  return [query, key, value, attended, up, down].some(({ isQuantized }) => isQuantized);
}

function readLayer({ query, key, value, attended, attentionNorm, up, down, outputNorm }: LayerParts) {
  return {
    query: query.read(),
    key: key.read(),
    value: value.read(),
    attended: attended.read(),
    attentionNorm: attentionNorm.read(),
    up: up.read(),
    down: down.read(),
    outputNorm: outputNorm.read(),
  };
}
