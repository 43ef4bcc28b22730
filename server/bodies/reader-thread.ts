/** The thread that reads large bodies. It keeps nothing between two of them. */
import { setPriority } from 'node:os';
import '../enclave/follow-memory-clearing.ts';
import { servePool } from '../../runtime/pool-worker.ts';
import { readBody } from './calls.ts';
import { parseJson } from './parse-json.ts';
import { type Reading, type ReadingTask, toRefusal } from './reading.ts';

export default servePool<ReadingTask, Reading, undefined>(async () => ({
  facts: undefined,
  run: async (task) => ({ result: read(task) }),
  close: async () => undefined,
}));

function read({ route, body, terms }: ReadingTask): Reading {
  try {
    return { kind: 'read', read: readBody(route, parseAndWipe(body), terms) };
  } catch (error) {
    return { kind: 'refused', refusal: toRefusal(error) };
  }
}

function parseAndWipe(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } finally {
    body.fill(0);
  }
}
// Of this thread alone, on Linux: it gives way to the threads that serve and compute, as slow preparations of chats do.
setPriority(0, 10);
