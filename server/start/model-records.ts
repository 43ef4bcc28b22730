/**
 * What a start measures and a receipt states about each model: its catalogue entry's digests, and the engine's facts.
 */
import type { ModelFile } from '@cloister/models/catalogue/catalogue';
import type { MeasuredModel } from '../enclave/measured-start.ts';
import type { ModelRecord } from '../enclave/receipt-draft.ts';
import type { ServedModel } from '../serving/served-model.ts';
import type { PlannedModel } from './model-plan.ts';

/** For loaded models. */
export function measuredModels(
  plans: readonly PlannedModel[],
  models: readonly ServedModel[],
): readonly MeasuredModel[] {
  return plans.map((plan) => {
    const { id, kind } = plan;
    const state = models.find((model) => model.id === id)?.engine.state;
    return {
      id,
      kind,
      device: state?.kind === 'ready' ? state.model.device : 'unknown',
      files: filesOf(plan).map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 })),
    };
  });
}

/**
 * By the id of a loaded model, or of one with an adapter: without the digests of other adapters, which did not take part. The
 * quantisation is known once the model is loaded.
 */
export function modelRecords(
  find: (id: string) => { readonly plan: PlannedModel; readonly model: ServedModel } | undefined,
): (id: string) => ModelRecord | undefined {
  return (id) => {
    const [modelId = '', adapterName] = id.split(':');
    const found = find(modelId);
    if (found === undefined) return undefined;
    const { plan, model } = found;
    const { state } = model.engine;
    const unused = new Set(plan.adapters?.flatMap(({ name, sha256 }) => (name === adapterName ? [] : [sha256])));
    return {
      id,
      weights: filesOf(plan).flatMap(({ sha256 }) => (unused.has(sha256) ? [] : [sha256])),
      quantisation: state?.kind === 'ready' ? quantisationOf(state.model.description) : undefined,
    };
  };
}

/** The files that an engine loads: those of the model, then those of its draft model. */
function filesOf({ pinned, draft }: PlannedModel): readonly ModelFile[] {
  return [...(pinned?.entry.files ?? []), ...(draft === undefined ? [] : filesOf(draft))];
}

/** `llama 0.1B Q8_0` → `Q8_0`, `qwen2 1.5B Q4_K - Medium` → `Q4_K - Medium` */
export function quantisationOf(description: string): string | undefined {
  return /(?:^|\s)((?:I?Q\d\w*|TQ\d\w*|MXFP4\w*|NVFP4\w*|BF16|F16|F32|int8)(?: - [A-Z][a-z]+)?)/.exec(description)?.[1];
}
