/** The memory of a model that is loaded at run time is planned before it is read, for every kind of model. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildLogger } from '../../../server/http/request-log.ts';
import { readConfig } from '../../../server/program/config.ts';
import { ServedModels } from '../../../server/serving/served-model.ts';
import { ModelLifecycle } from '../../../server/start/model-lifecycle.ts';
import { planModel } from '../../../server/start/model-plan.ts';
import { ModelStarter } from '../../../server/start/start-models.ts';

const mib = 1024 ** 2;

describe('a model that is loaded at run time', () => {
  const memory = vi.spyOn(process, 'availableMemory').mockReturnValue(257 * mib);
  const models = new ServedModels([]);
  const proved: string[] = [];
  let lifecycle: ModelLifecycle;
  beforeAll(async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'cloister-memory-'));
    const { config } = readConfig({ args: ['--state-dir', cwd], env: {}, cwd });
    const logger = buildLogger({ level: 'silent', destination: { write: () => undefined } });
    lifecycle = new ModelLifecycle({
      starter: await ModelStarter.open([], { config, trustsDisk: false, logger, onStuck: () => undefined }),
      ...{ started: [], models, logger, idleTtlMs: undefined, drainTimeoutMs: 1000 },
      plan: (name) => planModel(config, name),
      async prove({ plan }) {
        proved.push(plan.id);
        return 0;
      },
      warmUp: async () => undefined,
    });
    lifecycle.open();
  });
  afterAll(() => {
    lifecycle.close();
    memory.mockRestore();
  });

  it.each([
    'cloister-demo-TEE',
    'cloister-demo-embedding-TEE',
    'cloister-demo-image-TEE',
    'cloister-demo-reranker-TEE',
  ])('is refused with the numbers if it does not fit: %s', async (id) => {
    await expect(lifecycle.load(id)).rejects.toMatchObject({
      code: 'ERR_MODEL_STATE',
      message: expect.stringMatching(
        new RegExp(`^${id} cannot be loaded: .*needs \\d+ MiB of main memory.* 1 MiB were available at the start`),
      ),
    });
    expect([models.size, lifecycle.loaded.length, proved]).toEqual([0, 0, []]);
  });
});
