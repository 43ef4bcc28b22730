/** Everything a model refuses or fails with. The comment by each code is what the caller should do. */
export type ModelErrorCode =
  | 'ERR_MODEL_LOAD' // The file cannot be loaded: the message says why.
  | 'ERR_MEMORY_BUDGET' // The context does not fit: lower the sequences or the context per sequence.
  | 'ERR_GPU_UNAVAILABLE' // The GPU asked for cannot be used: install what the message names, or ask for another.
  | 'ERR_CHAT_TEMPLATE' // The model's template refuses these messages: change roles or order.
  | 'ERR_CHAT_TOO_COMPLEX' // The model's template takes too long for these messages: send fewer.
  | 'ERR_GRAMMAR_INVALID' // The JSON schema or tool parameters cannot be turned into a grammar: simplify them.
  | 'ERR_NO_KV_SLOT' // The context is full: trim sequences.
  | 'ERR_STATE' // A state cannot be saved, restored or cut back: start the sequence anew.
  | 'ERR_DECODE' // The forward pass failed: trim the step's sequences; if it recurs, reload.
  | 'ERR_LOGITS_INVALID' // The model computed NaN: end the answer; if it recurs, the weights are damaged.
  | 'ERR_ABORTED' // The caller aborted. What was downloaded stays resumable.
  // The catalogue, the files and the downloads:
  | 'ERR_CATALOGUE_INVALID' // The catalogue file is wrong: mend the entry and field that the message names.
  | 'ERR_CATALOGUE_MISSING' // There is no catalogue at that path: set CLOISTER_CATALOGUE or add a model.
  | 'ERR_CATALOGUE_WRITE' // The catalogue cannot be written: set CLOISTER_CATALOGUE to one that can.
  | 'ERR_MODEL_UNKNOWN' // No entry has this id: the message lists those that exist.
  | 'ERR_REFERENCE_INVALID' // The source to add is not understood: the message shows the forms.
  | 'ERR_FILE_MISSING' // A weight file is not on disk: `cloister models pull <id>`.
  | 'ERR_FILE_CHANGED' // A weight file changed while it was read: stop the writer, then try again.
  | 'ERR_DIGEST_MISMATCH' // A file is not the pinned one: do not load it; pull it again.
  | 'ERR_URL_REFUSED' // Neither https nor loopback, or a redirect to such: use an https address.
  | 'ERR_REMOTE_REFUSED' // The other side says no (401, 403, 404 …): check name, revision, licence and HF_TOKEN.
  | 'ERR_REMOTE_CHANGED' // The other side now holds another file: `cloister models add` it again.
  | 'ERR_DOWNLOAD_FAILED' // The network failed, retries included: try again, it resumes. `details.retryAfterMs` where asked for.
  | 'ERR_DISK_FULL' // The file does not fit: free the bytes that the message names.
  | 'ERR_PULL_RUNNING'; // Another process pulls this file: wait for it.

export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  readonly details: Readonly<Record<string, number>>;

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, number> } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = Object.freeze({ ...options.details });
  }
}

const codes: ReadonlySet<string> = new Set<ModelErrorCode>([
  'ERR_MODEL_LOAD',
  'ERR_MEMORY_BUDGET',
  'ERR_GPU_UNAVAILABLE',
  'ERR_CHAT_TEMPLATE',
  'ERR_CHAT_TOO_COMPLEX',
  'ERR_GRAMMAR_INVALID',
  'ERR_NO_KV_SLOT',
  'ERR_STATE',
  'ERR_DECODE',
  'ERR_LOGITS_INVALID',
  'ERR_ABORTED',
]);

/** A native error with one of our codes as a ModelError; anything else as it is. */
export function toModelError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ModelError) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !codes.has(code)) return error;
  return new ModelError(code as ModelErrorCode, error.message, { cause: error });
}
