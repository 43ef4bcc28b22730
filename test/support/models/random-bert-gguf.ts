/** The models of `random-bert.ts` as GGUF: the same weights with the names that llama.cpp expects. */
import type { GgufFile, MetadataValue, Tensor, TensorType } from './gguf.ts';
import { type BertShape, bertDeviations, bertValues } from './random-bert.ts';
import { tensorEncodings } from './tensor-types.ts';
import type { TokenizerFile } from './tokenizer-files.ts';
import { tokenTypes } from './tokenizers.ts';

export interface BertGgufOptions {
  readonly seed: number;
  /** Type of the matrices. Biases, norms and rows that are not whole blocks are F32. */
  readonly type?: TensorType;
  /** The `tokenizer.json` of a WordPiece tokenizer. */
  readonly tokenizer: TokenizerFile;
  /** @see llama.cpp include/llama.h, llama_pooling_type */
  readonly pooling?: 'none' | 'mean' | 'cls';
}

export function randomBertGguf(shape: BertShape, options: BertGgufOptions): GgufFile {
  return { metadata: bertMetadata(shape, options), tensors: bertTensors(shape, options) };
}

function bertMetadata(shape: BertShape, { tokenizer, pooling = 'mean' }: BertGgufOptions) {
  return {
    'general.architecture': 'bert',
    'general.name': 'tiny bert',
    'general.alignment': { u32: 32 },
    'general.file_type': { u32: 0 },
    'bert.context_length': { u32: shape.context },
    'bert.embedding_length': { u32: shape.width },
    'bert.block_count': { u32: shape.layers },
    'bert.feed_forward_length': { u32: shape.feedForward },
    'bert.attention.head_count': { u32: shape.heads },
    'bert.attention.layer_norm_epsilon': { f32: 1e-12 },
    'bert.attention.causal': false,
    'bert.pooling_type': { u32: { none: 0, mean: 1, cls: 2 }[pooling] },
    ...wordPieceMetadata(tokenizer, shape.vocabulary),
  } satisfies Record<string, MetadataValue>;
}

/** In GGUF, pieces that start a word have a mark; in `tokenizer.json`, the other pieces do. */
export function wordPieceMetadata(
  { model, added_tokens: added }: TokenizerFile,
  size: number,
  typeCount = 2,
): Record<string, MetadataValue> {
  const { vocab } = model as { vocab: Readonly<Record<string, number>> };
  const special = new Set(added.map(({ content }) => content));
  const tokens = Array.from({ length: size }, (_, id) => `[unused${id}]`);
  const types = tokens.map((): number => tokenTypes.control);
  for (const [piece, id] of Object.entries(vocab)) {
    tokens[id] = special.has(piece) ? piece : piece.startsWith('##') ? piece.slice(2) : `▁${piece}`;
    if (!special.has(piece)) types[id] = tokenTypes.normal;
    if (piece === '[UNK]') types[id] = tokenTypes.unknown;
  }
  return {
    'tokenizer.ggml.model': 'bert',
    'tokenizer.ggml.pre': 'default',
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.token_type_count': { u32: typeCount },
    'tokenizer.ggml.bos_token_id': { u32: vocab['[CLS]']! },
    'tokenizer.ggml.cls_token_id': { u32: vocab['[CLS]']! },
    'tokenizer.ggml.seperator_token_id': { u32: vocab['[SEP]']! },
    'tokenizer.ggml.unknown_token_id': { u32: vocab['[UNK]']! },
    'tokenizer.ggml.padding_token_id': { u32: vocab['[PAD]']! },
    'tokenizer.ggml.mask_token_id': { u32: vocab['[MASK]']! },
  };
}

function bertTensors(shape: BertShape, { seed, type = 'F32' }: BertGgufOptions): Tensor[] {
  const { vocabulary, layers, width, feedForward, context } = shape;
  const tensor = (name: string, sizes: readonly number[], values: () => Float32Array): Tensor => {
    // llama.cpp adds these two without conversion, so they must be F32.
    const isAdded = name === 'position_embd.weight' || name === 'token_types.weight';
    const isMatrix = !isAdded && sizes.length > 1 && sizes[0]! % tensorEncodings[type].blockValues === 0;
    let made: Float32Array | undefined;
    return {
      name,
      shape: sizes,
      type: isMatrix ? type : 'F32',
      fill(piece, start) {
        made ??= values();
        piece.set(made.subarray(start, start + piece.length));
        if (start + piece.length === made.length) made = undefined;
      },
    };
  };
  const table = (name: string, from: string, rows: number, deviation: number) =>
    tensor(name, [width, rows], () => bertValues(seed, from, { length: rows * width, deviation }));
  const vector = (name: string, from: string, length: number) =>
    tensor(name, [length], () => bertValues(seed, from, { length, deviation: bertDeviations.bias }));
  const norm = (name: string, from: string) => [
    tensor(`${name}.weight`, [width], () => new Float32Array(width).fill(1)),
    vector(`${name}.bias`, `${from}.bias`, width),
  ];
  const dense = (name: string, from: string, inputs: number, outputs: number) => [
    tensor(`${name}.weight`, [inputs, outputs], () => transposed(seed, `${from}.weight`, inputs, outputs)),
    vector(`${name}.bias`, `${from}.bias`, outputs),
  ];
  return [
    table('token_embd.weight', 'word_embeddings', vocabulary, bertDeviations.words),
    table('position_embd.weight', 'position_embeddings', context, bertDeviations.positions),
    table('token_types.weight', 'token_type_embeddings', 2, bertDeviations.kinds),
    ...norm('token_embd_norm', 'embeddings.norm'),
    ...Array.from({ length: layers }, (_, layer) => {
      const [block, from] = [`blk.${layer}`, `layer.${layer}`];
      return [
        ...dense(`${block}.attn_q`, `${from}.query`, width, width),
        ...dense(`${block}.attn_k`, `${from}.key`, width, width),
        ...dense(`${block}.attn_v`, `${from}.value`, width, width),
        ...dense(`${block}.attn_output`, `${from}.attention.output`, width, width),
        ...norm(`${block}.attn_output_norm`, `${from}.attention.norm`),
        ...dense(`${block}.ffn_up`, `${from}.intermediate`, width, feedForward),
        ...dense(`${block}.ffn_down`, `${from}.output`, feedForward, width),
        ...norm(`${block}.layer_output_norm`, `${from}.norm`),
      ];
    }).flat(),
  ];
}

/** Transposes: ONNX has [inputs, outputs], ggml one row of inputs per output. */
function transposed(seed: number, name: string, inputs: number, outputs: number): Float32Array {
  const values = bertValues(seed, name, { length: inputs * outputs, deviation: 1 / Math.sqrt(inputs) });
  const turned = new Float32Array(values.length);
  for (let row = 0; row < inputs; row++) {
    for (let column = 0; column < outputs; column++) {
      turned[column * inputs + row] = values[row * outputs + column]!;
    }
  }
  return turned;
}
