/** One chat request and what comes back of it, between whoever speaks a protocol and the engine. Types only. */
import type {
  ChatDelta,
  ChatInput,
  ChatMessage,
  ChatTool,
  Sampling,
  TextModelInfo,
} from '@cloister/models/interface/model';
import type { Engine } from '../pool/engine-state.ts';

export interface ChatRequest {
  readonly input: ChatInput;
  /** Independent answers to the one prompt, 1…10; they share its prefill. */
  readonly choices: number;
  /** Most tokens per answer; undefined: what the context leaves. */
  readonly maxTokens: number | undefined;
  /** Most tokens that prompt and answer may hold together; undefined: what a sequence holds. */
  readonly contextMax: number | undefined;
  /** Its sender wants to know how many tokens the prompt has, also where it cannot fit. Default false. */
  readonly countsAll?: boolean;
  /** Choice k draws with `seed + k`. */
  readonly sampling: Sampling;
  readonly stop: readonly string[];
  /** Whose fair share the work is booked on, and who may reuse its cached prefix. */
  readonly account: string;
  /** Higher goes first; 0 is normal. */
  readonly priority: number;
  /** From arrival to the last token, milliseconds. */
  readonly timeoutMs: number;
}

export type ChatEvent =
  /** First of all, when the first token is there. `queuedMs`: from arrival until work on it began. */
  | {
      readonly kind: 'started';
      readonly promptTokens: number;
      readonly cachedTokens: number;
      readonly queuedMs: number;
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

/** What a server needs of a chat engine; `runtime/chat/engine-client.ts` is the real one, `test/support` has a fake. */
export interface ChatEngine extends Engine<ModelFacts> {
  /**
   * Events of one request, in order, until every choice has finished.
   * Aborting the signal, or leaving the loop, cancels the work within one step.
   * @throws {RuntimeError} before `started` if the request is refused, or later if it is cut short
   */
  chat(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
  /**
   * Computes what all chats that begin with these messages have in common, once, and keeps it for all of them, whoever
   * asks, as long as the engine lives; also where its thread is lost and started again. Waits while the model loads, and
   * goes before what waits for a sequence. Those prompts must be no secret of one account: a hit is faster than a miss.
   * @throws {RuntimeError} ERR_MEMORY_BUDGET, ERR_CONTEXT_OVERFLOW, ERR_CHAT_TEMPLATE, ERR_DRAINING, ERR_ENGINE_LOST
   */
  pinPrefix(messages: readonly ChatMessage[], options?: PrefixOptions): Promise<PinnedPrefix>;
  /** Counters and gauges since the start. */
  readonly stats: EngineStats;
}

/** Which chats are to share a prefix, beside that they begin with the same messages. */
export interface PrefixOptions {
  /** Functions that they offer to the model; by default none. */
  readonly tools?: readonly ChatTool[];
  /** Whether some of them go on within the last of the messages, behind an empty line; by default not. */
  readonly goesOn?: boolean;
}

export interface PinnedPrefix {
  /** How many tokens such chats have in common; 0 where they are too few to be kept. */
  readonly tokens: number;
  /** How many of them were computed for it, the others being in another pinned prefix already. */
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
    | 'promptBound'
  > {
  readonly loadMs: number;
  /** Undefined where it could not be measured. */
  readonly promptOverhead?: PromptOverhead | undefined;
}

/** The most tokens that a model's chat template adds to the texts of a chat. */
export interface PromptOverhead {
  readonly fixed: number;
  readonly perMessage: number;
  /** For chats with tools, for each of them, and for each message of a chat that holds calls or their results. */
  readonly tools: number;
  readonly perTool: number;
  readonly perCall: number;
  /** For chats whose answer follows a JSON schema. */
  readonly schema: number;
}

export interface EngineStats {
  /** Requests that are rendered and tokenised, or wait to be. */
  readonly preparing: number;
  /** Requests. */
  readonly running: number;
  readonly waiting: number;
  /** Tokens since the start. */
  readonly promptTokens: number;
  readonly cachedPromptTokens: number;
  /** Of those cached, the ones in pinned prefixes. */
  readonly sharedPromptTokens: number;
  readonly completionTokens: number;
  /** Tokens guessed by prompt lookup, and how many of them were drawn. */
  readonly guessedTokens: number;
  readonly rightlyGuessedTokens: number;
  /** Host memory of cached prefixes, and the part of it that is pinned. */
  readonly cachedStateBytes: number;
  readonly pinnedStateBytes: number;
  /** Steps since the start and the time spent in each part of them, milliseconds. */
  readonly steps: number;
  readonly decodeMs: number;
  readonly sampleMs: number;
  readonly scriptMs: number;
  /** Compute threads of the last step: fewer than configured where others use the machine's cores. */
  readonly threads: number;
}
