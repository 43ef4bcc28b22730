import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../server/program/config.ts';
import { planModels } from '../../../server/start/model-plan.ts';

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
