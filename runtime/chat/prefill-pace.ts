/** How many prompt tokens to feed beside decoding rows, learnt from the time that steps take. Pure. */

/** What a prefill chunk may add to a step: the longest pause that somebody who reads along should see. */
const pauseMs = 250;
/** Where attention takes a prompt's tokens in tiles, two of them are worth a longer pause, up to this one. */
const tiledPauseMs = 1000;
const chunkTokensMin = 32;
/** Weight of the newest step in the running averages. */
const newestWeight = 0.2;

export class PrefillPace {
  readonly #stepTokensMax: number;
  readonly #tiledTokens: number;
  #microsPerDecodeRow: number | undefined;
  #microsPerPrefillToken: number | undefined;

  constructor({ stepTokensMax, promptTileTokens }: { stepTokensMax: number; promptTileTokens: number }) {
    this.#stepTokensMax = stepTokensMax;
    this.#tiledTokens = promptTileTokens > 1 ? 2 * promptTileTokens : 0;
  }

  /** Tokens for the next chunk. Until the first measurement, a quarter of a full step. */
  get chunkTokens(): number {
    if (this.#microsPerPrefillToken === undefined) return Math.ceil(this.#stepTokensMax / 4);
    const tokensPerMs = 1000 / this.#microsPerPrefillToken;
    const tiled = Math.min(this.#tiledTokens, Math.floor(tiledPauseMs * tokensPerMs));
    const tokens = Math.max(chunkTokensMin, tiled, Math.floor(pauseMs * tokensPerMs));
    return Math.min(this.#stepTokensMax, tokens);
  }

  /** Takes in what a step with this many decoding rows and prefill tokens took. */
  observe({ decodeRows, prefillTokens, micros }: { decodeRows: number; prefillTokens: number; micros: number }): void {
    if (prefillTokens === 0 && decodeRows > 0) {
      this.#microsPerDecodeRow = blend(this.#microsPerDecodeRow, micros / decodeRows);
    } else if (prefillTokens >= chunkTokensMin) {
      const decodeMicros = decodeRows * (this.#microsPerDecodeRow ?? 0);
      // A pass over many rows is cheaper per row than the average knows, so never believe that prefill was free.
      const prefillMicros = Math.max(micros - decodeMicros, micros / 2);
      this.#microsPerPrefillToken = blend(this.#microsPerPrefillToken, prefillMicros / prefillTokens);
    }
  }
}

function blend(average: number | undefined, newest: number): number {
  return average === undefined ? newest : average + newestWeight * (newest - average);
}
