/**
 * Decides which texts are computed together. A text is only batched with texts of about its length, accounts take
 * turns, and within an account short work does not wait behind long work. Pure: no clock.
 */

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
}

/** All up to this length share a bucket: a pass over so few tokens takes its time whatever their number. */
const FIRST_BUCKET_TOKENS = 16;
/** Each bucket reaches this much further than the one before: at worst a fifth of a batch is padding. */
const BUCKET_GROWTH = 1.25;

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
  readonly #lanes = new Map<string, Lane<Text>>();
  #texts = 0;
  #floor = 0;

  constructor({ batchTokensMax }: EmbeddingBatcherOptions) {
    this.#batchTokensMax = batchTokensMax;
  }

  /** Waiting texts. */
  get length(): number {
    return this.#texts;
  }

  push(text: Text): void {
    const lane = this.#laneOf(text);
    if (lane.buckets.size === 0) lane.served = Math.max(lane.served, this.#floor);
    const bucket = bucketOf(text.tokens.length);
    const waiting = lane.buckets.get(bucket);
    if (waiting === undefined) lane.buckets.set(bucket, [text]);
    else waiting.push(text);
    this.#texts += 1;
  }

  /**
   * The next batch: of the lane that was served least, the bucket whose oldest text has waited longest for its length,
   * filled up from that bucket of all lanes.
   * @returns texts in no particular order; empty when none wait
   */
  take(nowMs: number): Text[] {
    const lane = this.#next(() => true);
    if (lane === undefined) return [];
    const bucket = mostOverdue(lane, nowMs);
    const batch: Text[] = [];
    let longest = 0;
    for (;;) {
      const turn = this.#next(({ buckets }) => buckets.has(bucket));
      if (turn === undefined) return batch;
      const text = turn.buckets.get(bucket)![0]!;
      longest = Math.max(longest, text.tokens.length);
      if (batch.length > 0 && longest * (batch.length + 1) > this.#batchTokensMax) return batch;
      this.#shift(turn, bucket);
      batch.push(text);
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
    lane.served += waiting.shift()!.tokens.length;
    if (waiting.length === 0) lane.buckets.delete(bucket);
    this.#texts -= 1;
  }

  /** An idle lane at or below the floor is the same as an unknown one, so memory stays bounded by busy accounts. */
  #forgetIdleLanes(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.buckets.size === 0 && lane.served <= this.#floor) this.#lanes.delete(key);
    }
  }
}

/** 0, 1, 2 …: lengths of one bucket differ by a quarter at most, but for the shortest. */
export function bucketOf(length: number): number {
  if (length <= FIRST_BUCKET_TOKENS) return 0;
  // The small number keeps a boundary's own length below it, whatever the logarithm rounds to.
  return Math.ceil(Math.log(length / FIRST_BUCKET_TOKENS) / Math.log(BUCKET_GROWTH) - 1e-9);
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

function goesBefore(a: Lane<unknown>, b: Lane<unknown>): boolean {
  return a.priority === b.priority ? a.served < b.served : a.priority > b.priority;
}
