import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HttpClient } from '../../models/download.ts';
import { type PinnedDownload, type PullOptions, pullFile } from '../../models/pull.ts';
import { fakeGguf, type Mishap, sha256Of, startFakeHub } from '../support/fake-hub.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const content = fakeGguf(1_000_000);
const segmentBytes = 64 * 1024;
const segmentCount = Math.ceil(content.length / segmentBytes);

/** A hub with one file, and a clock that never waits but writes down how long it should have. */
async function setUp({ silenceMs = 5000 }: { silenceMs?: number } = {}) {
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

/** Lets the storage do `mishap` for the given request, and serve all others. */
function only(index: number, mishap: Mishap) {
  return (_: unknown, at: number): Mishap | undefined => (at === index ? mishap : undefined);
}

describe('pullFile', () => {
  it('brings the file in ranges, each byte once, and leaves nothing else', async () => {
    await using test = await setUp();
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(await test.folder()).toEqual(['tiny.gguf']);
    expect(test.bytesServed()).toBe(content.length);
    expect(test.hub.seen.filter(({ origin }) => origin === 'storage')).toHaveLength(segmentCount);
  });

  it('asks the hub for the storage address once per connection at most', async () => {
    await using test = await setUp();
    await test.pull();
    expect(test.hub.seen.filter(({ origin }) => origin === 'hub').length).toBeLessThanOrEqual(4);
  });

  it.each([1, 3])('has %d requests under way where so many connections are asked for', async (connections) => {
    await using test = await setUp({ silenceMs: 50 });
    test.hub.mishap = (_, index) => (index < connections ? { kind: 'stall', afterBytes: 1000 } : undefined);
    await test.pull({ connections });
    expect(test.hub.busiest).toBe(connections);
  });

  it('tells how far it is, never going back, then how far the hashing is', async () => {
    await using test = await setUp();
    const seen: { phase: string; bytesDone: number }[] = [];
    await test.pull({ onProgress: ({ phase, bytesDone }) => seen.push({ phase, bytesDone }) });
    for (const phase of ['download', 'verify']) {
      const done = seen.filter((one) => one.phase === phase).map(({ bytesDone }) => bytesDone);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
      expect(done.at(-1)).toBe(content.length);
    }
    expect(seen.at(-1)!.phase).toBe('verify');
  });

  it('sends the token to the hub and never to its storage', async () => {
    await using test = await setUp();
    test.hub.token = 'hf_secret';
    await test.pull({ token: 'hf_secret' });
    const to = (origin: string) =>
      new Set(test.hub.seen.filter((one) => one.origin === origin).map((one) => one.authorization));
    expect(to('hub')).toEqual(new Set(['Bearer hf_secret']));
    expect(to('storage')).toEqual(new Set([undefined]));
  });

  it('says what to do where the hub refuses', async () => {
    await using test = await setUp();
    test.hub.token = 'hf_secret';
    const refused = test.pull();
    await expect(refused).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
    await expect(refused).rejects.toThrow(/answered 401 \(This model is restricted\.\); .* set HF_TOKEN/);
    expect(test.pauses).toEqual([]);
  });

  it('goes on from the part that an aborted run left', async () => {
    await using test = await setUp();
    const controller = new AbortController();
    const onProgress = ({ bytesDone }: { bytesDone: number }) => bytesDone > content.length / 2 && controller.abort();
    const aborted = test.pull({ signal: controller.signal, onProgress });
    await expect(aborted).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect(await test.folder()).toEqual(['tiny.gguf.part', 'tiny.gguf.part.json']);
    const state = JSON.parse(await readFile(`${test.target}.part.json`, 'utf8')) as { done: number[] };
    const kept = state.done.reduce((sum, done) => sum + done, 0);
    expect(kept).toBeGreaterThan(content.length / 2);

    test.hub.seen.length = 0;
    await test.pull();
    expect(test.bytesServed()).toBe(content.length - kept);
    expect(
      test.hub.seen.filter(({ origin }) => origin === 'storage').every(({ ifRange }) => ifRange === '"version-1"'),
    ).toBe(true);
    expect(await readFile(test.target)).toEqual(content);
  });

  it('starts over where the other side holds another version by then', async () => {
    await using test = await setUp();
    test.hub.mishap = (_, index) => (index >= 3 ? { kind: 'status', status: 500 } : undefined);
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_DOWNLOAD_FAILED' });
    test.hub.mishap = () => undefined;
    test.hub.etag = '"version-2"';
    test.hub.seen.length = 0;
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(test.hub.seen.some(({ range, status }) => range !== undefined && status === 200)).toBe(true);
  });

  it('notices a version that changes in mid-way, and mixes nothing', async () => {
    await using test = await setUp();
    test.hub.mishap = (_, index) => {
      if (index === 5) test.hub.etag = '"version-2"';
      return undefined;
    };
    await test.pull({ connections: 1 });
    expect(await readFile(test.target)).toEqual(content);
    const ranges = test.hub.seen.filter(({ status }) => status === 206).map(({ range }) => range);
    expect(ranges.filter((range) => range === `bytes=0-${segmentBytes - 1}`)).toHaveLength(2);
  });

  it('gives up on a file that changes all the time', async () => {
    await using test = await setUp();
    test.hub.mishap = (_, index) => {
      test.hub.etag = `"version-${index}"`;
      return undefined;
    };
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
  });

  it('fetches in one piece where the other side knows no ranges', async () => {
    await using test = await setUp();
    test.hub.ranges = false;
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('starts a piece without ranges over when it breaks off', async () => {
    await using test = await setUp();
    test.hub.ranges = false;
    test.hub.mishap = only(1, { kind: 'drop', afterBytes: 300_000 });
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(test.pauses).toEqual([250]);
  });

  it.each<[string, Mishap]>([
    ['a dropped connection', { kind: 'drop', afterBytes: 10_000 }],
    ['a body shorter than the range', { kind: 'short', byBytes: 10_000 }],
    ['a range that was not asked for', { kind: 'range', contentRange: `bytes 5-9/${content.length}` }],
    ['a server error', { kind: 'status', status: 503 }],
    ['a signed address that expired', { kind: 'status', status: 403 }],
  ])('recovers from %s', async (_, mishap) => {
    await using test = await setUp();
    test.hub.mishap = only(4, mishap);
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('asks again only for what a dropped connection did not bring', async () => {
    await using test = await setUp();
    test.hub.mishap = only(2, { kind: 'drop', afterBytes: 10_000 });
    await test.pull({ connections: 1 });
    const ranges = test.hub.seen.filter(({ origin }) => origin === 'storage').map(({ range }) => range);
    const from = Number(/^bytes=(\d+)-/.exec(ranges[3]!)![1]);
    expect(from).toBeGreaterThanOrEqual(2 * segmentBytes);
    expect(from).toBeLessThanOrEqual(2 * segmentBytes + 10_000);
    expect(test.bytesServed()).toBeLessThan(content.length + 10_001);
  });

  it('gives up on a connection that goes silent, and tries again', async () => {
    await using test = await setUp({ silenceMs: 50 });
    test.hub.mishap = only(1, { kind: 'stall', afterBytes: 1000 });
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('waits as long as a 429 asks, in seconds or until a date', async () => {
    await using test = await setUp();
    const date = new Date(90_000).toUTCString();
    test.hub.mishap = (_, index) =>
      [
        { kind: 'status' as const, status: 429, headers: { 'retry-after': '7' } },
        { kind: 'status' as const, status: 429, headers: { 'retry-after': date } },
      ][index];
    await test.pull();
    expect(test.pauses).toEqual([7000, 90_000]);
  });

  it('reports a wait longer than ten minutes instead of sitting through it', async () => {
    await using test = await setUp();
    test.hub.mishap = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '86400' } });
    await expect(test.pull()).rejects.toThrow('answered 429, asking to wait 86400 s');
    expect(test.pauses).toEqual([]);
  });

  it('doubles its pauses and gives up after six tries, leaving a part', async () => {
    await using test = await setUp();
    test.hub.mishap = () => ({ kind: 'status', status: 500 });
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_DOWNLOAD_FAILED' });
    expect(test.pauses.slice(0, 5)).toEqual([250, 500, 1000, 2000, 4000]);
    expect(await test.folder()).toContain('tiny.gguf.part');
  });

  it('deletes a download with another digest, and says which', async () => {
    await using test = await setUp();
    const sha256 = 'a'.repeat(64);
    const wrong = test.pull({ sha256 });
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_DIGEST_MISMATCH' });
    await expect(wrong).rejects.toThrow(`expected SHA-256 ${sha256}, found ${sha256Of(content)}`);
    expect(await test.folder()).toEqual([]);
  });

  it.each([content.length - 1, content.length + 1])(
    'refuses a file of another size than the pinned %d bytes',
    async (bytes) => {
      await using test = await setUp();
      await expect(test.pull({ bytes })).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
      test.hub.ranges = false;
      await expect(test.pull({ bytes })).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
    },
  );

  it('refuses to begin what the disk cannot hold', async () => {
    await using test = await setUp();
    const full = test.pull({ bytes: 2 ** 43 });
    await expect(full).rejects.toMatchObject({ code: 'ERR_DISK_FULL' });
    await expect(full).rejects.toThrow(/bytes free, 8796093022208 are still to come/);
    expect(test.hub.seen).toEqual([]);
  });

  it('lets one process at a time write a part, and takes over from one that died', async () => {
    await using test = await setUp();
    await mkdir(join(test.target, '..'), { recursive: true });
    await writeFile(`${test.target}.part.lock`, `${process.ppid}\n`);
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_PULL_RUNNING' });
    await writeFile(`${test.target}.part.lock`, '4194305\n'); // Above the kernel's largest process id.
    await test.pull();
    expect(await test.folder()).toEqual(['tiny.gguf']);
  });

  it('never shows a signed address in a message', async () => {
    await using test = await setUp();
    test.hub.mishap = () => ({ kind: 'status', status: 500 });
    await expect(test.pull()).rejects.toThrow(/^(?!.*secret).*\/blob\/tiny\.gguf answered 500/);
  });
});
