import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PromptLookup } from '../../../runtime/chat/prompt-lookup.ts';

const letters = (text: string) => Int32Array.from(text, (letter) => letter.charCodeAt(0));

/** The draft that follows `text`. */
function draft(text: string, tokensMax = 8, capacity = 1000): string {
  return String.fromCharCode(...new PromptLookup(letters(text), capacity).draft(tokensMax));
}

describe('PromptLookup', () => {
  it('drafts the tokens that followed an earlier occurrence of the last three tokens', () => {
    expect(draft('the contract ends in May. It says: the con')).toBe('tract en');
    expect(draft('abcdefgh bcd', 3)).toBe('efg');
  });

  it('returns an empty draft if fewer than three tokens match', () => {
    expect(draft('abcdefgh')).toBe('');
    expect(draft('abcdefgh xcd')).toBe('');
    expect(draft('')).toBe('');
    expect(draft('ab')).toBe('');
    expect(draft('abcabc', 0)).toBe('');
  });

  it('prefers the longest match, and the newest of equally long matches', () => {
    expect(draft('12345678 x345y; z45678', 1)).toBe(' ');
    expect(draft('quoted-A b345-B 12quoted', 2)).toBe('-A');
    expect(draft('345-A; 345-B; 345', 2)).toBe('-B');
  });

  it('finds matches within the answer, and ends at the end of the text', () => {
    expect(draft('xyzxyz', 8)).toBe('xyz');
  });

  it('gives the same draft for tokens pushed one by one as for a prompt', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', 'c') }), fc.nat(200), (text, cut) => {
        const whole = new PromptLookup(letters(text), 500);
        const grown = new PromptLookup(letters(text.slice(0, cut)), 500);
        for (const token of letters(text.slice(cut))) grown.push(token);
        expect(grown.draft(9)).toEqual(whole.draft(9));
      }),
    );
  });

  it('only drafts tokens that followed the last three tokens somewhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 3, maxLength: 300 }), (text) => {
        const drafted = draft(text, 5);
        if (drafted !== '') expect(text).toContain(text.slice(-3) + drafted);
      }),
    );
  });

  it('ignores tokens beyond its capacity, and is empty after `clear`', () => {
    const lookup = new PromptLookup(letters('abcdefabc'), 9);
    expect(lookup.draft(2)).toEqual(letters('de'));
    lookup.push(100);
    expect(lookup.draft(2)).toEqual(letters('de'));
    lookup.clear();
    lookup.push(100);
    expect(lookup.draft(2)).toHaveLength(0);
  });
});
