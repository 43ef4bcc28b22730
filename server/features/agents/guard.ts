/**
 * Removes an agent's prompt from the answers of its model (I-054). Text that repeats the prompt is held back until it differs again.
 * A repetition of 60 characters is dropped and replaced by `[…]`. Spacing, case, punctuation and markup are ignored. Translations and
 * paraphrases are not detected. The result is deterministic.
 */
import type { ChatEvent } from '@cloister/runtime/chat/request';
import type { AnswerEvent } from '../../serving/answer-event.ts';

type DeltaEvent = Extract<ChatEvent, { kind: 'delta' }>;

/** Repeated letters and digits after which text is held back. */
const heldFrom = 32;
/** Repeated characters of the prompt after which text is dropped. */
const droppedFrom = 60;
/** Letters and digits that are searched for in texts that the caller already knows. */
const knownFrom = 48;

/** Replaces dropped text. */
export const omission = '[…]';

/** The index of one agent's prompt, shared by all its answers. */
export class PromptShape {
  /** The letters and digits of the prompt in lower case. */
  readonly text: string;
  /** The position of each letter or digit in the prompt, between −1 and the length of the prompt. */
  readonly #places: readonly number[];
  /** The first position of each piece of `heldFrom` letters. */
  readonly #pieces = new Map<string, number>();
  /** Quoted texts of the prompt, which answers are meant to use. */
  readonly quoted: readonly string[];

  constructor(prompt: string) {
    const letters = [...prompt.matchAll(/[\p{L}\p{N}]/gu)].flatMap(({ 0: letter, index }) =>
      [...letter.toLowerCase()].map((lower) => ({ lower, index })),
    );
    this.text = letters.map(({ lower }) => lower).join('');
    // One place per UTF-16 unit, as `text` counts.
    const places = letters.flatMap(({ lower, index }) => lower.split('').map(() => index));
    this.#places = [-1, ...places, prompt.length];
    for (let at = 0; at + heldFrom <= this.text.length; at++) {
      const piece = this.text.slice(at, at + heldFrom);
      if (!this.#pieces.has(piece)) this.#pieces.set(piece, at);
    }
    this.quoted = [...prompt.matchAll(/"[^"]{1,400}"|“[^”]{1,400}”|`[^`]{1,400}`/g)].map(([text]) => plain(text));
  }

  /** @returns the position of a piece of `heldFrom` letters; undefined if the prompt does not contain it */
  find(piece: string): number | undefined {
    return this.#pieces.get(piece);
  }

  /** The characters of a run of letters in the prompt, including the other characters around it. */
  charactersOf(start: number, length: number): number {
    return this.#places[start + length + 1]! - this.#places[start]! - 1;
  }
}

export interface GuardOptions {
  readonly shape: PromptShape;
  /** Texts that the caller already has, such as the documents. Quotations from them are never dropped. */
  readonly allowed: readonly string[];
}

/** Whether a text repeats enough of the prompt to be dropped from an answer. */
export function repeatsPrompt(text: string, { shape, allowed }: GuardOptions): boolean {
  return new Follower(shape, new KnownText([...shape.quoted, ...allowed])).follow(text).isOver;
}

/** Filters the events of an answer. */
export async function* guarded(
  events: AsyncIterable<AnswerEvent>,
  { shape, allowed }: GuardOptions,
): AsyncGenerator<AnswerEvent, void, undefined> {
  const known = new KnownText([...shape.quoted, ...allowed]);
  const choices = new Map<number, ChoiceGuard>();
  for await (const event of events) {
    if (event.kind === 'started' || event.kind === 'further') {
      yield event;
      continue;
    }
    const guard = choices.get(event.choice) ?? new ChoiceGuard(shape, known);
    choices.set(event.choice, guard);
    if (event.kind === 'delta') yield* guard.pass(event);
    else {
      yield* guard.release();
      yield event;
    }
  }
}

class ChoiceGuard {
  readonly #content: Follower;
  readonly #reasoning: Follower;
  readonly #calls: Follower;
  #held: DeltaEvent[] = [];
  #isDropping = false;

  constructor(shape: PromptShape, known: KnownText) {
    this.#content = new Follower(shape, known);
    this.#reasoning = new Follower(shape, known);
    this.#calls = new Follower(shape, known);
  }

  /** @returns the events to emit now */
  pass(event: DeltaEvent): DeltaEvent[] {
    const content = this.#content.follow(event.content);
    const reasoning = this.#reasoning.follow(event.reasoning);
    const calls = this.#calls.follow(event.toolCalls.map(({ arguments: text }) => text).join(''));
    const all = [content, reasoning, calls];
    const isNear = all.some(({ isNear: near }) => near);
    if (all.some(({ isOver }) => isOver)) {
      const dropped = [...this.#held, event].map(emptied);
      this.#held = [];
      const isFirst = !this.#isDropping;
      this.#isDropping = isNear;
      const last = dropped.pop()!;
      const marked = { content: content.isOver ? omission : '', reasoning: reasoning.isOver ? omission : '' };
      return [...dropped, isFirst ? { ...last, ...marked } : last];
    }
    if (this.#isDropping && isNear) return [emptied(event)];
    this.#isDropping = false;
    if (isNear) {
      this.#held.push(event);
      return [];
    }
    return [...this.release(), event];
  }

  release(): DeltaEvent[] {
    const held = this.#held;
    this.#held = [];
    return held;
  }
}

/** Compares one text with the prompt, letter by letter. */
class Follower {
  readonly #shape: PromptShape;
  readonly #known: KnownText;
  /** The last letters and digits. */
  #tail = '';
  /** The run of the prompt that the text ends with; `#length` is 0 below `heldFrom` letters. */
  #start = 0;
  #length = 0;

  constructor(shape: PromptShape, known: KnownText) {
    this.#shape = shape;
    this.#known = known;
  }

  /** @returns whether `text` repeats the prompt, and whether its end may be the start of a repetition */
  follow(text: string): { isOver: boolean; isNear: boolean } {
    let isOver = false;
    for (const letter of plain(text).split('')) {
      this.#take(letter);
      if (this.#length > 0 && this.#isRun()) isOver = true;
    }
    return { isOver, isNear: this.#length > 0 };
  }

  #take(letter: string): void {
    this.#tail = (this.#tail + letter).slice(-heldFrom);
    if (this.#length > 0 && this.#shape.text[this.#start + this.#length] === letter) {
      this.#length += 1;
      return;
    }
    const found = this.#shape.find(this.#tail);
    this.#start = found ?? 0;
    this.#length = found === undefined ? 0 : heldFrom;
  }

  #isRun(): boolean {
    if (this.#shape.charactersOf(this.#start, this.#length) < droppedFrom) return false;
    const end = this.#start + this.#length;
    return !this.#known.has(this.#shape.text.slice(Math.max(this.#start, end - knownFrom), end));
  }
}

/** Texts that may be quoted, normalized at the first comparison. */
class KnownText {
  readonly #texts: readonly string[];
  #plain: string | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  has(piece: string): boolean {
    this.#plain ??= this.#texts.map(plain).join('\n');
    return this.#plain.includes(piece);
  }
}

/** Removes the text of an event; its tokens still count. */
function emptied(event: DeltaEvent): DeltaEvent {
  const begun = event.toolCalls.filter(({ id }) => id !== undefined).map((call) => ({ ...call, arguments: '' }));
  return { ...event, content: '', reasoning: '', toolCalls: begun, logprobs: [] };
}

/** Letters and digits alone, in lower case. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
