/** Prefixes that wait to be pinned: one at a time is fed to a sequence, then its state is kept. Pure. */
import type { StepOperation, StepRow } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';
import type { PrefixCache } from './prefix-cache.ts';

export interface Pin {
  readonly tokens: Int32Array;
  /** Called when the prefix is pinned; `computed` counts the tokens that no other pinned prefix contained. */
  readonly onPinned: (outcome: { readonly computed: number }) => void;
  /** Called instead if there is no room or the steps fail repeatedly. */
  readonly onFailed: (error: unknown) => void;
}

interface Feeding {
  readonly pin: Pin;
  readonly sequence: number;
  readonly reused: number;
  position: number;
}

const failuresMax = 3;

export class PinQueue {
  readonly #cache: PrefixCache;
  readonly #waiting: Pin[] = [];
  #feeding: Feeding | undefined;
  #failures = 0;

  constructor(cache: PrefixCache) {
    this.#cache = cache;
  }

  /** The sequence of the prefix that is being fed. */
  get sequence(): number | undefined {
    return this.#feeding?.sequence;
  }

  /** Number of prefixes that are not pinned yet. */
  get length(): number {
    return this.#waiting.length + (this.#feeding === undefined ? 0 : 1);
  }

  push(pin: Pin): void {
    this.#waiting.push(pin);
  }

  /** Claims an idle sequence, if any, for the next prefix. @returns the operations that fill it */
  begin(): readonly StepOperation[] {
    this.#settlePinnedOrTooLarge();
    const pin = this.#waiting[0];
    if (this.#feeding !== undefined || pin === undefined) return [];
    const claim = this.#cache.claim(pin.tokens, undefined);
    if (claim === undefined) return [];
    this.#waiting.shift();
    this.#feeding = { pin, sequence: claim.sequence, reused: claim.reused, position: claim.reused };
    return claim.operations;
  }

  /** Returns the next tokens to feed, at most `tokensMax`. */
  nextRow(tokensMax: number): StepRow | undefined {
    const feeding = this.#feeding;
    if (feeding === undefined || tokensMax <= 0) return undefined;
    const { pin, sequence, position } = feeding;
    const tokens = pin.tokens.subarray(position, position + tokensMax);
    feeding.position += tokens.length;
    this.#cache.append(sequence, tokens);
    return { sequence, position, tokens, sample: false };
  }

  /** Called after the step with the row. @returns the operations that pin the prefix once it is complete */
  complete(): readonly StepOperation[] {
    const feeding = this.#feeding;
    if (feeding === undefined || feeding.position < feeding.pin.tokens.length) return [];
    this.#feeding = undefined;
    this.#failures = 0;
    const operations = this.#cache.pin(feeding.sequence);
    feeding.pin.onPinned({ computed: feeding.pin.tokens.length - feeding.reused });
    return operations;
  }

  /** Called after a failed step: retries the prefix a limited number of times. The caller discards its sequence. */
  fail(error: unknown): void {
    const feeding = this.#feeding;
    if (feeding === undefined) return;
    this.#feeding = undefined;
    this.#failures += 1;
    if (this.#failures < failuresMax) this.#waiting.unshift(feeding.pin);
    else {
      this.#failures = 0;
      feeding.pin.onFailed(error);
    }
  }

  #settlePinnedOrTooLarge(): void {
    for (let pin = this.#waiting[0]; pin !== undefined && this.#feeding === undefined; pin = this.#waiting[0]) {
      if (this.#cache.isPinned(pin.tokens)) pin.onPinned({ computed: 0 });
      else if (!this.#cache.canPin(pin.tokens)) pin.onFailed(noRoom(pin.tokens.length));
      else return;
      this.#waiting.shift();
    }
  }

  /** Fails all waiting prefixes. A prefix that is being fed is completed. */
  cancelAll(error: unknown): void {
    for (const pin of this.#waiting.splice(0)) pin.onFailed(error);
  }
}

function noRoom(tokens: number): RuntimeError {
  return new RuntimeError(
    'ERR_MEMORY_BUDGET',
    `no room to pin a prompt of ${tokens} tokens; raise CLOISTER_PREFIX_CACHE_MB`,
    { details: { tokens } },
  );
}
