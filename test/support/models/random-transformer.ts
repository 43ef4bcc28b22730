/**
 * Transformers with seeded random weights, in the tensor names and metadata that llama.cpp expects.
 * Weights are scaled so that hidden states keep their size over the layers and logits spread like a trained model's.
 * @see llama.cpp src/models/{llama,qwen2,qwen3,qwen3moe,gemma3}.cpp
 */
import type { GgufFile, MetadataValue, Tensor, TensorType } from './gguf.ts';
import { tensorEncodings } from './tensor-types.ts';
import { type Tokenizer, tokenTypes } from './tokenizers.ts';

export type Architecture = 'llama' | 'qwen2' | 'qwen3' | 'qwen3moe' | 'gemma3';

export interface TransformerShape {
  readonly architecture: Architecture;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly headWidth: number;
  readonly feedForward: number;
  readonly context: number;
  /** The embedding is also the output matrix. */
  readonly tied: boolean;
  /** Mixture of experts only. */
  readonly experts?: { readonly count: number; readonly used: number };
  /** gemma3 only: window of a local layer in tokens. */
  readonly slidingWindow?: number;
}

export interface TransformerOptions {
  readonly name: string;
  readonly tokenizer: Tokenizer;
  readonly template: string;
  readonly type: TensorType;
  readonly seed: number;
  /** Standard deviation of the logits; about 3 concentrates the probability on a few tokens, like a trained model. */
  readonly logitSpread?: number;
}

type Filler = Tensor['fill'];

export function randomTransformer(shape: TransformerShape, options: TransformerOptions): GgufFile {
  return { metadata: transformerMetadata(shape, options), tensors: transformerTensors(shape, options) };
}

export function transformerMetadata(
  shape: TransformerShape,
  { name, tokenizer, template, type }: TransformerOptions,
): Record<string, MetadataValue> {
  const key = (suffix: string) => `${shape.architecture}.${suffix}`;
  const { experts, slidingWindow } = shape;
  return {
    'general.architecture': shape.architecture,
    'general.name': name,
    'general.alignment': { u32: 32 },
    'general.file_type': { u32: fileTypes[type] },
    [key('context_length')]: { u32: shape.context },
    [key('embedding_length')]: { u32: shape.width },
    [key('block_count')]: { u32: shape.layers },
    [key('feed_forward_length')]: { u32: shape.feedForward },
    [key('attention.head_count')]: { u32: shape.heads },
    [key('attention.head_count_kv')]: { u32: shape.keyValueHeads },
    [key('attention.key_length')]: { u32: shape.headWidth },
    [key('attention.value_length')]: { u32: shape.headWidth },
    [key('attention.layer_norm_rms_epsilon')]: { f32: 1e-6 },
    [key('rope.freq_base')]: { f32: 10_000 },
    [key('rope.dimension_count')]: { u32: shape.headWidth },
    [key('vocab_size')]: { u32: tokenizer.tokens.length },
    ...(experts && {
      [key('expert_count')]: { u32: experts.count },
      [key('expert_used_count')]: { u32: experts.used },
      [key('expert_feed_forward_length')]: { u32: shape.feedForward },
    }),
    ...(slidingWindow !== undefined && { [key('attention.sliding_window')]: { u32: slidingWindow } }),
    ...tokenizer.metadata,
    'tokenizer.chat_template': template,
  };
}

/** @see llama.cpp include/llama.h, llama_ftype */
export const fileTypes: Readonly<Record<TensorType, number>> = { F32: 0, F16: 1, Q8_0: 7, Q4_K: 14 };

function transformerTensors(shape: TransformerShape, options: TransformerOptions): Tensor[] {
  const { tokenizer, type, seed, logitSpread = 3 } = options;
  const vocabulary = tokenizer.tokens.length;
  const matrix = matrixBuilder(type);
  const random = (name: string, inputs: number, gain = 1) => randomFiller(seed, name, gain / Math.sqrt(inputs));
  const embedding = random('token_embd', shape.width, shape.tied ? logitSpread : 1);
  const output = random('output', shape.width, logitSpread);
  const quiet = quietRows(tokenizer, shape.width);
  return [
    matrix('token_embd.weight', [shape.width, vocabulary], shape.tied ? quiet(embedding) : embedding),
    { name: 'output_norm.weight', shape: [shape.width], type: 'F32', fill: ones },
    ...(shape.tied ? [] : [matrix('output.weight', [shape.width, vocabulary], quiet(output))]),
    ...Array.from({ length: shape.layers }, (_, layer) => layerTensors(shape, layer, { matrix, random })).flat(),
  ];
}

interface Builders {
  matrix(name: string, shape: readonly number[], fill: Filler): Tensor;
  random(name: string, inputs: number, gain?: number): Filler;
}

function layerTensors(shape: TransformerShape, layer: number, { matrix, random }: Builders): Tensor[] {
  const { architecture, width, heads, keyValueHeads, headWidth } = shape;
  const norm = (name: string, size: number): Tensor => ({
    name: `blk.${layer}.${name}.weight`,
    shape: [size],
    type: 'F32',
    fill: ones,
  });
  const dense = (name: string, inputs: number, outputs: number): Tensor => {
    const full = `blk.${layer}.${name}.weight`;
    return matrix(full, [inputs, outputs], random(full, inputs));
  };
  const bias = (name: string, size: number): Tensor => {
    const full = `blk.${layer}.${name}.bias`;
    return { name: full, shape: [size], type: 'F32', fill: random(full, 100) };
  };
  const headNorms = architecture === 'qwen3' || architecture === 'qwen3moe' || architecture === 'gemma3';
  return [
    norm('attn_norm', width),
    dense('attn_q', width, heads * headWidth),
    dense('attn_k', width, keyValueHeads * headWidth),
    dense('attn_v', width, keyValueHeads * headWidth),
    ...(architecture === 'qwen2'
      ? [bias('attn_q', heads * headWidth), bias('attn_k', keyValueHeads * headWidth)].concat(
          bias('attn_v', keyValueHeads * headWidth),
        )
      : []),
    dense('attn_output', heads * headWidth, width),
    ...(headNorms ? [norm('attn_q_norm', headWidth), norm('attn_k_norm', headWidth)] : []),
    ...(architecture === 'gemma3' ? [norm('post_attention_norm', width), norm('post_ffw_norm', width)] : []),
    norm('ffn_norm', width),
    ...feedForwardTensors(shape, layer, { matrix, random }),
  ];
}

function feedForwardTensors(shape: TransformerShape, layer: number, { matrix, random }: Builders): Tensor[] {
  const { width, feedForward, experts } = shape;
  const suffix = experts ? '_exps' : '';
  const part = (name: string, inputs: number, outputs: number, gain: number): Tensor => {
    const full = `blk.${layer}.${name}${suffix}.weight`;
    return matrix(full, experts ? [inputs, outputs, experts.count] : [inputs, outputs], random(full, inputs, gain));
  };
  const router = `blk.${layer}.ffn_gate_inp.weight`;
  return [
    ...(experts
      ? [{ name: router, shape: [width, experts.count], type: 'F32' as const, fill: random(router, width) }]
      : []),
    part('ffn_gate', width, feedForward, 1),
    part('ffn_up', width, feedForward, 1),
    // Doubled, because the gate halves the result, and the layers together must outweigh the embedding.
    part('ffn_down', feedForward, width, 2),
  ];
}

/** Falls back to Q8_0, like llama.cpp's quantizer, if rows are not whole Q4_K blocks. */
export function matrixBuilder(type: TensorType): Builders['matrix'] {
  return (name, shape, fill) => {
    const whole = shape[0]! % tensorEncodings[type].blockValues === 0;
    return { name, shape, type: whole ? type : 'Q8_0', fill };
  };
}

/** Zeroes the output rows of control and byte tokens, so that sampled text consists of words and never ends. */
export function quietRows(tokenizer: Tokenizer, width: number): (fill: Filler) => Filler {
  const loud = tokenizer.tokens.map((token, id) => tokenizer.types[id] === tokenTypes.normal && token.length > 1);
  return (fill) => (values, start) => {
    fill(values, start);
    for (let i = 0; i < values.length; ) {
      const row = Math.floor((start + i) / width);
      const end = Math.min(values.length, (row + 1) * width - start);
      if (!loud[row]) values.fill(0, i, end);
      i = end;
    }
  };
}

/** Uniform numbers of the given standard deviation; xorshift32, one stream per tensor name. */
export function randomFiller(seed: number, name: string, deviation: number): Filler {
  let first = seed >>> 0;
  for (const character of name) first = Math.imul(first ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  first ||= 1;
  let state = first;
  const scale = (deviation * Math.sqrt(3)) / 2 ** 31;
  return (values, start) => {
    let bits = start === 0 ? first : state;
    for (let i = 0; i < values.length; i++) {
      bits ^= bits << 13;
      bits ^= bits >>> 17;
      bits ^= bits << 5;
      values[i] = bits * scale;
    }
    state = bits;
  };
}

export function ones(values: Float32Array): void {
  values.fill(1);
}
