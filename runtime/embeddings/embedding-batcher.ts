/**
 * Decides which texts are computed together. A text is only batched with texts of about its length, accounts take
 * turns, and within an account short work does not wait behind long work. Pure: no clock.
 */
import type { EmbeddingModelInfo } from '@cloister/models/interface/embedding-model';

export interface WaitingText {
  readonly account: string;
  /** Higher goes first. */
  readonly priority: number;
  readonly arrivedMs: number;
  readonly tokens: Int32Array;
}

export interface EmbeddingBatcherOptions {
  /** Tokens of one batch, padding included; a longer text is a batch of its own. */
  readonly batchTokensMax: number;
  /** Shorter texts of a batch cost as much as its longest. Default true. */
  readonly isPadded?: boolean;
  /** Tokens of a batch that are not worth sharing out among threads. Default 256. */
  readonly shareTokensMin?: number;
}

/** Tokens of a batch of texts that are computed one by one: enough that handing them over costs little. */
const singlesTokens = 256;
/** Fewer of those are computed by all threads, one text after the other, not side by side by one thread each. */
const singlesShareTokensMin = 64;
/** All up to this length share a bucket. */
const firstBucketTokens = 4;
/** Each bucket reaches this much further than the one before: at worst a fifth of its texts is padding. */
const bucketGrowth = 1.25;
/** A pass costs as much as some tokens, whatever it computes: rather this much padding than another pass. */
const paddingForAPass = 16;
const sharedTokensMin = 256;
/** Buckets on either side of the first that a batch is filled up from. */
const neighbours = 4;
/** Where nothing is padded, only so that short texts do not wait for long ones. */
const packedBucketGrowth = 8;

/** What is taken together, its tokens without padding. */
interface Batch<Text> {
  readonly texts: Text[];
  longest: number;
  tokens: number;
  readonly tokensMax: number;
}

/** The waiting texts of one account and priority. */
interface Lane<Text> {
  readonly account: string;
  readonly priority: number;
  /** Virtual time: tokens taken, never less than the batcher's floor when the lane fills again. */
  served: number;
  /** By bucket, oldest first. */
  readonly buckets: Map<number, Text[]>;
}

export class EmbeddingBatcher<Text extends WaitingText> {
  readonly #batchTokensMax: number;
  readonly #isPadded: boolean;
  readonly #shareTokensMin: number;
  readonly #lanes = new Map<string, Lane<Text>>();
  #texts = 0;
  #tokens = 0;
  #floor = 0;

  constructor({ batchTokensMax, isPadded = true, shareTokensMin = sharedTokensMin }: EmbeddingBatcherOptions) {
    this.#batchTokensMax = batchTokensMax;
    this.#isPadded = isPadded;
    this.#shareTokensMin = shareTokensMin;
  }

  /** Waiting texts. */
  get length(): number {
    return this.#texts;
  }

  push(text: Text): void {
    const lane = this.#laneOf(text);
    if (lane.buckets.size === 0) lane.served = Math.max(lane.served, this.#floor);
    const bucket = bucketOf(text.tokens.length, this.#isPadded ? bucketGrowth : packedBucketGrowth);
    const waiting = lane.buckets.get(bucket);
    if (waiting === undefined) lane.buckets.set(bucket, [text]);
    else waiting.push(text);
    this.#texts += 1;
    this.#tokens += text.tokens.length;
  }

  /**
   * The next batch: of the lane that was served least, the bucket whose oldest text has waited longest for its length,
   * filled up from that bucket of all lanes, then with a few texts of its neighbours.
   * @param threads that are free: what waits is shared out among them
   * @returns texts in no particular order; empty when none wait
   */
  take(nowMs: number, { threads = 1 } = {}): Text[] {
    const share = Math.max(this.#shareTokensMin, Math.ceil(this.#tokens / threads));
    const tokensMax = Math.min(this.#batchTokensMax, share);
    const batch: Batch<Text> = { texts: [], longest: 0, tokens: 0, tokensMax };
    const lane = this.#next(() => true);
    if (lane === undefined) return batch.texts;
    const bucket = mostOverdue(lane, nowMs);
    this.#fill(batch, bucket, Number.POSITIVE_INFINITY);
    for (let distance = 1; this.#isPadded && distance <= neighbours; distance++) {
      this.#fill(batch, bucket - distance, paddingForAPass);
      this.#fill(batch, bucket + distance, paddingForAPass);
    }
    return batch.texts;
  }

  /** Takes texts of one bucket, lanes in turn, while they fit. */
  #fill(batch: Batch<Text>, bucket: number, paddingMax: number): void {
    for (;;) {
      const lane = this.#next(({ buckets }) => buckets.has(bucket));
      if (lane === undefined) return;
      const text = lane.buckets.get(bucket)![0]!;
      const count = batch.texts.length + 1;
      const longest = Math.max(batch.longest, text.tokens.length);
      const tokens = batch.tokens + text.tokens.length;
      const cost = this.#isPadded ? longest * count : tokens;
      if (count > 1 && (cost > batch.tokensMax || cost - tokens > paddingMax)) return;
      this.#shift(lane, bucket);
      batch.texts.push(text);
      batch.longest = longest;
      batch.tokens = tokens;
    }
  }

  /** Takes back the texts of an account that `isUnwanted` names. @returns how many */
  remove(account: string, isUnwanted: (text: Text) => boolean): number {
    let removed = 0;
    for (const lane of this.#lanes.values()) {
      if (lane.account !== account) continue;
      for (const [bucket, waiting] of lane.buckets) {
        const kept = waiting.filter((text) => !isUnwanted(text));
        removed += waiting.length - kept.length;
        this.#tokens -= tokensIn(waiting) - tokensIn(kept);
        if (kept.length === 0) lane.buckets.delete(bucket);
        else lane.buckets.set(bucket, kept);
      }
    }
    this.#texts -= removed;
    return removed;
  }

  #laneOf({ account, priority }: WaitingText): Lane<Text> {
    const key = `${priority} ${account}`;
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      this.#forgetIdleLanes();
      lane = { account, priority, served: this.#floor, buckets: new Map() };
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #next(may: (lane: Lane<Text>) => boolean): Lane<Text> | undefined {
    let best: Lane<Text> | undefined;
    for (const lane of this.#lanes.values()) {
      if (lane.buckets.size === 0 || !may(lane)) continue;
      if (best === undefined || goesBefore(lane, best)) best = lane;
    }
    return best;
  }

  #shift(lane: Lane<Text>, bucket: number): void {
    const waiting = lane.buckets.get(bucket)!;
    this.#floor = Math.max(this.#floor, lane.served);
    const { length } = waiting.shift()!.tokens;
    lane.served += length;
    if (waiting.length === 0) lane.buckets.delete(bucket);
    this.#texts -= 1;
    this.#tokens -= length;
  }

  /** An idle lane at or below the floor is the same as an unknown one, so memory stays bounded by busy accounts. */
  #forgetIdleLanes(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.buckets.size === 0 && lane.served <= this.#floor) this.#lanes.delete(key);
    }
  }
}

/** @param batching as the model says it · @param batchTokensMax as the operator says it */
export function batcherFor<Text extends WaitingText>(
  { batching }: Pick<EmbeddingModelInfo, 'batching'>,
  { batchTokensMax }: Pick<EmbeddingBatcherOptions, 'batchTokensMax'>,
): EmbeddingBatcher<Text> {
  if (batching !== 'none') return new EmbeddingBatcher({ batchTokensMax, isPadded: batching === 'padded' });
  const tokensMax = Math.min(batchTokensMax, singlesTokens);
  const shareTokensMin = singlesShareTokensMin;
  return new EmbeddingBatcher({ batchTokensMax: tokensMax, isPadded: false, shareTokensMin });
}

/** 0, 1, 2 …: but for the shortest, the longest text of a bucket has at most `growth` times the tokens of any other. */
export function bucketOf(length: number, growth = bucketGrowth): number {
  if (length <= firstBucketTokens) return 0;
  // The small number keeps a boundary's own length below it, whatever the logarithm rounds to.
  return Math.ceil(Math.log(length / firstBucketTokens) / Math.log(growth) - 1e-9);
}

/** Highest response ratio: whoever waits gains on others, short texts faster, and none waits for ever. */
function mostOverdue<Text extends WaitingText>({ buckets }: Lane<Text>, nowMs: number): number {
  let best: { bucket: number; ratio: number } | undefined;
  for (const [bucket, [oldest]] of buckets) {
    const ratio = (nowMs - oldest!.arrivedMs + 1) / oldest!.tokens.length;
    if (best === undefined || ratio > best.ratio) best = { bucket, ratio };
  }
  return best!.bucket;
}

function tokensIn(texts: readonly WaitingText[]): number {
  return texts.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

function goesBefore(a: Lane<unknown>, b: Lane<unknown>): boolean {
  return a.priority === b.priority ? a.served < b.served : a.priority > b.priority;
}
