/** Small `tokenizer.json` files of the three families, in the form that Hugging Face's tools write. */
import { tinyWords } from './tiny-words.ts';

/** A `tokenizer.json`; only the fields that tests read are typed. */
export interface TokenizerFile {
  readonly version: '1.0';
  readonly truncation: null;
  readonly padding: null;
  readonly added_tokens: readonly AddedToken[];
  readonly normalizer: object | null;
  readonly pre_tokenizer: object | null;
  readonly post_processor: object | null;
  readonly decoder: object | null;
  readonly model: object;
}

interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly single_word: boolean;
  readonly lstrip: boolean;
  readonly rstrip: boolean;
  readonly normalized: boolean;
  readonly special: boolean;
}

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
const signs = Array.from('0123456789.,!?\'"()[]-:;/%&=~+*#@_', (sign) => sign);
const foreign = Array.from('äöüßéèñçşğαβγδσςабвгдежзअआकख你好世界日本語人一二三ひらがなカタカナ한국어กขค😀👍🏽🎉');

/** As in BERT: lower-cased, accents stripped, words split greedily into pieces. */
export function wordPieceFile({ lowercase = true }: { lowercase?: boolean } = {}): TokenizerFile {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];
  const upper = lowercase ? [] : letters.map((letter) => letter.toUpperCase());
  const characters = [...letters, ...upper, ...signs, ...foreign];
  const pieces = new Set([
    ...special,
    ...characters,
    ...characters.map((character) => `##${character}`),
    ...tinyWords,
    ...['##ing', '##ed', '##s', '##er', '##ly', '##tion', 'un', 're', 'pre'],
  ]);
  const vocab = Object.fromEntries([...pieces].map((piece, id) => [piece, id]));
  return {
    ...frame(special, vocab),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: template({ before: '[CLS]', after: '[SEP]' }, vocab),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** As in RoBERTa: byte-level BPE. */
export function byteLevelFile(): TokenizerFile {
  const special = ['<s>', '<pad>', '</s>', '<unk>', '<mask>'];
  const alphabet = byteCharacters();
  const merges: [string, string][] = [];
  const pieces = new Set([...special, ...alphabet]);
  const add = (left: string, right: string) => {
    if (!pieces.has(left + right)) merges.push([left, right]);
    pieces.add(left + right);
  };
  for (const word of tinyWords) {
    const bytes = Array.from(Buffer.from(word), (byte) => alphabet[byte]!);
    for (let length = 2; length <= bytes.length; length++) add(bytes.slice(0, length - 1).join(''), bytes[length - 1]!);
    add(alphabet[0x20]!, bytes.join(''));
  }
  const vocab = Object.fromEntries([...pieces].map((piece, id) => [piece, id]));
  return {
    ...frame(special, vocab),
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: {
      type: 'RobertaProcessing',
      sep: ['</s>', vocab['</s>']],
      cls: ['<s>', vocab['<s>']],
      trim_offsets: true,
      add_prefix_space: false,
    },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      vocab,
      merges,
    },
  };
}

/** As in Qwen: NFC, words split by a pattern, byte-level BPE; a special token ends a text. */
export function qwenLikeFile(): TokenizerFile {
  const { model, ...file } = byteLevelFile();
  const { vocab } = model as { vocab: Readonly<Record<string, number>> };
  const pattern =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  const end = { id: '</s>', type_id: 0 };
  return {
    ...file,
    normalizer: { type: 'NFC' },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: pattern }, behavior: 'Isolated', invert: false },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      ],
    },
    post_processor: {
      type: 'Sequence',
      processors: [
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
        {
          type: 'TemplateProcessing',
          single: [{ Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: end }],
          pair: [{ Sequence: { id: 'A', type_id: 0 } }, { Sequence: { id: 'B', type_id: 0 } }, { SpecialToken: end }],
          special_tokens: { '</s>': { id: '</s>', ids: [vocab['</s>']], tokens: ['</s>'] } },
        },
      ],
    },
    model,
  };
}

export interface CharacterPairsOptions {
  readonly continuation?: string;
  readonly wordEnd?: string;
  readonly fusesUnknown?: boolean;
  readonly byteFallback?: boolean;
  readonly keepsWholeWords?: boolean;
  /** Keep spaces, as `▁`, and treat a text as one word. */
  readonly joinsWords?: boolean;
}

/**
 * Pairs of characters instead of bytes, so that some characters are unknown. CLIP marks the ends of words; other vocabularies mark
 * continuations.
 */
export function characterPairsFile(options: CharacterPairsOptions = {}): TokenizerFile {
  const { continuation = '', wordEnd = '', joinsWords = false, byteFallback = false } = options;
  const special = ['<s>', '</s>', '<unk>'];
  const merges: [string, string][] = [];
  const vocabulary = new Set(special);
  if (byteFallback) {
    for (let byte = 0; byte < 0x100; byte++) {
      vocabulary.add(`<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
    }
  }
  for (const character of [...letters, '▁', ...signs, ...foreign.slice(0, 20)]) {
    for (const name of [character, continuation + character]) vocabulary.add(name).add(name + wordEnd);
  }
  for (const word of tinyWords) {
    const last = word.length - 1;
    const pieces = Array.from(
      word,
      (letter, at) => (at > 0 ? continuation : '') + letter + (at === last ? wordEnd : ''),
    );
    for (const piece of pieces) vocabulary.add(piece);
    pieces.reduce((left, right) => {
      const merged = left + right.slice(continuation.length);
      if (!vocabulary.has(merged)) merges.push([left, right]);
      vocabulary.add(merged);
      return merged;
    });
  }
  if (options.keepsWholeWords === true) for (const word of tinyWords) vocabulary.add(`${word}s`);
  const vocab = Object.fromEntries([...vocabulary].map((piece, id) => [piece, id]));
  return {
    ...frame(special, vocab),
    normalizer: joinsWords ? { type: 'Replace', pattern: { String: ' ' }, content: '▁' } : null,
    pre_tokenizer: joinsWords ? null : { type: 'WhitespaceSplit' },
    post_processor: template({ before: '<s>', after: '</s>' }, vocab),
    decoder: null,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: '<unk>',
      continuing_subword_prefix: continuation,
      end_of_word_suffix: wordEnd,
      fuse_unk: options.fusesUnknown === true,
      byte_fallback: byteFallback,
      ignore_merges: options.keepsWholeWords === true,
      vocab,
      merges,
    },
  };
}

/** As in XLM-RoBERTa: SentencePiece unigram. @param charsmap base64, for `Precompiled` */
export function unigramFile({ charsmap }: { charsmap?: string } = {}): TokenizerFile {
  const special = ['<s>', '<pad>', '</s>', '<unk>'];
  const pieces = new Map<string, number>(special.map((token) => [token, 0]));
  const add = (piece: string, score: number) => pieces.has(piece) || pieces.set(piece, score);
  add('▁', -3.5);
  tinyWords.forEach((word, rank) => {
    add(`▁${word}`, -5 - rank / 97);
    add(word, -6 - rank / 89);
    for (let length = 2; length < word.length; length++) add(word.slice(0, length), -7 - rank / 83 - length / 31);
  });
  [...letters, ...signs, ...foreign].forEach((character, rank) => {
    add(character, -9 - rank / 61);
  });
  const vocab = [...pieces];
  const ids = Object.fromEntries(vocab.map(([piece], id) => [piece, id]));
  return {
    ...frame([...special, '<mask>'], { ...ids, '<mask>': vocab.length }),
    normalizer: charsmap === undefined ? null : { type: 'Precompiled', precompiled_charsmap: charsmap },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'WhitespaceSplit' },
        { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
      ],
    },
    post_processor: template({ before: '<s>', after: '</s>' }, ids),
    decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
    model: { type: 'Unigram', unk_id: 3, vocab, byte_fallback: false },
  };
}

function frame(special: readonly string[], vocab: Readonly<Record<string, number>>) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: special.map((content) => ({
      id: vocab[content]!,
      content,
      single_word: false,
      lstrip: content === '<mask>',
      rstrip: false,
      normalized: false,
      special: true,
    })),
  } as const;
}

function template({ before, after }: { before: string; after: string }, ids: Readonly<Record<string, number>>) {
  const token = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
  return {
    type: 'TemplateProcessing',
    single: [token(before), sequence('A', 0), token(after)],
    pair: [token(before), sequence('A', 0), token(after), sequence('B', 1), token(after)],
    special_tokens: Object.fromEntries([before, after].map((id) => [id, { id, ids: [ids[id]], tokens: [id] }])),
  };
}

/** GPT-2's printable character of each byte. */
function byteCharacters(): string[] {
  const printable = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || (byte >= 0xae && byte <= 0xff);
  let unprintable = 0;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(printable(byte) ? byte : 256 + unprintable++));
}
