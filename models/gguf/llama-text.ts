/** Text models on llama.cpp: implements models/interface/model.ts with native/index.ts. */
import { createHmac, randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import {
  Engine,
  type EngineFacts,
  type EngineOptions,
  type NativePreparedChat,
  type NativeSampled,
  planMemory,
} from '@cloister/native';
import { toModelError } from '../interface/errors.ts';
import type {
  AnswerFailure,
  ChatDelta,
  ChatImage,
  ChatInput,
  ChatParser,
  MemoryPlan,
  PreparationOptions,
  PreparedChat,
  Sampling,
  Step,
  StepOperation,
  StepResult,
  TextModel,
  TextModelInfo,
  TextPrompt,
  TokenLogprobs,
  TokenPrompt,
} from '../interface/model.ts';

export type LlamaTextOptions = EngineOptions;

/** A TextModel whose running step can be aborted. */
export interface LlamaText extends TextModel {
  /** Rejects the running step and all later steps with ERR_ABORTED, so that a long prefill ends early. */
  abort(): void;
}

/**
 * Loads a GGUF file.
 * @param onProgress called with 0…1
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_GPU_UNAVAILABLE, ERR_ABORTED
 */
export async function loadLlamaText(
  options: LlamaTextOptions,
  events: { onProgress?: (fraction: number) => void; signal?: AbortSignal } = {},
): Promise<LlamaText> {
  const engine = await Engine.load(options, events).catch(rethrow);
  return new LlamaTextModel(engine);
}

/**
 * Computes the memory that loading would use on each device. Free bytes of main memory are those available to this process.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_GPU_UNAVAILABLE
 */
export async function planLlamaMemory(options: LlamaTextOptions): Promise<MemoryPlan> {
  const devices = await planMemory(options).catch(rethrow);
  // A file that is missing fails when it is loaded.
  const { projectorPath, adapterPaths = [] } = options;
  const extraBytes = [...(projectorPath === undefined ? [] : [projectorPath]), ...adapterPaths].reduce(
    (sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  return {
    devices: devices.map((device) => {
      const isHost = device === devices.at(-1);
      const freeBytes = isHost ? Math.min(device.freeBytes, process.availableMemory()) : device.freeBytes;
      return { ...device, isHost, freeBytes, weightBytes: device.weightBytes + (isHost ? extraBytes : 0) };
    }),
  };
}

class LlamaTextModel implements LlamaText {
  readonly info: TextModelInfo;
  readonly #engine: Engine;
  readonly #packer = new StepPacker();
  /** Secret, so that a caller cannot search for two images whose tokens begin alike. */
  readonly #identityKey = randomBytes(32);

  constructor(engine: Engine) {
    this.#engine = engine;
    this.info = describe(engine.facts);
  }

  async prepareChat(input: ChatInput, options: PreparationOptions = {}): Promise<PreparedChat> {
    const images = (input.images ?? []).map((image) => ({ ...image, identity: this.#identify(image) }));
    return new LlamaPreparedChat(await this.#engine.prepareChat(encodeChat(input), options, images).catch(rethrow));
  }

  #identify({ pixels, width, height }: ChatImage): Uint8Array {
    return createHmac('sha256', this.#identityKey).update(`${width}×${height}`).update(pixels).digest();
  }

  async preparePrompt(input: TextPrompt | TokenPrompt, options: PreparationOptions = {}): Promise<PreparedChat> {
    if ('tokens' in input) return new TokenizedPrompt(input.tokens);
    const { text, suffix, addsSpecialTokens: addSpecial } = input;
    const prepared = await this.#engine.prepareText(text, { ...options, addSpecial, suffix }).catch(rethrow);
    return new LlamaPreparedChat(prepared);
  }

  beginSampling(sequence: number, sampling: Sampling, prepared: PreparedChat = noPrompt): void {
    if (!(prepared instanceof LlamaPreparedChat || prepared instanceof TokenizedPrompt)) {
      throw new TypeError('the prompt was not prepared by this model');
    }
    this.#engine.beginSampling(sequence, sampling, prepared.native);
  }

  endSampling(): void {
    this.#engine.endSampling();
  }

  async step(step: Step): Promise<StepResult> {
    const length = this.#packer.pack(step);
    const sampled = await this.#engine.step(this.#packer.packed, length).catch(rethrow);
    return unpackSampled(sampled, this.#packer.sampleCount);
  }

  abort(): void {
    this.#engine.abort();
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

class LlamaPreparedChat implements PreparedChat {
  readonly native: NativePreparedChat;
  readonly tokens: Int32Array;
  readonly tokensAtLeast: number | undefined;
  readonly stops: readonly string[];
  readonly shownTokens: ReadonlySet<number>;
  readonly structured: boolean;

  constructor(native: NativePreparedChat) {
    this.native = native;
    this.tokens = native.tokens;
    this.tokensAtLeast = native.tokensAtLeast === 0 ? undefined : native.tokensAtLeast;
    this.stops = native.stops;
    this.shownTokens = new Set(native.shownTokens);
    this.structured = native.structured;
  }

  createParser(): ChatParser {
    if (!this.structured) throw new TypeError('the answer is plain text and needs no parser');
    const reader = this.native.createReader();
    return { feed: (text, final): ChatDelta => reader.feed(text, final) };
  }
}

/** A prompt that came as tokens: its answer is plain text. */
class TokenizedPrompt implements PreparedChat {
  readonly native = undefined;
  readonly tokens: Int32Array;
  readonly stops = [];
  readonly shownTokens: ReadonlySet<number> = new Set();
  readonly structured = false;

  constructor(tokens: readonly number[]) {
    this.tokens = Int32Array.from(tokens);
  }

  createParser(): never {
    throw new TypeError('the answer is plain text and needs no parser');
  }
}

const noPrompt = new TokenizedPrompt([]);

/** Encodes steps for the addon (native/src/engine/step_plan.h) into one buffer that grows to the largest and is reused. */
class StepPacker {
  packed = new Int32Array(1024);
  /** Number of rows that sample. */
  sampleCount = 0;

  /** @returns the length of the encoded step in `packed` */
  pack({ operations, rows }: Step): number {
    let length = 2 + operations.length * operationLength;
    for (const row of rows) length += rowHeadLength + row.tokens.length;
    if (length > this.packed.length) this.packed = new Int32Array(length * 2);

    const { packed } = this;
    packed[0] = operations.length;
    packed[1] = rows.length;
    let at = 2;
    for (const operation of operations) {
      packed.set(encodeOperation(operation), at);
      at += operationLength;
    }
    this.sampleCount = 0;
    for (const { sequence, adapter = 0, position, tokens, sample, guesses = 0 } of rows) {
      packed.set([sequence, adapter, position, tokens.length, sample ? 1 + guesses : 0], at);
      packed.set(tokens, at + rowHeadLength);
      at += rowHeadLength + tokens.length;
      if (sample) this.sampleCount += 1;
    }
    return length;
  }
}

const operationLength = 5;
/** Numbers of a row before its tokens. */
const rowHeadLength = 5;

function encodeOperation(operation: StepOperation): readonly [number, number, number, number, number] {
  switch (operation.kind) {
    case 'trim':
      return [0, operation.sequence, operation.from, 0, 0];
    case 'copy':
      return [1, operation.sequence, operation.to, operation.length, 0];
    case 'save':
      return [2, operation.sequence, operation.state, operation.from, operation.to];
    case 'restore':
      return [3, operation.sequence, operation.state, operation.from, operation.length];
    case 'drop':
      return [4, 0, operation.state, 0, 0];
    case 'move':
      return [5, operation.sequence, operation.to, 0, 0];
  }
}

/** The first numbers of a step's result; "pack_sampled" writes them in this order. */
type StepFigures = [
  decodeMicros: number,
  productMicros: number,
  attentionMicros: number,
  sampleMicros: number,
  threads: number,
];
const stepFigures = 5;

function unpackSampled({ ints, logprobs }: NativeSampled, rows: number): StepResult {
  const [decodeMicros, productMicros, attentionMicros, sampleMicros, threads] = ints as unknown as StepFigures;
  const rowsEnd = stepFigures + rows;
  const drawn = ints.subarray(stepFigures, rowsEnd);
  const count = drawn.reduce((sum, tokens) => sum + tokens, 0);
  const tokensStart = rowsEnd + rows;
  const tokensEnd = tokensStart + count;
  return {
    ...{ decodeMicros, productMicros, attentionMicros, sampleMicros, threads },
    drawn,
    failures: unpackFailures(ints.subarray(rowsEnd, tokensStart)),
    tokens: ints.subarray(tokensStart, tokensEnd),
    logprobs: unpackLogprobs(ints.subarray(tokensEnd), logprobs, count),
  };
}

const answerFailures: readonly AnswerFailure[] = ['ERR_GRAMMAR_TOO_COMPLEX', 'ERR_GRAMMAR_UNSATISFIABLE'];
const noFailures: ReadonlyMap<number, AnswerFailure> = new Map();

function unpackFailures(numbers: Int32Array): ReadonlyMap<number, AnswerFailure> {
  if (numbers.every((number) => number === 0)) return noFailures;
  const failures = new Map<number, AnswerFailure>();
  for (const [row, number] of numbers.entries()) if (number !== 0) failures.set(row, answerFailures[number - 1]!);
  return failures;
}

function unpackLogprobs(ints: Int32Array, values: Float64Array, count: number): (TokenLogprobs | undefined)[] {
  let at = 0;
  let valueAt = 0;
  return Array.from({ length: count }, () => {
    const topCount = ints[at++]!;
    if (topCount < 0) return undefined;
    const logprob = values[valueAt++]!;
    const top = Array.from({ length: topCount }, () => ({ token: ints[at++]!, logprob: values[valueAt++]! }));
    return { logprob, top };
  });
}

function encodeChat(input: ChatInput): string {
  const request = {
    messages: input.messages,
    tools: input.tools,
    tool_choice: input.toolChoice,
    parallel_tool_calls: input.parallelToolCalls,
    json_schema: input.jsonSchema ?? null,
    reasoning: input.reasoning,
    effort: input.effort ?? null,
  };
  return JSON.stringify(request, (_, value: unknown) => wellFormed(value));
}

/** A string, or an object by its keys, without unpaired surrogates: these cannot be encoded as UTF-8, which native code reads. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if (Object.keys(value).every((key) => key.isWellFormed())) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.toWellFormed(), inner]));
}

function describe(facts: EngineFacts): TextModelInfo {
  return {
    architecture: facts.architecture,
    description: facts.description,
    device: facts.device,
    parameterCount: facts.parameterCount,
    weightBytes: facts.weightBytes,
    trainedContext: facts.trainedContext,
    contextPerSequence: facts.contextPerSequence,
    sequences: facts.sequences,
    stepTokensMax: facts.stepTokensMax,
    promptTileTokens: facts.promptTileTokens,
    draftTokensMax: facts.draftTokensMax,
    stateBytesFixed: facts.stateBytesFixed,
    stateBytesPerToken: facts.stateBytesPerToken,
    canTrim: facts.canTrim,
    canSplit: facts.canSplit,
    endTokens: new Set(facts.endTokens),
    vocabulary: {
      size: facts.vocabularyControl.length,
      bytes: facts.vocabularyBytes,
      offsets: facts.vocabularyOffsets,
      control: facts.vocabularyControl,
    },
    supportsTools: facts.supportsTools,
    supportsReasoning: facts.supportsReasoning,
    supportsInfill: facts.supportsInfill,
    imageTokensMax: facts.imageTokensMax,
    promptBound: facts.promptBound,
    preparationThreads: facts.preparationThreads,
  };
}

function rethrow(error: unknown): never {
  throw toModelError(error);
}
