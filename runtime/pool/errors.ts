import type { AnswerFailure } from '@cloister/models/interface/model';

/** All error codes of the runtime. The comment by each code is the caller's action. */
export type RuntimeErrorCode =
  | 'ERR_CONTEXT_OVERFLOW' // The prompt does not fit: shorten it. `details` has `limit` and `counted` tokens.
  | 'ERR_CHAT_TEMPLATE' // The model's template refuses these messages: change roles or order.
  | 'ERR_CHAT_TOO_COMPLEX' // The model's template takes too long for these messages: send fewer.
  | 'ERR_GRAMMAR_INVALID' // The JSON schema or tool parameters cannot be turned into a grammar: simplify them.
  | 'ERR_GRAMMAR_TOO_COMPLEX' // The answer has too many parses under its schema: make the schema less ambiguous.
  | 'ERR_GRAMMAR_UNSATISFIABLE' // The model has no token that continues the answer under its schema: allow other texts.
  | 'ERR_TOOLS_UNSUPPORTED' // The model's template does not support tools: choose another model.
  | 'ERR_INFILL_UNSUPPORTED' // The model's vocabulary has no tokens for filling gaps: choose another model.
  | 'ERR_TOKEN_UNKNOWN' // A token id in `logit_bias`, a prompt or `input` is not in the model's vocabulary: remove it.
  | 'ERR_INPUT_EMPTY' // The vocabulary has no token for any part of the text: remove the text.
  | 'ERR_QUEUE_FULL' // Too many requests wait: retry after `details.retryAfterSeconds`.
  | 'ERR_NOT_READY' // The model still loads: retry after `details.retryAfterSeconds`.
  | 'ERR_DRAINING' // The process is stopping: send the request elsewhere or retry.
  | 'ERR_DEADLINE' // The request ran out of time: ask for fewer tokens.
  | 'ERR_CANCELLED' // The caller disconnected, so the error is not sent.
  | 'ERR_ENGINE_LOST' // The engine stopped during the request and is being restarted: retry.
  | 'ERR_MODEL_LOAD' // The model file cannot be loaded: the message says why.
  | 'ERR_MEMORY_BUDGET' // The configuration does not fit the machine: lower the setting the message names.
  | 'ERR_INTERNAL'; // A defect: report it.

export class RuntimeError extends Error {
  override readonly name = 'RuntimeError';
  readonly code: RuntimeErrorCode;
  /** Numbers only, so that it can be posted to another thread and never contains request text. */
  readonly details: Readonly<Record<string, number>>;

  constructor(
    code: RuntimeErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, number> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = Object.freeze({ ...options.details });
  }
}

export function cancelled(): RuntimeError {
  return new RuntimeError('ERR_CANCELLED', 'the caller disconnected');
}

/** Estimated time until a full queue has room, for `Retry-After`. */
const retryAfterSeconds = 5;

export function queueFull(waiting: number): RuntimeError {
  const text = `${waiting} requests are already queued; try again later`;
  return new RuntimeError('ERR_QUEUE_FULL', text, { details: { retryAfterSeconds } });
}

const answerFailures: Readonly<Record<AnswerFailure, string>> = {
  ERR_GRAMMAR_TOO_COMPLEX: 'the answer has too many parses under its JSON schema or tools; make these less ambiguous',
  ERR_GRAMMAR_UNSATISFIABLE:
    'the model has no token for the text that the JSON schema or tools require next; allow other texts',
};

export function answerFailed(code: AnswerFailure): RuntimeError {
  return new RuntimeError(code, answerFailures[code]);
}

export function draining(): RuntimeError {
  return new RuntimeError('ERR_DRAINING', 'the service is stopping');
}

export function outOfTime(): RuntimeError {
  return new RuntimeError('ERR_DEADLINE', 'the request ran out of time; ask for fewer tokens');
}

/** Converts an error of a model's loader. Its message names files and devices, and contains no request data. */
export function toLoadError(error: unknown): RuntimeError {
  if (error instanceof RuntimeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  const known = code === 'ERR_MEMORY_BUDGET' ? code : 'ERR_MODEL_LOAD';
  return new RuntimeError(known, message ?? String(error), { cause: error });
}

const tooComplex =
  "the model's chat template takes too long for this chat: send fewer messages, join messages of the same role, or send " +
  'tools and tool calls whose objects have fewer members';

const templateRefusal =
  "the model's chat template refuses these messages: check the roles and their order, and that `arguments` of tool calls are JSON";

/** Converts an error of a running model: keeps codes that the caller can act on; all others become ERR_INTERNAL. */
export function toComputeError(error: unknown): RuntimeError {
  if (error instanceof RuntimeError) return error;
  const { code, message } = error as { code?: string; message?: string };
  // Templates and the parser of tool calls quote the messages that they refuse.
  if (code === 'ERR_CHAT_TEMPLATE') return new RuntimeError(code, templateRefusal, { cause: error });
  if (code === 'ERR_CHAT_TOO_COMPLEX') return new RuntimeError(code, tooComplex, { cause: error });
  if (code === 'ERR_GRAMMAR_INVALID') {
    return new RuntimeError(code, message ?? code, { cause: error });
  }
  // Only the code is kept: the message of a defect could contain request data.
  const kind = code ?? (error instanceof Error ? error.name : 'unknown');
  return new RuntimeError('ERR_INTERNAL', `the model failed to compute this request (${kind})`, { cause: error });
}
