/**
 * Renders chats with every template of llama.cpp and parses completions of the same format. Schemas are not mutated, since
 * the conversion of a schema to a grammar is a separate target.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LlamaText, loadLlamaText } from '../../../models/gguf/llama-text.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import { readChatCall } from '../../../server/features/chat/call.ts';
import { ServerError } from '../../../server/http/errors.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import type { Random } from '../../support/random.ts';
import { llamaTemplates } from '../llama-templates.ts';
import { changeJson, type Json } from '../mutation/json.ts';
import { chatMarks, probeMark, smallModel } from '../small-models.ts';
import { bytesOf, type FuzzTarget, type GeneratorSource, textOf } from '../target.ts';

/** An input, as JSON. */
interface TemplateInput {
  /** Index of the template, modulo their number. */
  readonly template: number;
  /** Body of a chat request. */
  readonly body: Json;
  /** The model's output. */
  readonly answer: string;
}

export const targets: readonly FuzzTarget[] = [
  {
    name: 'chat-templates',
    summary: 'chats rendered by all templates that llama.cpp ships, and answers read back',
    isNative: true,
    // A chat may render for four seconds.
    cpuMsMax: 6_000,
    // Seventy models, each with the caches of its first chats.
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

const refusals: readonly string[] = [
  'ERR_CHAT_TEMPLATE',
  'ERR_CHAT_TOO_COMPLEX',
  'ERR_GRAMMAR_INVALID',
  'ERR_TOOLS_UNSUPPORTED',
];

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
  const { bytes, offsets, control } = model.info.vocabulary;
  const isProbe = (token: number) => latin1(bytes.subarray(offsets[token], offsets[token + 1])) === probeMark;
  if (prepared.tokens.some((token) => control[token] === 1 && isProbe(token))) {
    throw new Error("a caller's text became a control token");
  }
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

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Mutates the chat except its schemas, or the completion, and chooses any template. */
function generate({ corpus, random }: GeneratorSource): Uint8Array {
  const seed = () => JSON.parse(textOf(random.pick(corpus))) as TemplateInput;
  const [{ body, answer }, other] = [seed(), seed()];
  const changed =
    random.below(6) === 0
      ? changeJson(body, { random, other: other.body, strings: texts, mayChange: (path) => shapes.test(path) })
      : changeChat(body as unknown as ChatBody, other.body as unknown as ChatBody, random);
  const text = changeText(random.below(3) === 0 ? other.answer : answer, random).slice(0, 4_000);
  return bytesOf(JSON.stringify({ template: random.below(1_000), body: changed, answer: text }));
}

/** Paths whose values the body's validation mostly rejects in another shape. */
const shapes = /^messages\[\d+\]$|(content|text|arguments|name|id|description|reasoning_effort|tool_choice)$/;

interface ChatBody {
  messages: { [key: string]: unknown }[];
}

/** Changes the messages, their order and their texts: nearly all of these chats pass validation and reach the template. */
function changeChat(body: ChatBody, other: ChatBody, random: Random): Json {
  const { messages } = body;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(messages.length);
    const one = structuredClone(random.pick([...messages, ...other.messages]));
    const copies = Array.from({ length: random.pick([1, 1, 2, 40]) }, () => structuredClone(one));
    random.pick([
      () => messages.splice(at, 0, ...copies),
      () => messages.splice(at, messages.length > 1 ? 1 : 0),
      () => messages.reverse(),
    ])();
  }
  for (let count = 1 + random.below(3); count > 0; count--) changeTextsOf(random.pick(messages), random);
  return body as unknown as Json;
}

function changeTextsOf(message: { [key: string]: unknown }, random: Random): void {
  const key = random.pick(['content', 'content', 'reasoning_content', 'name', 'tool_call_id', 'tool_calls']);
  const value = message[key];
  if (typeof value === 'string') message[key] = changeText(value, random);
  else if (key === 'reasoning_content' || key === 'name') message[key] = random.pick(texts);
  for (const inner of Array.isArray(value) ? (value as { text?: string; function?: { arguments: string } }[]) : []) {
    if (inner.text !== undefined) inner.text = changeText(inner.text, random);
    if (inner.function !== undefined) inner.function.arguments = changeText(inner.function.arguments, random);
  }
}

/** Inserts and overwrites up to five pieces. */
function changeText(text: string, random: Random): string {
  let changed = text;
  for (let count = random.below(6); count > 0; count--) {
    const at = random.below(changed.length + 1);
    const piece = random.pick(texts).repeat(random.pick([1, 1, 1, 2, 30, 200]));
    changed = changed.slice(0, at) + piece + changed.slice(at + random.pick([0, 0, 1, 8, 40]));
  }
  return changed;
}

const texts = [
  ...[...chatMarks, probeMark, probeMark, probeMark.slice(0, 5), `<${probeMark}`],
  ...['{', '}', '[', ']', '"', '\\', '\\u', '\\ud800', ':', ',', 'null', '1e999', '-', '0', ' ', '\n', '\ud800', 'é'],
  ...[
    '{"name": "',
    '"arguments": ',
    '{"place": "',
    '```json\n',
    '```',
    'functions.get_weather:0',
    '{{ x }}',
    '{% if %}',
  ],
];
