/**
 * Token prefixes whose states are kept in host memory, within a budget: prefixes evicted from their sequence, of which the
 * least recently used are dropped first, and pinned prefixes, which stay. Bookkeeping only: it returns step operations. Pure.
 */
import type { StepOperation } from '@cloister/models/interface/model';
import { TokenList } from './token-list.ts';

export interface SavedPrefixesOptions {
  /** Host memory for states, pinned ones included. */
  readonly stateBytesMax: number;
  /** Size of a state: a fixed part, and a part per token. */
  readonly stateBytesFixed: number;
  readonly stateBytesPerToken: number;
}

export interface SavedPrefix {
  readonly id: number;
  /** Undefined: pinned, shared by all accounts. */
  readonly salt: string | undefined;
  readonly cells: TokenList;
  readonly bytes: number;
  lastUsed: number;
}

/** Contents of a sequence that are to be saved. */
export interface EvictedSequence {
  readonly sequence: number;
  readonly salt: string;
  readonly cells: Int32Array;
  readonly lastUsed: number;
}

export class SavedPrefixes {
  readonly #options: SavedPrefixesOptions;
  readonly #states = new Map<number, SavedPrefix>();
  #nextState = 1;
  #bytes = 0;
  #pinnedBytes = 0;

  constructor(options: SavedPrefixesOptions) {
    this.#options = options;
  }

  /** Size of all states, pinned ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  get pinnedBytes(): number {
    return this.#pinnedBytes;
  }

  values(): Iterable<SavedPrefix> {
    return this.#states.values();
  }

  /** Whether another pinned prefix of this length fits the budget. */
  canPin(tokens: number): boolean {
    return this.#pinnedBytes + this.#bytesOf(tokens) <= this.#options.stateBytesMax;
  }

  /** The number of leading cells that a pinned prefix already covers. */
  pinnedLength(cells: Int32Array): number {
    let longest = 0;
    for (const { salt, cells: pinned } of this.#states.values()) {
      const isWhole = salt === undefined && pinned.commonPrefix(cells) === pinned.length;
      if (isWhole) longest = Math.max(longest, pinned.length);
    }
    return longest;
  }

  /** Pins the contents of `sequence`, and evicts other states if necessary. @throws {Error} unless `canPin` */
  pin(sequence: number, cells: Int32Array): StepOperation[] {
    if (!this.canPin(cells.length)) throw new Error('no room for a pinned prefix');
    const operations = this.#makeRoom(this.#bytesOf(cells.length), undefined) ?? [];
    const state = this.#add({ salt: undefined, cells, lastUsed: 0 });
    this.#pinnedBytes += state.bytes;
    return [...operations, { kind: 'save', sequence, state: state.id }];
  }

  /** Saves the contents of a sequence unless they are saved already or do not fit. Does not evict `needed`. */
  save({ sequence, salt, cells, lastUsed }: EvictedSequence, needed: SavedPrefix | undefined): StepOperation[] {
    const operations: StepOperation[] = [];
    const bytes = this.#bytesOf(cells.length);
    if (bytes > this.#options.stateBytesMax - this.#pinnedBytes) return operations;
    for (const state of [...this.#states.values()]) {
      if (state.salt !== salt) continue;
      const common = state.cells.commonPrefix(cells);
      if (common === cells.length) return operations;
      // The new state extends this one.
      if (common === state.cells.length && state !== needed) operations.push(this.#drop(state));
    }
    const dropped = this.#makeRoom(bytes, needed);
    if (dropped === undefined) return operations;
    const { id } = this.#add({ salt, cells, lastUsed });
    return [...operations, ...dropped, { kind: 'save', sequence, state: id }];
  }

  /**
   * Drops states that a failed step may or may not have saved.
   * @returns the drop operations, and the prefixes among them that were pinned
   */
  lose(ids: readonly number[]): { operations: StepOperation[]; pinned: Int32Array[] } {
    const lost = ids.flatMap((id) => this.#states.get(id) ?? []);
    const pinned = lost.filter(({ salt }) => salt === undefined).map(({ cells }) => cells.slice());
    return { operations: lost.map((state) => this.#drop(state)), pinned };
  }

  /** @returns undefined, without dropping any state, if there cannot be enough room */
  #makeRoom(bytes: number, needed: SavedPrefix | undefined): StepOperation[] | undefined {
    const removable = [...this.#states.values()].filter((state) => state.salt !== undefined && state !== needed);
    const kept = this.#bytes - removable.reduce((sum, state) => sum + state.bytes, 0);
    if (kept + bytes > this.#options.stateBytesMax) return undefined;
    const operations: StepOperation[] = [];
    for (const state of removable.sort((a, b) => a.lastUsed - b.lastUsed)) {
      if (this.#bytes + bytes <= this.#options.stateBytesMax) break;
      operations.push(this.#drop(state));
    }
    return operations;
  }

  #add({ salt, cells, lastUsed }: Pick<SavedPrefix, 'salt' | 'lastUsed'> & { cells: Int32Array }): SavedPrefix {
    const bytes = this.#bytesOf(cells.length);
    const state = { id: this.#nextState++, salt, cells: new TokenList(cells), bytes, lastUsed };
    this.#states.set(state.id, state);
    this.#bytes += bytes;
    return state;
  }

  #drop(state: SavedPrefix): StepOperation {
    this.#states.delete(state.id);
    this.#bytes -= state.bytes;
    if (state.salt === undefined) this.#pinnedBytes -= state.bytes;
    state.cells.truncate(0);
    return { kind: 'drop', state: state.id };
  }

  #bytesOf(tokens: number): number {
    return this.#options.stateBytesFixed + tokens * this.#options.stateBytesPerToken;
  }
}
