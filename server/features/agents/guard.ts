/**
 * Keeps an agent's prompt out of what its model writes (I-054). Text that follows the prompt for a while is held back until it
 * leaves it again; where it grows to a run of 60 characters it is dropped and `[…]` stands in its place. Spacing, case,
 * punctuation and markup make no difference. It cannot know a translation or a paraphrase. The same events give the same events.
 */
import type { ChatEvent } from '@cloister/runtime/chat/request';
import type { AnswerEvent } from '../../serving/answer-event.ts';

type DeltaEvent = Extract<ChatEvent, { kind: 'delta' }>;

/** Letters and digits in a row that make text look like the prompt's: it waits. */
const heldFrom = 32;
/** Characters of the prompt in a row that are no coincidence: they are dropped. */
const droppedFrom = 60;
/** Letters and digits by which text is looked for in what the caller knows anyway. */
const knownFrom = 48;

/** What stands where something was dropped. */
export const omission = '[…]';

/** One agent's prompt, made ready to be recognised; shared by all its answers. */
export class PromptShape {
  /** Letters and digits alone. */
  readonly text: string;
  /** Where each of them stands in the prompt, and in front of and behind all of them its ends. */
  readonly #places: readonly number[];
  /** Where each piece of `heldFrom` letters begins for the first time. */
  readonly #pieces = new Map<string, number>();
  /** What the prompt itself puts between quotation marks: words that answers are meant to use. */
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

  /** @returns where `heldFrom` letters begin; undefined where they are not the prompt's */
  find(piece: string): number | undefined {
    return this.#pieces.get(piece);
  }

  /** Characters that a run of letters takes in the prompt, with what stands around it. */
  charactersOf(start: number, length: number): number {
    return this.#places[start + length + 1]! - this.#places[start]! - 1;
  }
}

export interface GuardOptions {
  readonly shape: PromptShape;
  /** Texts that the caller has anyway, such as the documents: what is quoted from them is never dropped. */
  readonly allowed: readonly string[];
}

/** Whether a text that will be quoted from repeats a run of the prompt that would be dropped from an answer. */
export function repeatsPrompt(text: string, { shape, allowed }: GuardOptions): boolean {
  return new Follower(shape, new KnownText([...shape.quoted, ...allowed])).follow(text).isOver;
}

/** Passes an answer's events through. */
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

  /** @returns what may be told now */
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

/** Follows one text letter by letter beside the prompt. */
class Follower {
  readonly #shape: PromptShape;
  readonly #known: KnownText;
  /** The last letters and digits. */
  #tail = '';
  /** Which letters of the prompt the text ends with; none where it ends with fewer than `heldFrom`. */
  #start = 0;
  #length = 0;

  constructor(shape: PromptShape, known: KnownText) {
    this.#shape = shape;
    this.#known = known;
  }

  /** @returns whether `text` ran into the prompt somewhere, and whether its end may be the beginning of that */
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

/** Texts that may be quoted, read only once something looks like the prompt. */
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

/** Its tokens still count. */
function emptied(event: DeltaEvent): DeltaEvent {
  const begun = event.toolCalls.filter(({ id }) => id !== undefined).map((call) => ({ ...call, arguments: '' }));
  return { ...event, content: '', reasoning: '', toolCalls: begun, logprobs: [] };
}

/** Letters and digits alone, in lower case. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}
