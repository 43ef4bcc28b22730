/**
 * A text model that computes tokens by a hash. It keeps cells per sequence and refuses every step that a real model would
 * refuse, so a scheduling or caching mistake causes an error or a different text.
 */
import type {
  AnswerFailure,
  ChatInput,
  PreparedChat,
  Sampling,
  Step,
  StepOperation,
  StepResult,
  StepRow,
  TextModel,
  TextModelInfo,
  TextPrompt,
  TokenPrompt,
} from '../../../models/interface/model.ts';

export const endToken = 256;

export interface FakeModelOptions {
  readonly sequences?: number;
  readonly contextPerSequence?: number;
  readonly stepTokensMax?: number;
  readonly canTrim?: boolean;
  /** Default: true if `canTrim`. */
  readonly canSplit?: boolean;
  readonly draftTokensMax?: number;
  /** The token after these cells; `endToken` ends the answer. Default: letters derived from a hash of all cells. */
  readonly next?: (cells: readonly number[], sampling: Sampling) => number;
  /** The failure of a grammar after these cells, if any. */
  readonly fails?: (cells: readonly number[]) => AnswerFailure | undefined;
  /** Called before each step; may wait (a manual clock) or throw (a broken device). */
  readonly beforeStep?: (step: Step) => void | Promise<void>;
}

export class FakeModel implements TextModel {
  readonly info: TextModelInfo;
  readonly steps: Step[] = [];
  closed = false;
  readonly #options: FakeModelOptions;
  readonly #cells: number[][];
  /** [sequences] Length to which contents that were copied as a whole can be trimmed. */
  readonly #wholeLengths: number[];
  readonly #states = new Map<number, { readonly from: number; readonly cells: readonly number[] }>();
  readonly #sampling = new Map<number, Sampling>();
  #isStepping = false;

  constructor(options: FakeModelOptions = {}) {
    this.#options = options;
    const { sequences = 4, contextPerSequence = 256, stepTokensMax = 64, canTrim = true } = options;
    this.#cells = Array.from({ length: sequences }, () => []);
    this.#wholeLengths = Array.from({ length: sequences }, () => 0);
    this.info = {
      architecture: 'fake',
      description: 'fake model',
      device: 'none',
      parameterCount: 0,
      weightBytes: 0,
      trainedContext: contextPerSequence,
      contextPerSequence,
      sequences,
      stepTokensMax,
      promptTileTokens: 1,
      draftTokensMax: canTrim ? (options.draftTokensMax ?? 32) : 0,
      stateBytesFixed: 0,
      stateBytesPerToken: 1,
      canTrim,
      canSplit: canTrim && (options.canSplit ?? true),
      endTokens: new Set([endToken]),
      vocabulary: byteVocabulary(),
      supportsTools: true,
      supportsReasoning: false,
      supportsInfill: false,
      imageTokensMax: 0,
      preparationThreads: 1,
    };
  }

  get stateCount(): number {
    return this.#states.size;
  }

  /** The prompt is the bytes of all contents. A leading `!` in the first message makes the template refuse. */
  async prepareChat(input: ChatInput): Promise<PreparedChat> {
    const text = input.messages.map((message) => message.content).join('\n');
    if (text.startsWith('!')) throw Object.assign(new Error('template says no'), { code: 'ERR_CHAT_TEMPLATE' });
    return preparedTokens(new TextEncoder().encode(text));
  }

  /** A token for each byte of a text. */
  async preparePrompt(input: TextPrompt | TokenPrompt): Promise<PreparedChat> {
    return preparedTokens('tokens' in input ? input.tokens : new TextEncoder().encode(input.text));
  }

  beginSampling(sequence: number, sampling: Sampling): void {
    this.#sampling.set(sequence, sampling);
  }

  endSampling(): void {
    this.#sampling.clear();
  }

  async step(step: Step): Promise<StepResult> {
    if (this.#isStepping) throw new Error('two steps at once');
    this.#isStepping = true;
    try {
      this.steps.push(step);
      await this.#options.beforeStep?.(step);
      for (const operation of step.operations) this.#operate(operation);
      const tokens = step.rows.reduce((sum, row) => sum + row.tokens.length, 0);
      if (tokens > this.info.stepTokensMax) throw new Error(`step of ${tokens} tokens`);
      const fed = step.rows.map((row) => this.#feed(row));
      const drawing = fed.filter((_, index) => step.rows[index]!.sample);
      const drawn = drawing.map((tokens) => (typeof tokens === 'string' ? [] : tokens));
      const all = drawn.flat();
      return {
        drawn: Int32Array.from(drawn, ({ length }) => length),
        failures: new Map(
          [...drawing.entries()].filter((entry): entry is [number, AnswerFailure] => typeof entry[1] === 'string'),
        ),
        tokens: Int32Array.from(all),
        logprobs: all.map(() => undefined),
        decodeMicros: 10,
        productMicros: 0,
        attentionMicros: 0,
        sampleMicros: 1,
        threads: 1,
      };
    } finally {
      this.#isStepping = false;
    }
  }

  async close(): Promise<void> {
    if (this.#isStepping) throw new Error('closed during a step');
    this.closed = true;
  }

  /** @returns the tokens sampled after the last token that is not a draft token, and after each accepted draft token; or the failure */
  #feed({ sequence, position, tokens, sample, guesses = 0 }: StepRow): number[] | AnswerFailure {
    const cells = this.#cells[sequence]!;
    if (cells.length !== position) throw new Error(`row at ${position}, sequence holds ${cells.length}`);
    if (cells.length + tokens.length > this.info.contextPerSequence) throw new Error('sequence overflows');
    if (guesses > 0 && !this.info.canTrim) throw new Error('cannot trim a rejected draft token');
    const known = tokens.length - guesses;
    cells.push(...tokens.subarray(0, known));
    if (!sample) return [];
    const failure = this.#options.fails?.(cells);
    if (failure !== undefined) return failure;
    const drawn = [this.#next(cells, this.#sampling.get(sequence)!)];
    for (const draftToken of tokens.subarray(known)) {
      if (draftToken !== drawn.at(-1)) break;
      cells.push(draftToken);
      drawn.push(this.#next(cells, this.#sampling.get(sequence)!));
    }
    return drawn;
  }

  #next(cells: readonly number[], sampling: Sampling): number {
    if (this.#options.next !== undefined) return this.#options.next(cells, sampling);
    let hash = sampling.seed;
    for (const token of cells) hash = (Math.imul(hash, 31) + token) >>> 0;
    return 97 + (hash % 26);
  }

  #operate(operation: StepOperation): void {
    switch (operation.kind) {
      case 'trim': {
        const cells = this.#cells[operation.sequence]!;
        if (!this.info.canTrim && operation.from !== 0 && operation.from < cells.length) throw new Error('cannot trim');
        if (operation.from === 0) this.#wholeLengths[operation.sequence] = 0;
        if (operation.from < this.#wholeLengths[operation.sequence]!) throw new Error('trim of a whole copy');
        cells.length = Math.min(cells.length, operation.from);
        return;
      }
      case 'copy': {
        const source = this.#cells[operation.sequence]!;
        if (source.length < operation.length) throw new Error('copy of cells that are not there');
        if (source.length > operation.length && !this.info.canSplit) throw new Error('cannot copy a part');
        this.#cells[operation.to] = source.slice(0, operation.length);
        this.#wholeLengths[operation.to] = this.info.canSplit ? 0 : operation.length;
        return;
      }
      case 'move':
        this.#cells[operation.to] = this.#cells[operation.sequence]!;
        this.#wholeLengths[operation.to] = this.info.canSplit ? 0 : this.#cells[operation.to]!.length;
        this.#wholeLengths[operation.sequence] = 0;
        this.#cells[operation.sequence] = [];
        this.#sampling.set(operation.to, this.#sampling.get(operation.sequence)!);
        return;
      case 'save': {
        const { sequence, state, from, to } = operation;
        const cells = this.#cells[sequence]!;
        if (from >= to || to > cells.length) throw new Error('save of cells that are not there');
        const isWhole = from === 0 && to === cells.length;
        if (!isWhole && !this.info.canSplit) throw new Error('cannot save a part of a state');
        this.#states.set(state, { from, cells: cells.slice(from, to) });
        return;
      }
      case 'restore': {
        const { sequence, from, length } = operation;
        const state = this.#states.get(operation.state);
        if (state === undefined) throw new Error(`no state ${operation.state}`);
        if (state.from !== from || length > state.cells.length) throw new Error('restore of cells that are not there');
        if (from > 0 && this.#cells[sequence]!.length !== from) throw new Error('restore after other cells');
        if (length < state.cells.length && !this.info.canSplit) throw new Error('cannot restore a part');
        this.#cells[sequence] = [...this.#cells[sequence]!.slice(0, from), ...state.cells.slice(0, length)];
        this.#wholeLengths[sequence] = this.info.canSplit ? 0 : length;
        return;
      }
      case 'drop':
        // As in the addon: a state that a failed step did not save is ignored.
        this.#states.delete(operation.state);
    }
  }
}

function preparedTokens(tokens: Iterable<number>): PreparedChat {
  return {
    tokens: Int32Array.from(tokens),
    stops: [],
    shownTokens: new Set(),
    structured: false,
    createParser() {
      throw new Error('plain text has no parser');
    },
  };
}

function byteVocabulary(): TextModelInfo['vocabulary'] {
  const size = endToken + 1;
  const bytes = Uint8Array.from({ length: endToken }, (_, index) => index);
  const offsets = Uint32Array.from({ length: size + 1 }, (_, index) => Math.min(index, endToken));
  const control = new Uint8Array(size);
  control[endToken] = 1;
  return { size, bytes, offsets, control };
}
