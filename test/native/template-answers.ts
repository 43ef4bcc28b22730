/** Answers of a small model with random weights under any chat template. */
import { join } from 'node:path';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { PreparedChat } from '../../models/interface/model.ts';
import { smallModel } from '../fuzz/small-models.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { greedy, spell } from './models.ts';

const fedAtOnce = 512;

/** Loads a small model with random weights and this chat template. */
export async function withTemplate(template: string, use: (model: LlamaText) => Promise<void>): Promise<void> {
  await using folder = await scratchFolder();
  const modelPath = join(folder.path, 'model.gguf');
  writeGguf(modelPath, smallModel(template));
  const sizes = { sequences: 1, contextPerSequence: 8192, batchTokens: fedAtOnce, threads: 1, poll: 0 };
  const model = await loadLlamaText({ modelPath, ...sizes, gpu: 'off' });
  try {
    await use(model);
  } finally {
    await model.close();
  }
}

/** The text that the model generates, of at most `tokensMax` tokens, and whether it ended the answer. */
export async function write(
  model: LlamaText,
  prepared: PreparedChat,
  { tokensMax = 200, seed = 1 } = {},
): Promise<{ text: string; hasEnded: boolean }> {
  model.beginSampling(0, { ...greedy, temperature: 1, seed }, prepared);
  await model.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
  const tokens: number[] = [];
  const answer = (hasEnded: boolean) => ({ text: spell(model, tokens, prepared.shownTokens), hasEnded });
  let position = 0;
  let next = prepared.tokens;
  while (tokens.length < tokensMax) {
    const fed = next.subarray(0, fedAtOnce);
    next = next.subarray(fedAtOnce);
    const rows = [{ sequence: 0, position, tokens: fed, sample: next.length === 0 }];
    const { tokens: sampled } = await model.step({ operations: [], rows });
    position += fed.length;
    if (next.length > 0) continue;
    const token = sampled[0]!;
    if (model.info.endTokens.has(token)) return answer(true);
    tokens.push(token);
    next = Int32Array.of(token);
  }
  return answer(false);
}
