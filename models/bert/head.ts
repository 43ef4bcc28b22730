/** The head of a cross-encoder: the first token's vector, a dense part with tanh, and one logit. */
import type { Dense } from '@cloister/native/bert-weights';
import { OnnxValuesByName } from '../onnx/constants.ts';
import type { OnnxGraph } from '../onnx/graph.ts';
import { fail } from './not-bert.ts';
import { type DensePart, denseOf } from './parts.ts';

export interface BertHead {
  /** [width, width]; undefined if the classifier reads the first token's vector itself. */
  readonly pooler?: Dense;
  /** [width, 1] */
  readonly classifier: Dense;
}

/** @param output name of the output with the logits · @throws {NotBert} if the head has another form */
export function readHead(graph: OnnxGraph, output: string): BertHead {
  const values = new OnnxValuesByName(graph);
  const classifier = denseOf(values, output) ?? fail('the logits are not computed by a dense part');
  if (classifier.outputs !== 1) fail(`the graph has ${classifier.outputs} logits per pair, not one`);
  const before = values.producer(classifier.input);
  if (before?.op === 'Gather' || before?.op === 'Slice') return { classifier: readPlain(classifier) };
  if (before?.op !== 'Tanh') fail('the activation of the head is not tanh');
  const pooler = denseOf(values, before.inputs[0]!) ?? fail('the head does not consist of dense parts');
  if (pooler.outputs !== classifier.inputs) fail('the parts of the head have different widths');
  return { pooler: readPlain(pooler), classifier: readPlain(classifier) };
}

/** @param vector [width] of the first token · @returns the logit */
export function logitOf({ pooler, classifier }: BertHead, vector: Float32Array): number {
  const hidden = pooler === undefined ? vector : productOf(pooler, vector).map(Math.tanh);
  return productOf(classifier, hidden)[0]!;
}

function readPlain(part: DensePart): Dense {
  return part.isQuantized ? fail('the head is quantized') : part.read();
}

function productOf({ weights, bias }: Dense, vector: Float32Array): Float32Array {
  const outputs = bias.length;
  const result = Float32Array.from(bias);
  for (let row = 0; row < vector.length; row++) {
    const value = vector[row]!;
    for (let column = 0; column < outputs; column++) result[column]! += value * weights[row * outputs + column]!;
  }
  return result;
}
