/**
 * Tool calls under every chat template that llama.cpp ships. The template itself writes a call of the history in the words of its
 * model; these words, as an answer, must parse to the same call, in pieces too.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatInput } from '../../models/interface/model.ts';
import { llamaTemplates } from '../fuzz/llama-templates.ts';
import { smallModel } from '../fuzz/small-models.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { asking, call, pieces, readAll } from './chats.ts';
import { weatherTool } from './models.ts';

/** Marks a result of the tool, which ends the words of the call. */
const result = 'RESULT-5121';
const place = 'Kyoto North';
const args = JSON.stringify({ place }).replaceAll(' ', '');
const answered = (content: string) =>
  ({ role: 'assistant', content, tool_calls: [call(JSON.stringify({ place }))] }) as const;
const told = { role: 'tool', content: result, tool_call_id: 'call_1' } as const;
const question = { role: 'user', content: 'How is the weather in Kyoto?' } as const;

async function withTemplate(template: string, use: (model: LlamaText) => Promise<void>): Promise<void> {
  await using folder = await scratchFolder();
  const modelPath = join(folder.path, 'model.gguf');
  writeGguf(modelPath, smallModel(template));
  const sizes = { sequences: 1, contextPerSequence: 4096, batchTokens: 64, threads: 1, poll: 0 };
  const model = await loadLlamaText({ modelPath, ...sizes, gpu: 'off' });
  try {
    await use(model);
  } finally {
    await model.close();
  }
}

/** The rendered prompt with its control tokens. */
async function render(model: LlamaText, chat: ChatInput): Promise<string> {
  const { tokens } = await model.prepareChat(chat);
  const { bytes, offsets } = model.info.vocabulary;
  return Buffer.concat(Array.from(tokens, (token) => bytes.subarray(offsets[token], offsets[token + 1]))).toString();
}

/** The words of a call after the prompt of its question; undefined if the template rewrites what comes before. */
async function wordsOfCall(model: LlamaText, asked: ChatInput): Promise<string | undefined> {
  const [before, after] = [
    await render(model, asked),
    await render(model, { ...asked, messages: [question, answered(''), told] }),
  ];
  if (!after.startsWith(before)) return undefined;
  const end = after.indexOf(result);
  return end < 0 ? undefined : after.slice(before.length, end);
}

/** Templates that have no words for calls or results, or refuse a history with them: llama.cpp's own formats stand in at most for the tools. */
const withoutCalls = [
  ...['HuggingFaceTB-SmolLM3-3B', 'LFM2-8B-A1B', 'LFM2.5-Instruct', 'Mistral-Small-3.2-24B-Instruct-2506'],
  ...['deepseek-ai-DeepSeek-R1-Distill-Llama-8B', 'google-gemma-2-2b-it', 'ibm-granite-granite-3.3-2B-Instruct'],
  ...['llama-cpp-deepseek-r1', 'llama-cpp-rwkv-world', 'microsoft-Phi-3.5-mini-instruct'],
  ...['mistralai-Mistral-Nemo-Instruct-2407'],
];
/** Of the templates and both settings of thinking; the others rewrite the question once it is answered, or write no calls. */
const readMin = 80;

describe('the chat templates of llama.cpp', () => {
  it('each render tools, calls and results, with thinking on and off', async () => {
    const incomplete = new Set<string>();
    const templates = llamaTemplates();
    expect(templates.length).toBeGreaterThan(50);
    for (const { name, text } of templates) {
      await withTemplate(text, async (model) => {
        for (const reasoning of [true, false]) {
          const messages = [question, answered('Wait.'), told];
          const chat = asking('', { messages, tools: [weatherTool], reasoning });
          const prompt = await render(model, chat).catch(() => '');
          if (![question.content, place, result].every((part) => prompt.includes(part))) incomplete.add(name);
        }
      });
    }
    expect([...incomplete].map((name) => name.replace('.jinja', ''))).toEqual(withoutCalls);
  }, 480_000);

  it('each parse the calls that they write themselves, in pieces, and misread none', async () => {
    let read = 0;
    for (const { name, text } of llamaTemplates()) {
      await withTemplate(text, async (model) => {
        for (const reasoning of [false, true]) {
          const chat = asking('', { messages: [question], tools: [weatherTool], reasoning });
          const words = await wordsOfCall(model, chat).catch(() => undefined);
          if (words === undefined) continue;
          const { calls } = readAll((await model.prepareChat(chat)).createParser(), pieces(words));
          const found = calls.map((one) => [one.name, one.arguments.replaceAll(' ', '')] as const);
          for (const [tool, given] of found) {
            expect(tool, name).toBe(weatherTool.function.name);
            // The words end in those of the next turn, which leave the arguments of some formats open.
            expect(args.startsWith(given), `${name}: ${given}`).toBe(true);
          }
          if (found.length === 1 && found[0]![1] === args) read += 1;
        }
      });
    }
    expect(read).toBeGreaterThanOrEqual(readMin);
  }, 480_000);
});
