/** Helpers for tests of the addon: small models, default options, and a generation loop. */
import { type LlamaText, type LlamaTextOptions, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatInput, PreparedChat, Sampling, StepOperation } from '../../models/interface/model.ts';
import { type TinyModelOptions, tinyModelFile } from '../support/models/tiny-models.ts';
import { greedy } from '../support/runtime/chat-request.ts';
import { testedGpu } from '../support/tested-gpu.ts';

export { greedy };

export const ask: ChatInput = {
  messages: [{ role: 'user', content: 'Say something.' }],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  jsonSchema: undefined,
  reasoning: true,
};

export const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a place.',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
} as const;

export function loadTiny(model: TinyModelOptions = {}, options: Partial<LlamaTextOptions> = {}): Promise<LlamaText> {
  return loadLlamaText({
    modelPath: tinyModelFile(model),
    sequences: 4,
    contextPerSequence: 512,
    threads: 1,
    poll: 0,
    gpu: testedGpu,
    ...options,
  });
}

export interface Generation {
  readonly sequence: number;
  readonly sampling?: Sampling;
  readonly count: number;
}

/** The tokens that follow what `sequence` holds and `tokens`, one step each. Ends early at an end token. */
export async function generate(
  model: LlamaText,
  {
    prepared,
    tokens = prepared.tokens,
    position = 0,
    operations = [],
  }: {
    prepared: PreparedChat;
    tokens?: Int32Array;
    position?: number;
    operations?: readonly StepOperation[];
  },
  { sequence, sampling = greedy, count }: Generation,
): Promise<number[]> {
  model.beginSampling(sequence, sampling, prepared);
  const answer: number[] = [];
  let next = tokens;
  let at = position;
  let before = operations;
  while (answer.length < count) {
    const rows = [{ sequence, position: at, tokens: next, sample: true }];
    const result = await model.step({ operations: before, rows });
    answer.push(result.tokens[0]!);
    if (model.info.endTokens.has(result.tokens[0]!)) break;
    at += next.length;
    next = Int32Array.of(result.tokens[0]!);
    before = [];
  }
  return answer;
}

/** The text of tokens, without control tokens unless they are `shown`. */
export function spell(model: LlamaText, tokens: Iterable<number>, shown: ReadonlySet<number> = new Set()): string {
  const { bytes, offsets, control } = model.info.vocabulary;
  const pieces = Array.from(tokens)
    .filter((token) => control[token] === 0 || shown.has(token))
    .map((token) => bytes.subarray(offsets[token], offsets[token + 1]));
  return Buffer.concat(pieces).toString();
}
