/**
 * The nodes of a fleet, as a client knows them: from a directory, which any server may serve, or from a fixed list. Entries say where
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

/** Age from which the directory is fetched again, in the background. */
const refreshMs = 5_000;
/** Nodes and clients may disagree by this much. Less than an entry's validity, so that stale ones are noticed. */
const clockSkewMs = 10_000;
/** Number of conversations whose node is remembered. */
const placesMax = 4096;
/** How long a node that failed is tried last: at first, and at most. Doubled each time that it fails again. */
const backOffMs = 10_000;
const backOffMsMax = 300_000;

interface Failure {
  readonly backOffMs: number;
  /** By `clock`: when the node is tried again. */
  readonly until: number;
  /** Of a node that answered that it cannot serve: the time of its entry then. It is tried last until it announces itself again. */
  readonly issuedAt?: number;
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
  /** By address: connections that take long. */
  readonly #slow = new Map<string, number>();

  constructor(options: FleetNodesOptions) {
    this.#options = options;
  }

  /**
   * The nodes to try for a request, in this order; only the named one if the path or the body names a node.
   * @param origin of the directory. If it has no directory, it is the only node, or the result is empty if it is not https
   */
  async ranked(origin: string, path: string, hints: RouteHints): Promise<readonly FleetNode[]> {
    const known = this.#withOwnLoad(await this.#nodesOf(origin));
    const owner = known.find(({ node }) => node === hints.node || path.includes(node));
    if (owner !== undefined) return [owner];
    const serving = known.filter(({ models }) => hints.model === undefined || models?.includes(hints.model) !== false);
    const able = serving.length > 0 ? serving : known;
    const staying = able.filter(({ draining }) => !draining);
    const usable = staying.length > 0 ? staying : able;
    const place = hints.conversation === undefined ? undefined : this.#places.get(hints.conversation);
    const turn = (node: FleetNode) => (this.#isAvoided(node) ? 2 : node.address === place ? 0 : 1);
    return rankNodes(usable, nodeAffinity(hints)).toSorted((a, b) => turn(a) - turn(b));
  }

  /** Notes which node answered, so that the next turns of the conversation go there. */
  answered({ address }: FleetNode, { conversation }: RouteHints): void {
    if (this.#failures.get(address)?.issuedAt === undefined) this.#failures.delete(address);
    if (conversation !== undefined) setBounded(this.#places, conversation, address, placesMax);
  }

  /** Counts a request as running on its node. @returns a function to call once, when the answer begins or fails */
  start({ address }: FleetNode): () => void {
    return counted(this.#running, address);
  }

  /** Notes that a connection to a node takes long, so that the node is tried last meanwhile. @returns a function to call once, at its end */
  slow({ address }: FleetNode): () => void {
    return counted(this.#slow, address);
  }

  /** Fetches the directory again. Never rejects. */
  async refresh(origin: string): Promise<void> {
    if (this.#options.addresses === undefined) await this.#refresh(origin);
  }

  /** Notes that a node could not be reached or verified, or stopped answering, so that it is tried last for a while. */
  failed(address: string): void {
    const known = this.#failures.get(address);
    if (known !== undefined && this.#isRecent(known)) return;
    this.#fail(address, Math.min(known === undefined ? backOffMs : 2 * known.backOffMs, backOffMsMax));
  }

  /**
   * Notes that a node answered 503, so that it is tried last for a while, and for as long as it does not announce itself: one that
   * lost the database of the fleet can do neither.
   */
  unavailable({ address, issuedAt }: FleetNode): void {
    if (issuedAt === undefined) this.failed(address);
    else this.#fail(address, backOffMs, { issuedAt });
  }

  #fail(address: string, ms: number, cause: Pick<Failure, 'issuedAt'> = {}): void {
    const failure = { backOffMs: ms, until: this.#options.clock() + ms, ...cause };
    setBounded(this.#failures, address, failure, fleetEntriesMax);
  }

  #isAvoided({ address, issuedAt }: FleetNode): boolean {
    if (this.#slow.has(address)) return true;
    const failure = this.#failures.get(address);
    if (failure?.issuedAt !== undefined && issuedAt !== undefined) return issuedAt <= failure.issuedAt;
    return failure !== undefined && this.#isRecent(failure);
  }

  #isRecent({ until }: Failure): boolean {
    return this.#options.clock() < until;
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
    // Any node has the directory, should the server at this address be gone.
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
  if (entries.length > 0) return entries.map(nodeOf);
  return origin.startsWith('https:') ? [onlyNode(origin)] : [];
}

function nodeOf({ node, address, models, load, draining, issuedAt }: SignedFleetEntry): FleetNode {
  return { node, address, models: models.map(({ id }) => id), load, draining, issuedAt };
}

function onlyNode(origin: string): FleetNode {
  return { node: origin, address: origin, models: undefined, load: 0, draining: false, issuedAt: undefined };
}

/** Adds one to the count of a key. @returns a function to call once, which takes it off again */
function counted(counts: Map<string, number>, key: string): () => void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return () => {
    const left = counts.get(key)! - 1;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };
}

/** Sets the latest entry of a map and forgets the oldest ones above the limit. */
function setBounded<K, V>(map: Map<K, V>, key: K, value: V, sizeMax: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > sizeMax) map.delete(oldest!);
}
