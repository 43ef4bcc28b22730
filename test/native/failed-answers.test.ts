/** Answers whose grammar needs a character that the vocabulary does not have. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadLlamaText } from '../../models/gguf/llama-text.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { tinyModel } from '../support/models/tiny-models.ts';
import { tokenTypes } from '../support/models/tokenizers.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { asking } from './chats.ts';
import { greedy } from './models.ts';

/** First byte of é in UTF-8, as GPT-2 spells it. */
const leadByte = 'Ã';

/** The tiny model without any token that holds é's first byte: a control token is no text. */
function modelWithoutAccents() {
  const { metadata, ...model } = tinyModel();
  const { strings: tokens } = metadata['tokenizer.ggml.tokens'] as { strings: readonly string[] };
  const { i32s: types } = metadata['tokenizer.ggml.token_type'] as { i32s: readonly number[] };
  const i32s = types.map((type, index) => (tokens[index]!.includes(leadByte) ? tokenTypes.control : type));
  return { ...model, metadata: { ...metadata, 'tokenizer.ggml.token_type': { i32s } } };
}

it('an answer that no token can continue fails, and the other answers continue', async () => {
  await using folder = await scratchFolder();
  const modelPath = join(folder.path, 'model.gguf');
  writeGguf(modelPath, modelWithoutAccents());
  const shape = { sequences: 2, contextPerSequence: 512, threads: 1, poll: 0, gpu: 'off' } as const;
  const model = await loadLlamaText({ modelPath, ...shape });
  const prepared = await model.prepareChat(asking('Answer.', { jsonSchema: '{"enum": ["é"]}' }));
  const neighbour = await model.prepareChat(asking('Answer.', { jsonSchema: '{"type": "string", "minLength": 20}' }));
  model.beginSampling(0, greedy, prepared);
  model.beginSampling(1, greedy, neighbour);

  const first = await model.step({
    operations: [],
    rows: [prepared, neighbour].map(({ tokens }, sequence) => ({ sequence, position: 0, tokens, sample: true })),
  });
  expect(first.failures.size).toBe(0);
  const second = await model.step({
    operations: [],
    rows: [prepared, neighbour].map(({ tokens }, sequence) => ({
      ...{ sequence, position: tokens.length, tokens: first.tokens.slice(sequence, sequence + 1), sample: true },
    })),
  });
  expect([...second.drawn]).toEqual([0, 1]);
  expect([...second.failures]).toEqual([[0, 'ERR_GRAMMAR_UNSATISFIABLE']]);
  await model.close();
});
