/** Models for the grammar bench: a small transformer with a large vocabulary that recites a text. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LlamaText, loadLlamaText } from '../models/gguf/llama-text.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import { randomTransformer } from '../test/support/models/random-transformer.ts';
import { reciteScript, scriptPieces } from '../test/support/models/scripted-transformer.ts';
import type { Tokenizer } from '../test/support/models/tokenizers.ts';
import { chatmlTemplate } from '../test/support/server/chat-templates.ts';
import { buildWordTokenizer } from './words.ts';

export interface GrammarModel {
  readonly model: LlamaText;
  readonly tokenizer: Tokenizer;
}

const shape = {
  architecture: 'llama',
  ...{ layers: 1, width: 64, heads: 1, keyValueHeads: 1, headWidth: 64, feedForward: 64, context: 4096, tied: false },
} as const;

/** The end of a chat's prompt, and the end-of-turn token. */
const start = 'Ċ';
const end = '<|im_end|>';

/** @param vocabulary tokens · @param script the answer of the model, split into tokens of at least three bytes */
export async function loadReciter(
  script: string,
  { vocabulary, sequences }: { readonly vocabulary: number; readonly sequences: number },
): Promise<GrammarModel> {
  const words = buildWordTokenizer(vocabulary).tokens.map((token) => token.replaceAll('Ġ', ' '));
  const pieces = scriptPieces(script, [], new Set(words));
  const tokenizer = buildWordTokenizer(vocabulary, pieces);
  const file = randomTransformer(shape, {
    ...{ name: 'grammar bench', tokenizer, template: chatmlTemplate, type: 'F16', seed: 1 },
  });
  const folder = mkdtempSync(join(tmpdir(), 'cloister-bench-grammar-'));
  try {
    const modelPath = join(folder, 'model.gguf');
    writeGguf(modelPath, reciteScript(file, { tokenizer, pieces, start: start, end: end }));
    const model = await loadLlamaText({
      ...{ modelPath, sequences, contextPerSequence: 512, batchTokens: 4096, threads: 1, poll: 0, gpu: 'off' },
    });
    return { model, tokenizer };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
