/** The inputs and outputs of a text encoder's graph, and the pooling of its output. */
import { ModelError } from '../interface/errors.ts';
import type { InferenceSession } from '../onnx/onnx-session.ts';
import type { EmbeddingFolder, Pooling } from '../sentence-transformers/embedding-folder.ts';

/** Inputs and output of a graph. */
export interface Graph {
  readonly inputs: readonly { readonly name: InputName; readonly type: 'int64' | 'int32' }[];
  readonly output: string;
  readonly outputType: 'float32' | 'float16';
  /** Whether the output is [texts, width], not [texts, length, width]. */
  readonly isPooled: boolean;
  /** Undefined if the graph pools itself and the files do not state how. */
  readonly pooling: Pooling | undefined;
  readonly hasMask: boolean;
}

const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] as const;
export type InputName = (typeof knownInputs)[number];
/** Names of token outputs, preferred first; if there is none, the first output is used. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings', 'hidden_states', 'output_0'];

/** @param options.pooling overrides the pooling that the model folder configures · @throws {ModelError} ERR_MODEL_LOAD if the graph is not a supported text encoder */
export function readGraph(
  session: InferenceSession,
  folder: EmbeddingFolder,
  options: { readonly pooling?: Pooling | undefined },
): Graph {
  const inputs = readInputs(session);
  const outputs = session.outputMetadata;
  // A sentence embedding is the complete output of the model, including dense layers.
  const chosen =
    outputs.find(({ name }) => name === 'sentence_embedding') ??
    tokenOutputs.map((name) => outputs.find((output) => output.name === name)).find((found) => found !== undefined) ??
    outputs[0];
  if (chosen === undefined || !chosen.isTensor || (chosen.type !== 'float32' && chosen.type !== 'float16')) {
    throw new ModelError('ERR_MODEL_LOAD', 'the output of the graph must be a tensor of fp32 or fp16');
  }
  const isPooled = chosen.shape.length === 2;
  if (!isPooled && chosen.shape.length !== 3) {
    throw new ModelError('ERR_MODEL_LOAD', `the output ${chosen.name} must have one vector per text or per token`);
  }
  if (!isPooled && folder.hasDenseLayers) {
    throw new ModelError('ERR_MODEL_LOAD', 'the model ends in a dense layer that is not in the graph');
  }
  const pooling = options.pooling ?? folder.pooling;
  if (!isPooled && pooling === undefined) {
    throw new ModelError(
      'ERR_MODEL_LOAD',
      'the pooling is unknown: there is no 1_Pooling/config.json and no `pooling` setting',
    );
  }
  return {
    inputs,
    output: chosen.name,
    outputType: chosen.type,
    isPooled,
    pooling,
    hasMask: inputs.some(({ name }) => name === 'attention_mask'),
  };
}

/**
 * The graph of a cross-encoder: one logit for each pair, computed from the first token.
 * @throws {ModelError} ERR_MODEL_LOAD if the graph has another output
 */
export function readScoreGraph(session: InferenceSession): Graph {
  const inputs = readInputs(session);
  const outputs = session.outputMetadata;
  const chosen = outputs.find(({ name }) => name === 'logits') ?? outputs[0];
  if (chosen === undefined || !chosen.isTensor || (chosen.type !== 'float32' && chosen.type !== 'float16')) {
    throw new ModelError('ERR_MODEL_LOAD', 'the output of the graph must be a tensor of fp32 or fp16');
  }
  const scores = chosen.shape.at(-1);
  if (chosen.shape.length !== 2 || (typeof scores === 'number' && scores > 1)) {
    throw new ModelError('ERR_MODEL_LOAD', `the output ${chosen.name} must have one logit per pair of texts`);
  }
  return {
    inputs,
    output: chosen.name,
    outputType: chosen.type,
    isPooled: true,
    pooling: 'cls',
    hasMask: inputs.some(({ name }) => name === 'attention_mask'),
  };
}

/** @throws {ModelError} ERR_MODEL_LOAD */
function readInputs(session: InferenceSession): Graph['inputs'] {
  return session.inputMetadata.map((input) => {
    const type = input.isTensor ? input.type : 'none';
    const name = knownInputs.find((known) => known === input.name);
    if (name === undefined || (type !== 'int64' && type !== 'int32')) {
      throw new ModelError('ERR_MODEL_LOAD', `the graph has an unsupported input: ${input.name} (${type})`);
    }
    return { name, type };
  });
}
