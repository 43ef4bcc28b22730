/**
 * The nodes that this process is: a node is named by its keyset, so each rotation of a key makes another one. Earlier ones are kept
 * while something that their ids name can be in memory.
 */
import { fleetNodeOf } from '@cloister/attestation/fleet/entry';
import type { Identity } from '../enclave/enclave.ts';

export interface OwnNode {
  readonly node: string;
  readonly identity: Identity;
}

export interface OwnNodesOptions {
  /** Undefined until the start has been measured. */
  readonly identity: () => Identity | undefined;
  /** How long an earlier node is kept. */
  readonly keepMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Rotations within `keepMs` beyond this number drop the earliest node. */
const nodesMax = 8;

export class OwnNodes {
  readonly #options: OwnNodesOptions;
  /** The latest first; `retiredAt` is set when a later one follows. */
  #nodes: (OwnNode & { retiredAt?: number })[] = [];

  constructor(options: OwnNodesOptions) {
    this.#options = options;
  }

  /** The node that new ids name; undefined until the start has been measured. */
  get current(): OwnNode | undefined {
    const { identity, clock } = this.#options;
    const own = identity();
    if (own === undefined) return undefined;
    const [latest] = this.#nodes;
    if (latest?.identity.digest === own.digest) return latest;
    if (latest !== undefined) latest.retiredAt = clock();
    this.#nodes = [{ node: fleetNodeOf(own.digest), identity: own }, ...this.#nodes].slice(0, nodesMax);
    return this.#nodes[0];
  }

  /** The current node and the earlier ones that are kept. */
  get all(): readonly OwnNode[] {
    if (this.current === undefined) return [];
    const { clock, keepMs } = this.#options;
    this.#nodes = this.#nodes.filter(({ retiredAt }) => retiredAt === undefined || clock() - retiredAt < keepMs);
    return this.#nodes;
  }

  has(node: string): boolean {
    return this.all.some((own) => own.node === node);
  }
}
