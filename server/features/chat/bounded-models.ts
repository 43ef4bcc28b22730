/** The prompt bounds of chat models, which readers of large bodies check on their thread. */
import type { BoundedModel } from '@cloister/runtime/chat/prompt-bound';
import type { ModelDirectory } from '../../serving/served-model.ts';

/** Of loaded models, by id and by alias. */
export function boundedModels(models: ModelDirectory): ReadonlyMap<string, BoundedModel> {
  const bounded = new Map<string, BoundedModel>();
  for (const { id, aliases = [], kind, engine } of models.values()) {
    if (kind !== 'chat' || engine.state.kind !== 'ready') continue;
    const { contextPerSequence, promptBound } = engine.state.model;
    for (const name of [...aliases, id]) bounded.set(name, { contextPerSequence, promptBound });
  }
  return bounded;
}
