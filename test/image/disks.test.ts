/** Configuration and model disks: contents, reproducible bytes and kernel parameters. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { writeConfigDisk, writeModelDisk } from '../../image/disks.ts';
import { layOutErofs } from '../../image/erofs.ts';
import { buildTar } from '../../image/tar.ts';
import { VerityTree } from '../../image/verity.ts';
import { type CatalogueEntry, locateFile } from '../../models/catalogue/catalogue.ts';
import { readErofs } from '../support/image/erofs-reader.ts';
import { entry as anEntry } from '../support/models/catalogue-entry.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloister-disks-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('buildTar', () => {
  it('is readable by tar and reproducible, without owner and time', () => {
    const files = { 'settings.json': Buffer.from('{}'), network: Buffer.alloc(513, 'x') };
    writeFileSync(join(folder, 'a.tar'), buildTar(files));
    const listing = execFileSync('tar', ['--numeric-owner', '--utc', '-tvf', join(folder, 'a.tar')], {
      encoding: 'utf8',
    });
    expect(
      listing
        .trim()
        .split('\n')
        .map((line) => line.replace(/\s+/g, ' ')),
    ).toEqual(['-r--r--r-- 0/0 513 1970-01-01 00:00 network', '-r--r--r-- 0/0 2 1970-01-01 00:00 settings.json']);
    expect(buildTar(Object.fromEntries(Object.entries(files).reverse()))).toEqual(buildTar(files));
    expect(buildTar(files).length % 512).toBe(0);
  });

  it.each(['../x', 'A', '.x', '', 'a b'])('rejects a file named %j, as the guest does', (name) => {
    expect(() => buildTar({ [name]: new Uint8Array() })).toThrow(RangeError);
  });
});

describe('layOutErofs', () => {
  const names = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,60}$/);
  const paths = fc.array(
    fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    { maxLength: 150 },
  );

  it('places every file at its block, in sorted folders', () => {
    fc.assert(
      fc.property(paths, (all) => {
        // A name cannot be both a file and a folder.
        const files = [...new Set(all)]
          .filter((path) => !all.some((other) => other.startsWith(`${path}/`)))
          .map((path, index) => ({ path, bytes: (index * 1777) % 9000 }));
        const { head, files: laid, blocks } = layOutErofs(files);
        const image = Buffer.alloc(blocks * 4096);
        head.copy(image);
        for (const { path, bytes, block } of laid) image.fill(path.length, block * 4096, block * 4096 + bytes);
        const read = readErofs(image).map(({ path, content }) => [
          path,
          content.length,
          content.every((b) => b === path.length),
        ]);
        expect(read.sort()).toEqual(files.map(({ path, bytes }) => [path, bytes, true]).sort());
      }),
      { numRuns: 40 },
    );
  });

  it('splits a folder with hundreds of names into several blocks', () => {
    const files = Array.from({ length: 700 }, (_, index) => ({ path: `many/name-number-${index}`, bytes: 0 }));
    const { head } = layOutErofs(files);
    expect(readErofs(head)).toHaveLength(700);
  });

  it('places files of terabytes', () => {
    const { blocks, files } = layOutErofs([
      { path: 'a', bytes: 3 * 2 ** 40 },
      { path: 'b', bytes: 1 },
    ]);
    expect([files[1]!.block - files[0]!.block, blocks - files[1]!.block]).toEqual([(3 * 2 ** 40) / 4096, 1]);
  });

  it.each(['/a', 'a//b', '../a', 'a/..', ''])('rejects the path %j', (path) => {
    expect(() => layOutErofs([{ path, bytes: 1 }])).toThrow(RangeError);
  });

  it('rejects a repeated path, and a path that is both file and folder', () => {
    const one = { bytes: 1 };
    expect(() =>
      layOutErofs([
        { ...one, path: 'a' },
        { ...one, path: 'a' },
      ]),
    ).toThrow(/twice/);
    expect(() =>
      layOutErofs([
        { ...one, path: 'a' },
        { ...one, path: 'a/b' },
      ]),
    ).toThrow(/twice/);
  });
});

describe('writeConfigDisk', () => {
  it('returns the SHA-256 of the whole disk', () => {
    const path = join(folder, 'config.img');
    const sha256 = writeConfigDisk(path, { settings: Buffer.from('{"port":1}') });
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(sha256);
  });
});

describe('writeModelDisk', () => {
  const weights = Buffer.alloc(3 * 1024 * 1024 + 5, 'w');
  writeFileSync(join(folder, 'weights.gguf'), weights);
  const entry = (sha256: string): CatalogueEntry => ({
    ...(anEntry as unknown as CatalogueEntry),
    source: { kind: 'path' },
    files: [{ path: 'weights.gguf', sha256, bytes: weights.length }],
  });
  const folders = { catalogueFolder: folder, modelsFolder: folder };
  const write = (name: string, sha256: string) =>
    writeModelDisk(join(folder, name), {
      entries: [entry(sha256)],
      folders,
      locate: locateFile,
      signal: new AbortController().signal,
    });
  const right = createHash('sha256').update(weights).digest('hex');

  it('writes reproducible files and a hash tree whose root is in the kernel parameter', async () => {
    const words = await write('a.img', right);
    expect(readFileSync(join(folder, 'a.img.words'), 'utf8')).toBe(`${words}\n`);
    const image = readFileSync(join(folder, 'a.img'));
    const [read] = readErofs(image);
    expect([read!.path, read!.content.equals(weights), read!.mode & 0o222]).toEqual(['weights.gguf', true, 0]);
    const [root, blocks, salt] = words.slice('cloister.model='.length).split(':') as [string, string, string];
    const tree = new VerityTree({ dataBlocks: Number(blocks), salt: Buffer.from(salt, 'hex'), write: () => undefined });
    tree.add(image.subarray(0, Number(blocks) * 4096));
    expect(tree.finish()).toBe(root);
    expect(await write('b.img', right)).toBe(words);
    expect(readFileSync(join(folder, 'b.img')).equals(image)).toBe(true);
  });

  it('writes no disk if a file does not match the catalogue', async () => {
    await expect(write('c.img', '00'.repeat(32))).rejects.toThrow(/weights.gguf does not match the catalogue's digest/);
    expect(['c.img', 'c.img.part', 'c.img.words'].filter((name) => existsSync(join(folder, name)))).toEqual([]);
  });
});
