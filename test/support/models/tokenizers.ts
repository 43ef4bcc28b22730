/** Small real tokenizers for test models: byte-level BPE as in GPT-2 and Qwen, and SentencePiece with byte tokens. */
import type { MetadataValue } from './gguf.ts';

export interface Tokenizer {
  readonly tokens: readonly string[];
  readonly types: readonly number[];
  readonly metadata: Readonly<Record<string, MetadataValue>>;
  /** Returns the id of a token by its spelling in the model file. @throws {RangeError} */
  idOf(token: string): number;
}

/** @see llama.cpp include/llama.h, llama_token_type */
export const tokenTypes = { normal: 1, unknown: 2, control: 3, userDefined: 4, byte: 6 } as const;

export interface ByteLevelOptions {
  /** Merges in plain text by priority; each adds the concatenation of two existing tokens. */
  readonly merges: readonly (readonly [string, string])[];
  /** Control tokens, which are never emitted. The first one ends an answer. */
  readonly control: readonly string[];
  /** Marks, which are matched whole in a prompt and emitted in an answer. */
  readonly marks?: readonly string[];
  /** Tokens without a merge, which occur only in answers. */
  readonly pieces?: readonly Uint8Array[];
}

/** Order of ids: 256 bytes, merges, pieces, marks, control tokens. */
export function byteLevelTokenizer({ merges, control, marks = [], pieces = [] }: ByteLevelOptions): Tokenizer {
  const spelled = merges.map(([left, right]) => [spellText(left), spellText(right)] as const);
  const normal = [
    ...Array.from({ length: 256 }, (_, byte) => byteSpelling[byte]!),
    ...spelled.map(([left, right]) => left + right),
    ...pieces.map(spellBytes),
  ];
  const tokens = [...normal, ...marks, ...control];
  const types = [
    ...normal.map(() => tokenTypes.normal),
    ...marks.map(() => tokenTypes.userDefined),
    ...control.map(() => tokenTypes.control),
  ];
  const idOf = indexTokens(tokens);
  const end = idOf(control[0] ?? '');
  const metadata = {
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'qwen2',
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.merges': { strings: spelled.map(([left, right]) => `${left} ${right}`) },
    'tokenizer.ggml.bos_token_id': { u32: idOf(control.at(-1) ?? '') },
    'tokenizer.ggml.eos_token_id': { u32: end },
    'tokenizer.ggml.padding_token_id': { u32: end },
    'tokenizer.ggml.add_bos_token': false,
  };
  return { tokens, types, metadata, idOf };
}

/** Gemma's order of ids: pad, eos, bos, unk, turn marks, 256 byte tokens, then pieces with decreasing scores. */
export function sentencePieceTokenizer(pieces: readonly string[]): Tokenizer {
  const special = ['<pad>', '<eos>', '<bos>', '<unk>', '<start_of_turn>', '<end_of_turn>'];
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  const tokens = [...special, ...bytes, ...pieces.map((piece) => piece.replaceAll(' ', '▁'))];
  const types = [
    ...special.map((token) => (token === '<unk>' ? tokenTypes.unknown : tokenTypes.control)),
    ...bytes.map(() => tokenTypes.byte),
    ...pieces.map(() => tokenTypes.normal),
  ];
  const scores = [...special, ...bytes].map(() => -1e4).concat(pieces.map((_, index) => -index));
  const idOf = indexTokens(tokens);
  const metadata = {
    'tokenizer.ggml.model': 'llama',
    'tokenizer.ggml.pre': 'default',
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.scores': { f32s: scores },
    'tokenizer.ggml.bos_token_id': { u32: idOf('<bos>') },
    'tokenizer.ggml.eos_token_id': { u32: idOf('<eos>') },
    'tokenizer.ggml.eot_token_id': { u32: idOf('<end_of_turn>') },
    'tokenizer.ggml.unknown_token_id': { u32: idOf('<unk>') },
    'tokenizer.ggml.padding_token_id': { u32: idOf('<pad>') },
    'tokenizer.ggml.add_bos_token': true,
    'tokenizer.ggml.add_space_prefix': false,
  };
  return { tokens, types, metadata, idOf };
}

/** GPT-2's spelling of bytes: printable bytes are unchanged, the others map to U+0100 and up. */
const byteSpelling: readonly string[] = (() => {
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    return String.fromCodePoint(printable ? byte : 256 + moved++);
  });
})();

/** The spelling of bytes in a byte-level vocabulary. */
export function spellBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byteSpelling[byte]!).join('');
}

function spellText(text: string): string {
  return spellBytes(Buffer.from(text));
}

function indexTokens(tokens: readonly string[]): (token: string) => number {
  const ids = new Map(tokens.map((token, id) => [token, id]));
  if (ids.size !== tokens.length) {
    const twice = tokens.find((token, id) => ids.get(token) !== id);
    throw new RangeError(`vocabulary holds ${JSON.stringify(twice)} twice`);
  }
  return (token) => {
    const id = ids.get(token);
    if (id === undefined) throw new RangeError(`vocabulary has no ${JSON.stringify(token)}`);
    return id;
  };
}
