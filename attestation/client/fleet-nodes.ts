/**
 * The nodes of a fleet, as a client knows them: from the directory that every node serves, or from a fixed list. Entries say where
 * nodes are and how busy; whether a node may be used, its evidence alone decides. For Node.
 */
import { fleetEntriesMax, parseFleetList, type SignedFleetEntry, verifyFleetEntry } from '../fleet/entry.ts';
import { type RankedNode, rankNodes } from '../fleet/rank-nodes.ts';
import { nodeAffinity, type RouteHints } from '../fleet/route-hints.ts';

/** Where requests can be sent. */
export interface FleetNode extends RankedNode {
  /** `https://host[:port]` */
  readonly address: string;
  /** Ids of the models that the node serves; undefined if it is not known. */
  readonly models: readonly string[] | undefined;
  readonly draining: boolean;
  /** Time of the entry, in seconds since 1970; undefined without a directory. */
  readonly issuedAt: number | undefined;
}

export interface FleetNodesOptions {
  /** Origins of all nodes, in place of a directory. */
  readonly addresses?: readonly string[] | undefined;
  /** Fetches the directory: the body of `GET /v1/fleet` from the given origin. */
  readonly fetchList: (origin: string) => Promise<Uint8Array>;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
}

export const fleetPath = '/v1/fleet';

/** Age from which the directory is fetched again, in the background. */
const refreshMs = 5_000;
/** Nodes and clients may disagree by this much. Less than an entry's validity, so that stale ones are noticed. */
const clockSkewMs = 10_000;
/** Number of conversations whose node is remembered. */
const placesMax = 4096;
/** How long a node that could not be reached or verified, or cannot serve, is tried last. */
const failureMs = 10_000;

interface Failure {
  /** By `clock`. */
  readonly at: number;
  /** Of a node that answered that it cannot serve: the time of its entry then. It is tried last until it announces itself again. */
  readonly issuedAt: number | undefined;
}

interface Directory {
  /** Verified; empty if there is no directory, so that its address is the only node. */
  readonly entries: readonly SignedFleetEntry[];
  readonly fetchedAtMs: number;
}

export class FleetNodes {
  readonly #options: FleetNodesOptions;
  readonly #directories = new Map<string, Directory>();
  readonly #refreshing = new Map<string, Promise<Directory>>();
  /** By address. */
  readonly #failures = new Map<string, Failure>();
  /** By conversation: the address of the node that answered last; the latest last. */
  readonly #places = new Map<string, string>();
  /** By address: requests of this client whose answers have not begun. */
  readonly #running = new Map<string, number>();

  constructor(options: FleetNodesOptions) {
    this.#options = options;
  }

  /**
   * The nodes to try for a request, in this order; never empty.
   * @param origin where the directory is, and the only node if there is none
   * @param path of the request: one that names a node is for that node
   */
  async ranked(origin: string, path: string, hints: RouteHints): Promise<readonly FleetNode[]> {
    const known = this.#withOwnLoad(await this.#nodesOf(origin));
    const owner = known.find(({ node }) => path.includes(node));
    if (owner !== undefined) return [owner];
    const serving = known.filter(({ models }) => hints.model === undefined || models?.includes(hints.model) !== false);
    const able = serving.length > 0 ? serving : known;
    const staying = able.filter(({ draining }) => !draining);
    const usable = staying.length > 0 ? staying : able;
    const place = hints.conversation === undefined ? undefined : this.#places.get(hints.conversation);
    const turn = (node: FleetNode) => (this.#hasFailed(node) ? 2 : node.address === place ? 0 : 1);
    return rankNodes(usable, nodeAffinity(hints)).toSorted((a, b) => turn(a) - turn(b));
  }

  /** Notes which node answered, so that the next turns of the conversation go there. */
  answered({ address }: FleetNode, { conversation }: RouteHints): void {
    if (conversation !== undefined) setBounded(this.#places, conversation, address, placesMax);
  }

  /** Counts a request as running on its node. @returns a function to call once, when the answer begins or fails */
  start({ address }: FleetNode): () => void {
    this.#running.set(address, (this.#running.get(address) ?? 0) + 1);
    return () => {
      const left = this.#running.get(address)! - 1;
      if (left === 0) this.#running.delete(address);
      else this.#running.set(address, left);
    };
  }

  /** Fetches the directory again. Never rejects. */
  async refresh(origin: string): Promise<void> {
    if (this.#options.addresses === undefined) await this.#refresh(origin);
  }

  /** Notes that nothing could be sent to a node, so that it is tried last for a while. */
  failed({ address }: FleetNode): void {
    setBounded(this.#failures, address, { at: this.#options.clock(), issuedAt: undefined }, fleetEntriesMax);
  }

  /**
   * Notes that a node answered 503, so that it is tried last for a while, and for as long as it does not announce itself: one that
   * lost the database of the fleet can do neither.
   */
  unavailable({ address, issuedAt }: FleetNode): void {
    setBounded(this.#failures, address, { at: this.#options.clock(), issuedAt }, fleetEntriesMax);
  }

  #hasFailed({ address, issuedAt }: FleetNode): boolean {
    const failure = this.#failures.get(address);
    if (failure === undefined) return false;
    if (failure.issuedAt !== undefined && issuedAt !== undefined) return issuedAt <= failure.issuedAt;
    return this.#options.clock() - failure.at < failureMs;
  }

  #withOwnLoad(nodes: readonly FleetNode[]): FleetNode[] {
    return nodes.map((node) => ({ ...node, load: node.load + (this.#running.get(node.address) ?? 0) }));
  }

  async #nodesOf(origin: string): Promise<readonly FleetNode[]> {
    if (this.#options.addresses !== undefined) return this.#options.addresses.map(onlyNode);
    const directory = this.#directories.get(origin);
    if (directory === undefined) return nodesOf(origin, (await this.#refresh(origin)).entries);
    if (this.#options.clock() - directory.fetchedAtMs >= refreshMs) void this.#refresh(origin);
    const current = this.#current(directory.entries);
    const isOver = current.length === 0 && directory.entries.length > 0;
    return nodesOf(origin, isOver ? (await this.#refresh(origin)).entries : current);
  }

  #current(entries: readonly SignedFleetEntry[]): readonly SignedFleetEntry[] {
    return entries.filter(({ expiresAt }) => expiresAt * 1000 > this.#options.now() - clockSkewMs);
  }

  /** Never rejects: without a directory, the origin is the only node. */
  #refresh(origin: string): Promise<Directory> {
    let refreshing = this.#refreshing.get(origin);
    if (refreshing === undefined) {
      refreshing = this.#updated(origin).finally(() => this.#refreshing.delete(origin));
      this.#refreshing.set(origin, refreshing);
    }
    return refreshing;
  }

  async #updated(origin: string): Promise<Directory> {
    const known = this.#current(this.#directories.get(origin)?.entries ?? []);
    // Any node has the directory, should the one at this address be gone.
    const sources = [origin, ...known.slice(0, 3).map(({ address }) => address)];
    let entries: readonly SignedFleetEntry[] = [];
    for (const source of sources) {
      entries = await this.#entriesFrom(source).catch(() => []);
      if (entries.length > 0) break;
    }
    const directory = { entries: entries.length > 0 ? entries : known, fetchedAtMs: this.#options.clock() };
    this.#directories.set(origin, directory);
    return directory;
  }

  async #entriesFrom(source: string): Promise<readonly SignedFleetEntry[]> {
    const time = { nowMs: this.#options.now(), clockSkewMs };
    const listed = parseFleetList(await this.#options.fetchList(source), time);
    const checked = await Promise.all(
      listed.map((entry) =>
        verifyFleetEntry(entry, time).then(
          () => entry,
          () => undefined,
        ),
      ),
    );
    return checked.filter((entry) => entry !== undefined);
  }
}

function nodesOf(origin: string, entries: readonly SignedFleetEntry[]): readonly FleetNode[] {
  return entries.length > 0 ? entries.map(nodeOf) : [onlyNode(origin)];
}

function nodeOf({ node, address, models, load, draining, issuedAt }: SignedFleetEntry): FleetNode {
  return { node, address, models: models.map(({ id }) => id), load, draining, issuedAt };
}

function onlyNode(origin: string): FleetNode {
  return { node: origin, address: origin, models: undefined, load: 0, draining: false, issuedAt: undefined };
}

/** Sets the latest entry of a map and forgets the oldest ones above the limit. */
function setBounded<K, V>(map: Map<K, V>, key: K, value: V, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > sizeMax) map.delete(oldest!);
}
