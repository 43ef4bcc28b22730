/**
 * A Mamba model with seeded random weights: a recurrent model, whose state has a fixed size
 * and cannot be trimmed to an earlier token.
 * @see llama.cpp src/models/mamba.cpp, mamba-base.cpp
 */
import type { GgufFile, MetadataValue, Tensor } from './gguf.ts';
import {
  fileTypes,
  matrixBuilder,
  ones,
  quietRows,
  randomFiller,
  type TransformerOptions,
} from './random-transformer.ts';

export interface MambaShape {
  readonly layers: number;
  readonly width: number;
  readonly context: number;
  /** Width of the convolution in tokens. */
  readonly convolution: number;
  /** State size per channel. */
  readonly state: number;
  readonly timeStepRank: number;
}

/** The only factor between a layer's width and its channels that llama.cpp supports. */
const expansion = 2;

export function randomMamba(shape: MambaShape, options: TransformerOptions): GgufFile {
  return { metadata: mambaMetadata(shape, options), tensors: mambaTensors(shape, options) };
}

function mambaMetadata(
  shape: MambaShape,
  { name, tokenizer, template, type }: TransformerOptions,
): Record<string, MetadataValue> {
  return {
    'general.architecture': 'mamba',
    'general.name': name,
    'general.alignment': { u32: 32 },
    'general.file_type': { u32: fileTypes[type] },
    'mamba.context_length': { u32: shape.context },
    'mamba.embedding_length': { u32: shape.width },
    'mamba.feed_forward_length': { u32: 0 },
    'mamba.attention.head_count': { u32: 0 },
    'mamba.block_count': { u32: shape.layers },
    'mamba.ssm.conv_kernel': { u32: shape.convolution },
    'mamba.ssm.inner_size': { u32: expansion * shape.width },
    'mamba.ssm.state_size': { u32: shape.state },
    'mamba.ssm.time_step_rank': { u32: shape.timeStepRank },
    'mamba.attention.layer_norm_rms_epsilon': { f32: 1e-6 },
    'mamba.vocab_size': { u32: tokenizer.tokens.length },
    ...tokenizer.metadata,
    'tokenizer.chat_template': template,
  };
}

function mambaTensors(shape: MambaShape, options: TransformerOptions): Tensor[] {
  const { tokenizer, type, seed, logitSpread = 3 } = options;
  const { width } = shape;
  const matrix = matrixBuilder(type);
  const random = (name: string, inputs: number, gain = 1) => randomFiller(seed, name, gain / Math.sqrt(inputs));
  const vocabulary = tokenizer.tokens.length;
  return [
    matrix('token_embd.weight', [width, vocabulary], random('token_embd', width)),
    { name: 'output_norm.weight', shape: [width], type: 'F32', fill: ones },
    matrix('output.weight', [width, vocabulary], quietRows(tokenizer, width)(random('output', width, logitSpread))),
    ...Array.from({ length: shape.layers }, (_, layer) => layerTensors(shape, layer, { matrix, random })).flat(),
  ];
}

interface Builders {
  readonly matrix: ReturnType<typeof matrixBuilder>;
  random(name: string, inputs: number, gain?: number): Tensor['fill'];
}

function layerTensors(shape: MambaShape, layer: number, { matrix, random }: Builders): Tensor[] {
  const { width, convolution, state, timeStepRank } = shape;
  const channels = expansion * width;
  const full = (name: string) => `blk.${layer}.${name}`;
  const dense = (name: string, inputs: number, outputs: number, gain = 1): Tensor =>
    matrix(full(name), [inputs, outputs], random(full(name), inputs, gain));
  const plain = (name: string, size: readonly number[], fill: Tensor['fill']): Tensor => ({
    name: full(name),
    shape: size,
    type: 'F32',
    fill,
  });
  return [
    plain('attn_norm.weight', [width], ones),
    dense('ssm_in.weight', width, 2 * channels),
    plain('ssm_conv1d.weight', [convolution, channels], random(full('ssm_conv1d'), convolution)),
    plain('ssm_conv1d.bias', [channels], random(full('ssm_conv1d_b'), 100)),
    dense('ssm_x.weight', channels, timeStepRank + 2 * state),
    plain('ssm_dt.weight', [timeStepRank, channels], random(full('ssm_dt'), timeStepRank)),
    plain('ssm_dt.bias', [channels], (values) => void values.fill(-1)),
    plain('ssm_a', [state, channels], decay(state)),
    plain('ssm_d', [channels], ones),
    // Larger than the embedding that it is added to, so that the answer depends on the whole text.
    dense('ssm_out.weight', channels, width, 4),
  ];
}

/** −1, −2, −3 … per channel, the usual initialization: some values of the state decay fast, others slowly. */
function decay(state: number): Tensor['fill'] {
  return (values, start) => {
    for (let i = 0; i < values.length; i++) values[i] = -(((start + i) % state) + 1) / 8;
  };
}
