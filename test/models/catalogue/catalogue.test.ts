import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CatalogueEntry,
  findModel,
  formatCatalogue,
  idForFile,
  locateFile,
  parseCatalogue,
  readCatalogue,
  shippedCataloguePath,
  updateCatalogue,
  withEntry,
} from '../../../models/catalogue/catalogue.ts';
import { verifyFiles } from '../../../models/hub/digest.ts';
import { entry, parseChanged } from '../../support/models/catalogue-entry.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

describe('formatCatalogue', () => {
  const segment = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/);
  const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));
  const anyEntry: fc.Arbitrary<CatalogueEntry> = fc
    .record({
      id: segment.map((stem) => `${stem}-TEE`),
      kind: fc.constantFrom('llama-text', 'onnx-embedding', 'onnx-image'),
      name: fc.stringMatching(/^[A-Za-zÀ-ÿ0-9]{1,20}$/),
      repository: fc.tuple(segment, segment).map((parts) => parts.join('/')),
      revision: hex(40),
      paths: fc.uniqueArray(segment, { minLength: 1, maxLength: 3 }),
      sha256: hex(64),
      bytes: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      contextLength: fc.integer({ min: 1, max: 1e6 }),
      price: fc.nat(),
      sourceKind: fc.constantFrom('hub', 'url', 'path'),
    })
    .map(({ repository, revision, paths, sha256, bytes, contextLength, price, sourceKind, ...rest }) => ({
      ...rest,
      source:
        sourceKind === 'hub'
          ? { kind: sourceKind, repository, revision, files: paths }
          : sourceKind === 'url'
            ? { kind: sourceKind, urls: paths.map((path) => `https://example.org/${path}`) }
            : { kind: sourceKind },
      files: paths.map((path) => ({ path: `${rest.id}/${path}`, sha256, bytes })),
      contextLength,
      maxOutputTokens: Math.ceil(contextLength / 2),
      capabilities: ['streaming', 'tools'],
      pricing: { promptPerMillion: price, completionPerMillion: price, perImage: price, perStep: 1 },
      plans: ['*'],
      ...(rest.kind === 'onnx-image' ? { image: { guidanceScale: (price % 200) / 10, steps: 1 + (price % 150) } } : {}),
    }));

  it('round-trips every catalogue to the same bytes', () => {
    const catalogues = fc.uniqueArray(anyEntry, { selector: ({ id }) => id, maxLength: 4 });
    fc.assert(
      fc.property(catalogues, (models) => {
        const text = formatCatalogue({ models });
        const parsed = parseCatalogue(text);
        expect(parsed).toEqual({ models });
        expect(formatCatalogue(parsed)).toBe(text);
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  it('writes fields in a fixed order', () => {
    const reversed = Object.fromEntries(Object.entries(entry).reverse());
    expect(formatCatalogue(parseChanged(reversed))).toBe(formatCatalogue(parseChanged({})));
    expect(formatCatalogue(parseChanged({}))).toMatchSnapshot();
  });
});

describe('updateCatalogue', () => {
  const [tiny] = parseChanged({}).models as [CatalogueEntry];

  it('creates a catalogue that does not exist, and leaves no temporary file', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'new', 'catalogue.json');
    await updateCatalogue(path, (catalogue) => withEntry(catalogue, tiny));
    expect(await readCatalogue(path)).toEqual({ models: [tiny] });
    expect(await readdir(join(folder.path, 'new'))).toEqual(['catalogue.json']);
  });

  it('replaces an entry in place and appends new ones', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'catalogue.json');
    for (const change of [{ id: 'a-TEE' }, { id: 'b-TEE' }, { id: 'a-TEE', name: 'New' }]) {
      await updateCatalogue(path, (catalogue) => withEntry(catalogue, { ...tiny, ...change }));
    }
    const { models } = await readCatalogue(path);
    expect(models.map(({ id, name }) => [id, name])).toEqual([
      ['a-TEE', 'New'],
      ['b-TEE', 'Tiny'],
    ]);
  });

  it('runs the change again if another process wrote meanwhile', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'catalogue.json');
    const { writeFileSync } = await import('node:fs');
    let runs = 0;
    const result = await updateCatalogue(path, (catalogue) => {
      if (runs++ === 0) writeFileSync(path, formatCatalogue({ models: [{ ...tiny, id: 'other-TEE' }] }));
      return withEntry(catalogue, tiny);
    });
    expect(result.models.map(({ id }) => id)).toEqual(['other-TEE', 'tiny-TEE']);
  });

  it('writes nothing if the change makes the catalogue invalid', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'catalogue.json');
    await writeFile(path, formatCatalogue({ models: [] }));
    const wrong = updateCatalogue(path, (catalogue) => withEntry(catalogue, { ...tiny, id: 'tiny' }));
    await expect(wrong).rejects.toMatchObject({ code: 'ERR_CATALOGUE_INVALID' });
    expect(await readFile(path, 'utf8')).toBe(formatCatalogue({ models: [] }));
  });

  it('writes through a symbolic link and does not replace it', async () => {
    await using folder = await scratchFolder();
    const [real, link] = [join(folder.path, 'real.json'), join(folder.path, 'link.json')];
    await writeFile(real, formatCatalogue({ models: [] }));
    await symlink(real, link);
    await updateCatalogue(link, (catalogue) => withEntry(catalogue, tiny));
    expect((await readCatalogue(real)).models).toHaveLength(1);
  });

  it('reads the shipped catalogue, which has the demo model', async () => {
    const shipped = await readCatalogue(shippedCataloguePath);
    expect(findModel(shipped, 'cloister-demo-TEE').source.kind).toBe('path');
  });

  it('pins the shipped weights', async () => {
    const demo = findModel(await readCatalogue(shippedCataloguePath), 'cloister-demo-TEE');
    const folders = { catalogueFolder: dirname(shippedCataloguePath), modelsFolder: '' };
    const [file] = await verifyFiles(demo, { folders, signal: new AbortController().signal });
    expect(file?.sha256).toBe(demo.files[0]?.sha256);
    expect(file?.bytes).toBeLessThanOrEqual(10_000_000);
  });

  it('advises what to do if the catalogue is missing or cannot be written', async () => {
    await expect(readCatalogue('/nowhere/c.json')).rejects.toMatchObject({ code: 'ERR_CATALOGUE_MISSING' });
    const write = updateCatalogue('/proc/c.json', () => ({ models: [] }));
    await expect(write).rejects.toThrow('set CLOISTER_CATALOGUE');
  });
});

describe('a catalogue entry', () => {
  it('is found by id; the error for an unknown id lists the existing ids', () => {
    const catalogue = parseChanged({});
    expect(findModel(catalogue, 'tiny-TEE').name).toBe('Tiny');
    expect(() => findModel(catalogue, 'huge-TEE')).toThrow('no model "huge-TEE" in the catalogue; it has: tiny-TEE');
  });

  it("has its files in the models folder, or in the catalogue's folder for source `path`", () => {
    const folders = { catalogueFolder: '/etc/cloister', modelsFolder: '/var/models' };
    const [pulled] = parseChanged({}).models as [CatalogueEntry];
    const [local] = parseChanged({ source: { kind: 'path' } }).models as [CatalogueEntry];
    expect(locateFile(pulled, pulled.files[0]!, folders)).toBe('/var/models/acme/tiny/tiny.gguf');
    expect(locateFile(local, local.files[0]!, folders)).toBe('/etc/cloister/acme/tiny/tiny.gguf');
    expect(locateFile(local, { ...local.files[0]!, path: '/srv/x.gguf' }, folders)).toBe('/srv/x.gguf');
  });

  it.each([
    ['/a/Qwen3-0.6B-Q8_0.gguf', 'Qwen3-0.6B-Q8_0-TEE'],
    ['big-00001-of-00003.gguf', 'big-TEE'],
    ['my model (1).gguf', 'my-model-1--TEE'],
    ['x-TEE.gguf', 'x-TEE'],
    ['…', 'model-TEE'],
  ])('for the file %s is called %s', (path, id) => {
    expect(idForFile(path)).toBe(id);
  });
});
