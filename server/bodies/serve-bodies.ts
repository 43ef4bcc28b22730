/** The thread that reads large bodies. It keeps no state between bodies. */
import { servePool } from '@cloister/runtime/pool/pool-worker';
import { type CallReader, readBody } from './call-reader.ts';
import { parsePieces } from './parse-json.ts';
import { type Reading, type ReadingTask, toRefusal } from './reading.ts';

/** @param readers of all routes that accept large bodies */
export function serveBodies(readers: readonly CallReader<unknown, never>[]) {
  const byName = new Map(readers.map((reader) => [reader.name, reader as CallReader<unknown, unknown>]));
  return servePool<ReadingTask, Reading, undefined>(async () => ({
    facts: undefined,
    run: async (task) => ({ result: read(byName.get(task.reader)!, task) }),
    close: async () => undefined,
  }));
}

function read(reader: CallReader<unknown, unknown>, { pieces, terms, readsConstraints }: ReadingTask): Reading {
  try {
    return { kind: 'read', read: readBody(reader, parsePieces(pieces), { terms, readsConstraints }) };
  } catch (error) {
    return { kind: 'refused', refusal: toRefusal(error) };
  }
}
