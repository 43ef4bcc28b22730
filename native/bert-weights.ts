/** The weights of a BERT model for native/bert-encoder.ts, and their validation. */

export interface Norm {
  /** [width] */
  readonly scale: Float32Array;
  /** [width] */
  readonly shift: Float32Array;
}

export interface Dense {
  /** [inputs, outputs]; with int8 weights, activations are quantized at run time. */
  readonly weights: Float32Array | Int8Array;
  /** [outputs] Only with int8 weights: value = scale · (weight − zeroPoint) */
  readonly scales?: Float32Array;
  /** [outputs] Only with int8 weights. */
  readonly zeroPoints?: Int32Array;
  /** [outputs] */
  readonly bias: Float32Array;
}

export interface BertLayer {
  readonly query: Dense;
  readonly key: Dense;
  readonly value: Dense;
  /** Projection of the concatenated heads. */
  readonly attended: Dense;
  readonly attentionNorm: Norm;
  readonly up: Dense;
  readonly down: Dense;
  readonly outputNorm: Norm;
}

/** A table in eight bits: value = scale · (byte − zeroPoint). */
export interface PackedTable {
  readonly bytes: Int8Array;
  readonly scale: number;
  readonly zeroPoint: number;
}

/** The weights of a BERT model; its activation is the exact GELU. */
export interface BertWeights {
  readonly width: number;
  readonly heads: number;
  readonly feedForward: number;
  readonly vocabulary: number;
  /** Rows of `places`. */
  readonly positions: number;
  /** The row of `places` for a text's first token. */
  readonly firstPosition: number;
  /** A token that does not advance the position and has the position before the first one; undefined if the model has none. */
  readonly paddingToken?: number;
  readonly epsilon: number;
  /** [vocabulary, width] */
  readonly words: Float32Array | PackedTable;
  /** [positions, width] */
  readonly places: Float32Array;
  /** [width] Embedding of token type 0; undefined if the model has no token types. */
  readonly kind?: Float32Array;
  readonly norm: Norm;
  readonly layers: readonly BertLayer[];
}

/** Vector length of the kernels; the width of a head, and so of a row, must be a multiple of it. */
const lanes = 16;
/** Larger than any table. `widthMax` also ensures that a sum of products of bytes fits 32 bits. */
const rowsMax = 2 ** 24;
const widthMax = 2 ** 15;

/** Checks that each array has the length that the sizes imply, because the addon reads this much. @throws {RangeError} */
export function checkBertWeights(weights: BertWeights): void {
  const { width, heads, feedForward, vocabulary, positions, firstPosition, layers } = weights;
  requireSize('width', width, lanes, widthMax);
  requireSize('feedForward', feedForward, lanes, widthMax);
  for (const [name, size] of Object.entries({ heads, vocabulary, positions })) requireSize(name, size, 1, rowsMax);
  requireSize('the width of a head', width / heads, lanes, widthMax);
  if (!Number.isInteger(firstPosition) || firstPosition < 0 || firstPosition >= positions) {
    throw new RangeError(`firstPosition must be an integer from 0 to ${positions - 1}, got ${firstPosition}`);
  }
  if (weights.paddingToken !== undefined && firstPosition === 0) {
    throw new RangeError('firstPosition must be at least 1 with a padding token, got 0');
  }
  if (layers.length === 0) throw new RangeError('there must be at least one layer, got 0');
  checkTable(weights.words, vocabulary * width);
  requireLength('places', weights.places, positions * width);
  if (weights.kind !== undefined) requireLength('kind', weights.kind, width);
  checkNorm(weights.norm, width);
  for (const layer of layers) {
    for (const dense of [layer.query, layer.key, layer.value, layer.attended]) checkDense(dense, width, width);
    checkDense(layer.up, width, feedForward);
    checkDense(layer.down, feedForward, width);
    checkNorm(layer.attentionNorm, width);
    checkNorm(layer.outputNorm, width);
  }
}

function checkTable(table: Float32Array | PackedTable, length: number): void {
  if ('bytes' in table) {
    const { bytes, scale, zeroPoint } = table;
    const isWhole = bytes instanceof Int8Array && bytes.length === length && Number.isInteger(zeroPoint);
    if (!isWhole || !Number.isFinite(scale))
      throw new RangeError(`words must be ${length} bytes, a scale and a zero point`);
  } else {
    requireLength('words', table, length);
  }
}

function checkNorm({ scale, shift }: Norm, width: number): void {
  requireLength('scale', scale, width);
  requireLength('shift', shift, width);
}

function checkDense({ weights, scales, zeroPoints, bias }: Dense, inputs: number, outputs: number): void {
  requireLength('bias', bias, outputs);
  if (weights instanceof Int8Array) {
    if (scales === undefined || !(zeroPoints instanceof Int32Array) || zeroPoints.length !== outputs) {
      throw new RangeError('int8 weights need a scale and a zero point for each output');
    }
    requireLength('scales', scales, outputs);
  } else if (!(weights instanceof Float32Array)) {
    throw new TypeError('weights must be a Float32Array or an Int8Array');
  }
  if (weights.length !== inputs * outputs)
    throw new RangeError(`there must be ${inputs * outputs} weights, got ${weights.length}`);
}

function requireSize(name: string, size: number, multiple: number, most: number): void {
  if (Number.isInteger(size / multiple) && size >= multiple && size <= most) return;
  throw new RangeError(`${name} must be a multiple of ${multiple} up to ${most}, got ${size}`);
}

function requireLength(name: string, values: Float32Array, length: number): void {
  if (values instanceof Float32Array && values.length === length) return;
  throw new RangeError(`${name} must be a Float32Array of ${length} numbers`);
}
