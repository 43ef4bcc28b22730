/**
 * Declares and loads the native addon. Only this file loads it. The addon does not validate its arguments; the other files
 * of this folder do.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addonFolder } from './addon-folder.mjs';
import type { BertWeights } from './bert-weights.ts';
import type { MeasureBinding } from './measure-binding.ts';

export interface NativeModelOptions {
  readonly modelPath: string;
  /** Empty: the model takes no images. */
  readonly projectorPath: string;
  /** LoRA adapters, which the rows of a step name by position, from 1. */
  readonly adapterPaths: readonly string[];
  readonly sequences: number;
  readonly contextPerSequence: number;
  readonly batchTokens: number;
  readonly draftTokens: number;
  readonly threads: number;
  readonly poll: number;
  readonly useGpu: boolean;
  /** −1: as many layers as fit. */
  readonly gpuLayers: number;
  /** −1: on if the model supports it; 0: off; 1: on. */
  readonly flashAttention: number;
  readonly kvQ8: boolean;
  readonly unifiedKv: boolean;
  readonly ownKernels: boolean;
  readonly lockMemory: boolean;
  /** Threads for slow preparations, in addition to one for quick ones. */
  readonly preparationThreads: number;
}

/** Facts of a loaded text model. */
export interface NativeFacts {
  /** GGUF `general.architecture`, for example `llama`. */
  readonly architecture: string;
  /** One line for display: name, size, quantization. */
  readonly description: string;
  /** Where the layers run, for display: `CPU (zen4), 2 threads` or `CUDA0 NVIDIA H200, 29/29 layers`. */
  readonly device: string;
  readonly parameterCount: number;
  readonly weightBytes: number;
  /** Context in tokens that the model was trained for. */
  readonly trainedContext: number;
  /** Configured context of a sequence, in tokens. */
  readonly contextPerSequence: number;
  readonly sequences: number;
  /** Maximum tokens that one step may feed over all rows. */
  readonly stepTokensMax: number;
  /** Prompt tokens per tile of attention: with a long context, fewer tokens cost nearly as much as a whole tile. */
  readonly promptTileTokens: number;
  /** Maximum draft tokens that one step may verify over all rows; 0 if a rejected draft token cannot be trimmed. */
  readonly draftTokensMax: number;
  /** Size of a sequence's state: this fixed part (all of it in recurrent models), and `stateBytesPerToken`. */
  readonly stateBytesFixed: number;
  /** Size of a sequence's state per token. */
  readonly stateBytesPerToken: number;
  /** False for recurrent models, whose state cannot be trimmed to an earlier position. */
  readonly canTrim: boolean;
  /**
   * Whether a part of a sequence can be copied, saved and restored. False for sliding windows, of which a state contains only
   * the last one, so that a part of the state would lack keys.
   */
  readonly canSplit: boolean;
  /** Whether the chat template renders tool definitions. */
  readonly supportsTools: boolean;
  /** Whether the chat template has a reasoning section. */
  readonly supportsReasoning: boolean;
  /** Whether the vocabulary has the tokens around the texts before and after a gap that the model fills. */
  readonly supportsInfill: boolean;
  /** Maximum tokens that one image takes; 0 if the model takes no images. */
  readonly imageTokensMax: number;
  readonly promptBound: NativePromptBound;
  readonly endTokens: Int32Array;
  readonly vocabularyBytes: Uint8Array;
  readonly vocabularyOffsets: Uint32Array;
  readonly vocabularyControl: Uint8Array;
}

/** Lower bound of a chat's tokens, computed without rendering it. See native/src/chat/prompt_bound.h. */
export interface NativePromptBound {
  /** [256] Minimum tokens per byte of text. */
  readonly byteShares: Float64Array;
  /** [256] The same for a prompt without a template, in which control tokens may be spelled. */
  readonly textByteShares: Float64Array;
  /** Minimum tokens of a message in addition to its text. */
  readonly tokensPerMessage: Readonly<Record<'system' | 'user' | 'assistant' | 'tool', number>>;
  /** Whether the prompt contains the text of user messages unchanged, except for surrounding white space. */
  readonly keepsUserText: boolean;
}

export interface NativeSampling {
  readonly temperature: number;
  readonly topP: number;
  readonly topK: number;
  readonly minP: number;
  readonly presencePenalty: number;
  readonly frequencyPenalty: number;
  readonly biasTokens: Int32Array;
  readonly biases: Float32Array;
  readonly seed: number;
  readonly drawn: number;
  /** −1: no log probabilities. */
  readonly logprobs: number;
}

export interface NativeSampled {
  /**
   * Microseconds of decoding, of its matrix products and attention in our own kernels, and of sampling; compute threads; per row,
   * the number of sampled tokens; per row, the failure of its answer (0: none, 1: its grammar is too ambiguous, 2: no token
   * continues it); the tokens; per token, the number of alternatives (−1: no log probabilities), and the alternatives.
   */
  readonly ints: Int32Array;
  /** Per token with log probabilities: the value of the token, then those of its alternatives. */
  readonly logprobs: Float64Array;
}

/** The part of an answer that one piece of text completes. */
export interface ChatDelta {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCallDelta[];
}

/** The first delta of a call has `id` and `name`; every delta has the next piece of the arguments. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly name?: string;
  readonly arguments: string;
}

/** Parses one answer piece by piece, and holds the only copy of its text. */
export interface ChatParser {
  /**
   * @param text the text generated since the last call
   * @param final whether the answer is complete
   */
  feed(text: string, final: boolean): ChatDelta;
}

/** A decoded image. */
export interface NativeImage {
  /** [height, width, 3] RGB, 8 bits */
  readonly pixels: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** 32 bytes that differ between images. */
  readonly identity: Uint8Array;
}

export interface NativePreparedChat {
  readonly prompt: string;
  /** Ids below 0 stand for images. */
  readonly tokens: Int32Array;
  /** Lower bound of the token count if the prompt exceeds `tokensMax`, when all other fields are empty; else 0. */
  readonly tokensAtLeast: number;
  /** Stop strings that the chat template requires. */
  readonly stops: readonly string[];
  /** Control tokens whose text the parser reads. */
  readonly shownTokens: Int32Array;
  /** Whether a parser must read the answer (tools, reasoning); otherwise it is plain text. */
  readonly structured: boolean;
  readonly constrained: boolean;
  createReader(): ChatParser;
}

type PreparationArguments = [id: number, input: string, tokensMax: number, isSlow: boolean];

export interface NativeEngine {
  load(options: NativeModelOptions): Promise<NativeFacts>;
  /** 0…1 */
  loadProgress(): number;
  step(packed: Int32Array, length: number): Promise<NativeSampled>;
  beginSampling(sequence: number, sampling: NativeSampling, prepared: NativePreparedChat | undefined): void;
  endSampling(): void;
  prepareChat(
    ...arguments_: [...PreparationArguments, images: readonly NativeImage[], countsImages: boolean]
  ): Promise<NativePreparedChat>;
  prepareText(
    ...arguments_: [...PreparationArguments, addSpecial: boolean, suffix: string | undefined]
  ): Promise<NativePreparedChat>;
  cancelPreparation(id: number): void;
  tokenize(text: string, addSpecial: boolean, parseSpecial: boolean): Int32Array;
  abort(): void;
  close(): Promise<void>;
}

export interface NativeBertEncoder {
  encode(tokens: Int32Array, lengths: Int32Array): Float32Array;
  close(): void;
}

interface NativeBertEncoderClass {
  new (weights: BertWeights, threads: number): NativeBertEncoder;
  isSupported(): boolean;
}

export interface NativeEmbedderOptions extends NativeModelOptions {
  /** −1: from the file; 1: mean; 2: cls; 3: last; 4: rank. */
  readonly pooling: number;
  readonly vocabularyOnly: boolean;
}

export interface NativeEmbedderFacts {
  readonly architecture: string;
  /** `tokenizer.ggml.model` of the file: `bert`, `t5`, `gpt2`. */
  readonly tokenizer: string;
  readonly description: string;
  readonly device: string;
  readonly trainedContext: number;
  readonly vocabularySize: number;
  readonly dimensions: number;
}

export interface NativeEmbedder {
  load(options: NativeEmbedderOptions): Promise<NativeEmbedderFacts>;
  /** 0…1 */
  loadProgress(): number;
  tokenize(text: string, addSpecial: boolean): Int32Array;
  embed(tokens: Int32Array, lengths: Int32Array): Float32Array;
  close(): Promise<void>;
}

export interface NativeSampler {
  next(logits: Float32Array): NativeSampled;
}

export interface NativeDeviceMemory {
  readonly name: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
  readonly weightBytes: number;
  /** KV cache of all sequences. */
  readonly contextBytes: number;
  readonly computeBytes: number;
}

export interface NativeGpuState {
  readonly driverVersion: string;
  /** 0: unavailable, 1: simulation, 2: production. */
  readonly environment: number;
  /** 1: on. */
  readonly ccFeature: number;
  /** 1: on. */
  readonly devToolsMode: number;
  /** 0: none, 1: protected PCIe, 2: encrypted NVLink; absent if the driver does not report it. */
  readonly multiGpuMode?: number;
  /** Whether the GPUs accept work; absent if the driver does not report it. */
  readonly acceptsWork?: boolean;
  readonly gpus: readonly { readonly uuid: string; readonly name: string; readonly vbiosVersion: string }[];
}

export interface NativeGpuLoad {
  readonly memoryTotalBytes?: number;
  readonly memoryUsedBytes?: number;
  readonly computePercent?: number;
  readonly memoryPercent?: number;
}

export type NativeGpuEvidence = Readonly<Record<'report' | 'certificateChain', Uint8Array>>;

export interface NativeSwitchEvidence extends NativeGpuEvidence {
  readonly uuid: string;
}

export interface NativeProcessGuard {
  /** Bytes; absent if there is no limit. */
  readonly coreLimit?: number;
  readonly coreLimitHard?: number;
  readonly dumpable: number;
  /** Whether OpenSSL stores new private keys in locked memory. */
  readonly keysLocked: boolean;
  /** Whether the library of `native/heap` is loaded. */
  readonly freedMemoryZeroed: boolean;
  /** Maximum bytes of locked memory; absent if there is no limit. */
  readonly lockLimit?: number;
}

export type NativeNetworkFence = Readonly<Record<'asked' | 'fenced', number>>;

export interface Binding extends MeasureBinding {
  readonly Engine: new () => NativeEngine;
  readonly Embedder: new () => NativeEmbedder;
  readonly BertEncoder: NativeBertEncoderClass;
  readonly Sampler: new (sampling: NativeSampling) => NativeSampler;
  /** Returns the reason why no GPU can be used, or ''. */
  loadGpu(libraryPaths: readonly string[]): Promise<string>;
  planMemory(options: NativeModelOptions): Promise<readonly NativeDeviceMemory[]>;
  readTdReport(device: string, reportData: Uint8Array): Promise<Uint8Array>;
  exchangeQuoteMessage(
    contextId: number,
    port: number,
    unixPath: string,
    message: Uint8Array,
    timeoutMs: number,
  ): Promise<Uint8Array>;
  readGpuState(library: string): Promise<NativeGpuState>;
  readGpuLoads(library: string): Promise<readonly NativeGpuLoad[]>;
  readGpuEvidence(library: string, index: number, nonce: Uint8Array): Promise<NativeGpuEvidence>;
  setGpusReady(library: string): Promise<void>;
  readSwitchEvidence(library: string, nonce: Uint8Array): Promise<readonly NativeSwitchEvidence[]>;
  guardProcess(): NativeProcessGuard;
  returnFreeMemory(): void;
  wipeUnusedStack(): void;
  readProcessGuard(): NativeProcessGuard;
  fenceNetwork(): void;
  readNetworkFence(): NativeNetworkFence;
}

let loaded: Binding | undefined;

/** Loads the addon on first use, so that importing a module that does not use it costs nothing. */
export function binding(): Binding {
  if (loaded === undefined) {
    const addonPath = join(addonFolder(), 'cloister.node');
    if (!existsSync(addonPath)) {
      const setup = fileURLToPath(new URL('./setup.mjs', import.meta.url));
      throw new Error(
        `The native addon is not installed. Action: npm install @cloister/native-linux-x64, or node ${setup}`,
      );
    }
    loaded = createRequire(import.meta.url)(addonPath) as Binding;
  }
  return loaded;
}
