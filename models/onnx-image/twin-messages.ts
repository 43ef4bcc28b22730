/** What a graph's twin is told, and what it answers: one message each way per batch. */
import type { MessagePort } from 'node:worker_threads';
import type { SessionOptions } from '../onnx-session.ts';
import type { Output, PlainTensor } from './tensors.ts';

/** Handed to the thread as it starts. It says so on its parent's port when the graph is open. */
export interface TwinData {
  /** Of the graph: proven before. */
  readonly path: string;
  readonly options: SessionOptions;
  /** Takes {@link ToTwin}, gives {@link FromTwin}. */
  readonly port: MessagePort;
  /** [2] of shared memory: how many messages went to the twin, and how many came from it. Who waits, waits for these. */
  readonly counts: Int32Array;
}

export const ASKED = 0;
export const ANSWERED = 1;

export type ToTwin =
  | {
      readonly kind: 'run';
      readonly feeds: Readonly<Record<string, PlainTensor>>;
      /** Names of the outputs wanted. */
      readonly outputs: readonly string[];
    }
  /** Not answered: the thread ends. */
  | { readonly kind: 'close' };

export type FromTwin =
  | { readonly kind: 'outputs'; readonly outputs: readonly Output[] }
  | { readonly kind: 'error'; readonly message: string };
