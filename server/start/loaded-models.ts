/** What people and the operator see of the models of a server. */
import type { LoadedModel } from '../operator/loaded-model.ts';
import { type ServedModel, statusOf } from '../serving/served-model.ts';

/** For the announcement of a start. */
export function describeForPeople({ id, engine: { state } }: ServedModel) {
  const { description, device } = state.kind === 'ready' ? state.model : { description: '', device: '' };
  return { id, description, device };
}

/** @param options.now milliseconds since 1970 · `idleTtlS` after which idle models are unloaded; 0: never */
export function loadedModels(
  models: readonly ServedModel[],
  { now, idleTtlS = 0 }: { now: number; idleTtlS?: number },
): readonly LoadedModel[] {
  return models.map((model) => {
    const { id, kind, aliases = [], use, resident } = model;
    const { state } = model.engine;
    const requests = requestsOf(model);
    const isIdle = requests.running + requests.waiting === 0;
    const idleSince = use?.usedAt ?? use?.readyAt;
    return {
      id,
      kind,
      aliases,
      status: statusOf(model),
      loadedPercent: statusOf(model) === 'loading' ? Math.floor(100 * (resident?.loadedFraction ?? 0)) : null,
      expiresSeconds: expiryOf(model, idleTtlS),
      device: state.kind === 'ready' ? state.model.device : null,
      memoryBytes: use?.claimedBytes() ?? 0,
      ...requests,
      loadedAt: use?.readyAt ?? null,
      stalledMs: model.engine.health.stalledMs,
      losses: model.engine.health.losses,
      idleSeconds: isIdle && idleSince !== undefined ? Math.max(0, Math.floor((now - idleSince) / 1000)) : null,
    };
  });
}

function expiryOf({ resident, engine }: ServedModel, idleTtlS: number): number | null {
  if (idleTtlS === 0 || resident?.residence !== 'loaded' || engine.state.kind !== 'ready') return null;
  const { idleMs } = resident;
  return idleMs < 1000 ? null : Math.max(0, Math.ceil(idleTtlS - idleMs / 1000));
}

function requestsOf(model: ServedModel): Pick<LoadedModel, 'running' | 'waiting' | 'sequences'> {
  switch (model.kind) {
    case 'chat': {
      const { stats, state } = model.engine;
      const sequences = state.kind === 'ready' ? state.model.sequences : null;
      return { running: stats.running, waiting: stats.preparing + stats.waiting, sequences };
    }
    case 'image':
      return { running: model.engine.stats.running, waiting: model.engine.stats.waiting, sequences: null };
    case 'embedding':
    case 'reranker':
      return { running: model.engine.stats.running, waiting: model.engine.stats.waitingTexts, sequences: null };
  }
}
