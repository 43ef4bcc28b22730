/** The prompt bounds of chat models, which readers of large bodies check on their thread. */
import type { BoundedModel } from '@cloister/runtime/chat/prompt-bound';
import type { ModelDirectory } from '../../serving/served-model.ts';

/** Of loaded models, by id. */
export function boundedModels(models: ModelDirectory): ReadonlyMap<string, BoundedModel> {
  const bounded = new Map<string, BoundedModel>();
  for (const { id, kind, engine } of models.values()) {
    if (kind !== 'chat' || engine.state.kind !== 'ready') continue;
    const { contextPerSequence, promptBound } = engine.state.model;
    bounded.set(id, { contextPerSequence, promptBound });
  }
  return bounded;
}
