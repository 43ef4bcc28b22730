/**
 * Forms batches of texts. A text is batched only with texts of similar length, accounts take turns, and within an account
 * short texts do not wait behind long ones. Pure: no clock.
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
  /** Maximum tokens of a batch, padding included; a longer text forms a batch alone. */
  readonly batchTokensMax: number;
  /** Whether each text of a batch costs as much as the longest. Default true. */
  readonly isPadded?: boolean;
  /** Batches are not made smaller than this to use more threads. Default 256. */
  readonly shareTokensMin?: number;
}

/** Tokens of a batch of texts that are computed one by one: enough that posting the batch costs little. */
const singlesTokens = 256;
/** Fewer tokens than this are computed by all threads together, text by text, and not by one thread per text. */
const singlesShareTokensMin = 64;
/** All lengths up to this share a bucket. */
const firstBucketTokens = 4;
/** Ratio of the upper bounds of consecutive buckets: at most a fifth of a bucket is padding. */
const bucketGrowth = 1.25;
/** Padding per text that costs less than another pass, which has a fixed cost. */
const paddingForAPass = 16;
const sharedTokensMin = 256;
/** Number of buckets on either side from which a batch is filled up. */
const neighbours = 4;
/** Without padding, buckets only keep short texts from waiting for long ones. */
const packedBucketGrowth = 8;

/** A batch; `tokens` excludes padding. */
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
  /** Virtual time: tokens taken; at least the batcher's floor when the lane fills again. */
  served: number;
  /** Texts by bucket, oldest first. */
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

  /** Number of waiting texts. */
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
   * Takes the next batch: from the lane that was served least, the bucket whose oldest text has waited longest relative to
   * its length; then texts of the same bucket of all lanes, and texts of neighbouring buckets.
   * @param threads number of free threads, among which the waiting texts are divided
   * @returns texts in no particular order; empty if none wait
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

  /** Takes texts of one bucket while they fit, with the lanes in turn. */
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

  /** Removes the texts of an account for which `isUnwanted` is true. @returns their number */
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

  /** Removes idle lanes at or below the floor, which equal unknown ones, so that memory is bounded by the busy accounts. */
  #forgetIdleLanes(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.buckets.size === 0 && lane.served <= this.#floor) this.#lanes.delete(key);
    }
  }
}

/** @param batching from the model · @param batchTokensMax from the operator */
export function batcherFor<Text extends WaitingText>(
  { batching }: Pick<EmbeddingModelInfo, 'batching'>,
  { batchTokensMax }: Pick<EmbeddingBatcherOptions, 'batchTokensMax'>,
): EmbeddingBatcher<Text> {
  if (batching !== 'none') return new EmbeddingBatcher({ batchTokensMax, isPadded: batching === 'padded' });
  const tokensMax = Math.min(batchTokensMax, singlesTokens);
  const shareTokensMin = singlesShareTokensMin;
  return new EmbeddingBatcher({ batchTokensMax: tokensMax, isPadded: false, shareTokensMin });
}

/** Bucket number, from 0. Except in bucket 0, the longest text has at most `growth` times the tokens of the shortest. */
export function bucketOf(length: number, growth = bucketGrowth): number {
  if (length <= firstBucketTokens) return 0;
  // The small constant keeps the upper bound itself in its bucket if the logarithm is rounded up.
  return Math.ceil(Math.log(length / firstBucketTokens) / Math.log(growth) - 1e-9);
}

/** Highest response ratio next: the ratio grows while a text waits, faster for short texts, so no text starves. */
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
