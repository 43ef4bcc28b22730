/**
 * Tiny text models for tests, with random weights or a script that they recite.
 * Each is written once per machine to the temporary folder; equal options give equal bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterToolMark,
  chatmlTemplate,
  gemmaTemplate,
  hermesTemplate,
  thinkingTemplate,
  withToolMark,
} from '../server/chat-templates.ts';
import { type GgufFile, type TensorType, writeGguf } from './gguf.ts';
import { randomMamba } from './random-mamba.ts';
import { type Architecture, randomTransformer, type TransformerShape } from './random-transformer.ts';
import { reciteScript, scriptPieces } from './scripted-transformer.ts';
import { byteLevelTokenizer, sentencePieceTokenizer, type Tokenizer } from './tokenizers.ts';

export type TinyTemplate = 'chatml' | 'hermes' | 'thinking';

/** `mamba` is recurrent: its state cannot be trimmed. */
export type TinyArchitecture = Exclude<Architecture, 'qwen2'> | 'mamba';

export interface TinyModelOptions {
  readonly architecture?: TinyArchitecture;
  readonly type?: TensorType;
  /** Chat template; Gemma always uses its own. */
  readonly template?: TinyTemplate;
  /** Trained context in the metadata. */
  readonly context?: number;
  readonly seed?: number;
  /** Size of a head's queries, keys and values; default 64. */
  readonly headWidth?: number;
  /** Whether the vocabulary has tokens for filling gaps; not for Gemma. */
  readonly infill?: boolean;
  /**
   * The answer to every prompt at any temperature up to 1, followed by the end token.
   * Its pieces split words and multi-byte characters. `llama` only; marks such as `<think>` at most once.
   */
  readonly script?: string;
  /** The token that precedes the script, as spelled in the vocabulary; default: a line end. */
  readonly scriptStart?: string;
  /** The answer if the last message is a tool result. `hermes` only; its pieces must differ from those of `script`. */
  readonly scriptAfterTool?: string;
}

/** Increment when the bytes for the same options change. */
const revision = 1;

/** Returns the path of the GGUF file for these options; writes it if it does not exist. */
export function tinyModelFile(options: TinyModelOptions = {}): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([revision, withDefaults(options)]))
    .digest('hex');
  const folder = join(tmpdir(), `cloister-tiny-models-${process.getuid?.() ?? 0}`);
  const path = join(folder, `tiny-${options.architecture ?? 'llama'}-${digest.slice(0, 16)}.gguf`);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const partial = `${path}.${process.pid}-${crypto.randomUUID()}`;
  writeGguf(partial, tinyModel(options));
  renameSync(partial, path);
  return path;
}

export function tinyModel(options: TinyModelOptions = {}): GgufFile {
  const { architecture, type, template, context, seed, headWidth, script, scriptStart, scriptAfterTool, infill } =
    withDefaults(options);
  const gemma = architecture === 'gemma3';
  const pieces = script === undefined ? [] : scriptPieces(script, marks, merged);
  const taken = new Set([...merged, ...pieces.map((piece) => Buffer.from(piece).toString())]);
  const afterTool = scriptAfterTool === undefined ? [] : scriptPieces(scriptAfterTool, marks, taken);
  const own = [...pieces, ...afterTool].filter((piece) => !marks.includes(Buffer.from(piece).toString()));
  const tokenizer = gemma ? tinySentencePiece() : tinyByteLevel(own, infill === true);
  const name = `tiny ${architecture}`;
  const form = gemma ? gemmaTemplate : templates[template];
  const rest = { name, tokenizer, template: scriptAfterTool === undefined ? form : withToolMark(form), type, seed };
  const file =
    architecture === 'mamba'
      ? randomMamba({ ...mamba, context }, rest)
      : randomTransformer({ ...shapes[architecture], context, ...(headWidth && { headWidth }) }, rest);
  if (script === undefined) return file;
  if (architecture !== 'llama') throw new RangeError(`a script needs architecture llama, got ${architecture}`);
  const others = scriptAfterTool === undefined ? [] : [{ start: afterToolMark, pieces: afterTool }];
  return reciteScript(file, { pieces, tokenizer, start: scriptStart, end: '<|im_end|>', others });
}

function withDefaults(options: TinyModelOptions) {
  return {
    architecture: options.architecture ?? 'llama',
    type: options.type ?? 'F16',
    template: options.template ?? 'chatml',
    context: options.context ?? 4096,
    seed: options.seed ?? 1,
    headWidth: options.headWidth,
    infill: options.infill,
    script: options.script,
    scriptStart: options.scriptStart ?? 'Ċ',
    scriptAfterTool: options.scriptAfterTool,
  } as const;
}

const templates: Readonly<Record<TinyTemplate, string>> = {
  chatml: chatmlTemplate,
  hermes: hermesTemplate,
  thinking: thinkingTemplate,
};

/** Rows of 256 values, so that Q4_K fits. */
const base = { layers: 2, width: 256, heads: 4, keyValueHeads: 2, headWidth: 64, feedForward: 512, tied: false };

const mamba = { layers: 2, width: 256, convolution: 4, state: 16, timeStepRank: 16 };

const shapes: Readonly<Record<Exclude<Architecture, 'qwen2'>, Omit<TransformerShape, 'context'>>> = {
  llama: { ...base, architecture: 'llama' },
  qwen3: { ...base, architecture: 'qwen3' },
  qwen3moe: { ...base, architecture: 'qwen3moe', feedForward: 256, experts: { count: 4, used: 2 } },
  // Six layers: gemma3 makes every sixth one global.
  gemma3: { ...base, architecture: 'gemma3', layers: 6, keyValueHeads: 1, slidingWindow: 128 },
};

const marks = ['<think>', '</think>', '<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>'];
const control = ['<|im_end|>', '<|im_start|>', '<|endoftext|>'];

/** Merges letters to syllables, syllables to words, and a space with a word, like learned merges. */
const words = ['the', 'and', 'you', 'that', 'was', 'for', 'are', 'with', 'his', 'they', 'this', 'have', 'from', 'one'];
const merges: readonly (readonly [string, string])[] = (() => {
  const merges = new Map<string, readonly [string, string]>();
  const add = (left: string, right: string) => merges.set(left + right, [left, right]);
  for (const consonant of 'bcdfghjklmnprstvwz') for (const vowel of 'aeiou') add(consonant, vowel);
  for (const word of words) {
    for (let length = 2; length <= word.length; length++) {
      if (!merges.has(word.slice(0, length))) add(word.slice(0, length - 1), word[length - 1]!);
    }
  }
  for (const word of words) add(' ', word);
  return [...merges.values()];
})();
const merged: ReadonlySet<string> = new Set(merges.map(([left, right]) => left + right));

/** llama.cpp recognises them by their texts. */
export const infillMarks = ['<|fim_prefix|>', '<|fim_suffix|>', '<|fim_middle|>'] as const;

function tinyByteLevel(pieces: readonly Uint8Array[], infill: boolean): Tokenizer {
  const [end, start, begin] = control;
  const known = infill ? [end!, start!, ...infillMarks, begin!] : control;
  return byteLevelTokenizer({ merges, marks, control: known, pieces });
}

function tinySentencePiece(): Tokenizer {
  const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  return sentencePieceTokenizer([...merged, ...letters]);
}
