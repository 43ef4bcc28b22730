/** Buckets as in vLLM, seconds. */
export const requestBuckets = [
  0.005, 0.025, 0.1, 0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960,
];

/** Sizes of prompts and answers in tokens. Fixed, so that the buckets do not depend on the models or their callers. */
export const tokenBuckets = [1, 10, 100, 1_000, 10_000, 100_000].flatMap((one) => [one, 2 * one, 5 * one]);
