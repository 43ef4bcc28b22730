/** All error codes of models. The comment by each code is the caller's action. */
export type ModelErrorCode =
  | 'ERR_MODEL_LOAD' // The file cannot be loaded: see the message.
  | 'ERR_MEMORY_BUDGET' // The context does not fit: lower the sequences or the context per sequence.
  | 'ERR_GPU_UNAVAILABLE' // The requested GPU cannot be used: install the library that the message names, or choose another kind.
  | 'ERR_CHAT_TEMPLATE' // The model's template refuses these messages: change roles or order.
  | 'ERR_CHAT_TOO_COMPLEX' // The model's template takes too long for these messages: send fewer.
  | 'ERR_GRAMMAR_INVALID' // The JSON schema or tool parameters cannot be turned into a grammar: simplify them.
  | 'ERR_NO_KV_SLOT' // The context is full: trim sequences.
  | 'ERR_STATE' // A state cannot be saved, restored or trimmed: restart the sequence.
  | 'ERR_DECODE' // The forward pass failed: trim the step's sequences; if it recurs, reload.
  | 'ERR_LOGITS_INVALID' // The model computed non-finite values: end the answer; if it recurs, the weights are damaged.
  | 'ERR_ABORTED' // The caller aborted. A download can be resumed.
  // Catalogue, files and downloads:
  | 'ERR_CATALOGUE_INVALID' // The catalogue file is invalid: correct the entry and field that the message names.
  | 'ERR_CATALOGUE_MISSING' // The catalogue file does not exist: set CLOISTER_CATALOGUE or add a model.
  | 'ERR_CATALOGUE_WRITE' // The catalogue cannot be written: set CLOISTER_CATALOGUE to a writable path.
  | 'ERR_MODEL_UNKNOWN' // No entry has this id: the message lists the existing ids.
  | 'ERR_REFERENCE_INVALID' // The reference to add is invalid: the message shows the valid forms.
  | 'ERR_FILE_MISSING' // A weight file is not on disk: run `cloister models pull <id>`.
  | 'ERR_FILE_CHANGED' // A weight file changed while it was read: stop the writer, then retry.
  | 'ERR_DIGEST_MISMATCH' // A file does not match its pinned digest: do not load it; pull it again.
  | 'ERR_URL_REFUSED' // The URL, or a redirect from it, is neither https nor loopback: use an https URL.
  | 'ERR_REMOTE_REFUSED' // The server refused the request (401, 403, 404 …): check name, revision, licence and HF_TOKEN.
  | 'ERR_REMOTE_CHANGED' // The file on the server has changed: run `cloister models add` again.
  | 'ERR_DOWNLOAD_FAILED' // The network failed after all retries: retry; the download resumes. `details.retryAfterMs` if the server sent it.
  | 'ERR_DISK_FULL' // The file does not fit on the disk: free the bytes that the message names.
  | 'ERR_PULL_RUNNING'; // Another process is downloading this file: wait for it.

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

/** Converts an error of the addon that has one of these codes to a ModelError; returns other errors unchanged. */
export function toModelError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ModelError) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string' || !codes.has(code)) return error;
  return new ModelError(code as ModelErrorCode, error.message, { cause: error });
}
