/** Charges an engine's work to its admission: emitted work is charged, however the request ends. */
import type { Counts } from '@cloister/accounts/base/money';
import type { Admission } from '@cloister/accounts/store';
import type { ImageEvent } from '@cloister/runtime/images/image-engine';
import type { AnswerEvent } from './answer-event.ts';

/** Counts the events of one kind of engine. */
export interface Meter<Event> {
  saw(event: Event): void;
  /** Whether chargeable work was emitted. */
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

/** A caller that disconnects pays for the work until then. */
const cancelledCode = 'ERR_CANCELLED';

export interface Metered<Event> {
  readonly admission: Admission;
  readonly meter: Meter<Event>;
  /** Whether the caller receives the work as it is done, or only when it is complete. */
  readonly isStreamed: boolean;
}

/**
 * Starts the work when the first event is read, passes its events through, and settles when they end, also if the caller
 * disconnects or the engine fails. A request that fails before its caller received anything is not charged (I-082). The settlement
 * is committed before the reader receives the end.
 */
export async function* metered<Event>(
  begin: () => AsyncIterable<Event>,
  { admission, meter, isStreamed }: Metered<Event>,
  { now, codeOf }: Settling,
): AsyncGenerator<Event, void, undefined> {
  // The finish reason if the reader stops reading.
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
  /** Called if the charge fails after the answer was sent. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * As `metered`, for work with a single result, whose answer does not wait for the commit. The route must send the answer as soon as
 * this resolves.
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
  await admission.settleInBackground({ counts: countsOf(result), finishReason: 'stop', now: now() }, { onFailure });
  return result;
}

/** Counts the tokens of one chat so far, over all of its choices and prompts. */
export class ChatMeter implements Meter<AnswerEvent> {
  hasStarted = false;
  finishReason = 'stop';
  #promptTokens = 0;
  /** Per choice: emitted so far, or the total once it has finished. */
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

/** Counts the steps of one image job so far, and its images once they are complete. */
export class ImageMeter implements Meter<ImageEvent> {
  readonly finishReason = 'stop';
  readonly #count: number;
  #steps = 0;
  #images = 0;

  /** @param count images that each step computes */
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
