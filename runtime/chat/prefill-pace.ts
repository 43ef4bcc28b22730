/** Chooses how many prompt tokens a step feeds alongside decoding rows, from the measured time of steps. Pure. */

/**
 * The time that a prefill chunk may add to a step, which is a pause in every streamed answer: so many times that of a step
 * without a chunk, within these bounds.
 */
const pauseRatio = 1.5;
const pauseMsMin = 20;
const pauseMsMax = 250;
/** If attention computes a prompt in tiles, a chunk of two tiles may take up to this long. */
const tiledPauseMs = 1000;
const chunkTokensMin = 32;
/** Weight of the newest step in the running averages. */
const newestWeight = 0.2;

export class PrefillPace {
  readonly #stepTokensMax: number;
  readonly #tiledTokens: number;
  #microsPerDecodeRow: number | undefined;
  #microsPerPrefillToken: number | undefined;
  /** Of the newest step. */
  #decodeRows = 0;

  constructor({ stepTokensMax, promptTileTokens }: { stepTokensMax: number; promptTileTokens: number }) {
    this.#stepTokensMax = stepTokensMax;
    this.#tiledTokens = promptTileTokens > 1 ? 2 * promptTileTokens : 0;
  }

  /** Tokens of the next chunk. Until the first measurement, a quarter of a full step. */
  get chunkTokens(): number {
    if (this.#microsPerPrefillToken === undefined) return Math.ceil(this.#stepTokensMax / 4);
    const tokensPerMs = 1000 / this.#microsPerPrefillToken;
    const tiled = Math.min(this.#tiledTokens, Math.floor(tiledPauseMs * tokensPerMs));
    const tokens = Math.max(chunkTokensMin, tiled, Math.floor(this.#pauseMs() * tokensPerMs));
    return Math.min(this.#stepTokensMax, tokens);
  }

  #pauseMs(): number {
    const decodeMs = (this.#decodeRows * (this.#microsPerDecodeRow ?? 0)) / 1000;
    return Math.max(pauseMsMin, Math.min(pauseMsMax, pauseRatio * decodeMs));
  }

  /** Records the time of a step with this many decoding rows and prefill tokens. */
  observe({ decodeRows, prefillTokens, micros }: { decodeRows: number; prefillTokens: number; micros: number }): void {
    this.#decodeRows = decodeRows;
    if (prefillTokens === 0 && decodeRows > 0) {
      this.#microsPerDecodeRow = blend(this.#microsPerDecodeRow, micros / decodeRows);
    } else if (prefillTokens >= chunkTokensMin) {
      const decodeMicros = decodeRows * (this.#microsPerDecodeRow ?? 0);
      // A pass over many rows costs less per row than the average, so attribute at least half the time to prefill.
      const prefillMicros = Math.max(micros - decodeMicros, micros / 2);
      this.#microsPerPrefillToken = blend(this.#microsPerPrefillToken, prefillMicros / prefillTokens);
    }
  }
}

function blend(average: number | undefined, newest: number): number {
  return average === undefined ? newest : average + newestWeight * (newest - average);
}
