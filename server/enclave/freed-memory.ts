/**
 * Clears what requests leave behind in the JavaScript threads of this process. V8 zeroes the memory that its collector frees, and
 * every thread collects soon after the last request has ended. The native heap is zeroed by the preloaded library of `native/heap`.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import { wipeThreadStack } from './process-guard.ts';

const channelName = 'cloister.clear-freed-memory';

/** Time without a request after which all threads collect. */
const quietMs = 1000;
/** All threads collect at the latest this long after a request has ended, whatever else is under way. */
const busyMs = 60_000;
/** The second round frees the native memory of objects that were finalized after the first. */
const rounds = 2;

/** Clears freed memory of this thread whenever the main thread asks for it. Called at the start of every other thread. */
export function followMemoryClearing(): void {
  const clear = prepareThread();
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = clear;
  channel.unref();
}

/** What `MemoryClearing` needs of an HTTP server. */
interface RequestSource {
  on(event: 'request', listener: (request: IncomingMessage, response: ServerResponse) => void): unknown;
}

/** Clears freed memory of all threads after the requests of a server. Belongs to the main thread. */
export class MemoryClearing {
  readonly #clear = prepareThread();
  readonly #channel = new BroadcastChannel(channelName);
  #openRequests = 0;
  #quiet: NodeJS.Timeout | undefined;
  #busy: NodeJS.Timeout | undefined;

  constructor() {
    this.#channel.unref();
  }

  follow(server: RequestSource): void {
    server.on('request', (_request, response) => {
      this.#openRequests += 1;
      clearTimeout(this.#quiet);
      response.once('close', () => {
        this.#openRequests -= 1;
        this.#busy ??= setTimeout(() => this.#run(), busyMs).unref();
        if (this.#openRequests === 0) this.#runWhenQuiet(rounds);
      });
    });
  }

  close(): void {
    clearTimeout(this.#quiet);
    clearTimeout(this.#busy);
    this.#channel.close();
  }

  #runWhenQuiet(roundsLeft: number): void {
    clearTimeout(this.#quiet);
    if (roundsLeft === 0) return;
    this.#quiet = setTimeout(() => {
      this.#run();
      this.#runWhenQuiet(roundsLeft - 1);
    }, quietMs).unref();
  }

  #run(): void {
    clearTimeout(this.#busy);
    this.#busy = undefined;
    this.#channel.postMessage(undefined);
    this.#clear();
  }
}

/** @returns what clears the freed memory of this thread */
function prepareThread(): () => void {
  // Small Buffers would share slabs, which stay in use, and so uncleared, as long as any of them is.
  Buffer.poolSize = 0;
  const collect = exposedCollector();
  return () => {
    collect();
    wipeThreadStack();
  };
}

/** `cloister serve` sets these flags on the command line; the guest's init starts Node without any. */
function exposedCollector(): () => void {
  if (globalThis.gc === undefined) {
    setFlagsFromString('--clear-free-memory');
    setFlagsFromString('--expose-gc');
  }
  const collect = globalThis.gc ?? (runInNewContext('gc') as NodeJS.GCFunction);
  return () => void collect();
}
