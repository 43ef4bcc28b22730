import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGgufHead } from '../../../models/gguf/gguf-header.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import { fakeGguf } from '../../support/models/fake-hub.ts';

describe('parseGgufHead', () => {
  const file = fakeGguf(300, { name: 'Tiny', contextLength: 1234 });

  it('reads name, architecture and context after a list', () => {
    expect(parseGgufHead(file, 'x')).toEqual({
      architecture: 'llama',
      name: 'Tiny',
      contextLength: 1234,
      embeds: false,
      ranks: false,
    });
  });

  it('omits facts beyond the given bytes', () => {
    expect(parseGgufHead(file.subarray(0, 120), 'x')).toEqual({
      architecture: 'llama',
      name: 'Tiny',
      contextLength: undefined,
      embeds: false,
      ranks: false,
    });
  });

  it('refuses a file that is not GGUF', () => {
    expect(() => parseGgufHead(Buffer.from('<html>'.repeat(10)), 'hf:a/b:c')).toThrow('hf:a/b:c is not a GGUF file');
  });

  it('throws only ModelError for damaged headers', () => {
    const damage = fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(damage, fc.nat(file.length), (changes, length) => {
        const damaged = Buffer.from(file);
        for (const [at, value] of changes) damaged[at] = value;
        try {
          parseGgufHead(damaged.subarray(0, length), 'x');
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
        }
      }),
      { numRuns: 500, seed: 3 },
    );
  });
});
