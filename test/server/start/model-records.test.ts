import { describe, expect, it } from 'vitest';
import type { ServedModel } from '../../../server/serving/served-model.ts';
import type { PlannedModel } from '../../../server/start/model-plan.ts';
import { measuredModels, modelRecords, quantisationOf } from '../../../server/start/model-records.ts';

const files = [
  { path: 'a.gguf', bytes: 5, sha256: 'aa'.repeat(32) },
  { path: 'b.gguf', bytes: 7, sha256: 'bb'.repeat(32) },
];
const plans = [
  { id: 'pinned-TEE', kind: 'llama-text', pinned: { entry: { files } } },
  { id: 'file-TEE', kind: 'llama-text', pinned: undefined },
] as unknown as readonly PlannedModel[];
const served = (state: object) => [{ id: 'pinned-TEE', engine: { state } }] as unknown as readonly ServedModel[];
const ready = served({ kind: 'ready', model: { description: 'llama 0.1B Q8_0', device: 'CPU (zen4), 2 threads' } });

const records = (all: readonly PlannedModel[], models: readonly ServedModel[]) =>
  modelRecords((id) => {
    const plan = all.find((one) => one.id === id);
    return (
      plan && {
        plan,
        model: models.find((one) => one.id === id) ?? ({ engine: { state: { kind: 'draining' } } } as ServedModel),
      }
    );
  });

describe('the record of a model', () => {
  it('contains the digests of all files, and the quantisation once the model is loaded', () => {
    const weights = ['aa'.repeat(32), 'bb'.repeat(32)];
    expect(records(plans, ready)('pinned-TEE')).toEqual({ id: 'pinned-TEE', weights, quantisation: 'Q8_0' });
    const loading = served({ kind: 'loading', fraction: 0.5 });
    expect(records(plans, loading)('pinned-TEE')).toEqual({ id: 'pinned-TEE', weights, quantisation: undefined });
  });

  it('contains the files of its draft model after its own', () => {
    const draft = { path: 'draft.gguf', bytes: 3, sha256: 'cc'.repeat(32) };
    const [plan] = plans;
    const drafted = [
      { ...plan!, draft: { ...plan!, pinned: { entry: { files: [draft] } } } },
    ] as unknown as typeof plans;
    expect(measuredModels(drafted, ready)[0]!.files).toEqual([...files, draft]);
    expect(records(drafted, ready)('pinned-TEE')!.weights).toEqual([...files, draft].map(({ sha256 }) => sha256));
  });

  it('contains, of several adapters, the one that answers', () => {
    const [plan] = plans;
    const adapters = [{ name: 'b', path: 'b.gguf', sha256: 'bb'.repeat(32) }];
    const record = records([{ ...plan!, adapters }], ready);
    expect(record('pinned-TEE')!.weights).toEqual(['aa'.repeat(32)]);
    expect(record('pinned-TEE:b')).toEqual({
      id: 'pinned-TEE:b',
      weights: ['aa'.repeat(32), 'bb'.repeat(32)],
      quantisation: 'Q8_0',
    });
  });

  it('has no digests if the model was named by file, and does not exist if it is not served', () => {
    expect(records(plans, ready)('file-TEE')).toEqual({ id: 'file-TEE', weights: [], quantisation: undefined });
    expect(records(plans, ready)('other-TEE')).toBeUndefined();
  });

  it('includes the device on which the model runs', () => {
    expect(measuredModels(plans, ready)).toEqual([
      { id: 'pinned-TEE', kind: 'llama-text', device: 'CPU (zen4), 2 threads', files },
      { id: 'file-TEE', kind: 'llama-text', device: 'unknown', files: [] },
    ]);
  });

  it.each([
    ['Cloister Demo Chat, 6.16 M parameters, Q8_0', 'Q8_0'],
    ['qwen2 1.5B Q4_K - Medium', 'Q4_K - Medium'],
    ['llama 8B IQ2_XXS - 2.0625 bpw', 'IQ2_XXS'],
    ['gpt-oss 20B MXFP4 MoE', 'MXFP4'],
    ['bert 33M BF16', 'BF16'],
    ['bge-small, int8', 'int8'],
    ['Tiny Diffusion, DDIMScheduler, native 64×64', undefined],
  ])('contains the quantisation in %s: %s', (description, quantisation) => {
    expect(quantisationOf(description)).toBe(quantisation);
  });
});
