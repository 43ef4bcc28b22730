/** BERT-shaped text encoders with seeded random weights, as ONNX, in fp32 or dynamically quantized to int8. */
import { type DenseForm, writeDense, writeNorm, writePackedLookup } from './bert-forms.ts';
import { OnnxGraph } from './onnx-writer.ts';
import { randomFiller } from './random-transformer.ts';

export interface BertShape {
  readonly vocabulary: number;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly feedForward: number;
  /** Number of position embeddings. */
  readonly context: number;
}

export interface BertOptions {
  readonly seed: number;
  /** `int8`: weights are quantized per column, activations at run time by the range of the whole tensor. */
  readonly type?: 'float32' | 'int8';
  /** Form of products with weights; overrides `type`. */
  readonly form?: DenseForm;
  /** Whether a norm is one node, not several. Default true. */
  readonly hasNormNodes?: boolean;
  /** Whether the word table is in eight bits. Default false. */
  readonly hasPackedWords?: boolean;
  readonly tokenTypes?: boolean;
  readonly attentionMask?: boolean;
  /** Constant position ids, one per token, which limit the length of texts. Default: 0, 1, 2 … for any length. */
  readonly places?: readonly number[];
  /** Receives the bytes of the external file `weights.bin`; default: the weights are in the graph. */
  readonly onWeights?: (bytes: Uint8Array) => void;
  /** Whether all layers share the tensors of the first. Default false. */
  readonly sharesLayers?: boolean;
  /** Values per token in the output; default all. */
  readonly widthGiven?: number;
  /** Name of the output; `sentence_embedding` is the mean of the tokens without padding. */
  readonly output?: 'last_hidden_state' | 'token_embeddings' | 'sentence_embedding';
  readonly outputType?: 'float32' | 'float16';
}

/** @returns the bytes of `model.onnx` */
export function randomBert(shape: BertShape, options: BertOptions): Uint8Array {
  const { tokenTypes = true, attentionMask = true, output = 'last_hidden_state', outputType = 'float32' } = options;
  const { widthGiven = shape.width } = options;
  const graph = new OnnxGraph();
  const weights = new Weights(graph, options);
  const tokens = ['batch_size', 'sequence_length'];
  const ids = graph.input({ name: 'input_ids', type: 'int64', shape: tokens });
  const mask = attentionMask ? graph.input({ name: 'attention_mask', type: 'int64', shape: tokens }) : undefined;
  const types = tokenTypes ? graph.input({ name: 'token_type_ids', type: 'int64', shape: tokens }) : undefined;

  let hidden = embedTokens(graph, weights, { ids, types, shape, places: options.places });
  const bias = mask === undefined ? undefined : maskBias(graph, mask);
  for (let index = 0; index < shape.layers; index++) {
    hidden = bertLayer(graph, weights, { hidden, bias, shape, layer: options.sharesLayers ? 0 : index });
  }
  const isPooled = output === 'sentence_embedding';
  const pooled = isPooled ? meanOfTokens(graph, hidden, mask!) : hidden;
  const result = widthGiven === shape.width ? pooled : firstColumns(graph, pooled, widthGiven);
  const sizes = isPooled ? ['batch_size', widthGiven] : [...tokens, widthGiven];
  const given = outputType === 'float16' ? graph.node('Cast', [result], { to: { int: 10 } }) : result;
  graph.output({ name: output, type: outputType, shape: sizes }, given);
  options.onWeights?.(graph.moveTensors('weights.bin'));
  return graph.encode();
}

/** Values of one tensor, deterministic by seed and name, so that other file formats can contain the same model. */
export function bertValues(
  seed: number,
  name: string,
  { length, deviation }: { length: number; deviation: number },
): Float32Array {
  const values = new Float32Array(length);
  randomFiller(seed, name, deviation)(values, 0);
  return values;
}

/** Standard deviations by kind of tensor. */
export const bertDeviations = { words: 1, positions: 0.3, kinds: 0.1, bias: 0.1 } as const;

/** Epsilon of every norm; files store it in 32 bits. */
export const bertEpsilon = Math.fround(1e-12);

/** Writes weights and products with them. */
class Weights {
  readonly #graph: OnnxGraph;
  readonly #form: DenseForm;
  readonly #hasNormNodes: boolean;
  readonly #hasPackedWords: boolean;
  readonly #seed: number;

  constructor(graph: OnnxGraph, { seed, type = 'float32', form, ...parts }: BertOptions) {
    this.#graph = graph;
    this.#form = form ?? (type === 'int8' ? 'int8 columns' : 'plain');
    this.#hasNormNodes = parts.hasNormNodes ?? true;
    this.#hasPackedWords = parts.hasPackedWords ?? false;
    this.#seed = seed;
  }

  /** Adds a table or vector with the given standard deviation. */
  values(name: string, shape: readonly number[], deviation: number): string {
    const length = shape.reduce((product, size) => product * size, 1);
    return this.#graph.tensor(name, 'float32', shape, bertValues(this.#seed, name, { length, deviation }));
  }

  /** Adds a lookup in the word table. */
  words(ids: string, shape: readonly [number, number]): string {
    const [name, deviation] = ['word_embeddings', bertDeviations.words];
    if (!this.#hasPackedWords) return this.#graph.node('Gather', [this.values(name, shape, deviation), ids]);
    const values = bertValues(this.#seed, name, { length: shape[0] * shape[1], deviation });
    return writePackedLookup(this.#graph, { name, ids, values, shape });
  }

  norm(name: string, input: string, width: number): string {
    const scale = this.#graph.tensor(`${name}.weight`, 'float32', [width], new Float32Array(width).fill(1));
    const shift = this.values(`${name}.bias`, [width], bertDeviations.bias);
    if (!this.#hasNormNodes) return writeNorm(this.#graph, { input, scale, shift, epsilon: bertEpsilon });
    return this.#graph.node('LayerNormalization', [input, scale, shift], { epsilon: { float: bertEpsilon } });
  }

  dense(name: string, input: string, inputs: number, outputs: number): string {
    const weights = bertValues(this.#seed, `${name}.weight`, {
      length: inputs * outputs,
      deviation: 1 / Math.sqrt(inputs),
    });
    const bias = this.values(`${name}.bias`, [outputs], bertDeviations.bias);
    return writeDense(this.#graph, this.#form, { name, input, weights, inputs, outputs, bias });
  }
}

function embedTokens(
  graph: OnnxGraph,
  weights: Weights,
  {
    ids,
    types,
    shape,
    places: rows,
  }: { ids: string; types: string | undefined; shape: BertShape; places: readonly number[] | undefined },
): string {
  const { vocabulary, width, context } = shape;
  const words = weights.words(ids, [vocabulary, width]);
  const positions = rows === undefined ? countedUp(graph, ids) : heldPlaces(graph, ids, rows);
  const places = graph.node('Gather', [
    weights.values('position_embeddings', [context, width], bertDeviations.positions),
    positions,
  ]);
  let sum = graph.node('Add', [words, places]);
  if (types !== undefined) {
    const kinds = graph.node('Gather', [
      weights.values('token_type_embeddings', [2, width], bertDeviations.kinds),
      types,
    ]);
    sum = graph.node('Add', [sum, kinds]);
  }
  return weights.norm('embeddings.norm', sum, width);
}

/** Adds position ids from 0, one per token. */
function countedUp(graph: OnnxGraph, ids: string): string {
  const length = graph.node('Gather', [graph.node('Shape', [ids]), graph.integers([1], { scalar: true })]);
  return graph.node('Range', [graph.integers([0], { scalar: true }), length, graph.integers([1], { scalar: true })]);
}

function heldPlaces(graph: OnnxGraph, ids: string, rows: readonly number[]): string {
  const length = graph.node('Gather', [graph.node('Shape', [ids]), graph.integers([1])]);
  return graph.node('Slice', [graph.integers(rows), graph.integers([0]), length]);
}

function firstColumns(graph: OnnxGraph, rows: string, count: number): string {
  return graph.node('Slice', [rows, graph.integers([0]), graph.integers([count]), graph.integers([-1])]);
}

/** [batch, 1, 1, length] 0 for tokens, a large negative value for padding. */
function maskBias(graph: OnnxGraph, mask: string): string {
  const numbers = graph.node('Cast', [graph.node('Unsqueeze', [mask, graph.integers([1, 2])])], { to: { int: 1 } });
  return graph.node('Mul', [graph.node('Sub', [graph.scalar(1), numbers]), graph.scalar(-1e9)]);
}

function bertLayer(
  graph: OnnxGraph,
  weights: Weights,
  { hidden, bias, shape, layer }: { hidden: string; bias: string | undefined; shape: BertShape; layer: number },
): string {
  const { width, heads, feedForward } = shape;
  const name = `layer.${layer}`;
  const headWidth = width / heads;
  const split = graph.integers([0, 0, heads, headWidth]);
  const part = (which: string, order: readonly number[]) => {
    const projected = weights.dense(`${name}.${which}`, hidden, width, width);
    return graph.node('Transpose', [graph.node('Reshape', [projected, split])], { perm: { ints: order } });
  };
  const query = part('query', [0, 2, 1, 3]);
  const key = part('key', [0, 2, 3, 1]);
  const value = part('value', [0, 2, 1, 3]);
  let scores = graph.node('Mul', [graph.node('MatMul', [query, key]), graph.scalar(1 / Math.sqrt(headWidth))]);
  if (bias !== undefined) scores = graph.node('Add', [scores, bias]);
  const attended = graph.node('MatMul', [graph.node('Softmax', [scores], { axis: { int: -1 } }), value]);
  const joined = graph.node('Reshape', [
    graph.node('Transpose', [attended], { perm: { ints: [0, 2, 1, 3] } }),
    graph.integers([0, 0, width]),
  ]);
  const attention = weights.dense(`${name}.attention.output`, joined, width, width);
  const middle = weights.norm(`${name}.attention.norm`, graph.node('Add', [hidden, attention]), width);
  const raised = gelu(graph, weights.dense(`${name}.intermediate`, middle, width, feedForward));
  const lowered = weights.dense(`${name}.output`, raised, feedForward, width);
  return weights.norm(`${name}.norm`, graph.node('Add', [middle, lowered]), width);
}

function gelu(graph: OnnxGraph, input: string): string {
  const bent = graph.node('Erf', [graph.node('Div', [input, graph.scalar(Math.SQRT2)])]);
  const gate = graph.node('Mul', [graph.node('Add', [bent, graph.scalar(1)]), graph.scalar(0.5)]);
  return graph.node('Mul', [input, gate]);
}

function meanOfTokens(graph: OnnxGraph, hidden: string, mask: string): string {
  const numbers = graph.node('Cast', [graph.node('Unsqueeze', [mask, graph.integers([2])])], { to: { int: 1 } });
  const sum = graph.node('ReduceSum', [graph.node('Mul', [hidden, numbers]), graph.integers([1])], {
    keepdims: { int: 0 },
  });
  return graph.node('Div', [sum, graph.node('ReduceSum', [numbers, graph.integers([1])], { keepdims: { int: 0 } })]);
}
