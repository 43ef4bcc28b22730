/** The other nodes of the fleet: verified entries in memory, as rows arrive. Rows come from a database that is not trusted. */
import type { FleetFollower, FleetRow } from '@cloister/accounts/fleet-directory';
import {
  fleetEntriesMax,
  formatFleetEntry,
  formatFleetList,
  parseFleetEntry,
  type SignedFleetEntry,
  verifyFleetEntry,
} from '@cloister/attestation/fleet/entry';

export interface FleetNode {
  readonly entry: SignedFleetEntry;
  /** Canonical text of the entry. */
  readonly text: string;
  /** PEM of the root of a simulated machine. Not signed: only simulated machines use it. */
  readonly simulationRoot: string | undefined;
}

/** The root that verifies a node: a simulated machine accepts the one that a simulated node announces, a real one never. */
export function simulationRootOf(
  { simulationRoot }: FleetNode,
  { isSimulated }: { readonly isSimulated: () => boolean },
): string | undefined {
  return isSimulated() ? simulationRoot : undefined;
}

export interface NodeDirectoryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Tolerated difference between the clocks of two nodes. */
const clockSkewMs = 5_000;
/** A node that runs announces itself within this time. */
const heardMs = 15_000;
/** The age of the served list. */
export const fleetListAgeMs = 1_000;
/** Rows that wait for their verification; above it, rows are dropped, and announced again within seconds. */
const waitingRowsMax = 4 * fleetEntriesMax;
const simulationRootCharactersMax = 8_192;

export class NodeDirectory implements FleetFollower {
  readonly #now: () => number;
  readonly #nodes = new Map<string, FleetNode>();
  readonly #watchers = new Set<() => void>();
  /** When a row of each node came last, whatever it says: the latest at the end. */
  readonly #heard = new Map<string, number>();
  #waiting = 0;
  /** Rows are verified one after the other, so that the last one of a node stays. */
  #last: Promise<void> = Promise.resolve();
  #list: { readonly text: string; readonly madeAt: number } | undefined;

  constructor({ now }: NodeDirectoryOptions) {
    this.#now = now;
  }

  onRow(row: FleetRow): void {
    this.#heard.delete(row.node);
    this.#heard.set(row.node, this.#now());
    for (const [earliest] of this.#heard) {
      if (this.#heard.size <= fleetEntriesMax) break;
      this.#heard.delete(earliest);
    }
    if (this.#waiting >= waitingRowsMax) return;
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      // A malformed, stale or forged row says nothing about any node, and must not stop the rows behind it.
      await this.#take(row).catch(() => undefined);
      this.#waiting -= 1;
    });
  }

  onWithdrawn(node: string): void {
    this.#heard.delete(node);
    this.#last = this.#last.then(() => {
      if (this.#nodes.delete(node)) this.#changed();
    });
  }

  /** @returns undefined if there is no current entry of this node */
  find(node: string): FleetNode | undefined {
    this.#forgetExpired();
    return this.#nodes.get(node);
  }

  /** The current entries, at most 1,024. */
  get nodes(): readonly FleetNode[] {
    this.#forgetExpired();
    return [...this.#nodes.values()];
  }

  /** Whether rows of other nodes have come lately, even if they look expired by a wrong clock of this machine. */
  hearsOthersThan(own: (node: string) => boolean): boolean {
    const now = this.#now();
    return [...this.#heard].some(([node, at]) => !own(node) && Math.abs(now - at) < heardMs);
  }

  /** The body of `GET /v1/fleet`, at most a second old. */
  get listText(): string {
    const now = this.#now();
    const age = this.#list === undefined ? Infinity : now - this.#list.madeAt;
    if (age < 0 || age >= fleetListAgeMs) {
      this.#list = { text: formatFleetList(this.nodes.map(({ text }) => text)), madeAt: now };
    }
    return this.#list!.text;
  }

  /** Resolves when the entry of a node satisfies `is`. @throws the reason of the signal */
  async seen(node: string, is: (entry: SignedFleetEntry) => boolean, { signal }: { signal: AbortSignal }) {
    const done = Promise.withResolvers<void>();
    const check = () => {
      const found = this.find(node);
      if (found !== undefined && is(found.entry)) done.resolve();
    };
    const abort = () => done.reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    this.#watchers.add(check);
    check();
    try {
      await done.promise;
    } finally {
      this.#watchers.delete(check);
      signal.removeEventListener('abort', abort);
    }
  }

  /** @throws {AttestationError} ERR_EVIDENCE_MALFORMED, ERR_NOT_VERIFIED */
  async #take({ node, entry: given, simulationRoot }: FleetRow): Promise<void> {
    const entry = parseFleetEntry(given);
    if (entry.node !== node || (simulationRoot?.length ?? 0) > simulationRootCharactersMax) return;
    const known = this.#nodes.get(node);
    if (known !== undefined && known.entry.issuedAt > entry.issuedAt) return;
    await verifyFleetEntry(entry, { nowMs: this.#now(), clockSkewMs });
    this.#forgetExpired();
    if (known === undefined && this.#nodes.size >= fleetEntriesMax) return;
    this.#nodes.set(node, { entry, text: formatFleetEntry(entry), simulationRoot });
    this.#changed();
  }

  #changed(): void {
    for (const check of this.#watchers) check();
  }

  #forgetExpired(): void {
    const now = this.#now();
    for (const [node, { entry }] of this.#nodes) {
      if (entry.expiresAt * 1000 + clockSkewMs <= now) this.#nodes.delete(node);
    }
  }
}
