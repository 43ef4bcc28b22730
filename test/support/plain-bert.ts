/** The models of `random-bert.ts` computed in the plainest way, in 64 bits: what every engine's numbers are held against. */
import { BERT_DEVIATIONS, type BertShape, bertValues } from './random-bert.ts';

type Matrix = readonly Float64Array[];

/** @returns the mean of the last layer's tokens, of length 1 */
export function plainBert(shape: BertShape, seed: number, tokens: readonly number[]): number[] {
  const { width, layers } = shape;
  const weights = new PlainWeights(seed);
  const words = weights.rows('word_embeddings', shape.vocabulary, width, BERT_DEVIATIONS.words);
  const positions = weights.rows('position_embeddings', shape.context, width, BERT_DEVIATIONS.positions);
  const kinds = weights.rows('token_type_embeddings', 2, width, BERT_DEVIATIONS.kinds);
  const embedded = tokens.map((token, at) =>
    words[token]!.map((value, column) => value + positions[at]![column]! + kinds[0]![column]!),
  );
  let hidden = weights.norm('embeddings.norm', embedded);
  for (let layer = 0; layer < layers; layer++) hidden = plainLayer(weights, { hidden, shape, name: `layer.${layer}` });
  const mean = Array.from({ length: width }, (_, column) => sum(hidden.map((row) => row[column]!)) / tokens.length);
  const length = Math.hypot(...mean);
  return mean.map((value) => value / length);
}

function plainLayer(
  weights: PlainWeights,
  { hidden, shape, name }: { hidden: Matrix; shape: BertShape; name: string },
): Matrix {
  const { width, heads, feedForward } = shape;
  const [query, key, value] = ['query', 'key', 'value'].map((part) =>
    weights.dense(`${name}.${part}`, hidden, width, width),
  );
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
  const output = weights.dense(`${name}.attention.output`, attended, width, width);
  const middle = weights.norm(`${name}.attention.norm`, add(hidden, output));
  const raised = weights.dense(`${name}.intermediate`, middle, width, feedForward).map((row) => row.map(gelu));
  return weights.norm(`${name}.norm`, add(middle, weights.dense(`${name}.output`, raised, feedForward, width)));
}

class PlainWeights {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  rows(name: string, count: number, width: number, deviation: number): Matrix {
    const values = Float64Array.from(bertValues(this.#seed, name, { length: count * width, deviation }));
    return Array.from({ length: count }, (_, row) => values.subarray(row * width, (row + 1) * width));
  }

  dense(name: string, input: Matrix, inputs: number, outputs: number): Matrix {
    const matrix = this.rows(`${name}.weight`, inputs, outputs, 1 / Math.sqrt(inputs));
    const [bias] = this.rows(`${name}.bias`, 1, outputs, BERT_DEVIATIONS.bias);
    return input.map((row) => {
      const result = Float64Array.from(bias!);
      for (let from = 0; from < inputs; from++) {
        for (let to = 0; to < outputs; to++) result[to]! += row[from]! * matrix[from]![to]!;
      }
      return result;
    });
  }

  norm(name: string, input: Matrix): Matrix {
    return input.map((row) => {
      const [bias] = this.rows(`${name}.bias`, 1, row.length, BERT_DEVIATIONS.bias);
      const mean = sum([...row]) / row.length;
      const deviation = Math.sqrt(sum(Array.from(row, (value) => (value - mean) ** 2)) / row.length + 1e-12);
      return row.map((value, column) => (value - mean) / deviation + bias![column]!);
    });
  }
}

function add(a: Matrix, b: Matrix): Matrix {
  return a.map((row, index) => row.map((value, column) => value + b[index]![column]!));
}

function softmax(scores: readonly number[]): number[] {
  const greatest = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - greatest));
  return raised.map((value) => value / sum(raised));
}

/** The exact form, by the error function. */
function gelu(value: number): number {
  return (value * (1 + errorFunction(value / Math.SQRT2))) / 2;
}

/** Its power series, which converges everywhere; past 6 it is 1 in 64 bits. */
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
