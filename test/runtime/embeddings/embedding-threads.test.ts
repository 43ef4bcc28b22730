import { expect, it } from 'vitest';
import { EmbeddingThreads } from '../../../runtime/embeddings/embedding-threads.ts';
import type { FakeEmbeddingData } from '../../support/models/fake-embedding.ts';
import { patientWatch } from '../../support/runtime/thread-watch.ts';

it('opens no further models if it is closed while the first model loads', async () => {
  const opened = new Int32Array(new SharedArrayBuffer(8));
  const threads = new EmbeddingThreads({
    workerUrl: new URL('../../support/runtime/fake-embedding-worker.ts', import.meta.url),
    workerData: { opened } satisfies FakeEmbeddingData,
    ...{ tokenizerThreads: 1, sessionThreads: 2 },
    ...{
      verifyWeights: async () => undefined,
      onReload: () => undefined,
      onLoss: () => undefined,
      watch: patientWatch,
    },
    ...{ onTokenizerFree: () => undefined, onModelFree: () => undefined },
  });
  const opening = threads.open({ onProgress: () => undefined });
  const closing = threads.close();
  await expect(opening).rejects.toMatchObject({ code: 'ERR_DRAINING' });
  await closing;
  expect([...opened]).toEqual([0, 1]);
});
