import type { Registry } from 'prom-client';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';
import { type ModelDirectory, statusOf } from '../../serving/served-model.ts';

/** Which of the models that requests can name are in memory, and what they take. */
export function registerModels(registry: Registry, models: ModelDirectory): void {
  const { gauge } = statsMetrics(registry, 'cloister_model_', () =>
    [...models.values()].map((model) => ({ id: model.id, stats: model })),
  );
  const inMemory = 'Whether the model is in memory. The next request loads one that is idle and unloaded.';
  gauge('in_memory', inMemory, (model) => (statusOf(model) === 'ready' ? 1 : 0));
  gauge('memory_bytes', 'Main memory that the model has claimed.', ({ use }) => use?.claimedBytes() ?? 0);
}
