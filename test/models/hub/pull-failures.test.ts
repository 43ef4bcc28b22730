import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Mishap, sha256Of } from '../../support/models/fake-hub.ts';
import { content, only, segmentBytes, setUpPull } from '../../support/models/pull.ts';

describe('pullFile with failures', () => {
  it.each<[string, Mishap]>([
    ['a dropped connection', { kind: 'drop', afterBytes: 10_000 }],
    ['a body shorter than the range', { kind: 'short', byBytes: 10_000 }],
    ['a range that was not asked for', { kind: 'range', contentRange: `bytes 5-9/${content.length}` }],
    ['a server error', { kind: 'status', status: 503 }],
    ['a signed address that expired', { kind: 'status', status: 403 }],
  ])('recovers from %s', async (_, mishap) => {
    await using test = await setUpPull();
    test.hub.mishap = only(4, mishap);
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('requests only the missing bytes again after a dropped connection', async () => {
    await using test = await setUpPull();
    test.hub.mishap = only(2, { kind: 'drop', afterBytes: 10_000 });
    await test.pull({ connections: 1 });
    const ranges = test.hub.seen.filter(({ origin }) => origin === 'storage').map(({ range }) => range);
    const from = Number(/^bytes=(\d+)-/.exec(ranges[3]!)![1]);
    expect(from).toBeGreaterThanOrEqual(2 * segmentBytes);
    expect(from).toBeLessThanOrEqual(2 * segmentBytes + 10_000);
    expect(test.bytesServed()).toBeLessThan(content.length + 10_001);
  });

  it('times out a silent connection, and retries', async () => {
    await using test = await setUpPull({ silenceMs: 50 });
    test.hub.mishap = only(1, { kind: 'stall', afterBytes: 1000 });
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('waits for the Retry-After of a 429, in seconds or as a date', async () => {
    await using test = await setUpPull();
    const date = new Date(90_000).toUTCString();
    test.hub.mishap = (_, index) =>
      [
        { kind: 'status' as const, status: 429, headers: { 'retry-after': '7' } },
        { kind: 'status' as const, status: 429, headers: { 'retry-after': date } },
      ][index];
    await test.pull();
    expect(test.pauses).toEqual([7000, 90_000]);
  });

  it('fails if Retry-After exceeds ten minutes', async () => {
    await using test = await setUpPull();
    test.hub.mishap = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '86400' } });
    await expect(test.pull()).rejects.toThrow('answered 429, asking to wait 86400 s');
    expect(test.pauses).toEqual([]);
  });

  it('doubles its pauses and fails after six attempts, leaving a part', async () => {
    await using test = await setUpPull();
    test.hub.mishap = () => ({ kind: 'status', status: 500 });
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_DOWNLOAD_FAILED' });
    expect(test.pauses.slice(0, 5)).toEqual([250, 500, 1000, 2000, 4000]);
    expect(await test.folder()).toContain('tiny.gguf.part');
  });

  it('deletes a download with a wrong digest, and reports both digests', async () => {
    await using test = await setUpPull();
    const sha256 = 'a'.repeat(64);
    const wrong = test.pull({ sha256 });
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_DIGEST_MISMATCH' });
    await expect(wrong).rejects.toThrow(`expected SHA-256 ${sha256}, found ${sha256Of(content)}`);
    expect(await test.folder()).toEqual([]);
  });

  it.each([content.length - 1, content.length + 1])(
    'refuses a file of another size than the pinned %d bytes',
    async (bytes) => {
      await using test = await setUpPull();
      await expect(test.pull({ bytes })).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
      test.hub.ranges = false;
      await expect(test.pull({ bytes })).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
    },
  );

  it('refuses a download that exceeds the free disk space', async () => {
    await using test = await setUpPull();
    const full = test.pull({ bytes: 2 ** 43 });
    await expect(full).rejects.toMatchObject({ code: 'ERR_DISK_FULL' });
    await expect(full).rejects.toThrow(/bytes free; the download needs 8796093022208 more/);
    expect(test.hub.seen).toEqual([]);
  });

  it('allows one writer of a part at a time, across and within processes', async () => {
    await using test = await setUpPull();
    await mkdir(join(test.target, '..'), { recursive: true });
    await writeFile(`${test.target}.part.lock`, `${process.ppid}\n`);
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_PULL_RUNNING' });
    await rm(`${test.target}.part.lock`);
    const both = await Promise.allSettled([test.pull(), test.pull()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    ['a process that died', 4_194_305], // Above the kernel's largest process id.
    ['an earlier process with this one’s id, as containers have', process.pid],
  ])('takes the part over from %s', async (_, owner) => {
    await using test = await setUpPull();
    await mkdir(join(test.target, '..'), { recursive: true });
    await writeFile(`${test.target}.part.lock`, `${owner}\n`);
    await test.pull();
    expect(await test.folder()).toEqual(['tiny.gguf']);
  });

  it('never includes a signed URL in a message', async () => {
    await using test = await setUpPull();
    test.hub.mishap = () => ({ kind: 'status', status: 500 });
    await expect(test.pull()).rejects.toThrow(/^(?!.*secret).*\/blob\/tiny\.gguf answered 500/);
  });
});
