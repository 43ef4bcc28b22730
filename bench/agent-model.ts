/**
 * The model of `agents.ts`: random weights of SmolLM2-135M's shape. In its vocabulary the words of the agents' prompts and of
 * `benchWord` are one token each after a space, like common words in a trained vocabulary.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../agents/agent/agent.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import { randomTransformer } from '../test/support/models/random-transformer.ts';
import { byteLevelTokenizer, type Tokenizer } from '../test/support/models/tokenizers.ts';
import { chatmlTemplate } from '../test/support/server/chat-templates.ts';
import { benchModels } from './make-model.ts';
import { benchWord } from './words.ts';

const buildFolder = join(import.meta.dirname, 'build');
const control = ['<|im_end|>', '<|im_start|>', '<|endoftext|>'];
/** Generated words for questions. */
export const questionWords = 2_000;

/** Returns the path of the agents' model; creates it if it does not exist. */
export function ensureAgentModel(agents: readonly Agent[]): string {
  const prompts = agents.map(({ prompt }) => prompt);
  const digest = createHash('sha256').update(prompts.join('\n')).digest('hex').slice(0, 12);
  const path = join(buildFolder, `random-agents-135m-q8_0-${digest}.gguf`);
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const { shape, vocabulary } = benchModels['135m']!;
  const tokenizer = buildPromptTokenizer(prompts, vocabulary);
  const name = 'random 135m q8_0 for agents';
  const partial = `${path}.${process.pid}`;
  writeGguf(partial, randomTransformer(shape, { name, tokenizer, template: chatmlTemplate, type: 'Q8_0', seed: 1 }));
  renameSync(partial, path);
  return path;
}

/**
 * Each word grows from its left end, letter by letter. Words with a leading space come first, so that their parts are not merged
 * earlier; other words take a few more tokens.
 */
export function buildPromptTokenizer(texts: readonly string[], size: number): Tokenizer {
  const pieces = new Set(texts.flatMap((text) => text.match(/[^\r\n\p{L}\p{N}]?\p{L}+/gu) ?? []).filter(isAscii));
  const spaced = [...pieces].filter((piece) => piece.startsWith(' '));
  const questions = Array.from({ length: questionWords }, (_, index) => ` ${benchWord(index)}`);
  const merges = new Map<string, [string, string]>();
  const room = size - 256 - control.length;
  const grow = (piece: string) => {
    for (let length = 2; length <= piece.length && merges.size < room; length++) {
      const grown = piece.slice(0, length);
      if (!merges.has(grown)) merges.set(grown, [grown.slice(0, -1), grown.slice(-1)]);
    }
  };
  for (const piece of [...questions, ...spaced, ...[...pieces].filter((one) => !one.startsWith(' '))]) grow(piece);
  // Unused words fill the vocabulary up to the shape's size.
  for (let index = 0; merges.size < room; index++)
    grow(` q${[...String(index)].map((digit) => 'bcdfghjkmn'[+digit]).join('')}`);
  return byteLevelTokenizer({ merges: [...merges.values()], control: control });
}

function isAscii(piece: string): boolean {
  return [...piece].every((letter) => letter < '\u0080');
}
