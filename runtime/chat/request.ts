/** A chat request and its events, as the server and the engine exchange them. Types only. */
import type {
  ChatDelta,
  ChatInput,
  ChatMessage,
  ChatTool,
  PromptInput,
  Sampling,
  TextModelInfo,
  TokenPrompt,
} from '@cloister/models/interface/model';
import type { Engine } from '../pool/engine-state.ts';

export interface ChatRequest<Input extends PromptInput = ChatInput> {
  readonly input: Input;
  /** Position of the LoRA adapter that answers, from 1, among those of the model; default 0, none. */
  readonly adapter?: number;
  /** Number of independent answers, from 1, which share the prefill of the prompt; 0 only counts the tokens of the prompt. */
  readonly choices: number;
  /** Maximum tokens per answer; undefined: limited by the context only. */
  readonly maxTokens: number | undefined;
  /** Maximum tokens of prompt and answer together; undefined: the context of a sequence. */
  readonly contextMax: number | undefined;
  /** Count the tokens of a prompt that does not fit, too, for the error. Default false. */
  readonly countsOverlongPrompt?: boolean;
  /** Report the tokens of the prompt, or their text, with the first event; only with 0 choices. */
  readonly shows?: 'tokens' | 'text';
  /** Choice k samples with `seed + k`. */
  readonly sampling: Sampling;
  readonly stop: readonly string[];
  /** The account whose fair share is charged, and which may reuse the cached prefix. */
  readonly account: string;
  /** Higher goes first; 0 is normal. */
  readonly priority: number;
  /** From arrival to the last token, milliseconds. */
  readonly timeoutMs: number;
}

/** A request for the answer to any prompt. */
export type PromptRequest = ChatRequest<PromptInput>;

/** A prompt whose tokens are counted or reported. */
export type CountRequest<Input extends PromptInput = PromptInput> = Pick<
  ChatRequest<Input>,
  'input' | 'account' | 'priority' | 'timeoutMs'
>;

export type ChatEvent =
  /** The first event, emitted with the first token. `queuedMs`: from arrival until the first answer received a sequence. */
  | {
      readonly kind: 'started';
      readonly promptTokens: number;
      readonly cachedTokens: number;
      readonly queuedMs: number;
      /** What the request shows of its prompt. */
      readonly shown?: readonly number[] | string;
    }
  | ({
      readonly kind: 'delta';
      readonly choice: number;
      /** One entry per token of this delta if the request enabled log probabilities; else empty. */
      readonly logprobs: readonly TokenReport[];
      /** Tokens of this delta; may be 0 or, after text was buffered, more than 1. */
      readonly tokens: number;
    } & ChatDelta)
  | {
      readonly kind: 'finished';
      readonly choice: number;
      readonly reason: 'stop' | 'length' | 'tool_calls';
      /** The caller's stop string that ended the answer, if one did. */
      readonly stop?: string;
      readonly completionTokens: number;
      readonly reasoningTokens: number;
    };

/** The log probability of a token, with the token's text and bytes. */
export interface TokenLogprob {
  readonly token: string;
  readonly bytes: readonly number[];
  readonly logprob: number;
}

/** A sampled token as `logprobs` reports it, and its most probable alternatives, best first. */
export interface TokenReport extends TokenLogprob {
  readonly top: readonly TokenLogprob[];
}

/** A chat engine, as the server uses it; implemented by `runtime/chat/engine-client.ts` and a fake in `test/support`. */
export interface ChatEngine extends Engine<ModelFacts> {
  /**
   * Yields the events of one request, in order, until every choice has finished.
   * Aborting the signal, or leaving the loop, cancels the request within one step.
   * @throws {RuntimeError} before `started` if the request is refused, or later if it is interrupted
   */
  chat(request: PromptRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
  /**
   * Renders and tokenizes a prompt like `chat`, and computes nothing.
   * @returns the number of its tokens · @throws {RuntimeError} as `chat`, also ERR_CONTEXT_OVERFLOW
   */
  countPrompt(request: CountRequest, options: { signal: AbortSignal }): Promise<number>;
  /** As `countPrompt`. @returns the tokens themselves */
  tokenize(request: CountRequest, options: { signal: AbortSignal }): Promise<readonly number[]>;
  /** @returns the text of tokens, with that of control tokens · @throws {RuntimeError} as `countPrompt`, also ERR_TOKEN_UNKNOWN */
  detokenize(request: CountRequest<TokenPrompt>, options: { signal: AbortSignal }): Promise<string>;
  /**
   * Computes the common prefix of all chats that begin with these messages once, and keeps it for all accounts as long as
   * the engine exists, across restarts of its thread. Waits while the model loads, and precedes requests that wait for a
   * sequence. The messages must not be secret: a hit is faster than a miss, so any caller can detect the prefix.
   * @throws {RuntimeError} ERR_MEMORY_BUDGET, ERR_CONTEXT_OVERFLOW, ERR_CHAT_TEMPLATE, ERR_DRAINING, ERR_ENGINE_LOST
   */
  pinPrefix(messages: readonly ChatMessage[], options?: PrefixOptions): Promise<PinnedPrefix>;
  /** Counters since the start, and gauges. */
  readonly stats: EngineStats;
}

/** Further properties that chats with a shared prefix have in common. */
export interface PrefixOptions {
  /** Functions that the chats offer to the model; default none. */
  readonly tools?: readonly ChatTool[];
  /** Whether some chats extend the last message, after an empty line. Default false. */
  readonly extendsLastMessage?: boolean;
}

export interface PinnedPrefix {
  /** Number of common tokens; 0 if there are too few to be kept. */
  readonly tokens: number;
  /** The number of these that were computed now; the others were part of another pinned prefix. */
  readonly computedTokens: number;
  readonly ms: number;
}

/** Facts of a loaded model that the server reports to operators and clients. */
export interface ModelFacts
  extends Pick<
    TextModelInfo,
    | 'description'
    | 'device'
    | 'architecture'
    | 'contextPerSequence'
    | 'sequences'
    | 'supportsTools'
    | 'supportsReasoning'
    | 'supportsInfill'
    | 'imageTokensMax'
    | 'promptBound'
  > {
  readonly loadMs: number;
  /** Description of the draft model; undefined without one. */
  readonly draftModel?: string | undefined;
  /** Undefined if it could not be measured. */
  readonly promptOverhead?: PromptOverhead | undefined;
}

/** Maximum tokens that a model's chat template adds to the texts of a chat. */
export interface PromptOverhead {
  readonly fixed: number;
  readonly perMessage: number;
  /** For a chat with tools; for each tool; and for each message that contains tool calls or a tool result. */
  readonly tools: number;
  readonly perTool: number;
  readonly perCall: number;
  /** For a chat whose answer must match a JSON schema. */
  readonly schema: number;
}

export interface EngineStats {
  /** Requests that are being rendered and tokenized, or wait for it. */
  readonly preparing: number;
  /** Requests. */
  readonly running: number;
  readonly waiting: number;
  /** Prompt tokens of these requests that are not computed yet. */
  readonly promptTokensLeft: number;
  /** Tokens since the start. */
  readonly promptTokens: number;
  readonly cachedPromptTokens: number;
  /** The number of the cached tokens that came from pinned prefixes. */
  readonly sharedPromptTokens: number;
  readonly completionTokens: number;
  /** Draft tokens proposed by prompt lookup, and how many of them were accepted. */
  readonly draftTokens: number;
  readonly acceptedDraftTokens: number;
  /** Host memory used by cached prefixes, and the part of it that pinned prefixes use. */
  readonly cachedStateBytes: number;
  readonly pinnedStateBytes: number;
  /** Tokens in the KV cache of running answers, and the capacity of all sequences; 0 before the model is loaded. */
  readonly kvTokens: number;
  readonly kvTokensMax: number;
  /** Steps since the start, and the milliseconds spent in each part of them; products and attention are parts of decoding. */
  readonly steps: number;
  readonly decodeMs: number;
  readonly productMs: number;
  readonly attentionMs: number;
  readonly sampleMs: number;
  readonly scriptMs: number;
  /** Compute threads of the last step: fewer than configured if other work uses the machine's cores. */
  readonly threads: number;
}
