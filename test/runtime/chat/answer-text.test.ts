import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerText } from '../../../runtime/chat/answer-text.ts';
import { endToken, FakeModel } from '../../support/runtime/fake-model.ts';

const { vocabulary } = new FakeModel().info;
const bytesOf = (text: string) => [...new TextEncoder().encode(text)];
const answer = (stops: readonly string[] = [], shown: readonly number[] = []) =>
  new AnswerText({ vocabulary, stops, shownTokens: new Set(shown) });

/** Pushes byte tokens and returns each emitted piece. */
function read(text: AnswerText, bytes: readonly number[]): { pieces: string[]; stopped: boolean } {
  const pieces: string[] = [];
  for (const byte of bytes) {
    const { text: piece, stopped } = text.push(byte);
    pieces.push(piece);
    if (stopped) return { pieces: [...pieces, text.finish()], stopped };
  }
  return { pieces: [...pieces, text.finish()], stopped: false };
}

describe('AnswerText', () => {
  it('never splits a character', () => {
    const { pieces } = read(answer(), bytesOf('a€😀é'));
    expect(pieces.filter(Boolean)).toEqual(['a', '€', '😀', 'é']);
  });

  it('emits a replacement character for invalid UTF-8', () => {
    expect(read(answer(), [0x61, 0xff, 0x62]).pieces.join('')).toBe('a\ufffdb');
    expect(read(answer(), [0x61, 0xe2, 0x82]).pieces.join('')).toBe('a\ufffd');
  });

  it('omits control tokens unless the parser needs them', () => {
    expect(answer().push(endToken)).toEqual({ text: '', stopped: false });
  });

  it('buffers text that may become a stop string, and emits it if it does not', () => {
    const { pieces } = read(answer(['STOP']), bytesOf('a ST b'));
    expect(pieces).toEqual(['a', ' ', '', '', 'ST ', 'b', '']);
  });

  it('ends before the longest of several stop strings with the same end', () => {
    expect(read(answer(['cd', 'bcd']), bytesOf('abcdef'))).toMatchObject({
      pieces: ['a', '', '', '', ''],
      stopped: true,
    });
  });

  it('emits exactly the text before the stop string that ends first', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀'), maxLength: 30 });
    const stop = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(letters, fc.array(stop, { minLength: 1, maxLength: 3 }), (text, stops) => {
        const { pieces, stopped } = read(answer(stops), bytesOf(text));
        const found = stops
          .map((each) => ({ begin: text.indexOf(each), end: text.indexOf(each) + each.length }))
          .filter(({ begin }) => begin >= 0)
          .sort((a, b) => a.end - b.end || a.begin - b.begin);
        expect(pieces.join('')).toBe(text.slice(0, found[0]?.begin));
        expect(stopped).toBe(found.length > 0);
      }),
    );
  });
});
