/**
 * Which token prefixes the model still holds, in its sequences and in host memory, and what a new prompt can reuse.
 * Bookkeeping only: it hands out step operations and never touches the model. Pure: its clock is a counter.
 *
 * A hit is faster than a miss, so it tells whoever measures that somebody sent this prefix before: entries are
 * therefore only ever matched within their own salt (the account), or when they were declared public.
 */
import type { StepOperation } from '../models/model.ts';
import { TokenList } from './token-list.ts';

/** The salt of prefixes that are no secret, such as an agent's own prompt. */
export const PUBLIC_SALT = '';

/** Below this many tokens a copy or a restore costs more than computing the prefix again. */
const REUSE_TOKENS_MIN = 16;
/** A conversation shorter than this is not worth host memory. */
const SAVE_TOKENS_MIN = 64;

export interface PrefixCacheOptions {
  readonly sequences: number;
  /** Host memory for states that left their sequence. */
  readonly stateBytesMax: number;
  /** A state takes this and then so much per token. */
  readonly stateBytesFixed: number;
  readonly stateBytesPerToken: number;
  /** Whether a sequence can be cut back; where not, a prefix is only reused whole. */
  readonly canTrim: boolean;
}

/** A sequence handed to one piece of work. */
export interface Claim {
  readonly sequence: number;
  /** Leading prompt tokens that the sequence holds once `operations` ran. */
  readonly reused: number;
  readonly operations: readonly StepOperation[];
}

interface Sequence {
  readonly index: number;
  readonly cells: TokenList;
  salt: string;
  busy: boolean;
  lastUsed: number;
}

interface State {
  readonly id: number;
  readonly salt: string;
  readonly cells: TokenList;
  readonly bytes: number;
  lastUsed: number;
}

type Source =
  | { readonly kind: 'own'; readonly sequence: Sequence }
  | { readonly kind: 'copy'; readonly sequence: Sequence }
  | { readonly kind: 'state'; readonly state: State };

export class PrefixCache {
  readonly #options: PrefixCacheOptions;
  readonly #sequences: readonly Sequence[];
  readonly #states = new Map<number, State>();
  #stateBytes = 0;
  #nextState = 1;
  #tick = 0;

  constructor(options: PrefixCacheOptions) {
    this.#options = options;
    this.#sequences = Array.from({ length: options.sequences }, (_, index) => ({
      index,
      cells: new TokenList(),
      salt: PUBLIC_SALT,
      busy: false,
      lastUsed: 0,
    }));
  }

  get idleSequences(): number {
    return this.#sequences.reduce((count, sequence) => count + (sequence.busy ? 0 : 1), 0);
  }

  get stateBytes(): number {
    return this.#stateBytes;
  }

  /**
   * Takes an idle sequence for `prompt`, filled with the longest prefix known under this salt.
   * At least the last prompt token is always left to feed: its logits are what the first answer token is drawn from.
   * @returns undefined if every sequence is busy
   */
  claim(prompt: Int32Array, salt: string): Claim | undefined {
    const idle = this.#sequences.filter((sequence) => !sequence.busy);
    if (idle.length === 0) return undefined;
    const { source, length } = this.#longestPrefix(prompt, salt);
    const sequence = source?.kind === 'own' ? source.sequence : leastUseful(idle);
    const operations = [...this.#rescue(sequence, length, source), ...this.#fill(sequence, source, length)];
    sequence.cells.truncate(0);
    sequence.cells.append(prompt.subarray(0, length));
    sequence.salt = salt;
    sequence.busy = true;
    sequence.lastUsed = ++this.#tick;
    return { sequence: sequence.index, reused: length, operations };
  }

  /** Notes that these tokens were fed to a claimed sequence. */
  append(sequence: number, tokens: Int32Array): void {
    this.#sequences[sequence]!.cells.append(tokens);
  }

  /** Gives a sequence back; what it holds stays reusable. */
  release(sequence: number): void {
    const released = this.#sequences[sequence]!;
    released.busy = false;
    released.lastUsed = ++this.#tick;
  }

  /** Gives a sequence back whose contents cannot be trusted. */
  discard(sequence: number): StepOperation {
    this.release(sequence);
    this.#sequences[sequence]!.cells.truncate(0);
    return { kind: 'trim', sequence, from: 0 };
  }

  #longestPrefix(prompt: Int32Array, salt: string): { source: Source | undefined; length: number } {
    const lengthMax = prompt.length - 1;
    let source: Source | undefined;
    let length = 0;
    const offer = (candidate: Source, holder: { salt: string; cells: TokenList }) => {
      if (holder.salt !== salt && holder.salt !== PUBLIC_SALT) return;
      const common = Math.min(holder.cells.commonPrefix(prompt), lengthMax);
      const usable = this.#options.canTrim || common === holder.cells.length ? common : 0;
      // An idle sequence that holds the prefix itself costs nothing, so another source must gain a little over it.
      if (usable - length >= REUSE_TOKENS_MIN) [source, length] = [candidate, usable];
    };
    for (const sequence of this.#sequences) {
      if (!sequence.busy) offer({ kind: 'own', sequence }, sequence);
    }
    for (const sequence of this.#sequences) {
      if (sequence.busy) offer({ kind: 'copy', sequence }, sequence);
    }
    for (const state of this.#states.values()) offer({ kind: 'state', state }, state);
    return { source, length };
  }

  /** Moves what `sequence` is about to lose to host memory, if somebody may come back for it. */
  #rescue(sequence: Sequence, length: number, source: Source | undefined): StepOperation[] {
    const keep = source?.kind === 'own' ? length : 0;
    const cells = sequence.cells.slice();
    const { stateBytesFixed, stateBytesPerToken } = this.#options;
    const bytes = stateBytesFixed + cells.length * stateBytesPerToken;
    if (cells.length - keep < SAVE_TOKENS_MIN || bytes > this.#options.stateBytesMax) return [];
    const operations: StepOperation[] = [];
    const isNeeded = (state: State) => source?.kind === 'state' && source.state === state;
    for (const state of [...this.#states.values()]) {
      const common = state.salt === sequence.salt ? state.cells.commonPrefix(cells) : 0;
      if (common === cells.length) return operations; // It is there already.
      // What is saved now continues this state.
      if (common === state.cells.length && !isNeeded(state)) operations.push(this.#drop(state));
    }
    const oldestFirst = [...this.#states.values()].sort((a, b) => a.lastUsed - b.lastUsed);
    for (const state of oldestFirst) {
      if (this.#stateBytes + bytes <= this.#options.stateBytesMax) break;
      if (!isNeeded(state)) operations.push(this.#drop(state));
    }
    if (this.#stateBytes + bytes > this.#options.stateBytesMax) return operations;
    const id = this.#nextState++;
    this.#states.set(id, {
      id,
      salt: sequence.salt,
      cells: new TokenList(cells),
      bytes,
      lastUsed: sequence.lastUsed,
    });
    this.#stateBytes += bytes;
    operations.push({ kind: 'save', sequence: sequence.index, state: id });
    return operations;
  }

  #fill(sequence: Sequence, source: Source | undefined, length: number): StepOperation[] {
    const to = sequence.index;
    const trim: StepOperation[] = [{ kind: 'trim', sequence: to, from: length }];
    switch (source?.kind) {
      case undefined:
      case 'own':
        return sequence.cells.length > length ? trim : [];
      case 'copy':
        return [{ kind: 'copy', sequence: source.sequence.index, to, length }];
      case 'state':
        source.state.lastUsed = ++this.#tick;
        return [
          { kind: 'restore', sequence: to, state: source.state.id },
          ...(source.state.cells.length > length ? trim : []),
        ];
    }
  }

  #drop(state: State): StepOperation {
    this.#states.delete(state.id);
    this.#stateBytes -= state.bytes;
    state.cells.truncate(0);
    return { kind: 'drop', state: state.id };
  }
}

/** An empty sequence if there is one, else the one that was not used for longest. */
function leastUseful(idle: readonly Sequence[]): Sequence {
  return idle.reduce((best, next) => {
    if ((next.cells.length === 0) !== (best.cells.length === 0)) return next.cells.length === 0 ? next : best;
    return next.lastUsed < best.lastUsed ? next : best;
  });
}
