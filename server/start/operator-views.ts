/** Nodes and models as the operator's API shows them. */
import type { Fleet } from '../fleet/fleet.ts';
import type { OperatorViews } from '../operator/views.ts';
import type { ModelDirectory, ServedModel } from '../serving/served-model.ts';
import { loadedModels } from './loaded-models.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';

export interface OperatorViewParts {
  readonly models: ModelDirectory;
  readonly lifecycle: Pick<ModelLifecycle, 'load' | 'unload' | 'passing'>;
  readonly idleTtlS: number;
  /** Undefined if this server is not a node of a fleet. */
  readonly fleet: Pick<Fleet, 'directory' | 'own'> | undefined;
}

export function operatorViews({ models, lifecycle, idleTtlS, fleet }: OperatorViewParts): OperatorViews {
  const describe = (all: readonly ServedModel[]) => loadedModels(all, { now: Date.now(), idleTtlS });
  return {
    nodes: () =>
      (fleet?.directory.nodes ?? []).map(({ entry }) => ({
        node: entry.node,
        address: entry.address,
        isSelf: entry.node === fleet?.own.current?.node,
        load: entry.load,
        draining: entry.draining,
        models: entry.models.map(({ id }) => id),
        policyDigest: entry.policyDigest,
        announcedAt: entry.issuedAt * 1000,
      })),
    models: () => [
      ...describe([...models.values()]),
      ...lifecycle.passing.map(({ model, isLoading }) => ({
        ...describe([model])[0]!,
        status: isLoading ? ('loading' as const) : ('unloading' as const),
      })),
    ],
    async loadModel(name) {
      const { model, isNew } = await lifecycle.load(name);
      return { model: describe([model])[0]!, isNew };
    },
    async unloadModel(id) {
      const [model] = describe([await lifecycle.unload(id)]);
      return { ...model!, status: 'unloaded', memoryBytes: 0, loadedAt: null, idleSeconds: null };
    },
  };
}
