/**
 * Tracks the token prefixes in the model's sequences and in host memory, and finds the part that a new prompt can reuse.
 * Bookkeeping only: it returns step operations and never calls the model. Pure: its clock is a counter.
 *
 * A hit is faster than a miss, which reveals to a caller who measures it that the prefix was sent before. Entries are
 * therefore matched only within their salt (the account). Pinned prefixes, such as the prompt of an agent, are shared by
 * all accounts, but are matched only as a whole: partial matches would let a caller recover the prompt token by token.
 * They are always restored from host memory, so that the time of a hit does not reveal other users. A prefix that is
 * being pinned may reuse part of another pinned prefix, because no caller can measure it.
 *
 * Of several idle sequences it assigns one next to a busy sequence (see `sequence-runs.ts`).
 */
import type { StepOperation } from '@cloister/models/interface/model';
import type { SpareSequence } from './canary.ts';
import { type SavedPrefix, SavedPrefixes, type SavedPrefixesOptions } from './saved-prefixes.ts';
import { closeGap, idleNextToBusy } from './sequence-runs.ts';
import { TokenList } from './token-list.ts';

/** A prefix shorter than this costs more to copy or restore than to compute again. */
export const reuseTokensMin = 16;
/** A conversation shorter than this is not saved in host memory. */
const saveTokensMin = 64;
/** Salt of sequences that feed a prefix to be pinned; they are emptied before any account can claim them. */
const pinSalt = '';
/** A larger state takes longer to copy (a tenth of a second in main memory) than a gap costs, and all requests wait for the copy. */
const moveBytesMax = 256 * 1024 ** 2;

export interface PrefixCacheOptions extends SavedPrefixesOptions {
  readonly sequences: number;
  /** Whether a sequence can be trimmed; if not, only whole prefixes are reused. */
  readonly canTrim: boolean;
}

/** A sequence assigned to one answer or pin. */
export interface Claim {
  readonly sequence: number;
  /** Leading prompt tokens in the sequence after `operations` have run. */
  readonly reused: number;
  /** The number of these that come from a pinned prefix. */
  readonly shared: number;
  readonly operations: readonly StepOperation[];
}

/** Moves the contents of a claimed sequence to another one. */
export interface Move {
  readonly from: number;
  readonly to: number;
  readonly operations: readonly StepOperation[];
}

interface Sequence {
  readonly index: number;
  readonly cells: TokenList;
  /** The least length to which it can be trimmed: a copied or restored sliding window lacks the keys before it. */
  trimmableFrom: number;
  salt: string;
  busy: boolean;
  lastUsed: number;
}

type Source =
  | { readonly kind: 'sequence'; readonly sequence: Sequence }
  | { readonly kind: 'saved'; readonly saved: SavedPrefix };

interface Found {
  readonly source: Source | undefined;
  readonly length: number;
}

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
      trimmableFrom: 0,
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

  /** Tokens in the sequences of running answers. Prefixes in idle sequences do not count: they give way to any prompt. */
  get busyTokens(): number {
    return this.#sequences.reduce((sum, { busy, cells }) => sum + (busy ? cells.length : 0), 0);
  }

  /**
   * Claims an idle sequence for `prompt` and fills it with the longest cached prefix under this salt.
   * At least the last prompt token is left to feed, because the first answer token is sampled from its logits.
   * @param salt undefined for a prefix to be pinned
   * @returns undefined if every sequence is busy
   */
  claim(prompt: Int32Array, salt: string | undefined): Claim | undefined {
    const idle = idleNextToBusy(this.#busy()).map((index) => this.#sequences[index]!);
    if (idle.length === 0) return undefined;
    const { source, length } = this.#longestPrefix(prompt, salt);
    const isInPlace = source?.kind === 'sequence' && this.#staysInPlace(source.sequence, length, idle);
    const inPlace = isInPlace ? source.sequence : undefined;
    const sequence = inPlace ?? leastUseful(idle);
    const operations = [
      ...this.#saveEvicted(sequence, { keep: inPlace === undefined ? 0 : length, source }),
      ...this.#fill(sequence, source, length),
    ];
    sequence.cells.truncate(0);
    sequence.cells.append(prompt.subarray(0, length));
    if (inPlace === undefined) sequence.trimmableFrom = length;
    sequence.salt = salt ?? pinSalt;
    sequence.busy = true;
    sequence.lastUsed = ++this.#tick;
    return { sequence: sequence.index, reused: length, shared: sharedOf(source), operations };
  }

  /**
   * Fills a claimed sequence with a longer prefix of its prompt, if one has been cached since.
   * @returns undefined if there is none
   */
  extend(sequence: number, prompt: Int32Array): Claim | undefined {
    const to = this.#sequences[sequence]!;
    const { source, length } = this.#longestPrefix(prompt, to.salt, to.cells.length);
    if (source === undefined) return undefined;
    const operations = this.#fill(to, source, length);
    to.cells.append(prompt.subarray(to.cells.length, length));
    return { sequence, reused: length, shared: sharedOf(source), operations };
  }

  /**
   * Finds the shortest idle sequence to which a token can be appended and then trimmed.
   * @param tokensMax capacity of a sequence
   */
  spareSequence(tokensMax: number): SpareSequence | undefined {
    const { canTrim } = this.#options;
    const [spare] = this.#sequences
      .filter(({ busy, cells: { length } }) => !busy && (length === 0 || (canTrim && length < tokensMax)))
      .sort((a, b) => a.cells.length - b.cells.length);
    return spare && { sequence: spare.index, length: spare.cells.length };
  }

  /** Records that these tokens were fed to a claimed sequence. */
  append(sequence: number, tokens: Int32Array): void {
    this.#sequences[sequence]!.cells.append(tokens);
  }

  /** Tokens in a sequence. */
  lengthOf(sequence: number): number {
    return this.#sequences[sequence]!.cells.length;
  }

  /** A copy of the tokens in a sequence. */
  tokensOf(sequence: number): Int32Array {
    return this.#sequences[sequence]!.cells.slice();
  }

  /** Length of the prefix that a sequence has in common with `tokens`. */
  commonPrefix(sequence: number, tokens: Int32Array): number {
    return this.#sequences[sequence]!.cells.commonPrefix(tokens);
  }

  /** Records that a claimed sequence was cut to its first `length` tokens. */
  truncate(sequence: number, length: number): void {
    this.#sequences[sequence]!.cells.truncate(length);
  }

  /**
   * Closes a gap between busy sequences by moving one of them, if this is possible.
   * @param isMovable whether a busy sequence may be moved, by number
   */
  closeGap(isMovable: (sequence: number) => boolean): Move | undefined {
    const isLight = (index: number) => this.#isLight(this.#sequences[index]!);
    const move = closeGap(this.#busy(), (index) => isMovable(index) && isLight(index));
    if (move === undefined) return undefined;
    const from = this.#sequences[move.from]!;
    const to = leastUseful(move.to.map((index) => this.#sequences[index]!));
    const operations = this.#saveEvicted(to, { keep: 0, source: undefined });
    to.cells.truncate(0);
    to.cells.append(from.cells.slice());
    to.trimmableFrom = to.cells.length;
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

  /** Releases a sequence; its contents stay reusable. */
  release(sequence: number): void {
    const released = this.#sequences[sequence]!;
    released.busy = false;
    released.lastUsed = ++this.#tick;
  }

  /** Releases a sequence and clears it, because its contents are unknown or must not be reused. */
  discard(sequence: number): StepOperation {
    this.release(sequence);
    this.#sequences[sequence]!.cells.truncate(0);
    return { kind: 'trim', sequence, from: 0 };
  }

  /** Whether a prefix fits the budget along with the pinned ones. */
  canPin(tokens: Int32Array): boolean {
    return this.#saved.canPin(tokens);
  }

  /** Whether exactly this prefix is pinned. */
  isPinned(tokens: Int32Array): boolean {
    return this.#saved.isPinned(tokens);
  }

  /** Saves the contents of a claimed sequence as a pinned prefix, and releases the sequence empty. */
  pin(sequence: number): StepOperation[] {
    const operations = this.#saved.pin(sequence, this.#sequences[sequence]!.cells.slice());
    return [...operations, this.discard(sequence)];
  }

  /** See `SavedPrefixes.lose`. */
  lose(states: readonly number[]): { operations: StepOperation[]; pinned: Int32Array[] } {
    return this.#saved.lose(states);
  }

  /** @param cached number of tokens that need no source */
  #longestPrefix(prompt: Int32Array, salt: string | undefined, cached = 0): Found {
    const lengthMax = prompt.length - 1;
    let source: Source | undefined;
    let length = cached;
    // Cheaper sources are offered first; a more expensive one must gain at least `reuseTokensMin` over them.
    const offer = (candidate: Source, usable: number) => {
      if (usable - length >= reuseTokensMin) [source, length] = [candidate, usable];
    };
    const offerSequences = (isBusy: boolean) => {
      for (const sequence of this.#sequences) {
        const { busy, cells } = sequence;
        if (busy !== isBusy || sequence.salt !== salt) continue;
        const common = Math.min(cells.commonPrefix(prompt), lengthMax);
        const isUsable = this.#isUsable(sequence, common);
        offer({ kind: 'sequence', sequence }, isUsable ? common : 0);
      }
    };
    offerSequences(false);
    const saved = this.#saved.find(prompt.subarray(0, lengthMax), salt);
    offer({ kind: 'saved', saved }, saved.length);
    offerSequences(true);
    return { source, length };
  }

  /** A part of a sequence is reused by trimming it in place, or by copying the part. */
  #isUsable({ busy, cells, trimmableFrom }: Sequence, length: number): boolean {
    const { canTrim, canSplit } = this.#options;
    return length === cells.length || canSplit || (canTrim && !busy && length >= trimmableFrom);
  }

  #staysInPlace(sequence: Sequence, length: number, idle: readonly Sequence[]): boolean {
    if (sequence.busy || idle.includes(sequence)) return !sequence.busy;
    const isCopied = length === sequence.cells.length || this.#options.canSplit;
    return !isCopied || !this.#isLight(sequence);
  }

  #isLight({ cells }: Sequence): boolean {
    const { stateBytesFixed, stateBytesPerToken } = this.#options;
    return stateBytesFixed + stateBytesPerToken * cells.length <= moveBytesMax;
  }

  #busy(): boolean[] {
    return this.#sequences.map(({ busy }) => busy);
  }

  /** Saves the contents that `sequence` is about to lose to host memory, if they are long enough to be reused. */
  #saveEvicted(sequence: Sequence, { keep, source }: { keep: number; source: Source | undefined }): StepOperation[] {
    const cells = sequence.cells.slice();
    const { index, salt } = sequence;
    if (cells.length - Math.max(keep, this.#saved.find(cells, salt).length) < saveTokensMin) return [];
    const needed = source?.kind === 'saved' ? source.saved : undefined;
    return this.#saved.save({ sequence: index, salt, cells }, needed);
  }

  #fill(to: Sequence, source: Source | undefined, length: number): StepOperation[] {
    const trim = { kind: 'trim', sequence: to.index, from: length } as const;
    if (source === undefined) return to.cells.length > 0 ? [trim] : [];
    if (source.kind === 'saved') {
      this.#saved.use(source.saved.parts);
      return restoreOperations(to.index, source.saved);
    }
    const from = source.sequence;
    if (from === to) return to.cells.length > length ? [trim] : [];
    const copy = { kind: 'copy', sequence: from.index, to: to.index, length } as const;
    // A conversation that continues in another sequence is not kept in both.
    const isMoved = !from.busy && from.cells.length - length < reuseTokensMin;
    if (!isMoved) return [copy];
    from.cells.truncate(0);
    return [copy, { kind: 'trim', sequence: from.index, from: 0 }];
  }
}

function sharedOf(source: Source | undefined): number {
  return source?.kind === 'saved' ? source.saved.shared : 0;
}

function restoreOperations(sequence: number, { parts }: SavedPrefix): StepOperation[] {
  let from = 0;
  return parts.map(({ block: { state }, length }) => {
    const operation = { kind: 'restore', sequence, state, from, length } as const;
    from += length;
    return operation;
  });
}

/** Returns an empty sequence if there is one, else the least recently used. */
function leastUseful(idle: readonly Sequence[]): Sequence {
  return idle.reduce((best, next) => {
    if ((next.cells.length === 0) !== (best.cells.length === 0)) return next.cells.length === 0 ? next : best;
    return next.lastUsed < best.lastUsed ? next : best;
  });
}
