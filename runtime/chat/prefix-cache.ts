/**
 * Which token prefixes the model still holds, in its sequences and in host memory, and what a new prompt can reuse.
 * Bookkeeping only: it hands out step operations and never touches the model. Pure: its clock is a counter.
 *
 * A hit is faster than a miss, so it tells whoever measures that somebody sent this prefix before: entries are
 * therefore only ever matched within their own salt (the account). Pinned prefixes, such as the prompt of an agent, are
 * for everybody, but only whole: who may try beginnings of any length could find out a prompt token by token. They
 * always come from host memory, so that a hit does not tell who else is here. What is itself to be pinned may begin with a part
 * of one: nobody waits for it.
 *
 * Of several idle sequences it hands out one beside a busy one (see `sequence-runs.ts`).
 */
import type { StepOperation } from '@cloister/models/interface/model';
import type { SpareSequence } from './canary.ts';
import { type SavedPrefix, SavedPrefixes, type SavedPrefixesOptions } from './saved-prefixes.ts';
import { besideBusy, closeGap } from './sequence-runs.ts';
import { TokenList } from './token-list.ts';

/** Below this many tokens a copy or a restore costs more than computing the prefix again. */
export const reuseTokensMin = 16;
/** A conversation shorter than this is not worth host memory. */
const saveTokensMin = 64;
/** Of sequences that feed a prefix that is to be pinned; they are empty again before anybody else may have them. */
const nobodysSalt = '';
/** More than this takes longer to copy than a gap costs, and everybody waits for it: a tenth of a second in main memory. */
const moveBytesMax = 256 * 1024 ** 2;

export interface PrefixCacheOptions extends SavedPrefixesOptions {
  readonly sequences: number;
  /** Whether a sequence can be cut back; where not, a prefix is only reused whole. */
  readonly canTrim: boolean;
}

/** A sequence handed to one piece of work. */
export interface Claim {
  readonly sequence: number;
  /** Leading prompt tokens that the sequence holds once `operations` ran. */
  readonly reused: number;
  /** How many of them are a pinned prefix's. */
  readonly shared: number;
  readonly operations: readonly StepOperation[];
}

/** A claimed sequence's contents go on in another. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly operations: readonly StepOperation[];
}

interface Sequence {
  readonly index: number;
  readonly cells: TokenList;
  salt: string;
  busy: boolean;
  lastUsed: number;
}

type Source =
  | { readonly kind: 'sequence'; readonly sequence: Sequence }
  | { readonly kind: 'state'; readonly state: SavedPrefix };

export class PrefixCache {
  readonly #options: PrefixCacheOptions;
  readonly #sequences: readonly Sequence[];
  readonly #saved: SavedPrefixes;
  #tick = 0;

  constructor(options: PrefixCacheOptions) {
    this.#options = options;
    this.#saved = new SavedPrefixes(options);
    this.#sequences = Array.from({ length: options.sequences }, (_, index) => ({
      index,
      cells: new TokenList(),
      salt: '',
      busy: false,
      lastUsed: 0,
    }));
  }

  get idleSequences(): number {
    return this.#sequences.reduce((count, sequence) => count + (sequence.busy ? 0 : 1), 0);
  }

  /** Host memory of all states, and of the pinned ones. */
  get stateBytes(): { readonly all: number; readonly pinned: number } {
    return { all: this.#saved.bytes, pinned: this.#saved.pinnedBytes };
  }

  /**
   * Takes an idle sequence for `prompt`, filled with the longest prefix known under this salt.
   * At least the last prompt token is always left to feed: its logits are what the first answer token is drawn from.
   * @param salt undefined for a prefix that is to be pinned
   * @returns undefined if every sequence is busy
   */
  claim(prompt: Int32Array, salt: string | undefined): Claim | undefined {
    const idle = besideBusy(this.#busy()).map((index) => this.#sequences[index]!);
    if (idle.length === 0) return undefined;
    const { source, length } = this.#longestPrefix(prompt, salt);
    const own = source?.kind === 'sequence' && this.#staysInPlace(source.sequence, idle) ? source.sequence : undefined;
    const sequence = own ?? leastUseful(idle);
    const operations = [
      ...this.#rescue(sequence, { keep: own === undefined ? 0 : length, source }),
      ...this.#fill(sequence, source, length),
    ];
    sequence.cells.truncate(0);
    sequence.cells.append(prompt.subarray(0, length));
    sequence.salt = salt ?? nobodysSalt;
    sequence.busy = true;
    sequence.lastUsed = ++this.#tick;
    const isShared = source?.kind === 'state' && source.state.salt === undefined;
    return { sequence: sequence.index, reused: length, shared: isShared ? length : 0, operations };
  }

  /**
   * The shortest idle sequence that a token can be appended to and trimmed from.
   * @param tokensMax tokens that a sequence can hold
   */
  spareSequence(tokensMax: number): SpareSequence | undefined {
    const { canTrim } = this.#options;
    const [spare] = this.#sequences
      .filter(({ busy, cells: { length } }) => !busy && (length === 0 || (canTrim && length < tokensMax)))
      .sort((a, b) => a.cells.length - b.cells.length);
    return spare && { sequence: spare.index, length: spare.cells.length };
  }

  /** Notes that these tokens were fed to a claimed sequence. */
  append(sequence: number, tokens: Int32Array): void {
    this.#sequences[sequence]!.cells.append(tokens);
  }

  /** Notes that a claimed sequence holds no more than its first `length` tokens. */
  truncate(sequence: number, length: number): void {
    this.#sequences[sequence]!.cells.truncate(length);
  }

  /**
   * Moves a busy sequence closer to the others, where there is a gap between them.
   * @param isMovable of the busy sequences, by number
   */
  closeGap(isMovable: (sequence: number) => boolean): Move | undefined {
    const isLight = (index: number) => this.#isLight(this.#sequences[index]!);
    const move = closeGap(this.#busy(), (index) => isMovable(index) && isLight(index));
    if (move === undefined) return undefined;
    const from = this.#sequences[move.from]!;
    const to = leastUseful(move.to.map((index) => this.#sequences[index]!));
    const operations = this.#rescue(to, { keep: 0, source: undefined });
    to.cells.truncate(0);
    to.cells.append(from.cells.slice());
    to.salt = from.salt;
    to.lastUsed = from.lastUsed;
    [to.busy, from.busy] = [true, false];
    from.cells.truncate(0);
    return {
      from: from.index,
      to: to.index,
      operations: [...operations, { kind: 'move', sequence: from.index, to: to.index }],
    };
  }

  /** Gives a sequence back; what it holds stays reusable. */
  release(sequence: number): void {
    const released = this.#sequences[sequence]!;
    released.busy = false;
    released.lastUsed = ++this.#tick;
  }

  /** Gives a sequence back whose contents cannot be trusted or shall not stay. */
  discard(sequence: number): StepOperation {
    this.release(sequence);
    this.#sequences[sequence]!.cells.truncate(0);
    return { kind: 'trim', sequence, from: 0 };
  }

  /** Whether a prefix of so many tokens can be pinned beside those that are. */
  canPin(tokens: number): boolean {
    return this.#saved.canPin(tokens);
  }

  /** Whether exactly this prefix is pinned. */
  isPinned(tokens: Int32Array): boolean {
    return this.#saved.pinnedLength(tokens) === tokens.length;
  }

  /** Keeps what a claimed sequence holds for everybody and for good, and gives the sequence back empty. */
  pin(sequence: number): StepOperation[] {
    const operations = this.#saved.pin(sequence, this.#sequences[sequence]!.cells.slice());
    return [...operations, this.discard(sequence)];
  }

  /** As `SavedPrefixes.lose`. */
  lose(states: readonly number[]): { operations: StepOperation[]; pinned: Int32Array[] } {
    return this.#saved.lose(states);
  }

  #longestPrefix(prompt: Int32Array, salt: string | undefined): { source: Source | undefined; length: number } {
    const lengthMax = prompt.length - 1;
    let source: Source | undefined;
    let length = 0;
    const offer = (candidate: Source, holder: { salt: string | undefined; cells: TokenList }) => {
      const isPinned = holder.salt === undefined;
      if (!isPinned && holder.salt !== salt) return;
      const common = Math.min(holder.cells.commonPrefix(prompt), lengthMax);
      const onlyWhole = (isPinned && salt !== undefined) || !this.#options.canTrim;
      const usable = onlyWhole && common < holder.cells.length ? 0 : common;
      // What is cheaper to take is offered first, so that another source must gain a little over it.
      if (usable - length >= reuseTokensMin) [source, length] = [candidate, usable];
    };
    const sequences = (isBusy: boolean) => this.#sequences.filter(({ busy }) => busy === isBusy);
    for (const sequence of sequences(false)) offer({ kind: 'sequence', sequence }, sequence);
    for (const state of this.#saved.values()) offer({ kind: 'state', state }, state);
    for (const sequence of sequences(true)) offer({ kind: 'sequence', sequence }, sequence);
    return { source, length };
  }

  #staysInPlace(sequence: Sequence, idle: readonly Sequence[]): boolean {
    return idle.includes(sequence) || (!sequence.busy && !this.#isLight(sequence));
  }

  #isLight({ cells }: Sequence): boolean {
    const { stateBytesFixed, stateBytesPerToken } = this.#options;
    return stateBytesFixed + stateBytesPerToken * cells.length <= moveBytesMax;
  }

  #busy(): boolean[] {
    return this.#sequences.map(({ busy }) => busy);
  }

  /** Moves what `sequence` is about to lose to host memory, if somebody may come back for it. */
  #rescue(sequence: Sequence, { keep, source }: { keep: number; source: Source | undefined }): StepOperation[] {
    const cells = sequence.cells.slice();
    if (cells.length - Math.max(keep, this.#saved.pinnedLength(cells)) < saveTokensMin) return [];
    const { index, salt, lastUsed } = sequence;
    const needed = source?.kind === 'state' ? source.state : undefined;
    return this.#saved.save({ sequence: index, salt, cells, lastUsed }, needed);
  }

  #fill(to: Sequence, source: Source | undefined, length: number): StepOperation[] {
    const trim = { kind: 'trim', sequence: to.index, from: length } as const;
    if (source === undefined) return to.cells.length > 0 ? [trim] : [];
    if (source.kind === 'state') {
      source.state.lastUsed = ++this.#tick;
      const restore = { kind: 'restore', sequence: to.index, state: source.state.id } as const;
      return source.state.cells.length > length ? [restore, trim] : [restore];
    }
    const from = source.sequence;
    if (from === to) return to.cells.length > length ? [trim] : [];
    const copy = { kind: 'copy', sequence: from.index, to: to.index, length } as const;
    // A conversation that goes on in another sequence is not kept in both.
    const isMoved = !from.busy && from.cells.length - length < reuseTokensMin;
    if (!isMoved) return [copy];
    from.cells.truncate(0);
    return [copy, { kind: 'trim', sequence: from.index, from: 0 }];
  }
}

/** An empty sequence if there is one, else the one that was not used for longest. */
function leastUseful(idle: readonly Sequence[]): Sequence {
  return idle.reduce((best, next) => {
    if ((next.cells.length === 0) !== (best.cells.length === 0)) return next.cells.length === 0 ? next : best;
    return next.lastUsed < best.lastUsed ? next : best;
  });
}
