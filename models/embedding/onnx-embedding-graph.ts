/** What a text encoder's graph takes and gives, and how its answer becomes one vector per text. */
import { ModelError } from '../interface/errors.ts';
import type { InferenceSession } from '../onnx/onnx-session.ts';
import type { EmbeddingFolder, Pooling } from '../sentence-transformers/embedding-folder.ts';

/** What the graph takes and gives. */
export interface Graph {
  readonly inputs: readonly { readonly name: InputName; readonly type: 'int64' | 'int32' }[];
  readonly output: string;
  readonly outputType: 'float32' | 'float16';
  /** [texts, width] rather than [texts, length, width]. */
  readonly isPooled: boolean;
  /** Of a graph that pools by itself, undefined where nothing says how. */
  readonly pooling: Pooling | undefined;
  readonly hasMask: boolean;
}

const knownInputs = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] as const;
export type InputName = (typeof knownInputs)[number];
/** Of several outputs, the first of these; else the first of all. */
const tokenOutputs = ['last_hidden_state', 'token_embeddings', 'hidden_states', 'output_0'];

/** @param options.pooling over what the folder says · @throws {ModelError} ERR_MODEL_LOAD where it is no text encoder that is known */
export function readGraph(
  session: InferenceSession,
  folder: EmbeddingFolder,
  options: { readonly pooling?: Pooling | undefined },
): Graph {
  const inputs = session.inputMetadata.map((input) => {
    const type = input.isTensor ? input.type : 'none';
    const name = knownInputs.find((known) => known === input.name);
    if (name === undefined || (type !== 'int64' && type !== 'int32')) {
      throw new ModelError('ERR_MODEL_LOAD', `the graph wants an input that is not known: ${input.name} (${type})`);
    }
    return { name, type } as const;
  });
  const outputs = session.outputMetadata;
  // A complete embedding is what the model's authors meant, dense layers included.
  const chosen =
    outputs.find(({ name }) => name === 'sentence_embedding') ??
    tokenOutputs.map((name) => outputs.find((output) => output.name === name)).find((found) => found !== undefined) ??
    outputs[0];
  if (chosen === undefined || !chosen.isTensor || (chosen.type !== 'float32' && chosen.type !== 'float16')) {
    throw new ModelError('ERR_MODEL_LOAD', 'the graph gives out no numbers of fp32 or fp16');
  }
  const isPooled = chosen.shape.length === 2;
  if (!isPooled && chosen.shape.length !== 3) {
    throw new ModelError('ERR_MODEL_LOAD', `the output ${chosen.name} is neither one vector per text nor per token`);
  }
  if (!isPooled && folder.hasDenseLayers) {
    throw new ModelError('ERR_MODEL_LOAD', 'the model ends in a dense layer that is not in the graph');
  }
  const pooling = options.pooling ?? folder.pooling;
  if (!isPooled && pooling === undefined) {
    throw new ModelError('ERR_MODEL_LOAD', 'nothing says how to pool: no 1_Pooling/config.json, no `pooling` setting');
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
