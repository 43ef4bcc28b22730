/** The embedding tables of a BERT: words, positions and token types. */
import type { PackedTable } from '@cloister/native/bert-weights';
import { type Constant, floatsOf, isScalar, type OnnxValuesByName } from '../onnx/constants.ts';
import type { OnnxNode } from '../onnx/graph.ts';
import type { BertConfig } from './config.ts';
import { fail } from './not-bert.ts';
import { signedBytes } from './quantized.ts';

export interface BertTables {
  readonly words: Table;
  readonly places: Table;
  readonly kinds?: Table;
}

export interface Table {
  readonly rows: number;
  readonly width: number;
  /** [rows, width] */
  read(): Float32Array;
  /** The table in eight bits, if it is stored that way: a multilingual vocabulary has a hundred million numbers. */
  readPacked?(): PackedTable;
}

const termsMax = 3;
const stepsMax = 16;
/** Nodes that only change the shape. */
const reshaping = new Set(['Unsqueeze', 'Squeeze', 'Expand', 'Reshape']);

/** @param sum the input of the first norm · @throws {NotBert} */
export function tablesOf(values: OnnxValuesByName, sum: string, config: BertConfig): BertTables {
  const lookups = termsOf(values, sum).map((term) => lookupOf(values, term));
  const words = lookups.filter(({ isWordTable }) => isWordTable);
  const others = lookups.filter(({ isWordTable }) => !isWordTable);
  const places = others.filter(({ table }) => table.rows === config.positions);
  const kinds = others.filter(({ table }) => table.rows === config.kinds);
  if (words.length !== 1) fail('there must be one table that is indexed by token ids');
  if (places.length !== 1) fail(`there must be one table with ${config.positions} positions`);
  if (kinds.length + 1 !== others.length || kinds[0] === places[0])
    fail('there is a table other than words, positions and token types');
  return { words: words[0]!.table, places: places[0]!.table, ...(kinds[0] && { kinds: kinds[0].table }) };
}

function termsOf(values: OnnxValuesByName, sum: string): readonly string[] {
  const terms: string[] = [];
  const left = [sum];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const node = values.producer(name);
    if (node?.op === 'Add') left.push(...node.inputs);
    else terms.push(name);
    if (terms.length + left.length > termsMax) fail('the embedding is the sum of more than three tables');
  }
  return terms;
}

function lookupOf(values: OnnxValuesByName, term: string): { readonly table: Table; readonly isWordTable: boolean } {
  let unpacking: OnnxNode | undefined;
  let name = term;
  for (let step = 0; step < stepsMax; step++) {
    const node = values.producer(name);
    if (node?.op === 'Gather' || node?.op === 'Slice') {
      const table = tableOf(values, values.constant(node.inputs[0]!), unpacking);
      return { table, isWordTable: node.op === 'Gather' && isInput(values, node.inputs[1]!) };
    }
    if (node?.op === 'DequantizeLinear') unpacking = node;
    else if (node === undefined || !reshaping.has(node.op)) break;
    name = node.inputs[0]!;
  }
  return fail('the embedding is not a sum of table rows');
}

/** Whether a value is the token ids, of any integer type. */
function isInput(values: OnnxValuesByName, name: string): boolean {
  let at = values.origin(name);
  for (let step = 0; step < stepsMax && values.producer(at)?.op === 'Cast'; step++) {
    at = values.origin(values.producer(at)!.inputs[0]!);
  }
  return at === 'input_ids';
}

/** @param unpacking the node that dequantizes the rows, if the table is stored in eight bits */
function tableOf(values: OnnxValuesByName, table: Constant | undefined, unpacking: OnnxNode | undefined): Table {
  if (table?.shape.length !== 2) fail('the embedding is not a sum of table rows');
  const [rows, width] = table.shape as [number, number];
  if (unpacking === undefined) {
    if (table.type !== 'float32') fail('a table is neither fp32 nor in a supported quantization');
    return { rows, width, read: () => floatsOf(table) };
  }
  const [scale, zero] = [values.constant(unpacking.inputs[1] ?? ''), values.constant(unpacking.inputs[2] ?? '')];
  const hasZero = (unpacking.inputs[2] ?? '') !== '';
  if (table.type === 'other' || table.type === 'float32' || scale?.type !== 'float32' || !isScalar(scale)) {
    return fail('a table has an unsupported quantization');
  }
  if (hasZero && (zero?.type !== table.type || !isScalar(zero))) fail('a table has an unsupported quantization');
  const [factor, shift] = [scale.read()[0]!, zero?.read()[0] ?? 0];
  const read = () => {
    const packed = table.read();
    const values = new Float32Array(packed.length);
    for (let at = 0; at < values.length; at++) values[at] = (packed[at]! - shift) * factor;
    return values;
  };
  if (table.type !== 'int8' && table.type !== 'uint8') return { rows, width, read };
  const readPacked = () => {
    const { bytes, lowered } = signedBytes(table);
    return { bytes, scale: factor, zeroPoint: shift - lowered };
  };
  return { rows, width, read, readPacked };
}
