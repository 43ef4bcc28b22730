/** The prompt bounds of chat models, which readers of large bodies check on their thread. */
import type { BoundedModel } from '@cloister/runtime/chat/prompt-bound';
import type { ModelDirectory } from '../../serving/served-model.ts';

/** Of loaded models, by id and by alias, with and without adapters. */
export function boundedModels(models: ModelDirectory): ReadonlyMap<string, BoundedModel> {
  const bounded = new Map<string, BoundedModel>();
  for (const model of models.values()) {
    if (model.kind !== 'chat' || model.engine.state.kind !== 'ready') continue;
    const { id, aliases = [], adapters = [] } = model;
    const { contextPerSequence, promptBound } = model.engine.state.model;
    for (const name of [...aliases, id]) {
      bounded.set(name, { contextPerSequence, promptBound });
      for (const adapter of adapters) bounded.set(`${name}:${adapter.name}`, { contextPerSequence, promptBound });
    }
  }
  return bounded;
}
