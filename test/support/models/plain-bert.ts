/** A plain implementation of BERT in 64 bits: the reference for the results of all engines. */
import type { BertLayer, BertWeights, Dense, Norm } from '../../../native/bert-weights.ts';
import { type BertShape, bertDeviations, bertEpsilon, bertValues } from './random-bert.ts';

export type Matrix = readonly Float64Array[];

/** @returns the normalized mean of the last hidden states of a model of `random-bert.ts` */
export function plainBert(shape: BertShape, seed: number, tokens: readonly number[]): number[] {
  const hidden = plainHidden(randomBertWeights(shape, seed), tokens);
  const mean = Array.from({ length: shape.width }, (_, at) => sum(hidden.map((row) => row[at]!)) / tokens.length);
  const length = Math.hypot(...mean);
  return mean.map((value) => value / length);
}

/** @returns [tokens, width], the last hidden state */
export function plainHidden(weights: BertWeights, tokens: ArrayLike<number>): Matrix {
  const { width, words, places, kind, firstPosition, paddingToken } = weights;
  let next = firstPosition;
  const embedded = Array.from(tokens, (token) => {
    const position = token === paddingToken ? firstPosition - 1 : next++;
    return Float64Array.from({ length: width }, (_, column) => {
      const place = places[position * width + column]!;
      return wordAt(words, token * width + column) + place + (kind?.[column] ?? 0);
    });
  });
  let hidden = norm(weights.norm, embedded, weights.epsilon);
  for (const layer of weights.layers) hidden = plainLayer(layer, hidden, weights);
  return hidden;
}

function wordAt(words: BertWeights['words'], at: number): number {
  return 'bytes' in words ? words.scale * (words.bytes[at]! - words.zeroPoint) : words[at]!;
}

/** The weights that `random-bert.ts` writes for this seed, in fp32. */
export function randomBertWeights(shape: BertShape, seed: number): BertWeights & { readonly words: Float32Array } {
  const { width, heads, feedForward, vocabulary, context } = shape;
  const table = (name: string, rows: number, deviation: number) =>
    bertValues(seed, name, { length: rows * width, deviation });
  const vector = (name: string, length: number) => bertValues(seed, name, { length, deviation: bertDeviations.bias });
  const normNamed = (name: string) => ({
    scale: new Float32Array(width).fill(1),
    shift: vector(`${name}.bias`, width),
  });
  const dense = (name: string, inputs: number, outputs: number) => ({
    weights: bertValues(seed, `${name}.weight`, { length: inputs * outputs, deviation: 1 / Math.sqrt(inputs) }),
    bias: vector(`${name}.bias`, outputs),
  });
  return {
    ...{ width, heads, feedForward, vocabulary, positions: context, firstPosition: 0, epsilon: bertEpsilon },
    words: table('word_embeddings', vocabulary, bertDeviations.words),
    places: table('position_embeddings', context, bertDeviations.positions),
    kind: table('token_type_embeddings', 2, bertDeviations.kinds).slice(0, width),
    norm: normNamed('embeddings.norm'),
    layers: Array.from({ length: shape.layers }, (_, layer) => ({
      query: dense(`layer.${layer}.query`, width, width),
      key: dense(`layer.${layer}.key`, width, width),
      value: dense(`layer.${layer}.value`, width, width),
      attended: dense(`layer.${layer}.attention.output`, width, width),
      attentionNorm: normNamed(`layer.${layer}.attention.norm`),
      up: dense(`layer.${layer}.intermediate`, width, feedForward),
      down: dense(`layer.${layer}.output`, feedForward, width),
      outputNorm: normNamed(`layer.${layer}.norm`),
    })),
  };
}

function plainLayer(layer: BertLayer, hidden: Matrix, { width, heads, epsilon }: BertWeights): Matrix {
  const [query, key, value] = [layer.query, layer.key, layer.value].map((part) => dense(part, hidden));
  const headWidth = width / heads;
  const attended = hidden.map((_, row) => {
    const joined = new Float64Array(width);
    for (let first = 0; first < width; first += headWidth) {
      const columns = Array.from({ length: headWidth }, (_, column) => first + column);
      const scores = key!.map((other) => sum(columns.map((at) => query![row]![at]! * other[at]!)));
      const shares = softmax(scores.map((score) => score / Math.sqrt(headWidth)));
      for (const at of columns) joined[at] = sum(shares.map((share, other) => share * value![other]![at]!));
    }
    return joined;
  });
  const middle = norm(layer.attentionNorm, add(hidden, dense(layer.attended, attended)), epsilon);
  const raised = dense(layer.up, middle).map((row) => row.map(gelu));
  return norm(layer.outputNorm, add(middle, dense(layer.down, raised)), epsilon);
}

function dense({ weights, scales, zeroPoints, bias }: Dense, input: Matrix): Matrix {
  const outputs = bias.length;
  const isInt8 = weights instanceof Int8Array;
  return (isInt8 ? quantized(input) : input).map((row) => {
    const result = new Float64Array(outputs);
    for (const [from, value] of row.entries()) {
      for (let to = 0; to < outputs; to++)
        result[to]! += value * (weights[from * outputs + to]! - (zeroPoints?.[to] ?? 0));
    }
    return result.map((value, to) => value * (isInt8 ? scales![to]! : 1) + bias[to]!);
  });
}

/** Quantizes to eight bits over the range of the whole text, and dequantizes. @see ONNX, DynamicQuantizeLinear */
function quantized(input: Matrix): Matrix {
  const all = input.flatMap((row) => [...row]);
  const [least, greatest] = [Math.min(0, ...all), Math.max(0, ...all)];
  const scale = (greatest - least) / 255;
  const zero = Math.min(255, Math.max(0, roundEven(-least / scale)));
  const quantize = (value: number) => Math.min(255, Math.max(0, roundEven(value / scale) + zero)) - zero;
  return input.map((row) => row.map((value) => quantize(value) * scale));
}

function roundEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

function norm({ scale, shift }: Norm, input: Matrix, epsilon: number): Matrix {
  return input.map((row) => {
    const mean = sum([...row]) / row.length;
    const deviation = Math.sqrt(sum(Array.from(row, (value) => (value - mean) ** 2)) / row.length + epsilon);
    return row.map((value, column) => ((value - mean) / deviation) * scale[column]! + shift[column]!);
  });
}

function add(a: Matrix, b: Matrix): Matrix {
  return a.map((row, index) => row.map((value, column) => value + b[index]![column]!));
}

function softmax(scores: readonly number[]): number[] {
  const greatest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - greatest));
  return raised.map((value) => value / sum(raised));
}

/** The exact GELU, by the error function. */
function gelu(value: number): number {
  return (value * (1 + errorFunction(value / Math.SQRT2))) / 2;
}

/** The error function by its power series, which converges everywhere; above 6 it is 1 in 64 bits. */
function errorFunction(value: number): number {
  if (Math.abs(value) > 6) return Math.sign(value);
  let term = value;
  let total = value;
  for (let n = 1; Math.abs(term) > 1e-18; n++) {
    term *= (-value * value) / n;
    total += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
