/** Nodes and models as the operator's API shows them. */
import type { NodeDirectory } from '../fleet/directory.ts';
import type { OperatorViews } from '../operator/views.ts';
import type { ModelDirectory } from '../serving/served-model.ts';

export interface OperatorViewParts {
  readonly models: ModelDirectory;
  /** Undefined if this server is not a node of a fleet. */
  readonly directory: Pick<NodeDirectory, 'nodes'> | undefined;
  /** Id of this node; undefined before its start has been measured. */
  readonly ownNode: () => string | undefined;
}

export function operatorViews({ models, directory, ownNode }: OperatorViewParts): OperatorViews {
  return {
    nodes: () =>
      (directory?.nodes ?? []).map(({ entry }) => ({
        node: entry.node,
        address: entry.address,
        isSelf: entry.node === ownNode(),
        load: entry.load,
        draining: entry.draining,
        models: entry.models.map(({ id }) => id),
        policyDigest: entry.policyDigest,
        announcedAt: entry.issuedAt * 1000,
      })),
    models: () =>
      [...models.values()].map(({ id, kind, engine }) => {
        const { stalledMs, losses } = engine.health;
        return { id, kind, state: engine.state.kind, stalledMs, losses };
      }),
  };
}
