/** An engine thread around the fake model, for tests of everything between the threads. */
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../../runtime/engine-worker.ts';
import { FakeModel } from './fake-model.ts';

export interface FakeEngineWorkerData {
  /** Fails to load with this message. */
  readonly loadError?: string;
  /** The thread dies when a prompt with this text is rendered. */
  readonly crashOn?: string;
  /** The thread dies of an error that quotes the prompt when this text is rendered. */
  readonly faultOn?: string;
}

const { loadError, crashOn, faultOn } = workerData as FakeEngineWorkerData;

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
      const content = input.messages[0]?.content;
      if (faultOn !== undefined && content === faultOn) {
        setImmediate(() => {
          throw new Error(`cannot read ${content}`);
        });
        await new Promise(() => undefined);
      }
      return prepareChat(input);
    };
    return model;
  },
});
