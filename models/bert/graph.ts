/**
 * Finds the parts of a BERT in a graph, from the output back to the inputs: the dense layers, norms and tables.
 * The scale of the scores, the mask, the activation and the order of heads are not checked here: `bert-choice.ts` compares
 * the results at every load.
 */
import { OnnxValuesByName } from '../onnx/constants.ts';
import type { OnnxGraph, OnnxNode } from '../onnx/graph.ts';
import type { BertConfig } from './config.ts';
import { fail } from './not-bert.ts';
import { type DensePart, denseOf, type NormPart, normOf } from './parts.ts';
import { type BertTables, tablesOf } from './tables.ts';

export interface BertParts {
  readonly tables: BertTables;
  readonly norm: NormPart;
  readonly layers: readonly LayerParts[];
}

export interface LayerParts {
  readonly query: DensePart;
  readonly key: DensePart;
  readonly value: DensePart;
  readonly attended: DensePart;
  readonly attentionNorm: NormPart;
  readonly up: DensePart;
  readonly down: DensePart;
  readonly outputNorm: NormPart;
}

/** Maximum values visited by one search; the mask of an encoder has at most some hundred nodes. */
const searchedMax = 10_000;

/** @param output name of the output: token rows, or their pooled result · @throws {NotBert} */
export function findBert(graph: OnnxGraph, output: string, config: BertConfig): BertParts {
  if (graph.nodes.some(({ hasGraphs }) => hasGraphs)) fail('the graph has branches');
  const values = new OnnxValuesByName(graph);
  const layers: LayerParts[] = [];
  let value = lastNorm(values, output);
  for (;;) {
    const norm = normOf(values, value) ?? fail('a layer does not end in a norm');
    const sum = residualOf(values, norm.input);
    if (sum === undefined) {
      if (layers.length !== config.layers)
        fail(`config.json says ${config.layers} layers, the graph has ${layers.length}`);
      return { tables: tablesOf(values, norm.input, config), norm, layers: layers.reverse() };
    }
    if (layers.length === config.layers) fail(`config.json says ${config.layers} layers, the graph has more`);
    const { layer, hidden } = layerOf(values, { outputNorm: norm, down: sum.dense, middle: sum.residual });
    layers.push(layer);
    value = hidden;
  }
}

/** Returns the output itself, or the token rows that it pools. */
function lastNorm(values: OnnxValuesByName, output: string): string {
  const found = search(values, output, { isFound: (name) => normOf(values, name) !== undefined });
  if (found.length !== 1) fail('the output does not depend on exactly one final norm');
  return found[0]!;
}

/** Matches the sum of a dense part's result and a residual. */
function residualOf(
  values: OnnxValuesByName,
  name: string,
): { readonly dense: DensePart; readonly residual: string } | undefined {
  const node = values.producer(name);
  if (node?.op !== 'Add') return undefined;
  for (const [first, second] of [node.inputs, [...node.inputs].reverse()] as [string, string][]) {
    const dense = denseOf(values, first);
    if (dense !== undefined && values.constant(second) === undefined) return { dense, residual: values.origin(second) };
  }
  return undefined;
}

function layerOf(
  values: OnnxValuesByName,
  { outputNorm, down, middle }: { outputNorm: NormPart; down: DensePart; middle: string },
): { readonly layer: LayerParts; readonly hidden: string } {
  const up = onlyDense(values, down.input) ?? fail('a feed-forward part does not consist of two dense parts');
  const attentionNorm = normOf(values, middle) ?? fail('attention does not end in a norm');
  const { dense: attended, residual: hidden } =
    residualOf(values, attentionNorm.input) ?? fail('attention has no residual connection');
  const { query, key, value } = attentionOf(values, attended.input);
  if (up.input !== middle) fail('the input of a feed-forward part differs from its residual');
  for (const { input } of [query, key, value]) {
    if (input !== hidden)
      fail('the input of attention differs from its residual: it is cross-attention, or there is a node in between');
  }
  return { layer: { query, key, value, attended, attentionNorm, up, down, outputNorm }, hidden };
}

/** Finds query, key and value by their positions in softmax(query · keyᵀ) · value. */
function attentionOf(values: OnnxValuesByName, joined: string): Pick<LayerParts, 'query' | 'key' | 'value'> {
  const isAttention = (node: OnnxNode | undefined) =>
    node?.op === 'Softmax' || (node?.op === 'Attention' && node.domain === '');
  const isFound = (name: string) => denseOf(values, name) !== undefined || isAttention(values.producer(name));
  const found = search(values, joined, { isFound });
  const scores = found.map((name) => values.producer(name)).filter(isAttention);
  const [node] = scores;
  if (node === undefined || scores.length !== 1) fail('attention has an unsupported form');
  if (node.op === 'Attention') {
    if (found.length !== 1) fail('attention has an unsupported form');
    return denseInputs(values, node.inputs);
  }
  const others = found.filter((name) => !isAttention(values.producer(name)));
  const product = productBehind(values, node.inputs[0]!);
  return denseInputs(values, [product.inputs[0]!, product.inputs[1]!, ...others]);
}

function productBehind(values: OnnxValuesByName, name: string): OnnxNode {
  const isFound = (at: string) => /^(Fused)?MatMul(Integer)?$/.test(values.producer(at)?.op ?? '');
  const found = search(values, name, { isFound });
  const node = found.length === 1 ? values.producer(found[0]!) : undefined;
  return node ?? fail('the attention scores have an unsupported form');
}

function denseInputs(values: OnnxValuesByName, names: readonly string[]): Pick<LayerParts, 'query' | 'key' | 'value'> {
  const [query, key, value] = names.slice(0, 3).map((name) => onlyDense(values, name));
  if (query === undefined || key === undefined || value === undefined)
    fail('attention does not consist of three dense parts');
  return { query, key, value };
}

/** Returns the dense part that a value depends on, if there is exactly one. */
function onlyDense(values: OnnxValuesByName, name: string): DensePart | undefined {
  const found = search(values, name, { isFound: (at) => denseOf(values, at) !== undefined });
  return found.length === 1 ? denseOf(values, found[0]!) : undefined;
}

/** Follows the inputs of a value backwards and returns the nearest match on each path. A `Shape` node ends its path. */
function search(
  values: OnnxValuesByName,
  from: string,
  { isFound }: { readonly isFound: (name: string) => boolean },
): readonly string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const left = [from];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const at = values.origin(name);
    if (seen.has(at) || at === '') continue;
    seen.add(at);
    if (seen.size > searchedMax) fail('the graph is too large for an encoder');
    if (isFound(at)) {
      found.push(at);
      continue;
    }
    const node = values.producer(at);
    if (node !== undefined && node.op !== 'Shape') left.push(...node.inputs);
  }
  return found;
}
