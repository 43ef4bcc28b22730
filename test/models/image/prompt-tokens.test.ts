/** Compares CLIP's tokenizer, built from its two files, with the Rust library on the same `tokenizer.json`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Tokenizer as Reference } from 'tokenizers';
import { describe, expect, it } from 'vitest';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import { clipTokenizerFile } from '../../../models/image/clip-tokenizer.ts';
import { PromptTokenizer } from '../../../models/image/prompt-tokens.ts';
import { parseTokenizer } from '../../../models/tokenizer/text-tokenizer.ts';
import { strangeTexts } from '../../support/models/strange-texts.ts';
import { tinyWords } from '../../support/models/tiny-words.ts';
import { byteLevelFile } from '../../support/models/tokenizer-files.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const endOfWord = '</w>';

/** A vocabulary in CLIP's form: bytes as visible characters, each also with the end-of-word mark, then merged tokens. */
function clipFiles() {
  const { vocab } = byteLevelFile().model as { vocab: Readonly<Record<string, number>> };
  const alphabet = Object.keys(vocab).slice(5, 5 + 256);
  const pieces = new Set([...alphabet, ...alphabet.map((byte) => byte + endOfWord)]);
  const merges = ['#version: 0.2'];
  for (const word of tinyWords) {
    // The words consist of ASCII letters, so their bytes are their characters.
    if (!/^[a-z]+$/.test(word)) continue;
    for (let length = 1; length < word.length; length++) {
      const [left, right] = [word.slice(0, length), word[length]! + (length === word.length - 1 ? endOfWord : '')];
      if (pieces.has(left + right)) continue;
      merges.push(`${left} ${right}`);
      pieces.add(left + right);
    }
  }
  const tokens = [...pieces, '<|startoftext|>', '<|endoftext|>'];
  return { vocabulary: Object.fromEntries(tokens.map((token, id) => [token, id])), merges: merges.join('\n') };
}

describe("CLIP's tokenizer from vocab.json and merges.txt", () => {
  it('gives the same ids as the reference for 3,000 unusual texts', async () => {
    const { vocabulary, merges } = clipFiles();
    const json = JSON.stringify(clipTokenizerFile(vocabulary, merges));
    // The libraries use different Unicode versions, so they disagree on the newest letters.
    const known = (text: string) => text.replace(/[\u088f\u0c5c\u0cdc\u{10000}-\u{1efff}\u{2ebe1}-\u{3ffff}]/gu, '');
    const texts = strangeTexts(3000, { seed: 20_261_121, words: tinyWords }).map(known);
    const expected = await Reference.fromString(json).encodeBatch(texts);
    const found = parseTokenizer(json).tokenize(texts);
    const differing = texts.filter((_, index) => `${found[index]}` !== `${expected[index]!.getIds()}`);
    expect(differing.slice(0, 5)).toEqual([]);
  });

  it("is refused if the vocabulary is not CLIP's", () => {
    expect(() => clipTokenizerFile({ a: 1 }, '')).toThrow('must contain <|startoftext|> and <|endoftext|>');
  });
});

describe('prompts', () => {
  it('are padded with the token of the tokenizer, not of the encoder', async () => {
    await using folder = await scratchFolder();
    const { vocabulary, merges } = clipFiles();
    await writeFile(join(folder.path, 'vocab.json'), JSON.stringify(vocabulary));
    await writeFile(join(folder.path, 'merges.txt'), merges);
    const pads = async (config: object) => {
      await writeFile(join(folder.path, 'tokenizer_config.json'), JSON.stringify(config));
      return new PromptTokenizer(folder.path, { length: 6, padToken: 1 }, new PinnedFiles(undefined)).encode([''])[0]!;
    };
    const [start, end] = [vocabulary['<|startoftext|>'], vocabulary['<|endoftext|>']];
    expect(await pads({ pad_token: '!' })).toEqual([start, end, ...Array(4).fill(vocabulary['!'])]);
    expect(await pads({ pad_token: { content: '<|endoftext|>' } })).toEqual([start, ...Array(5).fill(end)]);
    expect(await pads({})).toEqual([start, end, 1, 1, 1, 1]);
    expect(await pads({ model_max_length: 3 })).toEqual([start, end, 1]);
  });

  it('that contain the padding token are tokenized as by the published tools', async () => {
    await using folder = await scratchFolder();
    const { vocabulary, merges } = clipFiles();
    await writeFile(join(folder.path, 'vocab.json'), JSON.stringify(vocabulary));
    await writeFile(join(folder.path, 'merges.txt'), merges);
    await writeFile(join(folder.path, 'tokenizer_config.json'), '{"pad_token": "!"}');
    const [start, end] = [vocabulary['<|startoftext|>'], vocabulary['<|endoftext|>']];
    const ids = new PromptTokenizer(folder.path, { length: 6, padToken: undefined }, new PinnedFiles(undefined)).encode(
      ['a!'],
    );
    expect(ids[0]).toEqual([
      start,
      vocabulary[`a${endOfWord}`],
      vocabulary['!'],
      end,
      vocabulary['!'],
      vocabulary['!'],
    ]);
  });

  it('that are too long are truncated and keep their end token', async () => {
    await using folder = await scratchFolder();
    const { vocabulary, merges } = clipFiles();
    await writeFile(join(folder.path, 'tokenizer.json'), JSON.stringify(clipTokenizerFile(vocabulary, merges)));
    const tokenizer = new PromptTokenizer(folder.path, { length: 4, padToken: 0 }, new PinnedFiles(undefined));
    const ids = tokenizer.encode(['! ! ! ! ! !'])[0]!;
    const mark = vocabulary[`!${endOfWord}`];
    expect(ids).toEqual([vocabulary['<|startoftext|>'], mark, mark, vocabulary['<|endoftext|>']]);
  });
});
