/** A BERT's weights out of an ONNX file, for our own kernels. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BertWeights } from '@cloister/native/bert-weights';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { readExternalFiles } from '../onnx/external.ts';
import { withOnnxGraph } from '../onnx/graph.ts';
import { firstLine } from '../onnx/onnx-provider.ts';
import { type BertConfig, bertConfig } from './config.ts';
import { type BertParts, findBert, type LayerParts } from './graph.ts';
import { fail } from './not-bert.ts';

export interface BertSource {
  /** The graph. */
  readonly path: string;
  /** Its output: rows for tokens, or what is pooled of them. */
  readonly output: string;
  /** The object in `config.json`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Tokens that a text may have. */
  readonly contextLength: number;
}

export interface BertReading {
  readonly weights: BertWeights;
  /** Weights of a layer are in eight bits, and ONNX Runtime rounds what they are multiplied with as it sees fit. */
  readonly isQuantised: boolean;
}

/** @returns a sentence that says why it is none, where it is none that our kernels compute, or none that can be read */
export function readBertWeights(source: BertSource, files: PinnedFiles): BertReading | string {
  try {
    const config = bertConfig(source.config);
    return withOnnxGraph(source.path, files, (graph) => {
      const parts = findBert(graph, source.output, config);
      const sizes = requireShapes(parts, { ...config, ...source });
      requireHeld(parts, sizes, bytesOf(source.path));
      const weights = weightsOf(parts, { ...config, ...sizes });
      return { weights, isQuantised: parts.layers.some(isLayerQuantised) };
    });
  } catch (error) {
    return firstLine(error);
  }
}

/** Gives the memory back at once, since the garbage collector sees little reason to: the arrays are empty from then on. */
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
  const feedForward = layers[0]?.up.outputs ?? fail('it has no layers');
  if (width % heads !== 0) fail(`${width} numbers cannot be shared out among ${heads} heads`);
  if (tables.places.rows < firstPosition + contextLength) fail('the table of positions is shorter than the context');
  for (const table of [tables.words, tables.places, tables.kinds]) {
    if (table !== undefined && (table.width !== width || table.rows === 0)) fail('the tables are not all of one width');
  }
  for (const layer of layers) {
    const { query, key, value, attended, attentionNorm, up, down, outputNorm } = layer;
    const isSquare = [query, key, value, attended].every(
      ({ inputs, outputs }) => inputs === width && outputs === width,
    );
    const isWide =
      up.inputs === width && up.outputs === feedForward && down.inputs === feedForward && down.outputs === width;
    const norms = [attentionNorm, outputNorm].every((one) => one.width === width && one.epsilon === norm.epsilon);
    if (!isSquare || !isWide || !norms) fail('its layers are not all of one shape');
  }
  return { width, feedForward, epsilon: norm.epsilon };
}

/** A number takes a byte at least: a file whose layers all name one matrix would be read into many times its size. */
function requireHeld({ tables, layers }: BertParts, { width, feedForward }: Sizes, bytes: number): void {
  const ofTables = (tables.words.rows + tables.places.rows) * width;
  const ofLayers = layers.length * (4 * width * width + 2 * width * feedForward);
  if (ofTables + ofLayers > bytes) fail('its layers share weights: they are more than the file holds');
}

/** With the files beside the graph that hold its weights. */
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

function isLayerQuantised({ query, key, value, attended, up, down }: LayerParts): boolean {
  return [query, key, value, attended, up, down].some(({ isQuantised }) => isQuantised);
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
