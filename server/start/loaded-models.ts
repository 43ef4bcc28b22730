/** What people and the operator see of the models of a server. */
import type { LoadedModel } from '../operator/loaded-model.ts';
import { queueOf } from '../serving/model-queue.ts';
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
    const { running, waiting } = queueOf(model);
    const isIdle = running + waiting === 0;
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
      running,
      waiting,
      sequences: sequencesOf(model),
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

/** Maximum number of concurrent answers of a chat model. */
function sequencesOf(model: ServedModel): number | null {
  if (model.kind !== 'chat' || model.engine.state.kind !== 'ready') return null;
  return model.engine.state.model.sequences;
}
