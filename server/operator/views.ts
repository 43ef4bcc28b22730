/** What the operator's API shows of a running server, in addition to its accounts. */
import type { LoadedModel } from './loaded-model.ts';

/** A node of the fleet, by its own signed entry: a claim that only evidence proves. */
export interface OperatorNode {
  readonly node: string;
  readonly address: string;
  /** Whether it is this server. */
  readonly isSelf: boolean;
  /** Used share of the node's capacity in sixteenths, 0 to 15. */
  readonly load: number;
  readonly draining: boolean;
  readonly models: readonly string[];
  /** `sha256:…` of the policy that it applies to other nodes. */
  readonly policyDigest: string | undefined;
  /** Milliseconds since 1970. */
  readonly announcedAt: number;
}

export interface OperatorViews {
  readonly nodes: () => readonly OperatorNode[];
  readonly models: () => readonly LoadedModel[];
  /** Loads a model of the catalogue and measures it. @throws {ServerError} ERR_MODEL_STATE and others */
  readonly loadModel: (name: string) => Promise<{ readonly model: LoadedModel; readonly isNew: boolean }>;
  /** Unloads a model after its requests. @throws {ServerError} ERR_MODEL_STATE, ERR_ROUTE_UNKNOWN */
  readonly unloadModel: (id: string) => Promise<LoadedModel>;
}
