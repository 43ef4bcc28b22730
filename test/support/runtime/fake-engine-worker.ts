/** An engine thread around the fake model, for tests of everything between the threads. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { serveEngine } from '../../../runtime/chat/engine-worker.ts';
import { FakeModel } from './fake-model.ts';

export interface FakeEngineWorkerData {
  /** Fails to load with this message. */
  readonly loadError?: string;
  /** The thread exits when a prompt with this text is rendered. */
  readonly crashOn?: string;
  /** The thread ends with an error that quotes the prompt when this text is rendered. */
  readonly faultOn?: string;
  /** After a prompt with this text is rendered, each step fails. */
  readonly failOn?: string;
  /** After a prompt with this text is rendered, the next step hangs in JavaScript. */
  readonly hangOn?: string;
  /** After a prompt with this text is rendered, the next step blocks in a system call until the test writes to `pipe`. */
  readonly blockOn?: string;
  readonly pipe?: string;
  /** [1] Shared memory: number of loads started. */
  readonly loads?: Int32Array;
  /** Loads, counted from 1, during which the thread exits. */
  readonly dyingLoads?: readonly number[];
  /** Loads that fail. */
  readonly failingLoads?: readonly number[];
}

const data = workerData as FakeEngineWorkerData;
let last: string | undefined;

await serveEngine({
  port: parentPort!,
  queuedRequestsMax: 16,
  prefixCacheBytes: 10_000,
  promptLookup: 'auto',
  async load(onProgress) {
    const load = data.loads === undefined ? 1 : Atomics.add(data.loads, 0, 1) + 1;
    if (data.dyingLoads?.includes(load)) process.exit(1);
    onProgress(0.5);
    if (data.failingLoads?.includes(load)) throw new Error('no memory is free');
    if (data.loadError !== undefined) throw new Error(data.loadError);
    const model = new FakeModel({ beforeStep });
    const prepareChat = model.prepareChat.bind(model);
    model.prepareChat = async (input) => {
      const content = input.messages[0]?.content;
      last = content;
      if (is(content, data.crashOn)) process.exit(1);
      if (is(content, data.faultOn)) {
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

function beforeStep(): void {
  if (is(last, data.failOn)) throw new Error('the device is gone');
  if (is(last, data.blockOn)) readFileSync(data.pipe!);
  while (is(last, data.hangOn));
}

function is(content: string | undefined, expected: string | undefined): boolean {
  return expected !== undefined && content === expected;
}
