import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { content, only, segmentBytes, segmentCount, setUpPull } from '../../support/models/pull.ts';

describe('pullFile', () => {
  it('downloads the file in ranges, each byte once, and leaves no other files', async () => {
    await using test = await setUpPull();
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(await test.folder()).toEqual(['tiny.gguf']);
    expect(test.bytesServed()).toBe(content.length);
    expect(test.hub.seen.filter(({ origin }) => origin === 'storage')).toHaveLength(segmentCount);
  });

  it('requests the storage URL from the hub at most once per connection', async () => {
    await using test = await setUpPull();
    await test.pull();
    expect(test.hub.seen.filter(({ origin }) => origin === 'hub').length).toBeLessThanOrEqual(4);
  });

  it.each([1, 3])('sends %d requests in parallel with this number of connections', async (connections) => {
    await using test = await setUpPull({ silenceMs: 50 });
    test.hub.mishap = (_, index) => (index < connections ? { kind: 'stall', afterBytes: 1000 } : undefined);
    await test.pull({ connections });
    expect(test.hub.busiest).toBe(connections);
  });

  it('reports increasing progress of the download, then of the hashing', async () => {
    await using test = await setUpPull();
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
    await using test = await setUpPull();
    test.hub.token = 'hf_secret';
    await test.pull({ token: 'hf_secret' });
    const to = (origin: string) =>
      new Set(test.hub.seen.filter((one) => one.origin === origin).map((one) => one.authorization));
    expect(to('hub')).toEqual(new Set(['Bearer hf_secret']));
    expect(to('storage')).toEqual(new Set([undefined]));
  });

  it('advises what to do if the hub refuses', async () => {
    await using test = await setUpPull();
    test.hub.token = 'hf_secret';
    const refused = test.pull();
    await expect(refused).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
    await expect(refused).rejects.toThrow(/answered 401 \(This model is restricted\.\); .* set HF_TOKEN/);
    expect(test.pauses).toEqual([]);
  });

  it('resumes the part of an aborted run', async () => {
    await using test = await setUpPull();
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

  it('restarts if the file on the server has changed since', async () => {
    await using test = await setUpPull();
    test.hub.mishap = (_, index) => (index >= 3 ? { kind: 'status', status: 500 } : undefined);
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_DOWNLOAD_FAILED' });
    test.hub.mishap = () => undefined;
    test.hub.etag = '"version-2"';
    test.hub.seen.length = 0;
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(test.hub.seen.some(({ range, status }) => range !== undefined && status === 200)).toBe(true);
  });

  it('detects a change during the download, and never mixes versions', async () => {
    await using test = await setUpPull();
    test.hub.mishap = (_, index) => {
      if (index === 5) test.hub.etag = '"version-2"';
      return undefined;
    };
    await test.pull({ connections: 1 });
    expect(await readFile(test.target)).toEqual(content);
    const ranges = test.hub.seen.filter(({ status }) => status === 206).map(({ range }) => range);
    expect(ranges.filter((range) => range === `bytes=0-${segmentBytes - 1}`)).toHaveLength(2);
  });

  it('fails for a file that keeps changing', async () => {
    await using test = await setUpPull();
    test.hub.mishap = (_, index) => {
      test.hub.etag = `"version-${index}"`;
      return undefined;
    };
    await expect(test.pull()).rejects.toMatchObject({ code: 'ERR_REMOTE_CHANGED' });
  });

  it('downloads in one piece if the server does not support ranges', async () => {
    await using test = await setUpPull();
    test.hub.ranges = false;
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
  });

  it('restarts a download without ranges after a lost connection', async () => {
    await using test = await setUpPull();
    test.hub.ranges = false;
    test.hub.mishap = only(1, { kind: 'drop', afterBytes: 300_000 });
    await test.pull();
    expect(await readFile(test.target)).toEqual(content);
    expect(test.pauses).toEqual([250]);
  });
});
