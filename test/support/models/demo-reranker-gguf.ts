/** The demo reranker as GGUF: the weights of its ONNX file in single precision, with the names that llama.cpp expects. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BertReading, readBertWeights } from '../../../models/bert/weights.ts';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import type { BertLayer, Dense, Norm } from '../../../native/bert-weights.ts';
import { type GgufFile, type MetadataValue, type Tensor, writeGguf } from './gguf.ts';
import { wordPieceMetadata } from './random-bert-gguf.ts';
import type { TokenizerFile } from './tokenizer-files.ts';

export interface RerankerGgufOptions {
  /** @see llama.cpp include/llama.h, llama_pooling_type; default: rank */
  readonly pooling?: number;
  /** Default 1: the model does not distinguish the texts of a pair. */
  readonly tokenTypes?: number;
  readonly hasHead?: boolean;
}

const folder = join(import.meta.dirname, '../../../models/demo/reranker');
const context = 512;

/** The graph of the demo reranker. */
export const demoRerankerPath = join(folder, 'onnx/model.onnx');

/** Writes the demo reranker as GGUF. */
export function writeDemoReranker(path: string, options: RerankerGgufOptions = {}): void {
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const source = { path: demoRerankerPath, output: 'logits', contextLength: context, hasHead: true };
  const reading = readBertWeights({ ...source, config: readJson('config.json') }, new PinnedFiles(undefined));
  if (typeof reading === 'string') throw new Error(reading);
  writeGguf(path, rerankerGguf(reading, readJson('tokenizer.json') as TokenizerFile, options));
}

function rerankerGguf(
  { weights, head }: BertReading,
  tokenizer: TokenizerFile,
  { pooling = 4, tokenTypes = 1, hasHead = true }: RerankerGgufOptions,
): GgufFile {
  const { width, heads, feedForward, layers, vocabulary, positions } = weights;
  const metadata: Record<string, MetadataValue> = {
    'general.architecture': 'bert',
    'general.name': 'demo reranker',
    'general.alignment': { u32: 32 },
    'general.file_type': { u32: 0 },
    'bert.context_length': { u32: context },
    'bert.embedding_length': { u32: width },
    'bert.block_count': { u32: layers.length },
    'bert.feed_forward_length': { u32: feedForward },
    'bert.attention.head_count': { u32: heads },
    'bert.attention.layer_norm_epsilon': { f32: weights.epsilon },
    'bert.attention.causal': false,
    'bert.pooling_type': { u32: pooling },
    ...wordPieceMetadata(tokenizer, vocabulary, tokenTypes),
  };
  const tensors = [
    tensor('token_embd.weight', [width, vocabulary], floatsOf(weights.words)),
    tensor('position_embd.weight', [width, positions], weights.places),
    ...norm('token_embd_norm', weights.norm),
    ...layers.flatMap((layer, index) => layerTensors(layer, `blk.${index}`)),
    ...(hasHead ? [...dense('cls', head!.pooler!), ...dense('cls.output', head!.classifier)] : []),
  ];
  return { metadata, tensors };
}

function layerTensors(layer: BertLayer, block: string): Tensor[] {
  return [
    ...dense(`${block}.attn_q`, layer.query),
    ...dense(`${block}.attn_k`, layer.key),
    ...dense(`${block}.attn_v`, layer.value),
    ...dense(`${block}.attn_output`, layer.attended),
    ...norm(`${block}.attn_output_norm`, layer.attentionNorm),
    ...dense(`${block}.ffn_up`, layer.up),
    ...dense(`${block}.ffn_down`, layer.down),
    ...norm(`${block}.layer_output_norm`, layer.outputNorm),
  ];
}

function tensor(name: string, shape: readonly number[], values: Float32Array): Tensor {
  return {
    ...{ name, shape, type: 'F32' },
    fill: (piece, start) => piece.set(values.subarray(start, start + piece.length)),
  };
}

const norm = (name: string, { scale, shift }: Norm) => [
  tensor(`${name}.weight`, [scale.length], scale),
  tensor(`${name}.bias`, [shift.length], shift),
];

/** Weights are [inputs, outputs]; ggml has one row of inputs for each output. */
function dense(name: string, { weights, bias }: Dense): Tensor[] {
  if (!(weights instanceof Float32Array)) throw new TypeError(`${name} is quantized`);
  const outputs = bias.length;
  const inputs = weights.length / outputs;
  const turned = new Float32Array(weights.length);
  for (let row = 0; row < inputs; row++) {
    for (let column = 0; column < outputs; column++) turned[column * inputs + row] = weights[row * outputs + column]!;
  }
  return [tensor(`${name}.weight`, [inputs, outputs], turned), tensor(`${name}.bias`, [outputs], bias)];
}

function floatsOf(words: BertReading['weights']['words']): Float32Array {
  if (words instanceof Float32Array) return words;
  return Float32Array.from(words.bytes, (byte) => words.scale * (byte - words.zeroPoint));
}
