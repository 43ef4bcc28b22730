/**
 * Clears the data of ended requests in the JavaScript threads of this process. V8 zeroes the memory that its collector frees, and
 * every thread runs a collection soon after the last request has ended. The native heap is zeroed by the preloaded library of `native/heap`.
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
 * Idle times after which all threads collect. The second collection frees what survived the first one: native parts of objects, and
 * data that a thread was still using.
 */
const quietMs = [1000, 3000] as const;
/** Maximum time between the end of a request and a collection, even under load. */
const busyMs = 60_000;

/** Clears freed memory of this thread when the main thread requests it. Called at the start of every other thread. */
export function followMemoryClearing(): void {
  const clear = prepareThread();
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = clear;
  channel.unref();
}

/** The part of an HTTP server that `MemoryClearing` uses. */
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

/** @returns a function that clears the freed memory of this thread */
function prepareThread(): () => void {
  // Small Buffers share slabs, which are not cleared while any of them is in use.
  Buffer.poolSize = 0;
  const collect = exposedCollector();
  return () => {
    // `RegExp.input` keeps the text of the last match reachable.
    /^/.test('');
    collect();
    wipeThreadStack();
  };
}

/**
 * Sets V8's flags. With `clear-free-memory`, V8 zeroes freed memory; with `retain-maps-for-n-gc`, it drops hidden classes of freed
 * objects; with `gc-memory-reducer-start-delay-ms`, it returns pages 2 s instead of 8 s after a collection. `cloister serve` has these
 * flags on its command line; the guest's init starts Node without flags.
 */
function exposedCollector(): () => void {
  if (globalThis.gc === undefined) for (const flag of memoryFlags) setFlagsFromString(flag);
  const collect = globalThis.gc ?? (runInNewContext('gc') as NodeJS.GCFunction);
  return () => void collect();
}
