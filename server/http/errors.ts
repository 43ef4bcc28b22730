/** Every error that the server itself raises. The comment by each code is the caller's action. */
export type ServerErrorCode =
  | 'ERR_REQUEST_INVALID' // A field is missing, of the wrong type or out of range: the message names it.
  | 'ERR_BODY_TOO_LARGE' // Send no more than `details.limit` bytes.
  | 'ERR_HEADERS_TOO_LARGE' // Send a shorter path and fewer headers.
  | 'ERR_REQUEST_TIMEOUT' // Send the whole request at once.
  | 'ERR_HOST_UNKNOWN' // Call this port by a loopback name or address, or by the host that the server listens on.
  | 'ERR_BODY_TYPE' // Send JSON, as `Content-Type: application/json`.
  | 'ERR_SEALED_ONLY' // This server takes no plain bodies: seal them to its key (EHBP).
  | 'ERR_SEALED_BODY' // The sealed body is malformed or cannot be opened: seal it again.
  | 'ERR_SEALED_KEY' // The body was sealed to another key: verify the server's keys again, seal again and resend.
  | 'ERR_SEALED_REPLAY' // This body was opened before: seal it again, as a new request.
  | 'ERR_SEALED_FULL' // This account has sent too many sealed requests within minutes: retry after `details.retry_after`.
  | 'ERR_MODEL_UNKNOWN' // Request one of the models that the message lists.
  | 'ERR_MODEL_ABSENT' // The list of models has no such id: use one that the message lists.
  | 'ERR_KEY_MISSING' // Send an API key.
  | 'ERR_KEY_INVALID' // The key is unknown or revoked: make a new one.
  | 'ERR_KEY_AMBIGUOUS' // The request carries two different keys: send one.
  | 'ERR_SESSION_REQUIRED' // Sign in with a link of `cloister accounts login`: API keys cannot do this.
  | 'ERR_LINK_INVALID' // The sign-in link was used or has expired: request a new one.
  | 'ERR_ORIGIN_REFUSED' // Requests with a session cookie must come from a page of this server.
  | 'ERR_ROUTE_UNKNOWN' // This path does not exist.
  | 'ERR_METHOD_NOT_ALLOWED' // Use one of the methods in the `Allow` header.
  | 'ERR_MODEL_STATE' // The operator's model cannot be loaded or unloaded now: the message says why.
  | 'ERR_MODEL_LOADING' // Retry after `details.retryAfterSeconds`.
  | 'ERR_UNHEALTHY' // The server cannot serve now: see `details.checks`. Send requests elsewhere, or retry later.
  | 'ERR_IMAGES_FULL' // Fetch the pending images, or request `b64_json`; else retry after `details.retry_after`.
  | 'ERR_NOT_ATTESTED' // The server has no evidence of its identity, or not yet: send nothing, retry later.
  | 'ERR_ATTESTATION_BUSY' // Too many quotes are requested: retry after `details.retry_after`.
  | 'ERR_SESSION_NOT_ACCEPTED' // This server has no sessions to upstreams: leave `provider.aci_session_ids` out.
  | 'ERR_CONSTRAINT_INVALID' // `provider` has an unknown or malformed `aci_…` member: the message names it.
  | 'ERR_CONSTRAINT_UNMET' // Verified serving was requested but cannot be proven: use another server, or retry later.
  | 'ERR_STATE_INVALID' // `previous_response_id` cannot be opened: send the items of the conversation in `input`.
  | 'ERR_RESPONSE_UNKNOWN' // No answer with this id is running: nothing is left to cancel.
  | 'ERR_OTHER_NODE' // Another node of the fleet has it: ask the one at `details.address`.
  | 'ERR_NODE_UNKNOWN' // No node of the fleet has this keyset: take one from `GET /v1/fleet`.
  | 'ERR_RECEIPT_UNKNOWN' // Fetch receipts soon after the answer, with the key that made the request.
  | 'ERR_READER_TOO_SLOW' // The response is not being read: read faster, or request less.
  | 'ERR_COMPUTE_ABSENT' // No compute service is configured here: ask the operator for its address.
  | 'ERR_COMPUTE_BUSY' // Too many requests to the compute service are running: retry after `details.retry_after`.
  | 'ERR_COMPUTE_UNREACHABLE' // Nothing was sent to the compute service: retry.
  | 'ERR_COMPUTE_LOST' // No answer came: list the pods, and retry only with the same Idempotency-Key.
  | 'ERR_USAGE' // The command line is wrong: the message says what to change.
  | 'ERR_CONFIG' // A setting is wrong: the message gives its name, range and value.
  | 'ERR_START'; // The server cannot start as configured: the message says what to change.

/** Additional members of an error's reply. */
export type ServerErrorDetails = Readonly<Record<string, number | string | Readonly<Record<string, string>>>>;

export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly code: ServerErrorCode;
  readonly details: ServerErrorDetails;

  constructor(code: ServerErrorCode, message: string, options: { cause?: unknown; details?: ServerErrorDetails } = {}) {
    // Capturing a stack is most of the cost of a rejection, and the code and the message already say what to do.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.details = Object.freeze({ ...options.details });
  }
}
