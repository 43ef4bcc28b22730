import { describe, expect, it } from 'vitest';
import { splitParts } from '../../../models/gguf/split-gguf.ts';
import { HttpClient } from '../../../models/hub/download.ts';
import { type RemoteOptions, readRemoteBytes, readRemoteDigest, resolveHubFiles } from '../../../models/hub/hub.ts';
import { fakeGguf, sha256Of, startFakeHub } from '../../support/models/fake-hub.ts';

async function setUp() {
  const hub = await startFakeHub();
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  const client = new HttpClient({ clock: { now: () => 0, sleep, random: () => 0 } });
  const options: RemoteOptions = { client, signal: new AbortController().signal };
  return {
    hub,
    pauses,
    options,
    resolve: (file: string | undefined, change: { repository?: string; revision?: string; token?: string } = {}) => {
      const { token, ...rest } = change;
      const asked = { hub: hub.url, repository: hub.repository, revision: 'main', file, ...rest };
      return resolveHubFiles(asked, { ...options, token });
    },
    async [Symbol.asyncDispose]() {
      client.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

describe('resolveHubFiles', () => {
  it("pins a large file from the hub's headers, without downloading it", async () => {
    await using test = await setUp();
    const content = fakeGguf(5000);
    test.hub.files.set('sub/tiny Q8.gguf', content);
    expect(await test.resolve('sub/tiny Q8.gguf')).toEqual({
      revision: test.hub.commit,
      files: [{ file: 'sub/tiny Q8.gguf', sha256: sha256Of(content), bytes: 5000 }],
    });
    expect(test.hub.seen.filter(({ origin }) => origin === 'storage')).toEqual([]);
    expect(test.hub.seen.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
  });

  it('downloads a small file in git, and verifies its git digest', async () => {
    await using test = await setUp();
    const content = fakeGguf(500);
    test.hub.files.set('tiny.gguf', content);
    test.hub.inGit.add('tiny.gguf');
    const { files } = await test.resolve('tiny.gguf');
    expect(files).toEqual([{ file: 'tiny.gguf', sha256: sha256Of(content), bytes: 500 }]);
    const url = `${test.hub.url}/${test.hub.repository}/resolve/${test.hub.commit}/tiny.gguf`;
    const wrong = readRemoteDigest({ url, file: 'tiny.gguf', gitSha1: 'a'.repeat(40) }, test.options);
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_DIGEST_MISMATCH' });
  });

  it('pins all parts of split weights for the name of any part', async () => {
    await using test = await setUp();
    const parts = splitParts('big-00001-of-00003.gguf');
    for (const [index, part] of parts.entries()) test.hub.files.set(part, fakeGguf(1000, { seed: index }));
    const { files } = await test.resolve('big-00002-of-00003.gguf');
    expect(files.map(({ file }) => file)).toEqual(parts);
    expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(3);
  });

  it('refuses split weights if a part is missing from the repository', async () => {
    await using test = await setUp();
    test.hub.files.set('big-00001-of-00002.gguf', fakeGguf(1000));
    await expect(test.resolve('big-00001-of-00002.gguf')).rejects.toThrow('no such file "big-00002-of-00002.gguf"');
  });

  it.each([undefined, 'huge.gguf'])('lists the existing files if %s is requested', async (file) => {
    await using test = await setUp();
    test.hub.files.set('README.md', Buffer.from('x')).set('tiny.gguf', fakeGguf(500));
    await expect(test.resolve(file)).rejects.toThrow(/choose one of: tiny\.gguf$/);
    await expect(test.resolve(file)).rejects.toMatchObject({ code: 'ERR_REFERENCE_INVALID' });
  });

  it('follows the redirect of a renamed repository', async () => {
    await using test = await setUp();
    test.hub.files.set('tiny.gguf', fakeGguf(500));
    const { files } = await test.resolve('tiny.gguf', { repository: test.hub.oldRepository });
    expect(files).toHaveLength(1);
  });

  it('advises what to do if the repository or revision is missing or restricted', async () => {
    await using test = await setUp();
    await expect(test.resolve('x.gguf', { revision: 'dev' })).rejects.toThrow(
      'check repository, revision and file name',
    );
    test.hub.token = 'hf_secret';
    await expect(test.resolve('x.gguf')).rejects.toThrow(
      /This model is restricted\.\); .*accept the licence.*HF_TOKEN/,
    );
    test.hub.files.set('x.gguf', fakeGguf(500));
    expect((await test.resolve('x.gguf', { token: 'hf_secret' })).files).toHaveLength(1);
  });

  it('reports an address that is not a hub', async () => {
    await using test = await setUp();
    const options = { hub: `${test.hub.url}/blob`, repository: 'a/b', revision: 'main', file: 'x' };
    await expect(resolveHubFiles(options, test.options)).rejects.toMatchObject({ code: 'ERR_REMOTE_REFUSED' });
    const plain = resolveHubFiles({ ...options, hub: 'http://example.org' }, test.options);
    await expect(plain).rejects.toMatchObject({ code: 'ERR_URL_REFUSED' });
  });
});

describe('a plain URL', () => {
  it('is downloaded for its digest, and restarted after a lost connection', async () => {
    await using test = await setUp();
    const content = fakeGguf(200_000);
    test.hub.files.set('tiny.gguf', content);
    test.hub.mishap = (_, index) => (index === 0 ? { kind: 'drop', afterBytes: 70_000 } : undefined);
    const url = `${test.hub.storageUrl}/blob/tiny.gguf`;
    expect(await readRemoteDigest({ url, file: 'tiny.gguf' }, test.options)).toEqual({
      sha256: sha256Of(content),
      bytes: content.length,
    });
    expect(test.pauses).toHaveLength(1);
    expect(await readRemoteBytes(url, test.options)).toBe(content.length);
  });
});

describe('splitParts', () => {
  it.each([
    ['a/b-00002-of-00002.gguf', ['a/b-00001-of-00002.gguf', 'a/b-00002-of-00002.gguf']],
    ['b.gguf', ['b.gguf']],
    ['b-00003-of-00002.gguf', ['b-00003-of-00002.gguf']],
    ['b-00000-of-00002.gguf', ['b-00000-of-00002.gguf']],
    ['b-00001-of-99999.gguf', ['b-00001-of-99999.gguf']],
  ])('of %s are %j', (path, parts) => {
    expect(splitParts(path)).toEqual(parts);
  });
});
