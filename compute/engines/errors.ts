/** Everything an engine refuses. The comment by each code says what is known, and what the caller should do. */
export type EngineErrorCode =
  | 'ERR_SPEC_INVALID' // A value does not have the form the engine needs; nothing was created: correct it.
  | 'ERR_ENGINE_REFUSED' // The engine said no and nothing exists: return the money; `reason` says why.
  | 'ERR_IMAGE_UNAVAILABLE' // The image cannot be fetched or prepared; nothing was created: name another.
  | 'ERR_ENGINE_UNREACHABLE' // The question never reached the engine; nothing was created: try later.
  | 'ERR_OUTCOME_UNKNOWN'; // The engine was asked and did not answer: keep the hold and look the pod up by its id.

/** Why an engine said no; `settings_refused` is the tenant's to change, the others are not. */
export type RefusalReason =
  | 'settings_refused' // The command, a variable, a port or a key cannot be used.
  | 'devices_missing' // The GPUs that were asked for did not appear in the pod; it was removed again.
  | 'resources_missing' // No room: memory, processors, disk or a port of the host is taken.
  | 'not_confidential' // This host cannot run a trust domain, so it runs no confidential machine.
  | 'not_supported' // This engine does not do what was asked, on this version.
  | 'not_ours' // The name is taken by something that this service did not make.
  | 'engine_refused'; // Anything else; `cause` carries the engine's own words, which are not for tenants.

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** Only with ERR_ENGINE_REFUSED. */
  readonly reason: RefusalReason | undefined;

  /** @param message for tenants: never the engine's own words, never a value that a tenant wrote */
  constructor(code: EngineErrorCode, message: string, options: { cause?: unknown; reason?: RefusalReason } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.reason = options.reason;
  }
}

/** The engine said no and nothing exists. @param cause the engine's own words, where there are any */
export function refused(reason: RefusalReason, message: string, cause?: unknown): EngineError {
  return new EngineError('ERR_ENGINE_REFUSED', message, { reason, ...(cause === undefined ? {} : { cause }) });
}

/** @returns whether it is certain that no pod came of the call that threw this, so that the money may go back */
export function nothingWasCreated(error: unknown): boolean {
  return error instanceof EngineError && error.code !== 'ERR_OUTCOME_UNKNOWN';
}
