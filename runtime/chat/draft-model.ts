/**
 * The draft model of a chat engine: a smaller model with the same vocabulary, which computes draft tokens for few answers.
 * It follows each of them in a sequence of its own. A sequence may hold draft tokens that were rejected: what differs
 * from the answer is trimmed before the model reads on. Sequences are claimed like those of the engine, so a new choice
 * copies the prompt of another, a conversation continues where it was left, and nothing is shared between accounts.
 *
 * The drafts are drawn with the random numbers that the engine will use for the same tokens of the answer. At temperatures
 * above 0, two models that agree therefore mostly draw the same token.
 */
import type { Sampling, StepOperation, StepResult, StepRow, TextModel } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';
import type { Answer, DraftRequest } from './answer.ts';
import { PrefixCache } from './prefix-cache.ts';
import { requireSameVocabulary } from './same-vocabulary.ts';
import { type DraftModelCosts, draftTokensMax } from './speculation.ts';
import { StepCost } from './step-cost.ts';

/** After this many failed steps in a row, the model is not used any more. */
const failuresMax = 3;
const measuredTokensMax = 64;
const newestWeight = 0.2;

/** A request in progress. */
interface Draft {
  readonly request: DraftRequest;
  readonly sequence: number;
  /** Tokens in the sequence. */
  position: number;
  /** Tokens to feed next. */
  next: Int32Array;
  readonly tokens: number[];
  isOpen: boolean;
}

export class DraftModel implements DraftModelCosts {
  readonly #model: TextModel;
  readonly #now: () => number;
  readonly #cache: PrefixCache;
  readonly #sequenceOf = new Map<Answer, number>();
  readonly #passes = new StepCost();
  #readMicros = 0;
  #operations: StepOperation[] = [];
  #failures = 0;

  private constructor(model: TextModel, now: () => number) {
    this.#model = model;
    this.#now = now;
    this.#cache = new PrefixCache({ ...model.info, stateBytesMax: 0 });
  }

  /**
   * Loads a model, checks that it can draft for `target`, and measures its speed.
   * @param now milliseconds, monotonic
   * @throws as `load`; {RuntimeError} ERR_MODEL_LOAD if the vocabularies differ or one of the models cannot drop rejected tokens
   */
  static async open(
    load: () => Promise<TextModel>,
    { target, now }: { target: TextModel['info']; now: () => number },
  ): Promise<DraftModel> {
    const model = await load();
    try {
      requireSameVocabulary(target, model.info);
      requireTransformers(target, model.info);
      const drafts = new DraftModel(model, now);
      await drafts.#measure();
      return drafts;
    } catch (error) {
      await model.close();
      throw error;
    }
  }

  get description(): string {
    return this.#model.info.description;
  }

  get sequences(): number {
    return this.#failures < failuresMax ? this.#model.info.sequences : 0;
  }

  get readMicros(): number {
    return this.#readMicros;
  }

  passMicros(rows: number): number {
    return this.#passes.estimate(rows) ?? 0;
  }

  /** Tokens that the model would have to read before it can draft for an answer of `length` tokens; undefined if there is no room. */
  unread(answer: Answer, length: number): number | undefined {
    if (length + draftTokensMax > this.#model.info.contextPerSequence) return undefined;
    const sequence = this.#sequenceOf.get(answer);
    return sequence === undefined ? length : Math.max(1, length - this.#cache.lengthOf(sequence));
  }

  /** Records that an answer has ended. Its sequence stays reusable for its account. Not during `draft` for this answer. */
  release(answer: Answer): void {
    const sequence = this.#sequenceOf.get(answer);
    if (sequence === undefined) return;
    this.#sequenceOf.delete(answer);
    this.#cache.release(sequence);
    if (this.#sequenceOf.size === 0) this.#model.endSampling();
  }

  /**
   * Drafts for several answers. A long prompt is read over several calls, which draft nothing. A failed step costs only the drafts.
   * @returns the draft tokens by answer; none from a token on that ends an answer
   */
  async draft(requests: readonly DraftRequest[]): Promise<ReadonlyMap<Answer, Int32Array>> {
    const drafts = requests.flatMap((request) => this.#begin(request) ?? []);
    // llama.cpp computes rows in one forward pass only if their sequence numbers are consecutive and ascending.
    drafts.sort((a, b) => a.sequence - b.sequence);
    try {
      await this.#read(drafts);
      for (let open = drafts.filter(isUnfinished); open.length > 0; open = open.filter(isUnfinished)) {
        await this.#pass(open);
      }
      this.#failures = 0;
      return new Map(drafts.map(({ request, tokens }) => [request.answer, Int32Array.from(tokens)]));
    } catch {
      this.#failures += 1;
      this.#discard(drafts);
      return new Map();
    }
  }

  close(): Promise<void> {
    return this.#model.close();
  }

  /** Finds or claims the sequence of an answer, and trims what is not part of the answer. */
  #begin(request: DraftRequest): Draft | undefined {
    const { answer, tokens } = request;
    let sequence = this.#sequenceOf.get(answer);
    if (sequence === undefined) {
      if (this.#isReading(answer.job)) return undefined;
      const claim = this.#cache.claim(tokens, answer.job.salt);
      if (claim === undefined) return undefined;
      sequence = claim.sequence;
      this.#sequenceOf.set(answer, sequence);
      this.#operations.push(...claim.operations);
    }
    // The last token is fed in any case, because the draft is drawn from its logits.
    const position = Math.min(this.#cache.commonPrefix(sequence, tokens), tokens.length - 1);
    if (position < this.#cache.lengthOf(sequence)) this.#operations.push({ kind: 'trim', sequence, from: position });
    this.#cache.truncate(sequence, position);
    return { request, sequence, position, next: tokens.subarray(position), tokens: [], isOpen: true };
  }

  /** Whether another choice of a job still reads its prompt, which is copied afterwards. */
  #isReading(job: Answer['job']): boolean {
    const isAhead = (sequence: number) => this.#cache.lengthOf(sequence) >= job.prompt.length;
    return [...this.#sequenceOf].some(([answer, sequence]) => answer.job === job && !isAhead(sequence));
  }

  /** Reads what each answer has gained since its last draft, and draws the first draft tokens. */
  async #read(drafts: readonly Draft[]): Promise<void> {
    if (drafts.length === 0) return;
    const share = Math.max(1, Math.floor(this.#model.info.stepTokensMax / drafts.length));
    let read = 0;
    for (const draft of drafts) {
      draft.isOpen = draft.next.length <= share;
      draft.next = draft.next.subarray(0, share);
      read += draft.next.length;
      if (draft.isOpen) this.#model.beginSampling(draft.sequence, samplingOf(draft.request.answer));
    }
    const micros = await this.#step(drafts);
    if (read <= 2 * drafts.length) this.#passes.observe(drafts.length, micros);
    else this.#readMicros += newestWeight * (micros / read - this.#readMicros);
  }

  async #pass(drafts: readonly Draft[]): Promise<void> {
    this.#passes.observe(drafts.length, await this.#step(drafts));
  }

  /** Feeds the next tokens of each draft, and draws a token for those that are open. @returns microseconds */
  async #step(drafts: readonly Draft[]): Promise<number> {
    const started = this.#now();
    const rows = drafts.map(({ sequence, position, next, isOpen }): StepRow => {
      return { sequence, position, tokens: next, sample: isOpen };
    });
    const operations = this.#operations;
    this.#operations = [];
    for (const { sequence, tokens } of rows) this.#cache.append(sequence, tokens);
    const result = await this.#model.step({ operations, rows });
    this.#apply(drafts, result);
    return (this.#now() - started) * 1000;
  }

  #apply(drafts: readonly Draft[], { tokens }: StepResult): void {
    let at = 0;
    for (const draft of drafts) {
      draft.position += draft.next.length;
      if (!draft.isOpen) continue;
      const token = tokens[at++]!;
      draft.next = Int32Array.of(token);
      if (this.#model.info.endTokens.has(token)) draft.isOpen = false;
      else draft.tokens.push(token);
    }
  }

  /** Clears every sequence, because it is unknown which operations a failed step has run. */
  #discard(drafts: readonly Draft[]): void {
    for (const { request } of drafts) this.#sequenceOf.delete(request.answer);
    const followed = new Set(this.#sequenceOf.values());
    this.#operations = [];
    for (let sequence = 0; sequence < this.#model.info.sequences; sequence += 1) {
      if (followed.has(sequence)) this.#cache.truncate(sequence, 0);
      else this.#cache.discard(sequence);
      this.#operations.push({ kind: 'trim', sequence, from: 0 });
    }
  }

  /** Times reading and drafting once, so that the first decision has numbers. The sequence is cleared. */
  async #measure(): Promise<void> {
    const { stepTokensMax, contextPerSequence } = this.#model.info;
    const count = Math.max(1, Math.min(measuredTokensMax, stepTokensMax, contextPerSequence - 1));
    const row = (position: number, tokens: number): StepRow => {
      return { sequence: 0, position, tokens: new Int32Array(tokens), sample: false };
    };
    const timed = async (rows: readonly StepRow[], operations: readonly StepOperation[]) => {
      const started = this.#now();
      await this.#model.step({ operations, rows });
      return (this.#now() - started) * 1000;
    };
    this.#readMicros = (await timed([row(0, count)], [])) / count;
    this.#passes.observe(1, await timed([row(count, 1)], []));
    await timed([], [{ kind: 'trim', sequence: 0, from: 0 }]);
  }
}

function isUnfinished({ isOpen, tokens, request }: Draft): boolean {
  return isOpen && tokens.length < request.count;
}

/** The sampling of the answer's next token. What depends on the whole answer, penalties and the grammar, is left out. */
function samplingOf({ job, choice, sampled }: Answer): Sampling {
  const seed = (job.sampling.seed + choice) >>> 0;
  return { ...job.sampling, seed, drawn: sampled, presencePenalty: 0, frequencyPenalty: 0, logprobs: undefined };
}

function requireTransformers(target: TextModel['info'], draft: TextModel['info']): void {
  if (target.draftTokensMax > 0 && draft.canTrim) return;
  const whose = draft.canTrim ? 'of this model' : 'of its draft model';
  const message = `the recurrent state ${whose} cannot drop rejected draft tokens: remove it from --draft-model`;
  throw new RuntimeError('ERR_MODEL_LOAD', message);
}
