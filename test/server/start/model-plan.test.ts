import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue } from '../../../models/catalogue/catalogue.ts';
import { readConfig } from '../../../server/program/config.ts';
import type { ServedModel } from '../../../server/serving/served-model.ts';
import { planModels } from '../../../server/start/model-plan.ts';
import { measuredModels, modelRecords } from '../../../server/start/model-records.ts';
import { visionCatalogue, visionFiles } from '../../support/models/shapes.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-plan-'));

function plan(...names: string[]) {
  for (const name of names) {
    mkdirSync(join(cwd, name, '..'), { recursive: true });
    writeFileSync(join(cwd, name), 'no weights');
  }
  const { config } = readConfig({ args: ['--model', names.join(',')], env: {}, cwd });
  return planModels(config, { cwd });
}

describe('models named by file', () => {
  it('are planned in the order of their names', async () => {
    expect((await plan('b.gguf', 'a.gguf')).map(({ id }) => id)).toEqual(['b-TEE', 'a-TEE']);
  });

  it.each([
    ['of two folders have one name', ['one/model.gguf', 'two/model.gguf']],
    ['are one file', ['same.gguf', 'same.gguf']],
  ])('are rejected if two %s, because clients could reach only one of them', async (_, names) => {
    await expect(plan(...names)).rejects.toMatchObject({
      code: 'ERR_START',
      message: expect.stringContaining('two models with the id'),
    });
  });
});

describe('--draft-model', () => {
  function planWithDraft(model: string, draftModel: string) {
    for (const name of [...model.split(','), 'draft.gguf']) writeFileSync(join(cwd, name), 'no weights');
    const args = ['--model', model, '--draft-model', draftModel];
    return planModels(readConfig({ args, env: {}, cwd }).config, { cwd });
  }

  it('gives the named model a draft model, and the others none', async () => {
    const plans = await planWithDraft('big.gguf,other.gguf', 'big-TEE=draft.gguf');
    expect(plans.map(({ id, draft }) => [id, draft?.path])).toEqual([
      ['big-TEE', join(cwd, 'draft.gguf')],
      ['other-TEE', undefined],
    ]);
  });

  it('takes a draft model from the catalogue, whose digests it verifies', async () => {
    const [plan] = await planWithDraft('big.gguf', 'big-TEE=cloister-demo-TEE');
    expect(plan!.draft!.pinned!.entry.files[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['a model that is not served', 'small-TEE=draft.gguf', 'no served model has the id small-TEE'],
    ['no draft model', 'big-TEE', 'expected ID=DRAFT, got big-TEE'],
    ['two draft models', 'big-TEE=draft.gguf,big-TEE=draft.gguf', 'has two draft models'],
    ['a file that does not exist', 'big-TEE=none.gguf', 'does not exist'],
    ['a model of another kind', 'big-TEE=cloister-demo-embedding-TEE', 'is not a chat model in GGUF'],
  ])('is rejected if it names %s', async (_, draftModel, message) => {
    await expect(planWithDraft('big.gguf', draftModel)).rejects.toMatchObject({
      code: 'ERR_START',
      message: expect.stringContaining(message),
    });
  });
});

describe('a catalogue entry with a projector', () => {
  it('is planned with its path; the digests of both files are measured and stated in receipts', async () => {
    const { config } = readConfig({ args: ['--catalogue', visionCatalogue], env: {}, cwd });
    const plans = await planModels(config, { cwd });
    const [entry] = (await readCatalogue(visionCatalogue)).models;
    expect(plans).toMatchObject([{ path: visionFiles.modelPath, projectorPath: visionFiles.projectorPath }]);
    expect(measuredModels(plans, [])[0]!.files).toEqual(entry!.files);
    const digests = entry!.files.map(({ sha256 }) => sha256);
    expect(
      modelRecords(() => ({ plan: plans[0]!, model: { engine: { state: { kind: 'draining' } } } as ServedModel }))(
        entry!.id,
      )!.weights,
    ).toEqual(digests);
    const read = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
    expect([visionFiles.modelPath, visionFiles.projectorPath].map(read)).toEqual(digests);
  });
});
