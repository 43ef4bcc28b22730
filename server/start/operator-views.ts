/** Nodes and models as the operator's API shows them. */
import type { Fleet } from '../fleet/fleet.ts';
import type { OperatorViews } from '../operator/views.ts';
import type { ModelDirectory } from '../serving/served-model.ts';
import { loadedModels } from './loaded-models.ts';

export interface OperatorViewParts {
  readonly models: ModelDirectory;
  /** Undefined if this server is not a node of a fleet. */
  readonly fleet: Pick<Fleet, 'directory' | 'own'> | undefined;
}

export function operatorViews({ models, fleet }: OperatorViewParts): OperatorViews {
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
    models: () => loadedModels([...models.values()], Date.now()),
  };
}
