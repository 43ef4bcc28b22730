/** The load of `bench/agents.ts`, looked at before anything is timed. */
import { describe, expect, it } from 'vitest';
import { agents } from '../../agents/registry.ts';
import { buildPromptTokenizer, questionWords } from '../../bench/agent-model.ts';

describe('the vocabulary for agents', () => {
  const prompts = agents.map(({ prompt }) => prompt);
  const size = 49_152;
  const tokenizer = buildPromptTokenizer(prompts, size);

  it('has the configured size, and no token twice', () => {
    expect(tokenizer.tokens).toHaveLength(size);
    expect(new Set(tokenizer.tokens).size).toBe(size);
  });

  it('has a token with a leading space for every word of the prompts and questions', () => {
    const words = prompts.flatMap((prompt) => prompt.match(/ [a-z]+/g) ?? []);
    expect(words.length).toBeGreaterThan(1_000);
    for (const word of words) expect(() => tokenizer.idOf(word.replace(' ', 'Ġ'))).not.toThrow();
    expect(questionWords).toBeGreaterThan(100);
    expect(() => tokenizer.idOf('Ġbaba')).not.toThrow();
  });
});
