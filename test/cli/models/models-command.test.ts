import { createHash } from 'node:crypto';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue, shippedCataloguePath } from '../../../models/catalogue/catalogue.ts';
import { fakeGguf } from '../../support/models/fake-hub.ts';
import { startModelsCli } from '../../support/models/models-cli.ts';

const content = fakeGguf(200_000, { name: 'Tiny Llama', contextLength: 1024 });

describe('cloister models', () => {
  it('adds a model from the hub, pulls, lists and verifies it', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', content);
    const added = await test.cloister('add', test.source, '--prompt-price', '0.15', '--plans', 'plus,pro');
    expect(added).toMatchObject({ code: 0, err: '' });
    expect(added.out).toContain('tiny-TEE is in');
    expect(added.out).toContain('Next: cloister models pull tiny-TEE   (200 kB)');
    const [entry] = (await readCatalogue(test.catalogue)).models;
    expect(entry).toMatchObject({
      name: 'Tiny Llama',
      contextLength: 1024,
      pricing: { promptPerMillion: 150_000, completionPerMillion: 0 },
      plans: ['plus', 'pro'],
      source: { revision: test.hub.commit },
      files: [{ path: 'acme/tiny@0123456789ab/tiny.gguf', bytes: 200_000 }],
    });

    const missing = await test.cloister('verify');
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.out).toContain('run: cloister models pull tiny-TEE');

    expect((await test.cloister('pull', 'tiny-TEE')).out).toMatch(/tiny\.gguf {2}200 kB {2}pulled, digest matches/);
    expect((await test.cloister('pull', '--all')).out).toMatch(/already present, digest matches/);
    expect((await test.cloister('list')).out).toMatchInlineSnapshot(`
      "ID        KIND        SIZE    CONTEXT  PRICE        PLANS     SOURCE                     ON DISK  CATALOGUE  ALIASES
      tiny-TEE  llama-text  200 kB  1024     0.15 / 0.00  plus,pro  hf:acme/tiny@0123456789ab  yes      file
      "
    `);
    expect(await test.cloister('verify')).toMatchObject({ code: 0 });
    expect((await test.cloister('verify', 'tiny-TEE')).out).toContain('tiny-TEE  acme/tiny@0123456789ab/tiny.gguf  ok');
  });

  it('lists the unit prices of the shipped chat, embedding and image models', async () => {
    await using test = await startModelsCli();
    await copyFile(shippedCataloguePath, test.catalogue);
    const { out } = await test.cloister('list');
    expect(out).toMatch(/cloister-demo-TEE .* 0\.10 \/ 0\.20 /);
    expect(out).toMatch(/cloister-demo-embedding-TEE .* 0\.02 /);
    expect(out).toMatch(/cloister-demo-image-TEE .* 0\.002 \/ image \+ 0\.0001 \/ step /);
  });

  it('exits with 1 for a changed file, which pull replaces', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', content);
    await test.cloister('add', test.source);
    await test.cloister('pull', 'tiny-TEE');
    const path = join(test.folder, 'models', 'acme', 'tiny@0123456789ab', 'tiny.gguf');
    const changed = Buffer.from(content);
    changed[199_999]! ^= 1;
    await writeFile(path, changed);
    const { code, out } = await test.cloister('verify', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ files: [{ id: 'tiny-TEE', result: 'mismatch' }] });
    expect(await test.cloister('pull', 'tiny-TEE')).toMatchObject({ code: 0 });
    expect(await readFile(path)).toEqual(content);
  });

  it('adds a local file without copying it, and pins it again without changing other fields', async () => {
    await using test = await startModelsCli();
    await writeFile(join(test.folder, 'own.gguf'), content);
    const flags = [
      '--id',
      'demo-TEE',
      '--name',
      'Demo',
      '--capabilities',
      'streaming,tools',
      '--completion-price',
      '1',
    ];
    expect(await test.cloister('add', 'own.gguf', ...flags)).toMatchObject({ code: 0 });
    const [before] = (await readCatalogue(test.catalogue)).models;
    expect(before!.files[0]!.path).toBe('own.gguf');
    await writeFile(join(test.folder, 'own.gguf'), fakeGguf(300_000, { seed: 9 }));
    expect((await test.cloister('verify')).out).toContain('pin it: cloister models add');
    expect(await test.cloister('add', './own.gguf', '--id', 'demo-TEE')).toMatchObject({ code: 0 });
    const [after] = (await readCatalogue(test.catalogue)).models;
    expect({ ...after, files: [] }).toEqual({ ...before, files: [] });
    expect(after!.files[0]!.bytes).toBe(300_000);
    expect(await test.cloister('verify')).toMatchObject({ code: 0 });
  });

  it('removes models, and with --weights the files that no other model uses', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', content);
    await test.cloister('add', test.source);
    await test.cloister('add', test.source, '--id', 'twin-TEE');
    await test.cloister('pull', '--all');
    const own = join(test.folder, 'own.gguf');
    await writeFile(own, content);
    await test.cloister('add', 'path:own.gguf', '--id', 'own-TEE');
    const path = join(test.folder, 'models', 'acme', 'tiny@0123456789ab', 'tiny.gguf');
    const ids = async () => (await readCatalogue(test.catalogue)).models.map(({ id }) => id);

    const unknown = await test.cloister('rm', 'own-TEE', 'absent-TEE');
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain('absent-TEE');
    expect(await ids()).toEqual(['tiny-TEE', 'twin-TEE', 'own-TEE']);

    const first = await test.cloister('rm', 'tiny-TEE', 'own-TEE', '--weights');
    expect(first).toEqual({
      code: 0,
      out: `tiny-TEE is no longer in ${test.catalogue}\nown-TEE is no longer in ${test.catalogue}\n`,
      err: '',
    });
    expect(await ids()).toEqual(['twin-TEE']);
    expect(await readFile(path)).toEqual(content);
    expect(await readFile(own)).toEqual(content);

    expect((await test.cloister('rm', 'twin-TEE')).out).toContain(`  kept ${path}  200 kB\n`);
    await test.cloister('add', test.source);
    expect((await test.cloister('rm', 'tiny-TEE', '--weights')).out).toContain(`  deleted ${path}  200 kB\n`);
    await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await ids()).toEqual([]);
  });

  it('adds a URL and computes its digest unless --sha256 is given', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', content);
    const source = `url:${test.hub.storageUrl}/blob/tiny.gguf`;
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(await test.cloister('add', source, '--sha256', sha256)).toMatchObject({ code: 0 });
    expect(test.hub.seen.map(({ method }) => method)).toEqual(['GET', 'HEAD']);
    const added = await test.cloister('add', source, '--json');
    expect(JSON.parse(added.out)).toMatchObject({
      id: 'tiny-TEE',
      files: [{ sha256, path: '127.0.0.1/blob/tiny.gguf' }],
    });
    expect((await test.cloister('pull', 'tiny-TEE')).code).toBe(0);
    expect((await stat(join(test.folder, 'models', '127.0.0.1', 'blob', 'tiny.gguf'))).size).toBe(200_000);
  });

  it('adds and pulls all parts of split weights', async () => {
    await using test = await startModelsCli();
    for (const part of [1, 2, 3]) test.hub.files.set(`big-0000${part}-of-00003.gguf`, fakeGguf(50_000, { seed: part }));
    await test.cloister('add', `hf:${test.hub.repository}@main:big-00001-of-00003.gguf`);
    expect(await test.cloister('pull', 'big-TEE')).toMatchObject({ code: 0 });
    expect((await test.cloister('verify')).out.match(/ ok$/gm)).toHaveLength(3);
  });

  it('reports failed attempts and the final remedy', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', content);
    await test.cloister('add', test.source);
    test.hub.mishap = () => ({ kind: 'status', status: 429, headers: { 'retry-after': '3' } });
    const { code, err } = await test.cloister('pull', 'tiny-TEE');
    expect(code).toBe(1);
    expect(err).toMatch(/answered 429, asking to wait 3 s; try again later, it resumes \(retrying in 3 s\)\n/);
    expect(err).toMatch(/\ncloister models pull: .*answered 429/);
  });

  it.each([
    [['add', 'nowhere.gguf'], 'nowhere.gguf cannot be read'],
    [['add', 'https://example.org/x.gguf'], 'write url:https://example.org/x.gguf'],
    [['add', 'hf:tiny.gguf'], 'must be hf:owner/name[@revision][:file]'],
    [['add', 'url:http://example.org/x.gguf'], 'expected https'],
    [['list'], 'no catalogue at'],
    [['pull', 'x-TEE'], 'no catalogue at'],
  ])('exits %j with code 1 and a reason', async (args, reason) => {
    await using test = await startModelsCli();
    const { code, err } = await test.cloister(...args);
    expect(code).toBe(1);
    expect(err).toContain(reason);
  });

  it.each([
    [[], 'expected one of add, alias, list, load, pull, rm, unload, verify, got nothing'],
    [['remove'], 'got "remove"'],
    [['add'], 'expected one source, got 0'],
    [['add', 'x', '--id', 'x'], '--id must end in -TEE'],
    [['add', 'x', '--prompt-price', '0.1234567'], 'at most 6 decimals'],
    [['add', 'x', '--colour', 'red'], '--colour is not an option'],
    [['add', 'x', '--capabilities', 'telepathy'], '--capabilities takes streaming'],
    [['add', 'x', '--context', '-1'], '--context needs a value; write --context=-1'],
    [['pull'], 'pull takes the IDs of models or --all, not both'],
    [['pull', 'a-TEE', '--all'], 'pull takes the IDs of models or --all, not both'],
    [['pull', 'a-TEE', '--connections', '17'], 'must be 1 to 16'],
    [['list', 'a-TEE'], 'expected no argument'],
    [['alias', 'a'], 'expected a name and the ID of a model, or a name and --remove'],
    [['alias', 'a', 'a-TEE', '--remove'], 'expected a name and the ID of a model, or a name and --remove'],
  ])('rejects %j as wrong usage', async (args, reason) => {
    await using test = await startModelsCli();
    await expect(test.cloister(...args)).rejects.toMatchObject({ code: 'ERR_USAGE' });
    await expect(test.cloister(...args)).rejects.toThrow(reason);
  });

  it.each(['add', 'alias', 'list', 'pull', 'verify'])('%s has --help', async (name) => {
    await using test = await startModelsCli();
    const { code, out } = await test.cloister(name, '--help');
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: cloister models ${name}`));
    expect(out.split('\n').every((line) => line.length <= 125)).toBe(true);
  });
});
