/** Levels of thinking in llama.cpp's chat templates: the rendered prompts contain the requested level. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import { type ReasoningEffort, reasoningEfforts } from '../../models/interface/model.ts';
import { llamaTemplates } from '../fuzz/llama-templates.ts';
import { smallModel } from '../fuzz/small-models.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { asking } from './chats.ts';

/** The prompt of each level, and of none (`''`). */
async function promptsOf(template: string): Promise<Map<ReasoningEffort | '', string>> {
  await using folder = await scratchFolder();
  const modelPath = join(folder.path, 'model.gguf');
  writeGguf(modelPath, smallModel(template));
  const sizes = { sequences: 1, contextPerSequence: 4096, threads: 1, poll: 0 };
  const model = await loadLlamaText({ modelPath, ...sizes, gpu: 'off' });
  try {
    const prompts = new Map<ReasoningEffort | '', string>([['', await render(model, undefined)]]);
    for (const effort of reasoningEfforts) prompts.set(effort, await render(model, effort));
    return prompts;
  } finally {
    await model.close();
  }
}

async function render(model: LlamaText, effort: ReasoningEffort | undefined): Promise<string> {
  const chat = asking('Why?', { reasoning: effort !== 'none', effort });
  const { tokens } = await model.prepareChat(chat);
  const { bytes, offsets } = model.info.vocabulary;
  return Buffer.concat(Array.from(tokens, (token) => bytes.subarray(offsets[token], offsets[token + 1]))).toString();
}

const named = (part: string) => llamaTemplates().find(({ name }) => name.includes(part))!.text;

describe('a level of thinking', () => {
  it.each([
    [
      'gpt-oss',
      { low: 'Reasoning: low', medium: 'Reasoning: medium', high: 'Reasoning: high', xhigh: 'Reasoning: high' },
    ],
    ['muse', { minimal: 'strength: low', high: 'strength: high', xhigh: 'strength: high' }],
    ['Kimi-K3', { low: '_effort=low', medium: '_effort=high', xhigh: '_effort=max' }],
    ['V4-Flash', { high: 'Reasoning Effort: Absolute maximum', xhigh: 'Reasoning Effort: Beyond maximum' }],
    ['Hy3', { low: 'reasoning_effort:low', medium: 'reasoning_effort:high', xhigh: 'reasoning_effort:high' }],
    ['Seed-OSS', { minimal: '512', medium: '4096', high: '16384' }],
  ] as const)(
    'reaches the template of %s',
    async (name, expected) => {
      const prompts = await promptsOf(named(name));
      for (const [effort, part] of Object.entries(expected)) {
        expect(prompts.get(effort as ReasoningEffort), effort).toContain(part);
      }
    },
    120_000,
  );

  it('changes nothing in a template without levels', async () => {
    const prompts = await promptsOf(named('Qwen3-0.6B'));
    for (const effort of ['minimal', 'low', 'medium', 'high', 'xhigh'] as const) {
      expect(prompts.get(effort)).toBe(prompts.get(''));
    }
    expect(prompts.get('none')).not.toBe(prompts.get(''));
  });

  it('leaves every template of llama.cpp able to render', async () => {
    for (const { name, text } of llamaTemplates()) {
      if (!/reasoning_effort|thinking_effort|thinking_budget|reasoning_strength/.test(text)) continue;
      expect((await promptsOf(text)).size, name).toBe(reasoningEfforts.length + 1);
    }
  }, 240_000);
});
