import { describe, expect, it } from 'vitest';
import { boundInput } from '../../../runtime/embeddings/embedding-bound.ts';
import { type EmbeddingRequest, itemSize } from '../../../runtime/embeddings/embedding-request.ts';

const request = (input: EmbeddingRequest['input'], truncate = false): EmbeddingRequest => ({
  input,
  truncate,
  account: 'a',
  priority: 0,
  timeoutMs: 1000,
});

describe('boundInput', () => {
  it('returns a request unchanged if its items may fit', () => {
    const fitting = request(['x'.repeat(32_768), [1, 2, 3]]);
    expect(boundInput(fitting, 512)).toBe(fitting);
  });

  it('refuses a text of too many characters and names the item', () => {
    expect(() => boundInput(request(['x', 'y'.repeat(32_769)]), 512)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONTEXT_OVERFLOW',
        message:
          '`input[1]` has more than 32768 characters, the model takes 512 tokens: shorten it, or send `truncate: true`',
        details: { item: 1, limit: 512 },
      }),
    );
    expect(() => boundInput(request(['y'.repeat(100_000)]), 8192)).not.toThrow();
  });

  it('refuses more token ids than the context has, and reports both numbers', () => {
    expect(() => boundInput(request([new Array(600).fill(1)]), 512)).toThrow(
      expect.objectContaining({ details: { item: 0, limit: 512, counted: 600 } }),
    );
  });

  it('truncates both if the request sets `truncate`', () => {
    const { input } = boundInput(request(['y'.repeat(40_000), new Array(600).fill(1)], true), 512);
    expect(input.map(itemSize)).toEqual([32_768, 512]);
  });

  it('cuts the second text of a pair only, and refuses a long first text, which is copied with each pair', () => {
    const { input } = boundInput(request([{ first: 'q', second: 'y'.repeat(40_000) }], true), 512);
    expect(input).toEqual([{ first: 'q', second: 'y'.repeat(32_768) }]);
    expect(() => boundInput(request([{ first: 'q'.repeat(8193), second: 'y' }], true), 512)).toThrow(
      'the query has more than 8192 characters',
    );
  });
});
