/**
 * Token prefixes whose states are kept in host memory, within a budget: contents of evicted sequences, and pinned prefixes,
 * which stay. States are saved in blocks (`block-tree.ts`), so that prompts share the memory of what they have in common, and
 * an account's blocks hold only what follows the pinned prefix with which a prompt begins. Blocks are dropped from the ends
 * of the tree (`eviction-order.ts`), so branches go before their trunk. A state that cannot be split is one block.
 * Bookkeeping only: it returns step operations. Pure.
 */
import type { StepOperation } from '@cloister/models/interface/model';
import {
  addBlock,
  type Block,
  beginsWith,
  blocksBelow,
  followPath,
  lengthOf,
  type Part,
  removeBlock,
  type TreeNode,
  treeRoot,
} from './block-tree.ts';
import { EvictionOrder } from './eviction-order.ts';
import { usesPinnedPrefixes } from './salt.ts';

/** Tokens per block: few enough that prompts share nearly all that they have in common, enough that blocks are few. */
const blockTokensMin = 64;
/** A large budget has larger blocks. Each is a mapping of memory, of which Linux allows a process 65,530. */
const blocksMax = 16_384;

export interface SavedPrefixesOptions {
  /** Host memory for states, pinned ones included. */
  readonly stateBytesMax: number;
  /** Size of a state: a fixed part, and a part per token. */
  readonly stateBytesFixed: number;
  readonly stateBytesPerToken: number;
  /** Whether a part of a sequence can be copied, saved and restored; if not, only its whole state. */
  readonly canSplit: boolean;
}

/** A saved prefix of a prompt. */
export interface SavedPrefix {
  readonly parts: readonly Part[];
  readonly length: number;
  /** How many of its tokens are in a pinned prefix, which all accounts share. */
  readonly shared: number;
}

/** Contents of a sequence that are to be saved. */
export interface EvictedSequence {
  readonly sequence: number;
  readonly salt: string;
  readonly cells: Int32Array;
}

/** The prompts of an account that continue the same pinned prefix, or none. */
interface OwnTree extends TreeNode {
  readonly salt: string;
  readonly pinned: Int32Array | undefined;
}

const nothing: SavedPrefix = { parts: [], length: 0, shared: 0 };

export class SavedPrefixes {
  readonly #options: SavedPrefixesOptions;
  readonly #blockTokens: number;
  readonly #pinnedTree = treeRoot(0);
  #pinned: Int32Array[] = [];
  readonly #ownTrees = new Map<string, OwnTree[]>();
  readonly #blocks = new Map<number, Block>();
  /** Blocks of accounts. */
  readonly #evictable = new EvictionOrder();
  #nextState = 1;
  #bytes = 0;

  constructor(options: SavedPrefixesOptions) {
    this.#options = options;
    this.#blockTokens = options.canSplit ? blockTokensOf(options) : Number.POSITIVE_INFINITY;
  }

  /** Size of all states, pinned ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  get pinnedBytes(): number {
    return this.#bytes - this.#evictable.bytes;
  }

  /** Whether this prefix fits the budget along with the pinned ones. */
  canPin(cells: Int32Array): boolean {
    const { unsaved } = this.#growth(this.#pinnedTree, cells);
    return this.pinnedBytes + this.#sizeOf(unsaved) <= this.#options.stateBytesMax;
  }

  /** Whether exactly this prefix is pinned. */
  isPinned(cells: Int32Array): boolean {
    return this.#pinned.some((pinned) => pinned.length === cells.length && beginsWith(cells, pinned));
  }

  /**
   * The longest saved prefix of a prompt.
   * @param salt undefined for a prefix to be pinned. It may begin with a part of a pinned prefix; an account's prompt matches
   * pinned prefixes only as a whole.
   */
  find(prompt: Int32Array, salt: string | undefined): SavedPrefix {
    if (salt === undefined) {
      const parts = this.#follow(this.#pinnedTree, prompt);
      return { parts, length: lengthOf(parts), shared: lengthOf(parts) };
    }
    let longest = nothing;
    const offer = (saved: SavedPrefix) => {
      if (saved.length > longest.length) longest = saved;
    };
    for (const pinned of this.#pinnedFor(salt)) if (beginsWith(prompt, pinned)) offer(this.#pinnedPrefix(pinned));
    for (const tree of this.#ownTrees.get(salt) ?? []) {
      if (tree.pinned !== undefined && !beginsWith(prompt, tree.pinned)) continue;
      const before = tree.pinned === undefined ? nothing : this.#pinnedPrefix(tree.pinned);
      const own = this.#follow(tree, prompt);
      offer({ ...before, parts: [...before.parts, ...own], length: before.length + lengthOf(own) });
    }
    return longest;
  }

  /** Records that a saved prefix is used again, so that it is kept longer than others. */
  use(parts: readonly Part[]): void {
    for (const { block } of parts.toReversed()) this.#evictable.use(block);
    this.#evictable.limitProven(this.#options.stateBytesMax - this.pinnedBytes);
  }

  /** Pins the contents of `sequence`, and evicts other states if necessary. @throws {Error} unless `canPin` */
  pin(sequence: number, cells: Int32Array): StepOperation[] {
    if (!this.canPin(cells)) throw new Error('no room for a pinned prefix');
    const { after, unsaved, replaced } = this.#growth(this.#pinnedTree, cells);
    const operations = this.#evict(this.#sizeOf(unsaved), new Set());
    // A state that cannot be split does not replace the pinned prefix with which it begins.
    if (replaced !== undefined && this.#options.canSplit) operations.push(this.#drop(replaced));
    operations.push(...this.#add(after, sequence, unsaved).operations);
    this.#pinned.push(Int32Array.from(cells));
    return operations;
  }

  /** Saves the contents of a sequence, as far as they are not saved and there is room. Does not evict `needed`. */
  save({ sequence, salt, cells }: EvictedSequence, needed: SavedPrefix = nothing): StepOperation[] {
    const tree = this.#ownTree(salt, cells);
    const { path, after, unsaved, replaced } = this.#growth(tree, cells);
    const kept = new Set([...path, ...needed.parts].map(({ block }) => block));
    const isReplaced = replaced !== undefined && !kept.has(replaced);
    const fitting = this.#fitting(unsaved, kept);
    if (fitting.length === 0) return [];
    const operations = isReplaced ? [this.#drop(replaced)] : [];
    operations.push(...this.#evict(this.#sizeOf(fitting), kept));
    const added = this.#add(after, sequence, fitting);
    for (const block of added.blocks.toReversed()) this.#evictable.add(block);
    this.use(path);
    this.#ownTrees.set(salt, [...(this.#ownTrees.get(salt) ?? []).filter((other) => other !== tree), tree]);
    return [...operations, ...added.operations];
  }

  /**
   * Drops states that a failed step may or may not have saved, and those that continue them.
   * @returns the drop operations, and the pinned prefixes that are no longer saved
   */
  lose(states: readonly number[]): { operations: StepOperation[]; pinned: Int32Array[] } {
    const operations = states.flatMap((state) => {
      const block = this.#blocks.get(state);
      return block === undefined ? [] : this.#dropAll([...blocksBelow(block), block]);
    });
    const isSaved = (pinned: Int32Array) => this.#pinnedPrefix(pinned).length === pinned.length;
    const pinned = this.#pinned.filter((one) => !isSaved(one));
    if (pinned.length === 0) return { operations, pinned };
    this.#pinned = this.#pinned.filter(isSaved);
    const used = new Set(this.#pinned.flatMap((one) => this.#pinnedPrefix(one).parts.map(({ block }) => block)));
    operations.push(...this.#dropAll(blocksBelow(this.#pinnedTree).filter((block) => !used.has(block))));
    const orphaned = [...this.#ownTrees.values()].flat().filter((tree) => pinned.some((one) => one === tree.pinned));
    return { operations: [...operations, ...orphaned.flatMap((tree) => this.#dropAll(blocksBelow(tree)))], pinned };
  }

  #pinnedPrefix(pinned: Int32Array): SavedPrefix {
    const parts = this.#follow(this.#pinnedTree, pinned);
    const length = lengthOf(parts);
    return { parts, length, shared: length };
  }

  #follow(root: TreeNode, prompt: Int32Array): Part[] {
    return followPath(root, prompt, !this.#options.canSplit);
  }

  /** The pinned prefixes with which prompts of this salt may begin. */
  #pinnedFor(salt: string): readonly Int32Array[] {
    return usesPinnedPrefixes(salt) ? this.#pinned : [];
  }

  /** The account's tree for such a prompt. A state that cannot be split contains the pinned prefix. */
  #ownTree(salt: string, cells: Int32Array): OwnTree {
    let pinned: Int32Array | undefined;
    for (const one of this.#options.canSplit ? this.#pinnedFor(salt) : []) {
      if (one.length > (pinned?.length ?? 0) && beginsWith(cells, one)) pinned = one;
    }
    const found = this.#ownTrees.get(salt)?.find((tree) => tree.pinned === pinned);
    return found ?? { ...treeRoot(pinned?.length ?? 0), salt, pinned };
  }

  /** Where the tokens of a prompt that are not saved are to be added, in blocks, and a last block that they replace. */
  #growth(root: TreeNode, cells: Int32Array): Growth {
    const path = this.#follow(root, cells);
    const last = path.at(-1);
    if (root.end + lengthOf(path) === cells.length) return { path, after: root, unsaved: [], replaced: undefined };
    if (last === undefined || last.length === this.#blockTokens) {
      const after = last?.block ?? root;
      return { path, after, unsaved: this.#cut(cells, after.end), replaced: undefined };
    }
    const after = last.block.parent;
    const replaced = last.length === last.block.tokens.length ? last.block : undefined;
    return { path: path.slice(0, -1), after, unsaved: this.#cut(cells, after.end), replaced };
  }

  #cut(cells: Int32Array, from: number): Int32Array[] {
    const length = Math.min(this.#blockTokens, cells.length - from);
    const count = Math.ceil((cells.length - from) / length);
    return Array.from({ length: count }, (_, index) => cells.slice(from + index * length, from + (index + 1) * length));
  }

  /** The first of these blocks for which there is room if all others than `kept` are evicted. */
  #fitting(blocks: readonly Int32Array[], kept: ReadonlySet<Block>): readonly Int32Array[] {
    let room = this.#options.stateBytesMax - this.pinnedBytes;
    for (const block of kept) if (this.#evictable.has(block)) room -= block.bytes;
    const excess = blocks.findIndex((tokens) => {
      room -= this.#bytesOf(tokens.length);
      return room < 0;
    });
    return excess === -1 ? blocks : blocks.slice(0, excess);
  }

  #evict(bytes: number, kept: ReadonlySet<Block>): StepOperation[] {
    const operations: StepOperation[] = [];
    for (const block of this.#evictable) {
      if (this.#bytes + bytes <= this.#options.stateBytesMax) break;
      if (!kept.has(block)) operations.push(this.#drop(block));
    }
    return operations;
  }

  #add(after: TreeNode, sequence: number, unsaved: readonly Int32Array[]) {
    const blocks: Block[] = [];
    for (const tokens of unsaved) {
      const block = addBlock(blocks.at(-1) ?? after, {
        state: this.#nextState++,
        tokens,
        bytes: this.#bytesOf(tokens.length),
      });
      blocks.push(block);
      this.#blocks.set(block.state, block);
      this.#bytes += block.bytes;
    }
    const operations: StepOperation[] = blocks.map(({ state, tokens, end }) => {
      return { kind: 'save', sequence, state, from: end - tokens.length, to: end };
    });
    return { blocks, operations };
  }

  #dropAll(blocks: readonly Block[]): StepOperation[] {
    return blocks.map((block) => this.#drop(block));
  }

  #drop(block: Block): StepOperation {
    removeBlock(block);
    this.#blocks.delete(block.state);
    this.#bytes -= block.bytes;
    this.#evictable.delete(block);
    if (block.parent.children.size === 0) this.#removeTree(block.parent);
    return { kind: 'drop', state: block.state };
  }

  /** Forgets the tree of an account if this node is the root of one. */
  #removeTree(root: Partial<OwnTree>): void {
    if (root.salt === undefined) return;
    const others = (this.#ownTrees.get(root.salt) ?? []).filter((tree) => tree !== root);
    if (others.length > 0) this.#ownTrees.set(root.salt, others);
    else this.#ownTrees.delete(root.salt);
  }

  #sizeOf(blocks: readonly Int32Array[]): number {
    return blocks.reduce((sum, { length }) => sum + this.#bytesOf(length), 0);
  }

  #bytesOf(tokens: number): number {
    return this.#options.stateBytesFixed + tokens * this.#options.stateBytesPerToken;
  }
}

function blockTokensOf({ stateBytesMax, stateBytesPerToken }: SavedPrefixesOptions): number {
  return Math.max(blockTokensMin, Math.ceil(stateBytesMax / Math.max(1, stateBytesPerToken) / blocksMax));
}

interface Growth {
  /** The saved blocks with which the prompt begins and to which the others are added. */
  readonly path: readonly Part[];
  readonly after: TreeNode;
  readonly unsaved: readonly Int32Array[];
  readonly replaced: Block | undefined;
}
