import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { asking, loadChat } from './chats.ts';
import { generate, greedy, spell } from './models.ts';

let chatml: LlamaText;

beforeAll(async () => {
  chatml = await loadChat();
});
afterAll(() => chatml.close());

describe('a JSON schema', () => {
  const schemaText = JSON.stringify({
    type: 'object',
    properties: {
      kind: { enum: ['a', 'b'] },
      count: { type: 'integer' },
      tags: { type: 'array', items: { type: 'boolean' }, maxItems: 3 },
    },
    required: ['kind', 'count', 'tags'],
    additionalProperties: false,
  });

  it('is always satisfied, greedily or at a high temperature', async () => {
    const prepared = await chatml.prepareChat(asking('Give me JSON.', { jsonSchema: schemaText }));
    for (let seed = 0; seed < 12; seed++) {
      const sampling = {
        ...greedy,
        temperature: seed === 0 ? 0 : 1.5,
        topP: seed % 2 ? 1 : 0.9,
        topK: seed % 3 ? 0 : 5,
        seed,
      };
      await chatml.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
      const answer = await generate(chatml, { prepared }, { sequence: 0, sampling, count: 2000 });
      expect(chatml.info.endTokens.has(answer.at(-1)!)).toBe(true);
      const value = JSON.parse(spell(chatml, answer));
      expect(Object.keys(value)).toEqual(['kind', 'count', 'tags']);
      expect(['a', 'b']).toContain(value.kind);
      expect(Number.isInteger(value.count)).toBe(true);
      expect(value.tags.every((tag: unknown) => typeof tag === 'boolean')).toBe(true);
    }
  });

  it('is satisfied by each of several concurrent answers to one prompt', async () => {
    const prepared = await chatml.prepareChat(
      asking('Give me JSON.', { jsonSchema: '{"enum": ["yes", "no", "maybe"]}' }),
    );
    const sequences = [0, 1];
    await chatml.step({ operations: sequences.map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
    for (const sequence of sequences)
      chatml.beginSampling(sequence, { ...greedy, temperature: 2, seed: sequence }, prepared);
    const answers: number[][] = [[], []];
    let rows = sequences.map((sequence) => ({ sequence, position: 0, tokens: prepared.tokens, sample: true }));
    while (rows.length > 0) {
      const { tokens } = await chatml.step({ operations: [], rows });
      for (const [index, { sequence }] of rows.entries()) answers[sequence]!.push(tokens[index]!);
      rows = rows
        .map((row, index) => ({
          ...row,
          position: row.position + row.tokens.length,
          tokens: tokens.slice(index, index + 1),
        }))
        .filter(({ tokens }) => !chatml.info.endTokens.has(tokens[0]!));
    }
    for (const answer of answers) expect(['"yes"', '"no"', '"maybe"']).toContain(spell(chatml, answer));
  });

  it('allows any object if it is empty', async () => {
    const prepared = await chatml.prepareChat(asking('Give me JSON.', { jsonSchema: '{}' }));
    await chatml.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
    const answer = await generate(
      chatml,
      { prepared },
      { sequence: 0, sampling: { ...greedy, temperature: 1, seed: 3 }, count: 5 },
    );
    expect(spell(chatml, answer)).toMatch(/^\{/);
  });

  it('does not change the log probabilities of the model', async () => {
    const prepared = await chatml.prepareChat(asking('Give me JSON.', { jsonSchema: schemaText }));
    await chatml.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
    chatml.beginSampling(0, { ...greedy, logprobs: 3 }, prepared);
    const { tokens, logprobs } = await chatml.step({
      operations: [],
      rows: [{ sequence: 0, position: 0, tokens: prepared.tokens, sample: true }],
    });
    expect(spell(chatml, tokens)).toMatch(/^\{/);
    expect(logprobs[0]!.logprob).toBeLessThan(logprobs[0]!.top[0]!.logprob);
    expect(Number.isFinite(logprobs[0]!.logprob)).toBe(true);
  });
});
