/** Prompts without a chat template: the addon's tokens are llama.cpp's, and no more than the bounds say. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../../../native/index.ts';
import { requirePromptMayFit } from '../../../runtime/chat/prompt-bound.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { plainTokensMax } from '../../../server/serving/prompt-bound.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import type { Random } from '../../support/random.ts';
import { chatMarks, smallModel } from '../small-models.ts';
import { bytesOf, type FuzzTarget, type GeneratorSource, textOf } from '../target.ts';

/** An input, as JSON. */
interface PromptInput {
  readonly text: string;
  /** Whether special tokens are put around the text. */
  readonly adds: boolean;
}

export const targets: readonly FuzzTarget[] = [
  {
    name: 'plain-prompts',
    summary: "prompts without a chat template, compared with llama.cpp's tokenizer",
    isNative: true,
    generate,
    async open() {
      const engine = await loadEngine();
      return {
        isRefusal: (error) => (error as { code?: string }).code === 'ERR_CHAT_TEMPLATE',
        async run(input) {
          const { text, adds: addSpecial } = JSON.parse(textOf(input)) as PromptInput;
          const { tokens } = await engine.prepareText(text, { addSpecial });
          // The mark of rendered chats, which is removed from every prompt.
          if (!text.includes('\ufdd1')) requireEqual(tokens, engine.tokenize(text, { addSpecial, parseSpecial: true }));
          const most = plainTokensMax({ text, addsSpecialTokens: addSpecial });
          if (tokens.length > most) throw new Error(`${tokens.length} tokens; the upper bound is ${most}`);
          requireLowerBound(text, tokens.length, engine);
        },
        close: () => engine.close(),
      };
    },
  },
];

async function loadEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-prompts-'));
  const modelPath = join(folder, 'model.gguf');
  writeGguf(modelPath, smallModel('{{ messages[0].content }}'));
  try {
    return await Engine.load({ modelPath, sequences: 1, contextPerSequence: 64, threads: 1, poll: 0, gpu: 'off' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function requireEqual(tokens: Int32Array, expected: Int32Array): void {
  if (tokens.length === expected.length && tokens.every((token, index) => token === expected[index])) return;
  throw new Error(`tokens ${tokens.join(' ')}; llama.cpp has ${expected.join(' ')}`);
}

/** A context with room for one more token must not be refused. */
function requireLowerBound(text: string, tokens: number, { facts }: Engine): void {
  const model = { contextPerSequence: tokens + 1, promptBound: facts.promptBound };
  try {
    requirePromptMayFit({ text, addsSpecialTokens: false }, model);
  } catch (error) {
    if (error instanceof RuntimeError) throw new Error(`${tokens} tokens, but ${error.message}`);
    throw error;
  }
}

/** Cuts and joins texts, with control tokens and parts of them in between. */
function generate({ corpus, random }: GeneratorSource): Uint8Array {
  const seed = () => (JSON.parse(textOf(random.pick(corpus))) as PromptInput).text;
  const pieces = Array.from({ length: 1 + random.below(12) }, () => piece(seed(), random));
  return bytesOf(JSON.stringify({ text: pieces.join('').slice(0, 4_000), adds: random.below(2) === 0 }));
}

function piece(text: string, random: Random): string {
  const mark = random.pick(chatMarks);
  switch (random.below(5)) {
    case 0:
      return mark;
    case 1:
      return mark.slice(random.below(mark.length));
    case 2:
      return String.fromCodePoint(random.below(0x11_0000));
    case 3:
      return text.slice(random.below(text.length + 1)).repeat(1 + random.below(3));
    default:
      return text.slice(0, random.below(text.length + 1));
  }
}
