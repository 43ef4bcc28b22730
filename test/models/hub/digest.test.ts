import { appendFileSync } from 'node:fs';
import { mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../../../models/catalogue/catalogue.ts';
import { hashFile, requireUnchanged, verifyFiles } from '../../../models/hub/digest.ts';
import { DigestCache } from '../../../models/hub/digest-cache.ts';
import { sha256Of } from '../../support/models/fake-hub.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const content = Buffer.alloc(3 * 1024 * 1024 + 17, 'weights');
const { signal } = new AbortController();
/** A time long after the files of these tests were written. */
const later = () => Date.now() + 60_000;

async function setUp() {
  const folder = await scratchFolder();
  const path = join(folder.path, 'tiny.gguf');
  await writeFile(path, content);
  const entry: CatalogueEntry = {
    id: 'tiny-TEE',
    kind: 'llama-text',
    name: 'Tiny',
    source: { kind: 'url', urls: ['https://example.org/tiny.gguf'] },
    files: [{ path: 'tiny.gguf', sha256: sha256Of(content), bytes: content.length }],
    contextLength: 2048,
    maxOutputTokens: 2048,
    capabilities: [],
    pricing: { promptPerMillion: 0, completionPerMillion: 0 },
    plans: [],
  };
  const folders = { catalogueFolder: folder.path, modelsFolder: folder.path };
  const cachePath = join(folder.path, 'state', 'digests.json');
  return {
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    folder: folder.path,
    path,
    entry,
    folders,
    cachePath,
    openCache: () => DigestCache.open(cachePath, { now: later }),
  };
}

describe('verifyFiles', () => {
  it('accepts the pinned file, and reports progress', async () => {
    await using test = await setUp();
    const seen: number[] = [];
    const onProgress = ({ bytesDone }: { bytesDone: number }) => seen.push(bytesDone);
    const [file] = await verifyFiles(test.entry, { folders: test.folders, signal, onProgress });
    expect(file).toMatchObject({ path: test.path, sha256: sha256Of(content), cached: false });
    expect(seen.at(-1)).toBe(content.length);
    expect(seen.length).toBe(4);
  });

  it('refuses another content of the same size, naming file, expected and found', async () => {
    await using test = await setUp();
    const other = Buffer.from(content);
    other[content.length - 1]! ^= 1;
    await writeFile(test.path, other);
    const verified = verifyFiles(test.entry, { folders: test.folders, signal });
    await expect(verified).rejects.toMatchObject({ code: 'ERR_DIGEST_MISMATCH' });
    await expect(verified).rejects.toThrow(
      `model tiny-TEE: ${test.path} is not the pinned file: expected SHA-256 ${sha256Of(content)}, found ${sha256Of(other)}; download the pinned file: cloister models pull tiny-TEE`,
    );
  });

  it('refuses a wrong size without reading the file', async () => {
    await using test = await setUp();
    appendFileSync(test.path, 'x');
    const onProgress = () => expect.fail('nothing is to be read');
    const verified = verifyFiles(test.entry, { folders: test.folders, signal, onProgress });
    await expect(verified).rejects.toThrow(`found ${content.length + 1} bytes`);
  });

  it('advises how to get a missing file', async () => {
    await using test = await setUp();
    await rename(test.path, `${test.path}.away`);
    const verified = verifyFiles(test.entry, { folders: test.folders, signal });
    await expect(verified).rejects.toMatchObject({ code: 'ERR_FILE_MISSING' });
    await expect(verified).rejects.toThrow('does not exist; run: cloister models pull tiny-TEE');
  });

  it('refuses a folder in place of a file', async () => {
    await using test = await setUp();
    await rename(test.path, `${test.path}.away`);
    await mkdir(test.path);
    await expect(verifyFiles(test.entry, { folders: test.folders, signal })).rejects.toThrow('not a regular file');
  });

  it('refuses a file that is written to while it is hashed', async () => {
    await using test = await setUp();
    let written = false;
    const onProgress = () => {
      if (!written) appendFileSync(test.path, 'x');
      written = true;
    };
    const verified = verifyFiles(test.entry, { folders: test.folders, signal, onProgress });
    await expect(verified).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });

  it('stops soon after the signal is aborted', async () => {
    await using test = await setUp();
    const controller = new AbortController();
    let chunks = 0;
    const onProgress = () => {
      chunks++;
      controller.abort();
    };
    const verified = verifyFiles(test.entry, { folders: test.folders, signal: controller.signal, onProgress });
    await expect(verified).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect(chunks).toBe(1);
  });
});

describe('the digest cache', () => {
  it('avoids a second read, even in another process', async () => {
    await using test = await setUp();
    const options = { folders: test.folders, signal };
    await verifyFiles(test.entry, { ...options, digestCache: await test.openCache() });
    const [file] = await verifyFiles(test.entry, { ...options, digestCache: await test.openCache() });
    expect(file!.cached).toBe(true);
  });

  it('misses a file whose mtime changed', async () => {
    await using test = await setUp();
    const options = { folders: test.folders, signal, digestCache: await test.openCache() };
    await verifyFiles(test.entry, options);
    await utimes(test.path, 1000, 1000);
    expect((await verifyFiles(test.entry, options))[0]!.cached).toBe(false);
  });

  it('misses a file that replaced another one', async () => {
    await using test = await setUp();
    const options = { folders: test.folders, signal, digestCache: await test.openCache() };
    await verifyFiles(test.entry, options);
    await writeFile(`${test.path}.new`, content);
    await rename(`${test.path}.new`, test.path);
    expect((await verifyFiles(test.entry, options))[0]!.cached).toBe(false);
  });

  it('refuses a file whose cached digest differs from the pinned one', async () => {
    await using test = await setUp();
    const digestCache = await test.openCache();
    const { identity } = await hashFile(test.path, { signal });
    digestCache.remember(identity, 'f'.repeat(64));
    const verified = verifyFiles(test.entry, { folders: test.folders, signal, digestCache });
    await expect(verified).rejects.toMatchObject({ code: 'ERR_DIGEST_MISMATCH' });
  });

  it('does not cache a file written a moment ago, which could change within the same clock tick', async () => {
    await using test = await setUp();
    await utimes(test.path, 1000, 1000);
    const digestCache = await DigestCache.open(test.cachePath, { now: () => 1_001_000 });
    const options = { folders: test.folders, signal, digestCache };
    await verifyFiles(test.entry, options);
    expect((await verifyFiles(test.entry, options))[0]!.cached).toBe(false);
  });

  it('starts empty if its file is damaged', async () => {
    await using test = await setUp();
    await mkdir(join(test.folder, 'state'));
    for (const damaged of ['{', '{"version":1}', '[]', 'null', '{"version":1,"digests":{"1 2 3 4":"x"}}']) {
      await writeFile(test.cachePath, damaged);
      const cache = await test.openCache();
      expect(cache.find({ device: '1', inode: '2', bytes: 3, mtimeNs: '4' })).toBeUndefined();
    }
  });

  it('evicts the least recently used entry above 4,096 entries', async () => {
    await using test = await setUp();
    const cache = await test.openCache();
    const identity = (inode: number) => ({ device: '1', inode: String(inode), bytes: 1, mtimeNs: '1' });
    for (let inode = 0; inode < 4096; inode++) cache.remember(identity(inode), 'a'.repeat(64));
    cache.find(identity(0));
    cache.remember(identity(4096), 'a'.repeat(64));
    expect(cache.find(identity(0))).toBeDefined();
    expect(cache.find(identity(1))).toBeUndefined();
    await cache.save();
    expect(Object.keys(JSON.parse(await readFile(test.cachePath, 'utf8')).digests)).toHaveLength(4096);
  });
});

describe('requireUnchanged', () => {
  it('accepts the verified files, and refuses a replaced file', async () => {
    await using test = await setUp();
    const files = await verifyFiles(test.entry, { folders: test.folders, signal });
    await requireUnchanged(files);
    await writeFile(`${test.path}.new`, content);
    await rename(`${test.path}.new`, test.path);
    await expect(requireUnchanged(files)).rejects.toMatchObject({ code: 'ERR_FILE_CHANGED' });
  });
});
