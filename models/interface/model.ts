/** The interface of a text model. Types only; types that the addon declares are re-exported. */
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

/** Sampling parameters with validated fields and defaults. */
export type Sampling = SamplingOptions;

/** Facts of a loaded text model. */
export interface TextModelInfo
  extends Omit<
    EngineFacts,
    'endTokens' | 'promptBound' | 'vocabularyBytes' | 'vocabularyOffsets' | 'vocabularyControl'
  > {
  /** Tokens that end an answer. */
  readonly endTokens: ReadonlySet<number>;
  readonly vocabulary: Vocabulary;
  /** Undefined if a prompt's length cannot be bounded before it is tokenized. */
  readonly promptBound?: PromptBound | undefined;
}

/** The bytes of all tokens: token t is `bytes[offsets[t] … offsets[t + 1]]`. */
export interface Vocabulary {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** [size + 1] */
  readonly offsets: Uint32Array;
  /** [size] 1 for control tokens, whose text is not emitted. */
  readonly control: Uint8Array;
}

/** How much a reasoning model is asked to think, from least to most. */
export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** A chat as the OpenAI route receives it: validated, not rendered. */
export interface ChatInput {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice: 'auto' | 'none' | 'required';
  readonly parallelToolCalls: boolean;
  /** JSON text of a JSON schema that the answer must match; `{}` for any JSON object. */
  readonly jsonSchema: string | undefined;
  readonly reasoning: boolean;
  /** Passed to templates that know levels; undefined for the template's own. */
  readonly effort?: ReasoningEffort | undefined;
  /** The images of the messages, in the order of their places. */
  readonly images?: readonly ChatImage[];
}

/** A decoded image of a chat. */
export interface ChatImage {
  /** [height, width, 3] RGB, 8 bits; sides of 1…2048 pixels. */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A prompt as text, which no chat template renders. Control tokens may be spelled in it. */
export interface TextPrompt {
  readonly text: string;
  /** Whether the tokens that the vocabulary puts around every text are added. */
  readonly addsSpecialTokens: boolean;
  /** The text after a gap that the answer fills; control tokens may then be spelled in neither text. */
  readonly suffix?: string | undefined;
}

/** A prompt as ids of tokens. */
export interface TokenPrompt {
  readonly tokens: readonly number[];
}

/** What a model answers. */
export type PromptInput = ChatInput | TextPrompt | TokenPrompt;

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** `imagePlace` stands where an image goes. */
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
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: unknown;
    /** Refuse parameters that the grammar cannot enforce as a whole. Default: that part of them is left free. */
    readonly strict?: boolean;
  };
}

/** A chat that the model's template has rendered and the vocabulary has tokenized, with the data needed to parse its answer. */
export interface PreparedChat extends Pick<NativePreparedChat, 'tokens' | 'stops' | 'structured'> {
  /** Lower bound of the token count if the prompt exceeds `tokensMax`, when all other fields are empty. */
  readonly tokensAtLeast?: number | undefined;
  /** Control tokens whose text the parser reads. */
  readonly shownTokens: ReadonlySet<number>;
  /** Creates a parser for one choice. @throws {TypeError} if `structured` is false */
  createParser(): ChatParser;
}

/** One batch: the operations in their order, then all rows in a single forward pass. */
export interface Step {
  readonly operations: readonly StepOperation[];
  readonly rows: readonly StepRow[];
}

export type StepOperation =
  /** Remove all positions of `sequence` from `from` on. */
  | { readonly kind: 'trim'; readonly sequence: number; readonly from: number }
  /** Replace the contents of `to` with the first `length` positions of `sequence`. */
  | { readonly kind: 'copy'; readonly sequence: number; readonly to: number; readonly length: number }
  /** Move the contents and sampling state of `sequence` to `to`; `sequence` is empty afterwards. */
  | { readonly kind: 'move'; readonly sequence: number; readonly to: number }
  /** Save the positions `from` … `to` of `sequence`, the latter excluded, to host memory as `state`. */
  | {
      readonly kind: 'save';
      readonly sequence: number;
      readonly state: number;
      readonly from: number;
      readonly to: number;
    }
  /**
   * Replace the contents of `sequence` from position `from` on with the first `length` positions of `state`, which was saved
   * at this position. If `from` is not 0, the operation continues a restore of the same sequence directly before it.
   */
  | {
      readonly kind: 'restore';
      readonly sequence: number;
      readonly state: number;
      readonly from: number;
      readonly length: number;
    }
  /** Zero and free `state`. */
  | { readonly kind: 'drop'; readonly state: number };

/** Tokens to append to a sequence. If `sample` is set, the step samples the token that follows the last one. */
export interface StepRow {
  readonly sequence: number;
  /** Position of the LoRA adapter that applies to the row, from 1; default 0, none. The same for all rows of a sequence. */
  readonly adapter?: number;
  readonly position: number;
  /** All of the embeddings of images, which are below 0, or none. */
  readonly tokens: Int32Array;
  readonly sample: boolean;
  /**
   * Number of draft tokens at the end of a row that samples; default 0. Sampling gives the same tokens as without drafts and
   * ends at the first token that differs from its draft token; the rejected draft tokens are removed from the sequence.
   */
  readonly guesses?: number;
}

/** Why an answer cannot continue under its grammar; see `RuntimeErrorCode` for the caller's action. */
export type AnswerFailure = 'ERR_GRAMMAR_TOO_COMPLEX' | 'ERR_GRAMMAR_UNSATISFIABLE';

export interface StepResult {
  /**
   * [rows with `sample`] Tokens sampled per row, in the order of the step's rows: one, plus one per accepted draft token;
   * 0 if the answer failed, which must then be ended and its sequence cleared.
   */
  readonly drawn: Int32Array;
  /** Failures by index in `drawn`. */
  readonly failures: ReadonlyMap<number, AnswerFailure>;
  /** [sum of `drawn`] The sampled tokens, row by row. */
  readonly tokens: Int32Array;
  /**
   * Log probabilities of each of these tokens and its best alternatives; undefined if the sampling parameters do not enable
   * them. Computed from the model's distribution before penalties, bias and temperature.
   */
  readonly logprobs: readonly (TokenLogprobs | undefined)[];
  /** Microseconds spent in the forward pass, and of them in matrix products and attention: 0 where other kernels compute these. */
  readonly decodeMicros: number;
  readonly productMicros: number;
  readonly attentionMicros: number;
  /** Microseconds spent in the sampler. */
  readonly sampleMicros: number;
  /** Threads that computed the forward pass: fewer than configured if other work uses the machine's cores. */
  readonly threads: number;
}

export interface TokenLogprobs {
  readonly logprob: number;
  /** Best first. */
  readonly top: readonly { readonly token: number; readonly logprob: number }[];
}

/** Memory that a model will use on each device, computed before it is loaded. */
export interface MemoryPlan {
  readonly devices: readonly PlannedDevice[];
}

export interface PlannedDevice extends Omit<DeviceMemory, 'totalBytes'> {
  /** Whether this is main memory, not a GPU's. */
  readonly isHost: boolean;
}

/** A loaded text model. Implemented by `models/gguf/llama-text.ts` on llama.cpp and a fake in `test/support`. */
export interface TextModel {
  readonly info: TextModelInfo;
  /** Renders and tokenizes a chat. @throws {ModelError} ERR_CHAT_TEMPLATE, ERR_CHAT_TOO_COMPLEX, ERR_GRAMMAR_INVALID, ERR_ABORTED */
  prepareChat(input: ChatInput, options?: PreparationOptions): Promise<PreparedChat>;
  /** Tokenizes a text, or takes its tokens, whose ids the caller has checked. @throws {ModelError} ERR_CHAT_TEMPLATE, ERR_ABORTED */
  preparePrompt(input: TextPrompt | TokenPrompt, options?: PreparationOptions): Promise<PreparedChat>;
  /** Sets the sampling of `sequence` from the next step on, and resets its token counts and grammar. */
  beginSampling(sequence: number, sampling: Sampling, prepared?: PreparedChat): void;
  /** Frees the grammars and token counts of all answers. Only while no answer runs. */
  endSampling(): void;
  /** Runs one batch; one step at a time. */
  step(step: Step): Promise<StepResult>;
  /** Frees the model. @throws if a step is in flight */
  close(): Promise<void>;
}
