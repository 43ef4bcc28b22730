/** Compares token ids with the Rust library `tokenizers`, which models were trained with. */
import { Tokenizer as Library } from '@huggingface/tokenizers';
import { Tokenizer as Reference } from 'tokenizers';
import { describe, expect, it } from 'vitest';
import { parseTokenizer } from '../../../models/tokenizer/text-tokenizer.ts';
import { compileCharsmap, nfkcLikeMap } from '../../support/models/charsmap.ts';
import { strangeTexts } from '../../support/models/strange-texts.ts';
import { tinyWords } from '../../support/models/tiny-words.ts';
import {
  byteLevelFile,
  characterPairsFile,
  qwenLikeFile,
  type TokenizerFile,
  unigramFile,
  wordPieceFile,
} from '../../support/models/tokenizer-files.ts';

const families: readonly { name: string; file: TokenizerFile }[] = [
  { name: 'WordPiece, uncased', file: wordPieceFile() },
  { name: 'WordPiece, cased', file: wordPieceFile({ lowercase: false }) },
  { name: 'byte-level BPE', file: byteLevelFile() },
  { name: 'byte-level BPE that splits by a pattern', file: qwenLikeFile() },
  { name: 'Unigram', file: unigramFile() },
  { name: 'Unigram with a compiled character map', file: unigramFile({ charsmap: compileCharsmap(nfkcLikeMap()) }) },
  { name: 'BPE with marked ends of words', file: characterPairsFile({ wordEnd: '</w>' }) },
  { name: 'BPE with marked continuations', file: characterPairsFile({ continuation: '##', fusesUnknown: true }) },
  { name: 'BPE that keeps whole words', file: characterPairsFile({ keepsWholeWords: true }) },
  {
    name: 'BPE over whole texts, with bytes',
    file: characterPairsFile({ joinsWords: true, byteFallback: true }),
  },
];

const texts = strangeTexts(10_000, { seed: 20_261_121, words: tinyWords });

function both(file: TokenizerFile) {
  const json = JSON.stringify(file);
  return { ours: parseTokenizer(json), reference: Reference.fromString(json) };
}

/** At most ten texts for which the ids differ. */
async function differences({ ours, reference }: ReturnType<typeof both>, texts: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let start = 0; start < texts.length; start += 2000) {
    const some = texts.slice(start, start + 2000);
    const expected = await reference.encodeBatch(some);
    ours.tokenize(some).forEach((tokens, index) => {
      const ids = expected[index]!.getIds();
      if (tokens.length !== ids.length || ids.some((id, at) => id !== tokens[at])) {
        found.push({ text: some[index], ours: [...tokens].join(' '), reference: ids.join(' ') });
      }
    });
  }
  return found.slice(0, 10);
}

/** The processor time of this process that `work` takes, in the best of some runs. */
function leastMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const started = process.cpuUsage();
    work();
    return process.cpuUsage(started).user / 1000;
  });
  return Math.min(...times);
}

describe('parseTokenizer', () => {
  it.each(families)('$name: gives the same ids as the reference for 10,000 unusual texts', async ({ file }) => {
    expect(await differences(both(file), texts)).toEqual([]);
  });

  it.each([families[0]!, families[1]!, families[4]!])(
    '$name: agrees on every code point below U+20000',
    async ({ file }) => {
      const texts: string[] = [];
      for (let code = 0; code < 0x20000; code++) {
        if (code < 0xd800 || code >= 0xe000) texts.push(`b${String.fromCodePoint(code)}c`);
      }
      expect(await differences(both(file), texts)).toEqual([]);
    },
  );

  it.each(families)('$name: truncates like the reference and keeps special tokens', async ({ file }) => {
    const { ours, reference } = both(file);
    for (const length of [3, 8, 64]) {
      reference.setTruncation(length);
      for (const text of texts.slice(0, 300)) {
        const [tokens] = ours.tokenize([text]);
        expect([...ours.truncate(tokens!, length)]).toEqual((await reference.encode(text)).getIds());
      }
    }
  });

  it('adds special tokens to token ids from a request', () => {
    const tokenizer = parseTokenizer(JSON.stringify(wordPieceFile()));
    const [tokens] = tokenizer.tokenize(['hello']);
    expect([...tokenizer.wrap([tokens![1]!])]).toEqual([...tokens!]);
  });

  it('treats an unpaired surrogate as U+FFFD', () => {
    const tokenizer = parseTokenizer(JSON.stringify(byteLevelFile()));
    expect(tokenizer.tokenize(['a\ud800b'])).toEqual(tokenizer.tokenize(['a\ufffdb']));
  });

  it('returns only special tokens for an empty text', () => {
    const tokenizer = parseTokenizer(JSON.stringify(unigramFile()));
    expect(tokenizer.tokenize(['']).map((tokens) => [...tokens])).toEqual([[0, 2]]);
  });

  it('reports the size of the vocabulary', () => {
    const file = unigramFile();
    const largest = Math.max(...file.added_tokens.map(({ id }) => id));
    expect(parseTokenizer(JSON.stringify(file)).vocabularySize).toBe(largest + 1);
  });

  it('tokenizes a very long word in linear time', () => {
    const word = 'embedding'.repeat(20_000);
    for (const { file } of families) {
      const [tokens] = parseTokenizer(JSON.stringify(file)).tokenize([word]);
      expect(tokens!.length).toBeGreaterThan(0);
    }
  });

  it('merges the pairs of a very long word in less than half the time that the library takes', () => {
    const merges = Array.from({ length: 12 }, (_, power) => ['a'.repeat(2 ** power), 'a'.repeat(2 ** power)] as const);
    const file = byteLevelFile();
    const { model } = file as { model: { vocab: Record<string, number>; merges: unknown[] } };
    const vocab = { ...model.vocab };
    for (const [left, right] of merges) vocab[left + right] ??= Object.keys(vocab).length;
    const changed = {
      ...file,
      pre_tokenizer: { type: 'ByteLevel', use_regex: false },
      model: { ...model, vocab, merges },
    };
    const word = 'a'.repeat(100_000);
    const ours = parseTokenizer(JSON.stringify(changed));
    const library = new Library({ ...changed, post_processor: null } as never, {});
    const libraryIds = library.encode(word, { add_special_tokens: false }).ids;
    expect([...ours.tokenize([word])[0]!].slice(1, -1)).toEqual(libraryIds);
    const oursMs = leastMs(() => ours.tokenize([word]));
    expect(oursMs).toBeLessThan(leastMs(() => library.encode(word)) / 2);
  });

  it.each([
    ['no JSON', '{', 'tokenizer.json is not valid JSON'],
    ['no model', '{"model":null}', /tokenizer\.json cannot be used/],
    [
      'an unknown component',
      JSON.stringify({ ...wordPieceFile(), normalizer: { type: 'Rot13' } }),
      /tokenizer\.json cannot be used/,
    ],
  ])('refuses %s', (_, json, message) => {
    expect(() => parseTokenizer(json)).toThrow(expect.objectContaining({ code: 'ERR_MODEL_LOAD' }));
    expect(() => parseTokenizer(json)).toThrow(message);
  });

  it.each([-1, 0.5, 2 ** 31, '3', null])('refuses a vocabulary with the token id %j', (id) => {
    const json = JSON.stringify(wordPieceFile(), (key, value) => (key === 'a' ? id : value));
    expect(() => parseTokenizer(json)).toThrow(expect.objectContaining({ code: 'ERR_MODEL_LOAD' }));
    expect(() => parseTokenizer(json)).toThrow(/token ids must be integers/);
  });
});
