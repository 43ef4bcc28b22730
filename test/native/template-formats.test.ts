/**
 * Every chat template that llama.cpp ships, constrained by a JSON schema. The templates come from the git bundle of the very
 * release that the addon is built for, and put into a model with random weights.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { PreparedChat, Sampling } from '../../models/interface/model.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { type TinyModelOptions, tinyModel } from '../support/models/tiny-models.ts';
import { asking } from './chats.ts';
import { greedy, spell, weatherTool } from './models.ts';

const bundle = fileURLToPath(new URL('../../node_modules/node-llama-cpp/llama/gitRelease.bundle', import.meta.url));
const schema = JSON.stringify({
  type: 'object',
  properties: { kind: { enum: ['x', 'y'] }, count: { type: 'integer', minimum: 10, maximum: 20 } },
  required: ['kind', 'count'],
  additionalProperties: false,
});
const fedAtOnce = 512;
const value = '{"kind": "x", "count": 12}';
/** Tool calls as models write them after the prompt, for templates that recognise a call by a pattern. */
const recitals = [
  { template: 'functionary-medium-v3.2', start: '>', says: 'what the schema allows', script: `all\n${value}` },
  { template: 'functionary-medium-v3.2', start: '>', says: 'a call', script: 'get_weather\n{"place": "Kyoto"}' },
  { template: 'functionary-medium-v3.2', start: '>', says: 'no other text', script: 'all\nHello.' },
  {
    ...{ template: 'gpt-oss', start: 't', says: 'what the schema allows' },
    script: `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>${value}`,
  },
  {
    ...{ template: 'gpt-oss', start: 't', says: 'a call' },
    script: ' to=functions.get_weather<|channel|>commentary json<|message|>{"place": "Kyoto"}',
  },
  { template: 'gpt-oss', start: 't', says: 'no other text', script: '<|channel|>final<|message|>Hello.' },
  {
    ...{ template: 'muse', start: 't', says: 'what the schema allows' },
    script: ` to=self<|message|>Hm.<|eom|><|start|>assistant to=user<|message|>${value}`,
  },
  {
    ...{ template: 'muse', start: 't', says: 'a call' },
    script:
      ' to=weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="place">Kyoto</atem:parameter>\n</atem:invoke>\n</atem:function_calls>',
  },
  { template: 'muse', start: 't', says: 'no other text', script: ' to=user<|message|>Hello.' },
];

const folder = mkdtempSync(join(tmpdir(), 'cloister-templates-'));
const templates = join(folder, 'source/models/templates');

beforeAll(() => {
  const source = join(folder, 'source');
  execFileSync('git', ['clone', '--quiet', '--no-checkout', bundle, source]);
  execFileSync('git', ['-C', source, 'checkout', '--quiet', 'HEAD', '--', 'models/templates']);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function withTemplate(
  name: string,
  use: (model: LlamaText) => Promise<void>,
  options: TinyModelOptions = {},
): Promise<void> {
  const file = tinyModel({ template: 'chatml', context: 16_384, ...options });
  const modelPath = join(folder, 'model.gguf');
  const template = readFileSync(join(templates, name), 'utf8');
  writeGguf(modelPath, { ...file, metadata: { ...file.metadata, 'tokenizer.chat_template': template } });
  const model = await loadLlamaText({
    ...{ modelPath, sequences: 1, contextPerSequence: 8192, threads: 1, poll: 0, gpu: 'off' },
  });
  try {
    await use(model);
  } finally {
    await model.close();
  }
}

/** The text that the model generates; undefined if it did not end. */
async function write(model: LlamaText, prepared: PreparedChat, sampling: Sampling): Promise<string | undefined> {
  model.beginSampling(0, sampling, prepared);
  await model.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
  let position = 0;
  let next = prepared.tokens;
  const tokens: number[] = [];
  while (tokens.length < 200) {
    const fed = next.subarray(0, fedAtOnce);
    const rest = next.subarray(fedAtOnce);
    const rows = [{ sequence: 0, position, tokens: fed, sample: rest.length === 0 }];
    const result = await model.step({ operations: [], rows });
    position += fed.length;
    next = rest;
    if (rest.length > 0) continue;
    const token = result.tokens[0]!;
    if (model.info.endTokens.has(token)) return spell(model, tokens, prepared.shownTokens);
    tokens.push(token);
    next = Int32Array.of(token);
  }
  return undefined;
}

/** A random answer, parsed by the template's parser; undefined if it did not end. */
async function answer(model: LlamaText, prepared: PreparedChat, seed: number) {
  // Random weights would never end a reasoning block, so tokens that could begin one are excluded.
  const opening = Array.from({ length: model.info.vocabulary.size }, (_, token) => token).filter((token) =>
    /[<[]/.test(spell(model, [token], new Set([token]))),
  );
  const logitBias = opening.map((token) => ({ token, bias: -100 }));
  const text = await write(model, prepared, { ...greedy, temperature: 1, seed, logitBias });
  if (text === undefined) return undefined;
  return prepared.structured ? prepared.createParser().feed(text, true) : { content: text, toolCalls: [] };
}

function expectToMatch(content: string): void {
  const value = JSON.parse(content);
  expect(Object.keys(value)).toEqual(['kind', 'count']);
  expect(['x', 'y']).toContain(value.kind);
  expect(value.count).toBeGreaterThanOrEqual(10);
  expect(value.count).toBeLessThanOrEqual(20);
}

describe('the chat templates of llama.cpp', () => {
  it('each constrain answers to a JSON schema', async () => {
    const ended: string[] = [];
    const open: string[] = [];
    const names = readdirSync(templates).filter((name) => name.endsWith('.jinja'));
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      await withTemplate(name, async (model) => {
        const chat = asking('Answer.', { jsonSchema: schema, reasoning: false });
        const read = await model
          .prepareChat(chat)
          .then((prepared) => answer(model, prepared, 1))
          .catch((error) => {
            throw new Error(`${name}: ${error.message}`, { cause: error });
          });
        if (read === undefined) return void open.push(name);
        ended.push(name);
        try {
          expectToMatch(read.content);
        } catch (error) {
          throw new Error(`${name} answered ${JSON.stringify(read.content)}`, { cause: error });
        }
      });
    }
    // Templates that always start with reasoning are still reasoning.
    expect(ended.length).toBeGreaterThan(names.length * 0.75);
  }, 240_000);

  it('accept tools together with a JSON schema', async () => {
    for (const name of readdirSync(templates).filter((name) => name.endsWith('.jinja'))) {
      await withTemplate(name, async (model) => {
        const chat = asking('Answer.', { jsonSchema: schema, tools: [weatherTool], reasoning: false });
        try {
          const read = await answer(model, await model.prepareChat(chat), 2);
          if (read !== undefined && read.toolCalls.length === 0) expectToMatch(read.content);
        } catch (error) {
          throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
        }
      });
    }
  }, 240_000);

  it.each(recitals)('with tools and a schema, $template allows $says', async ({ template, start, says, script }) => {
    const name = readdirSync(templates).find((file) => file.includes(template))!;
    const use = async (model: LlamaText) => {
      const prepared = await model.prepareChat(asking('Answer.', { jsonSchema: schema, tools: [weatherTool] }));
      const text = await write(model, prepared, greedy);
      if (says === 'no other text') return expect(text).not.toBe(script);
      expect(text).toBe(script);
      const { content, toolCalls } = prepared.createParser().feed(script, true);
      if (says === 'what the schema allows') expectToMatch(content);
      else expect([content, toolCalls[0]!.arguments.replaceAll(' ', '')]).toEqual(['', '{"place":"Kyoto"}']);
    };
    await withTemplate(name, use, { script, scriptStart: start });
  });
});
