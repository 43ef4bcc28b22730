/**
 * A node of a simulated fleet: it computes one request's work per slot, and keeps the beginnings of the latest prompts of each
 * account, up to a number of tokens, as `runtime/chat/prefix-cache.ts` does.
 */
import { blockTokens, type TurnRequest } from './traffic.ts';

export interface NodeSpeed {
  readonly promptTokensPerSecond: number;
  readonly answerTokensPerSecond: number;
  /** Requests that are answered at the same time. */
  readonly slots: number;
  readonly cacheTokensMax: number;
}

export class SimulatedNode {
  readonly node: string;
  readonly #speed: NodeSpeed;
  /** By account, the latest last. */
  readonly #cached = new Map<number, (readonly number[])[]>();
  /** All cached prompts, the one that was used first at the front. */
  readonly #order: { account: number; blocks: readonly number[] }[] = [];
  #cachedTokens = 0;
  /** When the running requests end, unordered. */
  #ends: number[] = [];

  constructor(node: string, speed: NodeSpeed) {
    this.node = node;
    this.#speed = speed;
  }

  /** Used share of the slots in sixteenths; above 15 while requests wait. */
  loadAt(now: number): number {
    this.#ends = this.#ends.filter((end) => end > now);
    return Math.floor((this.#ends.length * 16) / this.#speed.slots);
  }

  /** Tokens of this prompt that the node would not compute. */
  cachedTokensOf({ account, blocks }: TurnRequest): number {
    let longest = 0;
    for (const held of this.#cached.get(account) ?? []) longest = Math.max(longest, commonBlocks(held, blocks));
    return longest * blockTokens;
  }

  /** @returns how many seconds the request waits for a slot, and how many prompt tokens come from the cache */
  serve(request: TurnRequest): { waits: number; cachedTokens: number } {
    const { at, blocks, answerTokens } = request;
    this.loadAt(at);
    const cachedTokens = this.cachedTokensOf(request);
    const busy = this.#ends.toSorted((a, b) => a - b);
    const free = busy.length < this.#speed.slots ? at : busy[busy.length - this.#speed.slots]!;
    const { promptTokensPerSecond, answerTokensPerSecond } = this.#speed;
    const computed = blocks.length * blockTokens - cachedTokens;
    this.#ends.push(free + computed / promptTokensPerSecond + answerTokens / answerTokensPerSecond);
    this.#keep(request);
    return { waits: free - at, cachedTokens };
  }

  #keep({ account, blocks }: TurnRequest): void {
    const held = this.#cached.get(account) ?? [];
    this.#cached.set(account, held);
    const extended = held.findIndex((other) => commonBlocks(other, blocks) === other.length);
    if (extended >= 0) this.#forget(account, held[extended]!);
    held.push(blocks);
    this.#order.push({ account, blocks });
    this.#cachedTokens += blocks.length * blockTokens;
    while (this.#cachedTokens > this.#speed.cacheTokensMax)
      this.#forget(this.#order[0]!.account, this.#order[0]!.blocks);
  }

  #forget(account: number, blocks: readonly number[]): void {
    const held = this.#cached.get(account)!;
    held.splice(held.indexOf(blocks), 1);
    this.#order.splice(
      this.#order.findIndex((each) => each.blocks === blocks),
      1,
    );
    this.#cachedTokens -= blocks.length * blockTokens;
  }
}

function commonBlocks(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return length;
}
