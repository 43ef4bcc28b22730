/**
 * A fleet on this machine: its nodes, balancer and database. Everything that adds, replaces or removes nodes uses `#add` and
 * `#retire`: a node gets requests only after its evidence was verified, and is stopped only after it has drained.
 */
import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '@cloister/models/files/atomic-file';
import { ServerError } from '@cloister/server/http/errors';
import { addToBalancer, drainInBalancer, nodesMax, removeFromBalancer, slotsMax } from './balancer.ts';
import { addressOf, drainNode, metricsUrlOf, type NewNode, nodeVerified, rootOf, startNode } from './nodes.ts';
import {
  backTimeoutMs,
  type FleetNode,
  type FleetOptions,
  type FleetPlatform,
  type Rollout,
  secondsSince,
} from './platform.ts';
import { endProcess, isRunning, signalProcess } from './processes.ts';
import {
  type FleetPaths,
  type FleetState,
  type NodeRecord,
  type Release,
  readFleet,
  removeFleetFolder,
  writeFleet,
} from './state.ts';

export interface LocalFleetOptions extends FleetOptions {
  readonly paths: FleetPaths;
}

/** Time for processes to end after SIGKILL or, for the database, SIGQUIT. */
const endGraceMs = 5_000;

interface AddedNode extends Pick<NewNode, 'release' | 'nodes'> {
  /** For the node to prove itself. */
  readonly timeoutMs: number;
}

export class LocalFleet implements FleetPlatform<Release> {
  readonly #options: LocalFleetOptions;
  #state: FleetState;

  /** @throws {ServerError} ERR_START if there is no fleet in the folder */
  constructor(options: LocalFleetOptions) {
    this.#options = options;
    this.#state = readFleet(options.paths);
  }

  get state(): FleetState {
    return this.#state;
  }

  /** The nodes that run, by number. */
  get running(): readonly NodeRecord[] {
    return this.#state.nodes.filter((node) => isRunning(node.process)).toSorted((a, b) => a.number - b.number);
  }

  async nodes(): Promise<readonly FleetNode[]> {
    const serving = this.running.filter(({ phase }) => phase === 'serving');
    return serving.map((node) => {
      return { name: `node ${node.number}`, address: addressOf(node), metricsUrl: metricsUrlOf(node) };
    });
  }

  /** Records a part of the fleet, so that another command finds it. */
  update(change: Partial<FleetState>): void {
    this.#state = { ...this.#state, ...change };
    writeFleet(this.#options.paths, this.#state);
  }

  /**
   * Adds or drains nodes until `count` of them run. The ones with the highest numbers go first.
   * @throws {ServerError} ERR_START if a new node does not prove itself; it is ended, and the others stay
   */
  async scale(count: number): Promise<void> {
    await this.#recover();
    const excess = this.running.slice(count).toReversed();
    await Promise.all(excess.map((node) => this.#retire(node)));
    const { release } = this.#state;
    const { evidenceTimeoutMs: timeoutMs } = this.#options;
    const numbers = this.#freeNumbers(count - this.running.length);
    const added = await Promise.allSettled(
      numbers.map((number) => this.#add(number, { release, nodes: count, timeoutMs })),
    );
    const failed = added.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** Each new node starts before the old one drains. */
  async rollout(release: Release): Promise<Rollout> {
    await this.#recover();
    const old = this.#state.release;
    const before = this.running;
    const nodes = before.length;
    const { evidenceTimeoutMs: timeoutMs } = this.#options;
    const back = { release: old, nodes, timeoutMs: backTimeoutMs };
    const replaced: NodeRecord[] = [];
    return {
      replaceNext: async () => {
        const next = before[replaced.length];
        if (next === undefined) return false;
        replaced.push(await this.#replace(next, { release, nodes, timeoutMs }));
        return true;
      },
      rollBack: async () => {
        const restored = await Promise.allSettled(replaced.map((node) => this.#replace(node, back)));
        const failed = restored.find((result) => result.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
      finish: async () => {
        this.update({ release });
        replaceFile(this.#options.paths.policy, release.policy, { mode: 0o644 });
      },
    };
  }

  /** Ends a node without warning, as a crash would. @throws {ServerError} ERR_START if no such node runs */
  kill(number: number): void {
    const node = this.running.find((one) => one.number === number && one.phase !== 'starting');
    if (node === undefined) {
      const numbers = this.running.map((one) => one.number).join(', ') || 'none';
      throw new ServerError('ERR_START', `no node ${number} runs (running: ${numbers})`);
    }
    signalProcess(node.process, 'SIGKILL');
  }

  /** Ends everything at once and removes the fleet's files. */
  async down(): Promise<void> {
    const { paths } = this.#options;
    const { balancer, database, nodes, runFolder } = this.#state;
    const all = [...(balancer === undefined ? [] : [balancer]), ...nodes.map((node) => node.process)];
    await Promise.all(all.map((one) => endProcess(one, { first: 'SIGKILL', graceMs: endGraceMs })));
    // SIGQUIT ends the database's own processes too.
    if (database !== undefined) await endProcess(database, { first: 'SIGQUIT', graceMs: endGraceMs });
    rmSync(runFolder, { recursive: true, force: true });
    removeFleetFolder(paths);
  }

  async #replace(node: NodeRecord, added: AddedNode): Promise<NodeRecord> {
    const next = await this.#add(node.number, added);
    await this.#retire(node);
    return next;
  }

  /** Starts a node, verifies its evidence, and only then lets the balancer send it connections. */
  async #add(number: number, { release, nodes, timeoutMs }: AddedNode): Promise<NodeRecord> {
    const { paths, env, signal, onStep } = this.#options;
    signal.throwIfAborted();
    onStep(`node ${number}: starting`);
    const startedAt = performance.now();
    const slot = this.#reserveSlot();
    let node: NodeRecord | undefined;
    try {
      node = await startNode(paths, this.#state, { number, slot, release, nodes, env });
      this.update({ nodes: [...this.#state.nodes, node] });
      const others = (await this.nodes()).map(({ address }) => address);
      await nodeVerified(node, { timeoutMs, others, signal });
      await addToBalancer(this.#state.runFolder, node);
    } catch (error) {
      if (node !== undefined) {
        await endProcess(node.process, { first: 'SIGKILL', graceMs: endGraceMs });
        this.#forget(node);
      }
      throw error;
    } finally {
      this.#reserved.delete(slot);
    }
    const serving: NodeRecord = { ...node, phase: 'serving' };
    this.#set(serving);
    this.#writeRoots();
    onStep(`node ${number}: its evidence satisfies the policy, it serves after ${secondsSince(startedAt)}`);
    return serving;
  }

  /** Takes a node out of the balancer, drains it by its entry, and waits until it has ended. */
  async #retire(node: NodeRecord): Promise<void> {
    const { signal, onStep } = this.#options;
    const { runFolder } = this.#state;
    onStep(`node ${node.number}: draining`);
    const startedAt = performance.now();
    await drainInBalancer(runFolder, node.slot);
    this.#set({ ...node, phase: 'draining' });
    await drainNode(node, { signal });
    await removeFromBalancer(runFolder, node.slot);
    this.#forget(node);
    onStep(`node ${node.number}: drained and stopped after ${secondsSince(startedAt)}`);
  }

  readonly #reserved = new Set<number>();

  #reserveSlot(): number {
    const taken = new Set([...this.#state.nodes.map(({ slot }) => slot), ...this.#reserved]);
    const slot = Array.from({ length: slotsMax }, (_, index) => index + 1).find((one) => !taken.has(one));
    if (slot === undefined) throw new ServerError('ERR_START', `the balancer has ${slotsMax} places, all in use`);
    this.#reserved.add(slot);
    return slot;
  }

  #freeNumbers(count: number): readonly number[] {
    const taken = new Set(this.running.map(({ number }) => number));
    const free = Array.from({ length: nodesMax }, (_, index) => index + 1).filter((number) => !taken.has(number));
    return free.slice(0, Math.max(0, count));
  }

  /** Frees the places of nodes that were killed, and completes what an interrupted command began. */
  async #recover(): Promise<void> {
    for (const node of this.#state.nodes) {
      if (isRunning(node.process) && node.phase === 'serving') continue;
      if (node.phase === 'starting') await endProcess(node.process, { first: 'SIGKILL', graceMs: endGraceMs });
      else await drainNode(node, { signal: this.#options.signal });
      await removeFromBalancer(this.#state.runFolder, node.slot);
      this.#forget(node);
    }
  }

  #set(node: NodeRecord): void {
    this.update({ nodes: this.#state.nodes.map((one) => (one.slot === node.slot ? node : one)) });
  }

  #forget(node: NodeRecord): void {
    this.update({ nodes: this.#state.nodes.filter(({ slot }) => slot !== node.slot) });
  }

  #writeRoots(): void {
    const serving = this.#state.nodes.filter(({ phase }) => phase !== 'starting');
    const roots = serving.map(({ folder }) => readFileSync(rootOf(folder), 'utf8'));
    // Clients read the file while nodes come and go.
    replaceFile(this.#options.paths.roots, roots.join(''), { mode: 0o644 });
  }
}
