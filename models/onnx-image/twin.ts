/**
 * A graph opened twice, each with half of the threads, for the two halves of a batch. One session's threads wait for each
 * other at the end of every node, which small graphs spend much of their time with; two sessions meet once per run. `run` blocks
 * its thread, so the second has one of its own. Rows of a batch do not know of each other: the numbers stay the same, to the bit.
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { ModelError } from '../errors.ts';
import { readExternalFiles } from '../onnx-file/external.ts';
import { firstLine } from '../onnx-provider.ts';
import { type InferenceSession, type OpenedSession, openSession, type SessionOptions } from '../onnx-session.ts';
import { type Feeds, runGraph } from './run-graph.ts';
import { fromPlain, joined, type Output, type PlainTensor, rowsOf, toPlain } from './tensors.ts';
import { ANSWERED, ASKED, type FromTwin, type ToTwin, type TwinData } from './twin-messages.ts';

/** The weights are held twice. Of a larger graph each node takes so long that the waiting at its end counts for nothing. */
export const TWIN_GRAPH_BYTES_MAX = 64 * 2 ** 20;

/** How long the event loop stands still at a time while one half waits for the other. */
const WAIT_MS = 20;

/** Its first dimension is the batch; so is that of every other input which is as long. */
const BATCH_INPUT = 'sample';

/**
 * @param path of a graph whose first input `sample` is a batch of rows that do not know of each other
 * @returns without `twin` where one session is better, or all there can be: an odd count of threads, a large graph, one of a fixed batch, a GPU
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function openTwin(
  path: string,
  options: SessionOptions,
): Promise<OpenedSession & { readonly twin?: Twin }> {
  const { threads } = options;
  if (threads % 2 !== 0 || graphBytes(path) > TWIN_GRAPH_BYTES_MAX) return await openSession(path, options);
  const half = { ...options, threads: threads / 2 };
  const opened = await openSession(path, half);
  if (opened.provider !== 'cpu') return opened;
  if (!takesAnyBatch(opened.session)) {
    await opened.session.release();
    return await openSession(path, options);
  }
  const twin = await Twin.open(opened.session, { path, options: { ...half, gpu: 'off' } });
  return { ...opened, place: { ...opened.place, device: `CPU, ${threads} threads` }, twin };
}

export class Twin {
  readonly #own: InferenceSession;
  readonly #thread: Worker;
  readonly #port: MessagePort;
  readonly #counts: Int32Array;

  private constructor(own: InferenceSession, thread: Worker, { port, counts }: Pick<TwinData, 'port' | 'counts'>) {
    this.#own = own;
    this.#thread = thread;
    this.#port = port;
    this.#counts = counts;
    thread.once('exit', this.#onLost);
  }

  /** @param own stays the caller's to release · @throws {ModelError} ERR_MODEL_LOAD */
  static async open(own: InferenceSession, { path, options }: Pick<TwinData, 'path' | 'options'>): Promise<Twin> {
    const { port1, port2 } = new MessageChannel();
    const counts = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const workerData: TwinData = { path, options, port: port2, counts };
    const url = new URL('./twin-thread.ts', import.meta.url);
    const thread = new Worker(url, { workerData, transferList: [port2] });
    await once(thread, 'message').catch((cause) => {
      port1.close();
      throw new ModelError('ERR_MODEL_LOAD', `the graph cannot be opened twice: ${firstLine(cause)}`, { cause });
    });
    return new Twin(own, thread, { port: port1, counts });
  }

  /** One run at a time. @returns as `runGraph` does */
  async run(feeds: Feeds, outputs: readonly string[]): Promise<readonly Output[]> {
    const rows = feeds[BATCH_INPUT]!.dims[0]!;
    if (rows === 1) return await runGraph(this.#own, feeds, outputs);
    const middle = Math.ceil(rows / 2);
    const theirs = someRows(feeds, { rows, from: middle, to: rows });
    this.#send({ kind: 'run', feeds: mapValues(theirs, inOwnMemory), outputs });
    const mine = mapValues(someRows(feeds, { rows, from: 0, to: middle }), fromPlain);
    // The twin has ended too before anything is thrown: the next batch shall not meet this one's answer.
    const [first] = await Promise.allSettled([runGraph(this.#own, mine, outputs)]);
    const second = await this.#answer();
    if (first.status === 'rejected') throw first.reason;
    return outputs.map((_, index) => {
      const [{ data, dims }, other] = [first.value[index]!, second[index]!];
      return { data: joined([data, other.data]), dims: [rows, ...dims.slice(1)] };
    });
  }

  async close(): Promise<void> {
    this.#thread.off('exit', this.#onLost);
    const ended = once(this.#thread, 'exit');
    this.#send({ kind: 'close' });
    await ended;
    this.#port.close();
  }

  /** Nobody catches it, nor an error that ended the twin: its loss ends this thread too, whose owner replaces both. */
  readonly #onLost = (): never => {
    throw new Error("the thread of the graph's twin ended");
  };

  #send(message: ToTwin): void {
    const feeds = message.kind === 'run' ? Object.values(message.feeds) : [];
    this.#port.postMessage(
      message,
      feeds.map(({ data }) => data.buffer as ArrayBuffer),
    );
    Atomics.add(this.#counts, ASKED, 1);
    Atomics.notify(this.#counts, ASKED);
  }

  /** To what was sent last. Both halves take about as long: it is there, or soon. */
  async #answer(): Promise<readonly Output[]> {
    const asked = Atomics.load(this.#counts, ASKED);
    while (Atomics.load(this.#counts, ANSWERED) !== asked) {
      const isThere = Atomics.wait(this.#counts, ANSWERED, asked - 1, WAIT_MS) !== 'timed-out';
      // Between the waits it is heard of when the twin was lost.
      if (!isThere) await setImmediate();
    }
    const answer: FromTwin = receiveMessageOnPort(this.#port)!.message;
    if (answer.kind === 'outputs') return answer.outputs;
    throw new Error(answer.message);
  }
}

/** With the weights beside it. */
function graphBytes(path: string): number {
  const paths = [path, ...readExternalFiles(path).map((name) => join(dirname(path), name))];
  return paths.reduce((sum, each) => sum + statSync(each).size, 0);
}

function takesAnyBatch({ inputMetadata }: InferenceSession): boolean {
  const sample = inputMetadata.find(({ name }) => name === BATCH_INPUT);
  return sample?.isTensor === true && typeof sample.shape[0] !== 'number';
}

type PlainFeeds = Readonly<Record<string, PlainTensor>>;

/** Inputs that are the same for every row stay whole. */
function someRows(feeds: Feeds, { rows, from, to }: { rows: number; from: number; to: number }): PlainFeeds {
  return mapValues(feeds, (tensor) => (tensor.dims[0] === rows ? rowsOf(tensor, from, to) : toPlain(tensor)));
}

/** To be moved to another thread. */
function inOwnMemory(plain: PlainTensor): PlainTensor {
  return { ...plain, data: plain.data.slice() };
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
