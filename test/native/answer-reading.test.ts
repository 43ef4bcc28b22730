/**
 * Answers read piece by piece, under every chat template that llama.cpp ships: at any time the deltas so far equal the parse of the
 * whole answer so far, and parsing takes linear time.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatDelta, PreparedChat } from '../../models/interface/model.ts';
import { llamaTemplates } from '../fuzz/llama-templates.ts';
import { smallModel } from '../fuzz/small-models.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { asking } from './chats.ts';
import { weatherTool } from './models.ts';

const code = '"Kyōto"\\n\tif (a < b && c[0]) { <b> }  \\u00e9\\\\ ';
const jsonCall = `{"name": "get_weather", "arguments": {"place": "a ${code}", "days": [1, 2.5, -3e2, true, null]}}`;
/** Answers in the formats of many model families. */
const answers = [
  'Plain words, <b>marks</b>, [lists] {braces} `code` and\n\nlines.  \n',
  `<think>\nOne < two.\n\n</think>\n\nThe answer: é 🙂 </thin\n`,
  `<think>\nHm.\n</think>\n\nLet me see.\n<tool_call>\n${jsonCall}\n</tool_call>\n<tool_call>\n${jsonCall}\n</tool_call>`,
  '<tool_call>\n<function=get_weather>\n<parameter=place>\nOne\ntwo "three" </parameter\n</parameter>\n</function>\n</tool_call>',
  '<tool_call>get_weather\n<arg_key>place</arg_key>\n<arg_value>Kyoto "now"</arg_value>\n</tool_call>',
  '<|channel|>analysis<|message|>Hm, <|x.<|end|><|start|>assistant<|channel|>final<|message|>Words and more.',
  `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"place": "Kyoto ${'x'.repeat(40)}"}`,
  '<|channel>thought\nHm.\n<channel|><|tool_call>call:get_weather{place:<|"|>Kyōto "a"\n<|"|>,days:[1,2]}<tool_call|>',
  `[TOOL_CALLS]get_weather[ARGS]{"place": "${code}"}`,
  `[TOOL_CALLS][${jsonCall}]`,
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"place": "Kyoto"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"place":"Kyoto"}<|tool_call_end|>',
  'all\nSome words.>>>get_weather\n{"place": "Kyoto"}',
  ' to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>Words.',
];

interface Read {
  content: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
}

function add(read: Read, { content, reasoning, toolCalls }: ChatDelta): void {
  read.content += content;
  read.reasoning += reasoning;
  for (const call of toolCalls) {
    read.calls[call.index] ??= { name: call.name!, arguments: '' };
    read.calls[call.index]!.arguments += call.arguments;
  }
}

function readWhole(prepared: PreparedChat, text: string, final: boolean): Read {
  const read: Read = { content: '', reasoning: '', calls: [] };
  add(read, prepared.createParser().feed(text, final));
  return read;
}

/** Whether nothing that was read before is read in another way. */
function continues(before: Read, now: Read): boolean {
  return (
    now.content.startsWith(before.content) &&
    now.reasoning.startsWith(before.reasoning) &&
    before.calls.every((call, index) => now.calls[index]?.arguments.startsWith(call.arguments))
  );
}

/** Fails if the deltas differ from the parse of the whole text so far. @returns how many pieces were compared */
function compare(prepared: PreparedChat, answer: string, pieceSize: (index: number) => number): number {
  const characters = Array.from(answer);
  const ends: number[] = [];
  for (let end = 0; end < characters.length; ends.push(end)) end += pieceSize(ends.length);
  const wholes = ends.map((end) => readWhole(prepared, characters.slice(0, end).join(''), false));
  const final = readWhole(prepared, answer, true);

  const parser = prepared.createParser();
  const read: Read = { content: '', reasoning: '', calls: [] };
  let compared = 0;
  for (const [index, end] of ends.entries()) {
    add(read, parser.feed(characters.slice(ends[index - 1] ?? 0, end).join(''), false));
    const whole = wholes[index]!;
    // Emitted deltas cannot be retracted, so from here on the two may differ.
    if (!continues(read, whole)) return compared;
    // One format emits a possible start of a call as content at once; the incremental parser waits until it is certain.
    if (answer.startsWith('all\n') && characters[end - 1] === '>') continue;
    expect(read).toEqual(whole);
    compared += 1;
  }
  add(read, parser.feed('', true));
  if (continues(wholes.at(-1)!, final)) expect(read).toEqual(final);
  return compared;
}

async function withTemplate(text: string, use: (prepared: PreparedChat) => void): Promise<void> {
  await using folder = await scratchFolder();
  const modelPath = join(folder.path, 'model.gguf');
  writeGguf(modelPath, smallModel(text));
  const shape = { sequences: 1, contextPerSequence: 64, batchTokens: 16, threads: 1, poll: 0, gpu: 'off' } as const;
  const model: LlamaText = await loadLlamaText({ modelPath, ...shape });
  try {
    const prepared = await model.prepareChat(asking('Hello.', { tools: [weatherTool] }));
    if (prepared.structured) use(prepared);
  } finally {
    await model.close();
  }
}

describe('incremental parsing of an answer', () => {
  it('equals a full parse of the text so far after every step, with every template', async () => {
    let compared = 0;
    for (const [number, { name, text }] of llamaTemplates().entries()) {
      await withTemplate(text, (prepared) => {
        for (const [index, answer] of answers.entries()) {
          const isEven = (number + index) % 2 === 0;
          try {
            compared += compare(prepared, answer, (index) => (isEven ? 1 : 1 + ((7 * index) % 9)));
          } catch (cause) {
            throw new Error(`${name}: ${JSON.stringify(answer)}`, { cause });
          }
        }
      });
    }
    expect(compared).toBeGreaterThan(25_000);
  }, 240_000);

  it.each([
    ['content', 'Qwen-Qwen3-0.6B', '<think>\nx\n</think>\n\n', 'some words <b>\n'],
    [
      'a call in JSON',
      'Qwen-Qwen3-0.6B',
      '<tool_call>\n{"name": "get_weather", "arguments": {"place": "',
      'a word \\n',
    ],
    ['a call in tags', 'Qwen3-Coder', '<tool_call>\n<function=get_weather>\n<parameter=place>\n', 'if (a < b)\n'],
  ])('takes time proportional to the length of the answer (%s)', async (_, template, opening, line) => {
    const { text } = llamaTemplates().find(({ name }) => name.includes(template))!;
    await withTemplate(text, (prepared) => {
      const parser = prepared.createParser();
      const begun = performance.now();
      let length = 0;
      for (let at = 0; at < 16_000; at++) {
        const { content, toolCalls } = parser.feed(
          at === 0 ? opening : line.slice((at % 4) * 4, (at % 4) * 4 + 4),
          false,
        );
        length += content.length + (toolCalls[0]?.arguments.length ?? 0);
      }
      expect(length).toBeGreaterThan(30_000);
      // A parse of all for each piece takes three times this, on an idle machine.
      expect(performance.now() - begun).toBeLessThan(2_000);
    });
  });
});
