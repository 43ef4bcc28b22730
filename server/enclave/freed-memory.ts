/**
 * Clears what requests leave behind in the JavaScript threads of this process. V8 zeroes the memory that its collector frees, and
 * every thread collects soon after the last request has ended. The native heap is zeroed by the preloaded library of `native/heap`.
 */
import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BroadcastChannel } from 'node:worker_threads';
import memoryFlags from './memory-flags.json' with { type: 'json' };
import { wipeThreadStack } from './process-guard.ts';

const channelName = 'cloister.clear-freed-memory';

/**
 * Times without a request after which all threads collect. The second collection frees what survived the first one: native parts of
 * objects that the first has found, and whatever a thread was still at work with.
 */
const quietMs = [1000, 3000] as const;
/** All threads collect at the latest this long after a request has ended, whatever else is under way. */
const busyMs = 60_000;

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
  #quiet: NodeJS.Timeout[] = [];
  #busy: NodeJS.Timeout | undefined;

  constructor() {
    this.#channel.unref();
  }

  follow(server: RequestSource): void {
    server.on('request', (_request, response) => {
      this.#openRequests += 1;
      for (const timer of this.#quiet) clearTimeout(timer);
      response.once('close', () => {
        this.#openRequests -= 1;
        this.#busy ??= setTimeout(() => this.#run(), busyMs).unref();
        if (this.#openRequests > 0) return;
        this.#quiet = quietMs.map((ms) => setTimeout(() => this.#run(), ms).unref());
      });
    });
  }

  close(): void {
    for (const timer of this.#quiet) clearTimeout(timer);
    clearTimeout(this.#busy);
    this.#channel.close();
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
    // The last text that a regular expression has matched stays reachable (`RegExp.input`).
    /^/.test('');
    collect();
    wipeThreadStack();
  };
}

/**
 * Of the flags, `clear-free-memory` has V8 zero what it frees, `retain-maps-for-n-gc` has it drop the hidden classes of objects that are
 * gone, and `gc-memory-reducer-start-delay-ms` has it give pages back 2 s after a collection, not 8. `cloister serve` gives them on
 * the command line; the guest's init starts Node without any.
 */
function exposedCollector(): () => void {
  if (globalThis.gc === undefined) for (const flag of memoryFlags) setFlagsFromString(flag);
  const collect = globalThis.gc ?? (runInNewContext('gc') as NodeJS.GCFunction);
  return () => void collect();
}
