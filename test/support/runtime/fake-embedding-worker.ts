/**
 * Threads of an embedding engine around a fake model: a character is a token, and a text's vector is its length, its
 * first token, and the number of texts in its batch. Some texts have special effects, see `fakeTexts`.
 */
import { workerData } from 'node:worker_threads';
import type { EmbeddingModel, TextTokenizer } from '../../../models/interface/embedding-model.ts';
import {
  type EmbeddingThreadData,
  serveEmbeddingModel,
  serveTokenizer,
} from '../../../runtime/embeddings/embedding-worker.ts';
import { type FakeEmbeddingData, fakeContext, fakeDimensions, fakeTexts } from '../models/fake-embedding.ts';

const vocabulary = 0x3000;
const { role, data } = workerData as EmbeddingThreadData<FakeEmbeddingData>;

export default role === 'tokenizer' ? serveTokenizer(async () => fakeTokenizer) : serveEmbeddingModel(openModel);

const fakeTokenizer: TextTokenizer = {
  vocabularySize: vocabulary,
  tokenize(texts) {
    if (data.tokenized) Atomics.add(data.tokenized, role === 'tokenizer' ? 0 : 1, texts.length);
    waitAt(data.tokenizerGate);
    return texts.map((text) =>
      text.startsWith(fakeTexts.empty) ? new Int32Array(0) : Int32Array.from(text, (one) => one.charCodeAt(0)),
    );
  },
  wrap: (tokens) => Int32Array.from(tokens),
  truncate: (tokens, length) => tokens.slice(0, length),
};

async function openModel(onProgress: (fraction: number) => void): Promise<EmbeddingModel> {
  if (data.opened) Atomics.add(data.opened, role === 'wide-model' ? 1 : 0, 1);
  onProgress(0.5);
  if (data.failsToOpen) throw Object.assign(new Error('the file is not a model'), { code: 'ERR_MODEL_LOAD' });
  return {
    info: {
      description: 'fake',
      device: 'nowhere',
      dimensions: fakeDimensions,
      contextLength: fakeContext,
      batching: data.batching ?? 'padded',
    },
    async embed(sequences) {
      if (data.computed) Atomics.add(data.computed, role === 'wide-model' ? 1 : 0, 1);
      waitAt(data.gate);
      const has = (text: string) => sequences.some(([first]) => first === text.charCodeAt(0));
      if (has(fakeTexts.dies)) process.exit(1);
      if (has(fakeTexts.fails)) throw new Error('a secret text');
      return Float32Array.from(
        sequences.flatMap((tokens) => [tokens.length, isNan(tokens) ? Number.NaN : tokens[0]!, sequences.length]),
      );
    },
    ...(role === 'wide-model' && data.takesText !== false && { tokenizer: fakeTokenizer }),
    close: async () => undefined,
  };
}

const isNan = ([first]: Int32Array) => first === fakeTexts.nan.charCodeAt(0);

function waitAt(gate: Int32Array | undefined): void {
  if (gate === undefined) return;
  Atomics.add(gate, 0, 1);
  Atomics.notify(gate, 0);
  while (Atomics.load(gate, 1) === 0) Atomics.wait(gate, 1, 0);
}
