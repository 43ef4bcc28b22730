/**
 * Chats rendered by every template that llama.cpp ships, and answers read back by the same format. Schemas are left as the
 * seeds have them: from a schema to a grammar is a target of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModelError } from '../../../models/errors.ts';
import { type LlamaText, loadLlamaText } from '../../../models/llama-text.ts';
import { ServerError } from '../../../server/errors.ts';
import { readChatCall } from '../../../server/schemas/chat.ts';
import { writeGguf } from '../../support/gguf.ts';
import { llamaTemplates } from '../llama-templates.ts';
import { changeJson, type Json } from '../mutation/json.ts';
import { chatMarks, smallModel } from '../small-models.ts';
import { bytesOf, type FuzzTarget, type GeneratorSource, textOf } from '../target.ts';

/** An input, as JSON. */
interface TemplateInput {
  /** Index of the template, modulo their number. */
  readonly template: number;
  /** Body of a chat request. */
  readonly body: Json;
  /** What the model writes. */
  readonly answer: string;
}

export const targets: readonly FuzzTarget[] = [
  {
    name: 'chat-templates',
    summary: 'chats rendered by all templates that llama.cpp ships, and answers read back',
    isNative: true,
    // Seventy models, each with what it keeps of its first chats.
    growthBytesMax: { after: 320 * 2 ** 20, during: 256 * 2 ** 20 },
    generate,
    async open() {
      const models = await loadModels();
      return {
        isRefusal: (error) =>
          error instanceof ServerError || (error instanceof ModelError && refusals.includes(error.code)),
        async run(input) {
          const { template, body, answer } = JSON.parse(textOf(input)) as TemplateInput;
          const { name, model } = models[template % models.length]!;
          const { input: chat } = readChatCall(body, () => 1).work;
          if (chat.messages.length > messagesMax) return;
          try {
            await renderAndRead(model, chat, answer);
          } catch (cause) {
            if (cause instanceof ModelError && refusals.includes(cause.code)) throw cause;
            throw new Error(`${name}: ${String(cause)}`, { cause });
          }
        },
        async close() {
          for (const { model } of models) await model.close();
        },
      };
    },
  },
];

/** Some templates take time that grows with the square of the messages: their number is bounded before they are rendered. */
const messagesMax = 100;
const refusals: readonly string[] = ['ERR_CHAT_TEMPLATE', 'ERR_GRAMMAR_INVALID', 'ERR_TOOLS_UNSUPPORTED'];

async function loadModels(): Promise<readonly { readonly name: string; readonly model: LlamaText }[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-templates-'));
  const modelPath = join(folder, 'model.gguf');
  const models: { name: string; model: LlamaText }[] = [];
  for (const { name, text } of llamaTemplates()) {
    writeGguf(modelPath, smallModel(text));
    const sizes = { sequences: 1, contextPerSequence: 64, batchTokens: 16, threads: 1, poll: 0 };
    models.push({ name, model: await loadLlamaText({ modelPath, ...sizes, gpu: 'off' }) });
    rmSync(modelPath);
  }
  rmSync(folder, { recursive: true });
  return models;
}

async function renderAndRead(
  model: LlamaText,
  chat: Parameters<LlamaText['prepareChat']>[0],
  answer: string,
): Promise<void> {
  const prepared = await model.prepareChat(chat);
  const { control } = model.info.vocabulary;
  const wrong = prepared.tokens.find((token) => !(token >= 0 && token < control.length));
  if (wrong !== undefined) throw new Error(`token ${wrong} of a vocabulary of ${control.length}`);
  if (!prepared.structured) return;
  const parser = prepared.createParser();
  let size = 1;
  for (let at = 0; at < answer.length; at += size, size = 1 + ((7 * size) % 31)) {
    parser.feed(answer.slice(at, at + size).toWellFormed(), false);
  }
  parser.feed('', true);
}

/** What reaches the template; most other changes end at the check of the body. */
const mayChange = /^messages\[\d+\]$|(content|text|arguments|name|id|description|reasoning_effort|tool_choice)$/;

/** Changes the chat, but no schema in it; or the answer; and takes any template. */
function generate({ corpus, random }: GeneratorSource): Uint8Array {
  const seeds = () => JSON.parse(textOf(random.pick(corpus))) as TemplateInput;
  const { body, answer } = seeds();
  const other = seeds();
  const changed = changeJson(body, {
    random,
    other: other.body,
    strings: [...chatMarks, 'role', 'content', 'tool_calls', 'reasoning_content', 'name', 'arguments', 'tool_call_id'],
    mayChange: (path) => mayChange.test(path),
  });
  return bytesOf(JSON.stringify({ template: random.below(1_000), body: changed, answer: changeAnswer() }));

  function changeAnswer(): string {
    let text = random.below(3) === 0 ? other.answer : answer;
    for (let count = random.below(6); count > 0; count--) {
      const at = random.below(text.length + 1);
      const piece = random.pick([
        () => random.pick(chatMarks),
        () => random.pick(answerPieces),
        () => random.pick(answerPieces).repeat(random.pick([2, 30, 200])),
        () => other.answer.slice(random.below(other.answer.length + 1)).slice(0, 40),
      ])();
      text = text.slice(0, at) + piece + text.slice(at + random.pick([0, 0, 1, 8, 40]));
    }
    return text.slice(0, 4_000);
  }
}

const answerPieces = [
  ...['{', '}', '[', ']', '"', '\\', '\\u', '\\ud800', ':', ',', 'null', '1e999', '-', '0', ' ', '\n', '\ud800', 'é'],
  ...['{"name": "', '"arguments": ', '{"place": "', '```json\n', '```', 'functions.get_weather:0', '<arg_value>'],
];
