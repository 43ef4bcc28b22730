/** A model of the server, as the admin API and `cloister ps` show it. */
export interface LoadedModel {
  readonly id: string;
  /** `chat`, `embedding`, `reranker` or `image`. */
  readonly kind: string;
  readonly aliases: readonly string[];
  /** `unloaded`: idle and not in memory, the next request loads it. */
  readonly status: 'loading' | 'ready' | 'draining' | 'failed' | 'unloading' | 'unloaded';
  /** Part of the load that is done, in percent; null unless it loads. */
  readonly loadedPercent: number | null;
  /** Time until the idle model is unloaded; null without `--model-idle-ttl-s`, while it has requests, or if it is not loaded. */
  readonly expiresSeconds: number | null;
  /** Null until the model is loaded. */
  readonly device: string | null;
  /** Main memory that the model has claimed: for chat models weights, attention state and compute buffers, else the files. */
  readonly memoryBytes: number;
  /** Answers, images or batches that are computed. */
  readonly running: number;
  /** Requests, or texts of embedding models, that wait. */
  readonly waiting: number;
  /** Maximum number of concurrent answers of a chat model. */
  readonly sequences: number | null;
  /** Milliseconds since 1970; null until the model is loaded. */
  readonly loadedAt: number | null;
  /** Since the last request ended, or since the model was loaded; null while it has requests or loads. */
  readonly idleSeconds: number | null;
  /** Milliseconds without a completed step although there is work. */
  readonly stalledMs: number;
  /** Threads that were lost since the start. */
  readonly losses: number;
}
