/** Error codes of engines. Each comment states what is known and the caller's action. */
export type EngineErrorCode =
  | 'ERR_SPEC_INVALID' // A value is invalid; nothing was created: correct it.
  | 'ERR_ENGINE_REFUSED' // The engine refused and no pod exists: refund the hold; `reason` says why.
  | 'ERR_IMAGE_UNAVAILABLE' // The image cannot be fetched or prepared; nothing was created: use another image.
  | 'ERR_ENGINE_UNREACHABLE' // The request did not reach the engine; nothing was created: retry later.
  | 'ERR_OUTCOME_UNKNOWN'; // The engine did not answer: keep the hold and look the pod up by its id.

/** Why an engine refused. Only `settings_refused` can be corrected by the tenant. */
export type RefusalReason =
  | 'settings_refused' // The command, a variable, a port or a key cannot be used.
  | 'devices_missing' // The requested GPUs are not present in the pod; it was removed.
  | 'resources_missing' // Not enough memory, processors, disk or ports on the host.
  | 'not_confidential' // This host cannot run trust domains.
  | 'not_supported' // This engine or its version does not support the request.
  | 'not_ours' // The pod's name is in use by an object of another service.
  | 'engine_refused'; // Any other reason; `cause` has the engine's text, which tenants must not see.

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** Only with ERR_ENGINE_REFUSED. */
  readonly reason: RefusalReason | undefined;

  /** @param message for tenants: contains neither the engine's text nor a tenant's value */
  constructor(code: EngineErrorCode, message: string, options: { cause?: unknown; reason?: RefusalReason } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
  }
}

/** An ERR_ENGINE_REFUSED: no pod exists. @param cause the engine's refusal, if there is one */
export function refused(reason: RefusalReason, message: string, cause?: unknown): EngineError {
  return new EngineError('ERR_ENGINE_REFUSED', message, { reason, ...(cause === undefined ? {} : { cause }) });
}

/** @returns whether the failed call certainly created no pod, so that the hold may be refunded */
export function nothingWasCreated(error: unknown): boolean {
  return error instanceof EngineError && error.code !== 'ERR_OUTCOME_UNKNOWN';
}
