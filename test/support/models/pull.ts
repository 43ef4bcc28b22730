/** Shared setup of the tests of `pullFile`: a fake hub, a folder, a client whose clock never waits. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpClient } from '../../../models/hub/download.ts';
import { type PinnedDownload, type PullOptions, pullFile } from '../../../models/hub/pull.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { fakeGguf, type Mishap, sha256Of, startFakeHub } from './fake-hub.ts';

export const content = fakeGguf(1_000_000);
export const segmentBytes = 64 * 1024;
export const segmentCount = Math.ceil(content.length / segmentBytes);

/** A hub with one file, and a clock that records pauses and never waits. */
export async function setUpPull({ silenceMs = 5000 }: { silenceMs?: number } = {}) {
  const [hub, folder] = await Promise.all([startFakeHub(), scratchFolder()]);
  hub.files.set('tiny.gguf', content);
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const client = new HttpClient({ silenceMs, clock: { now: () => 0, sleep, random: () => 0 } });
  const target = join(folder.path, 'models', 'tiny.gguf');
  const download: PinnedDownload = {
    file: 'tiny.gguf',
    url: `${hub.url}/${hub.repository}/resolve/${hub.commit}/tiny.gguf`,
    target,
    bytes: content.length,
    sha256: sha256Of(content),
  };
  const { signal } = new AbortController();
  return {
    hub,
    pauses,
    target,
    pull: (change: Partial<PinnedDownload & PullOptions> = {}) =>
      pullFile({ ...download, ...change }, { client, signal, segmentBytes, ...change }),
    bytesServed: () =>
      hub.seen.filter(({ origin }) => origin === 'storage').reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
    folder: () => readdir(join(folder.path, 'models')),
    async [Symbol.asyncDispose]() {
      client.close();
      await hub[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Makes the storage fail with `mishap` for the given request, and serve all others. */
export function only(index: number, mishap: Mishap) {
  return (_: unknown, at: number): Mishap | undefined => (at === index ? mishap : undefined);
}
