/** Ties an engine's work to its admission: what was told is charged, however the work ends. */
import type { Counts } from '@cloister/accounts/base/money';
import type { Admission } from '@cloister/accounts/store';
import type { ImageEvent } from '@cloister/runtime/images/image-engine';
import type { AnswerEvent } from './answer-event.ts';

/** Counts one kind of engine's events as they pass. */
export interface Meter<Event> {
  saw(event: Event): void;
  /** Whether anything was told that can be charged. */
  readonly hasStarted: boolean;
  readonly counts: Counts;
  readonly finishReason: string;
}

export interface Settling {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The closed code of an error, which becomes the usage row's finish reason. */
  readonly codeOf: (error: unknown) => string;
}

/** Who leaves pays for what was done until then. */
const cancelledCode = 'ERR_CANCELLED';

export interface Metered<Event> {
  readonly admission: Admission;
  readonly meter: Meter<Event>;
  /** Whether the caller sees the work as it is done, or nothing before it is complete. */
  readonly isStreamed: boolean;
}

/**
 * Begins the work once it is read, passes its events through and settles when they end, in whatever way: also when the caller
 * leaves or the engine fails, be it at once. A request that failed before its caller was told anything leaves no trace (I-082).
 * The settlement is committed before the reader sees the end.
 */
export async function* metered<Event>(
  begin: () => AsyncIterable<Event>,
  { admission, meter, isStreamed }: Metered<Event>,
  { now, codeOf }: Settling,
): AsyncGenerator<Event, void, undefined> {
  // What holds if the reader stops reading.
  let finishReason: string = cancelledCode;
  let hasFailed = false;
  try {
    for await (const event of begin()) {
      meter.saw(event);
      yield event;
    }
    finishReason = meter.finishReason;
  } catch (error) {
    finishReason = codeOf(error);
    hasFailed = finishReason !== cancelledCode;
    throw error;
  } finally {
    if (meter.hasStarted && (isStreamed || !hasFailed))
      await admission.settle({ counts: meter.counts, finishReason, now: now() });
    else await admission.release({ now: now() });
  }
}

export interface SettlingBehind extends Pick<Settling, 'now'> {
  /** Hears of a charge that failed once its answer was let go. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * As `metered`, for work that is told all at once, in an answer that does not wait for the disk: it has to be written as soon
 * as this resolves.
 */
export async function settled<Result>(
  work: Promise<Result>,
  { admission, countsOf }: { admission: Admission; countsOf: (result: Result) => Counts },
  { now, onFailure }: SettlingBehind,
): Promise<Result> {
  let result: Result;
  try {
    result = await work;
  } catch (error) {
    await admission.release({ now: now() });
    throw error;
  }
  await admission.settleBehind({ counts: countsOf(result), finishReason: 'stop', now: now() }, { onFailure });
  return result;
}

/** Tokens of one chat as far as it has come, over all of its choices and prompts. */
export class ChatMeter implements Meter<AnswerEvent> {
  hasStarted = false;
  finishReason = 'stop';
  #promptTokens = 0;
  /** Per choice: told so far, or all of them once it has finished. */
  readonly #completionTokens = new Map<number, number>();

  saw(event: AnswerEvent): void {
    switch (event.kind) {
      case 'started':
        this.hasStarted = true;
        this.#promptTokens += event.promptTokens;
        break;
      case 'further':
        this.#promptTokens += event.promptTokens;
        break;
      case 'delta':
        this.#completionTokens.set(event.choice, (this.#completionTokens.get(event.choice) ?? 0) + event.tokens);
        break;
      case 'finished':
        this.#completionTokens.set(event.choice, event.completionTokens);
        this.finishReason = event.reason;
        break;
    }
  }

  get counts(): Counts {
    const completionTokens = [...this.#completionTokens.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { promptTokens: this.#promptTokens, completionTokens };
  }
}

/** Steps of one drawing as far as it has come; its pictures count once they are there. */
export class ImageMeter implements Meter<ImageEvent> {
  readonly finishReason = 'stop';
  readonly #count: number;
  #steps = 0;
  #images = 0;

  /** @param count pictures that each step works on */
  constructor(count: number) {
    this.#count = count;
  }

  saw(event: ImageEvent): void {
    if (event.kind === 'step') this.#steps = event.step * this.#count;
    if (event.kind === 'finished') this.#images = event.images.length;
  }

  get hasStarted(): boolean {
    return this.#steps > 0 || this.#images > 0;
  }

  get counts(): Counts {
    return { promptTokens: 0, completionTokens: 0, images: this.#images, steps: this.#steps };
  }
}
