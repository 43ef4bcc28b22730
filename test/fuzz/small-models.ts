/** GGUF files of the smallest models that llama.cpp loads: about 60 kB each. */
import type { GgufFile } from '../support/models/gguf.ts';
import { randomTransformer } from '../support/models/random-transformer.ts';
import { byteLevelTokenizer } from '../support/models/tokenizers.ts';

/** A control token that no template writes: if a prompt contains it, a caller's text became a control token. */
export const probeMark = '<|probe|>';

/** Marks of turns, reasoning and tool calls in the templates of many models. */
export const chatMarks = [
  ...['<|im_end|>', '<|im_start|>', probeMark, '<s>', '</s>', '<|eot_id|>', '<|start_header_id|>', '<|end_header_id|>'],
  ...[
    '<|python_tag|>',
    '[INST]',
    '[/INST]',
    '[TOOL_CALLS]',
    '[ARGS]',
    '[THINK]',
    '[/THINK]',
    '<|channel|>',
    '<|call|>',
  ],
  ...['<|message|>', '<|start|>', '<|end|>', '<|return|>', '<think>', '</think>', '<tool_call>', '</tool_call>'],
  ...[
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<｜tool▁calls▁end｜>',
    '<|tool_calls_section_begin|>',
  ],
  ...[
    '<|tool_call_begin|>',
    '<arg_key>',
    '<arg_value>',
    '<function=',
    '</function>',
    '<parameter=',
    '<|START_ACTION|>',
  ],
];

/** @param marks control tokens of the vocabulary; the first one is the end-of-turn token */
export function smallModel(template: string, { marks = chatMarks }: { marks?: readonly string[] } = {}): GgufFile {
  const shape = { layers: 1, width: 64, heads: 1, keyValueHeads: 1, headWidth: 64, feedForward: 64, tied: true };
  const tokenizer = byteLevelTokenizer({ merges: [], control: marks });
  return randomTransformer(
    { ...shape, architecture: 'llama', context: 4096 },
    { name: 'small', tokenizer, template, type: 'F16', seed: 1 },
  );
}
