/** An engine thread around the fake model, for tests of everything between the threads. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../../runtime/engine-worker.ts';
import { FakeModel } from './fake-model.ts';

export interface FakeEngineWorkerData {
  /** Fails to load with this message. */
  readonly loadError?: string;
  /** The thread dies when a prompt with this text is rendered. */
  readonly crashOn?: string;
}

const { loadError, crashOn } = workerData as FakeEngineWorkerData;

await serveEngine({
  port: parentPort!,
  queuedRequestsMax: 16,
  prefixCacheBytes: 10_000,
  promptLookup: 'auto',
  async load(onProgress) {
    onProgress(0.5);
    if (loadError !== undefined) throw new Error(loadError);
    const model = new FakeModel();
    const prepareChat = model.prepareChat.bind(model);
    model.prepareChat = async (input) => {
      if (crashOn !== undefined && input.messages[0]?.content === crashOn) process.exit(1);
      return prepareChat(input);
    };
    return model;
  },
});
