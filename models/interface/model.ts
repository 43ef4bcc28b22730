/** What a model is, as the runtime sees it. Types only; what the addon declares is not declared again. */
import type {
  ChatParser,
  DeviceMemory,
  EngineFacts,
  NativePreparedChat,
  NativePromptBound,
  PreparationOptions,
  SamplingOptions,
} from '@cloister/native';

export type { ChatDelta, ChatParser, PreparationOptions, ToolCallDelta } from '@cloister/native';
export type PromptBound = NativePromptBound;

/** How the next token is chosen. Every field is already checked and defaulted. */
export type Sampling = SamplingOptions;

/** Facts of a loaded text model. */
export interface TextModelInfo
  extends Omit<
    EngineFacts,
    'endTokens' | 'promptBound' | 'vocabularyBytes' | 'vocabularyOffsets' | 'vocabularyControl'
  > {
  /** Tokens after which an answer is over. */
  readonly endTokens: ReadonlySet<number>;
  readonly vocabulary: Vocabulary;
  /** Undefined if a prompt's length cannot be bounded before it is tokenized. */
  readonly promptBound?: PromptBound | undefined;
}

/** Every token's bytes: token t is `bytes[offsets[t] … offsets[t + 1]]`. */
export interface Vocabulary {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** [size + 1] */
  readonly offsets: Uint32Array;
  /** [size], 1 where the token is a control token whose text is not shown. */
  readonly control: Uint8Array;
}

/** A chat as the OpenAI route takes it, checked but not yet rendered. */
export interface ChatInput {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly parallelToolCalls: boolean;
  /** A JSON schema the answer must match, as JSON text; `{}` for any JSON object. */
  readonly jsonSchema: string | undefined;
  readonly reasoning: boolean;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
}

/** A chat rendered by the model's template and tokenised, with what its answer needs to be read back. */
export interface PreparedChat extends Pick<NativePreparedChat, 'tokens' | 'stops' | 'structured'> {
  /** Lower bound of the token count if the prompt exceeds `tokensMax`, when all other fields are empty. */
  readonly tokensAtLeast?: number | undefined;
  /** Control tokens whose text the parser reads. */
  readonly shownTokens: ReadonlySet<number>;
  /** Creates a parser for one choice. @throws {TypeError} if `structured` is false */
  createParser(): ChatParser;
}

/** One batch: bookkeeping first, in the order given, then all rows in a single forward pass. */
export interface Step {
  readonly operations: readonly StepOperation[];
  readonly rows: readonly StepRow[];
}

export type StepOperation =
  /** Forget every position of `sequence` from `from` on. */
  | { readonly kind: 'trim'; readonly sequence: number; readonly from: number }
  /** Make `to` hold the first `length` positions of `sequence`. */
  | { readonly kind: 'copy'; readonly sequence: number; readonly to: number; readonly length: number }
  /** Make `to` go on where `sequence` is, also in how it samples; `sequence` is empty then. */
  | { readonly kind: 'move'; readonly sequence: number; readonly to: number }
  /** Keep the state of `sequence` in host memory under `state`. */
  | { readonly kind: 'save'; readonly sequence: number; readonly state: number }
  /** Load `state` into `sequence`, whose contents are replaced. */
  | { readonly kind: 'restore'; readonly sequence: number; readonly state: number }
  /** Zero and free `state`. */
  | { readonly kind: 'drop'; readonly state: number };

/** Tokens to append to a sequence; `sample` asks for the token that follows the last of them. */
export interface StepRow {
  readonly sequence: number;
  readonly position: number;
  readonly tokens: Int32Array;
  readonly sample: boolean;
  /**
   * How many of the last tokens are guesses at what would be drawn, of a row that samples; default 0. Tokens are drawn
   * as without guesses, until one is not what was guessed; the guesses from there on leave no trace in the sequence.
   */
  readonly guesses?: number;
}

/** Why one answer cannot go on under its grammar; `RuntimeErrorCode` says what its caller can do. */
export type AnswerFailure = 'ERR_GRAMMAR_TOO_COMPLEX' | 'ERR_GRAMMAR_UNSATISFIABLE';

export interface StepResult {
  /**
   * [rows with `sample`], how many tokens each drew, in the order of the step's rows: one, and one per right guess;
   * none where the answer failed: it then has to end, and its sequence has to be cleared.
   */
  readonly drawn: Int32Array;
  /** Why rows drew nothing, by their index in `drawn`. */
  readonly failures: ReadonlyMap<number, AnswerFailure>;
  /** [sum of `drawn`], row by row. */
  readonly tokens: Int32Array;
  /**
   * For each of these tokens, where its sequence asked for them: its log probability, then the best alternatives.
   * Computed from the model's own distribution, before penalties, bias and temperature.
   */
  readonly logprobs: readonly (TokenLogprobs | undefined)[];
  /** Time in the forward pass and in the sampler, microseconds. */
  readonly decodeMicros: number;
  readonly sampleMicros: number;
  /** That computed the forward pass: fewer than the model may have where others use the machine's cores. */
  readonly threads: number;
}

export interface TokenLogprobs {
  readonly logprob: number;
  /** Best first. */
  readonly top: readonly { readonly token: number; readonly logprob: number }[];
}

/** What a model will take of each device, known before it is loaded. */
export interface MemoryPlan {
  readonly devices: readonly PlannedDevice[];
}

export interface PlannedDevice extends Omit<DeviceMemory, 'totalBytes'> {
  /** Main memory rather than a GPU's. */
  readonly isHost: boolean;
}

/** A loaded text model: `models/gguf/llama-text.ts` on llama.cpp, and a fake in `test/support`. */
export interface TextModel {
  readonly info: TextModelInfo;
  /** Renders and tokenises. @throws {CodedError} ERR_CHAT_TEMPLATE, ERR_CHAT_TOO_COMPLEX, ERR_GRAMMAR_INVALID, ERR_ABORTED */
  prepareChat(input: ChatInput, options?: PreparationOptions): Promise<PreparedChat>;
  /** Sets how `sequence` samples from the next step on, and forgets what it sampled before. */
  beginSampling(sequence: number, sampling: Sampling, prepared: PreparedChat): void;
  /** Frees the grammars and token counts of all answers. Between answers only. */
  endSampling(): void;
  /** Runs one batch. One step at a time. */
  step(step: Step): Promise<StepResult>;
  /** Frees the model. @throws if a step is in flight */
  close(): Promise<void>;
}
