/** The catalogue of the state folder, next to the one that comes with Cloister. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue, shippedCataloguePath } from '../../../models/catalogue/catalogue.ts';
import { readConfig } from '../../../server/program/config.ts';
import { planModels } from '../../../server/start/model-plan.ts';
import { fakeGguf } from '../../support/models/fake-hub.ts';
import { startModelsCli } from '../../support/models/models-cli.ts';

const content = fakeGguf(200_000, { name: 'Tiny Llama', contextLength: 1024 });

async function startWithTiny() {
  const test = await startModelsCli({ isNamed: false });
  test.hub.files.set('tiny.gguf', content);
  await test.cloister('add', test.source);
  const plan = (...args: string[]) => {
    const { config } = readConfig({ args: [...args, '--state-dir', test.folder], env: {}, cwd: test.folder });
    return planModels(config, { cwd: test.folder });
  };
  return { ...test, plan };
}

describe('cloister models without --catalogue', () => {
  it('adds models to the state folder, and leaves the shipped catalogue as it is', async () => {
    const before = await readFile(shippedCataloguePath);
    await using test = await startWithTiny();
    expect((await readCatalogue(test.catalogue)).models.map(({ id }) => id)).toEqual(['tiny-TEE']);
    expect(await readFile(shippedCataloguePath)).toEqual(before);
    expect((await test.cloister('pull', '--all')).out).toContain('pulled, digest matches');
    expect(existsSync(join(test.folder, 'models', 'acme', 'tiny@0123456789ab', 'tiny.gguf'))).toBe(true);
  });

  it('lists both catalogues, and where each entry is', async () => {
    await using test = await startWithTiny();
    const { out } = await test.cloister('list');
    expect(out).toMatch(/^cloister-demo-TEE .* yes {6}shipped$/m);
    expect(out).toMatch(/^tiny-TEE .* no {7}state$/m);
    const { models } = JSON.parse((await test.cloister('list', '--json')).out);
    expect(models.at(-1)).toMatchObject({ id: 'tiny-TEE', catalogue: 'state', aliases: [] });
  });

  it('serves the models of both, the entry of the state folder in place of a shipped one', async () => {
    await using test = await startWithTiny();
    const shipped = (await readCatalogue(shippedCataloguePath)).models.map(({ id }) => id);
    expect((await test.plan()).map(({ id }) => id)).toEqual([...shipped, 'tiny-TEE']);
    await test.cloister('add', test.source, '--id', 'cloister-demo-TEE');
    const [demo] = await test.plan('--model', 'cloister-demo-TEE');
    expect(demo!.path).toBe(join(test.folder, 'models', 'acme', 'tiny@0123456789ab', 'tiny.gguf'));
    await test.cloister('rm', 'cloister-demo-TEE');
    const [shippedDemo] = await test.plan('--model', 'cloister-demo-TEE');
    expect(shippedDemo!.path).toContain('/models/demo/');
  });

  it('says why a shipped model cannot be removed', async () => {
    await using test = await startWithTiny();
    const { code, err } = await test.cloister('rm', 'tiny-TEE', 'cloister-demo-TEE');
    expect(code).toBe(1);
    expect(err).toContain('cloister-demo-TEE comes with Cloister and stays in its catalogue: name the models to serve');
    expect((await readCatalogue(test.catalogue)).models).toHaveLength(1);
  });
});

describe('cloister models alias', () => {
  it('names a shipped or an own model, and is removed with its model', async () => {
    await using test = await startWithTiny();
    const named = await test.cloister('alias', 'gpt-4o-mini', 'cloister-demo-TEE');
    expect(named.out).toBe(`gpt-4o-mini stands for cloister-demo-TEE in ${test.catalogue}\n`);
    await test.cloister('alias', 'acme/tiny:latest', 'tiny-TEE');
    expect((await test.cloister('list')).out).toMatch(/^cloister-demo-TEE .* shipped {4}gpt-4o-mini$/m);
    expect((await test.plan('--model', 'gpt-4o-mini'))[0]).toMatchObject({
      id: 'cloister-demo-TEE',
      aliases: ['gpt-4o-mini'],
    });
    await test.cloister('rm', 'tiny-TEE');
    expect((await readCatalogue(test.catalogue)).aliases).toEqual([{ name: 'gpt-4o-mini', id: 'cloister-demo-TEE' }]);
    const removed = await test.cloister('alias', 'gpt-4o-mini', '--remove');
    expect(removed.out).toBe(`gpt-4o-mini is no longer in ${test.catalogue}\n`);
    expect(await readCatalogue(test.catalogue)).toEqual({ models: [] });
    await expect(test.cloister('alias', 'gpt-4o-mini', '--remove')).rejects.toThrow('has no alias "gpt-4o-mini"');
  });

  it('refuses the id of a model, an unknown model and a name with other characters', async () => {
    await using test = await startWithTiny();
    await expect(test.cloister('alias', 'tiny-TEE', 'cloister-demo-TEE')).rejects.toThrow(
      'tiny-TEE is the ID of a model',
    );
    expect((await test.cloister('alias', 'x', 'absent-TEE')).err).toContain('no model "absent-TEE" in the catalogue');
    expect((await test.cloister('alias', 'a b', 'tiny-TEE')).err).toContain('aliases[0].name must be letters, digits');
  });

  it('must be removed before a model with that id is added', async () => {
    await using test = await startWithTiny();
    await test.cloister('alias', 'later-TEE', 'cloister-demo-TEE');
    const added = await test.cloister('add', test.source, '--id', 'later-TEE');
    expect(added.err).toContain('alias "later-TEE" is the id of a model, or occurs twice');
    await test.cloister('alias', 'later-TEE', '--remove');
    expect((await test.cloister('add', test.source, '--id', 'later-TEE')).code).toBe(0);
  });
});
