/** A tree of blocks of tokens: prompts that begin alike share the blocks of their common beginning. Pure. */

/** The beginning of a tree, or a block. */
export interface TreeNode {
  /** Position after the node's last token. */
  readonly end: number;
  readonly children: Set<Block>;
}

/** Saved tokens; `state` is the number of the state that holds them. */
export interface Block extends TreeNode {
  readonly state: number;
  readonly parent: TreeNode;
  readonly tokens: Int32Array;
  readonly bytes: number;
}

/** The first `length` tokens of a block. */
export interface Part {
  readonly block: Block;
  readonly length: number;
}

/** @param start position of the tree's first token */
export function treeRoot(start: number): TreeNode {
  return { end: start, children: new Set() };
}

/** Adds a block to the end of `parent`. */
export function addBlock(parent: TreeNode, block: Pick<Block, 'state' | 'tokens' | 'bytes'>): Block {
  const added = { ...block, parent, end: parent.end + block.tokens.length, children: new Set<Block>() };
  parent.children.add(added);
  return added;
}

/** Removes a block and zeroes its tokens. */
export function removeBlock(block: Block): void {
  block.parent.children.delete(block);
  block.tokens.fill(0);
}

/** All blocks of a tree, each after its successors. */
export function blocksBelow(node: TreeNode): Block[] {
  return [...node.children].flatMap((block) => [...blocksBelow(block), block]);
}

/**
 * @param isWholeOnly whether a block must match as a whole
 * @returns the blocks with which `prompt` continues after the tree's start, as far as they match
 */
export function followPath(root: TreeNode, prompt: Int32Array, isWholeOnly: boolean): Part[] {
  const parts: Part[] = [];
  for (let node = root; ; ) {
    const part = longestPart(node, prompt, isWholeOnly);
    if (part === undefined) return parts;
    parts.push(part);
    if (part.length < part.block.tokens.length) return parts;
    node = part.block;
  }
}

/** The child with the most tokens in common with the prompt. */
function longestPart(node: TreeNode, prompt: Int32Array, isWholeOnly: boolean): Part | undefined {
  const rest = prompt.subarray(node.end);
  let longest: Part | undefined;
  for (const block of node.children) {
    const length = commonLength(block.tokens, rest);
    if (isWholeOnly && length < block.tokens.length) continue;
    if (length > (longest?.length ?? 0)) longest = { block, length };
  }
  return longest;
}

/** The tokens of all parts. */
export function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

export function beginsWith(tokens: Int32Array, prefix: Int32Array): boolean {
  return commonLength(prefix, tokens) === prefix.length;
}

/** The number of tokens with which both begin. */
export function commonLength(a: Int32Array, b: Int32Array): number {
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a[index] === b[index]) index += 1;
  return index;
}
