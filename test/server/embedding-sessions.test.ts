import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { embeddingSessions } from '../../server/start/embedding-sessions.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const scratch = await scratchFolder();
const path = join(scratch.path, 'model.onnx');
writeFileSync(path, Buffer.alloc(1000));
afterAll(() => scratch[Symbol.asyncDispose]());

const megabytes = (count: number) => ({ entry: { files: [{ bytes: count * 1e6 }] } }) as never;
const sessions = (threads: number, pinned: never | undefined = undefined) =>
  embeddingSessions({ path, pinned }, { asked: 'auto', threads });

describe('embeddingSessions', () => {
  it('is the configured number', () => {
    expect(embeddingSessions({ path, pinned: undefined }, { asked: 3, threads: 2 })).toBe(3);
  });

  it('is one session per thread for a small model, up to eight', () => {
    expect([1, 2, 4, 8, 32].map((threads) => sessions(threads))).toEqual([1, 2, 4, 8, 8]);
  });

  it('is lower for a model whose copies would take much memory', () => {
    expect([100, 250, 400, 3000].map((size) => sessions(8, megabytes(size)))).toEqual([8, 3, 1, 1]);
  });

  it('counts weights in external data files', () => {
    writeFileSync(`${path}_data`, '');
    truncateSync(`${path}_data`, 400e6);
    expect(sessions(8)).toBe(1);
  });
});
