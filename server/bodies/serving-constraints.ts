/** The constraints that a caller may set in `provider` of any body. See ACI, "Serving constraints". */
import { ServerError } from '../http/errors.ts';

export interface ServingConstraints {
  /** The answer must come from an attested workload. */
  readonly isVerifiedWanted: boolean;
  /** The answer must come over sessions that the caller verified before. */
  readonly hasSessions: boolean;
}

/** @param body parsed JSON · @throws {ServerError} ERR_CONSTRAINT_INVALID */
export function readServingConstraints(body: unknown): ServingConstraints {
  const provider = membersOf(membersOf(body).provider);
  for (const name of Object.keys(provider)) {
    if (name.startsWith('aci_') && name !== 'aci_verified' && name !== 'aci_session_ids') {
      throw invalid('`provider` has an unknown constraint: this server supports `aci_verified` and `aci_session_ids`');
    }
  }
  const { aci_verified: verified, aci_session_ids: sessions } = provider;
  if (verified !== undefined && typeof verified !== 'boolean') {
    throw invalid('`provider.aci_verified` must be true or false');
  }
  if (sessions === undefined) return { isVerifiedWanted: verified === true, hasSessions: false };
  if (verified === false) throw invalid('`provider.aci_session_ids` and `aci_verified: false` contradict each other');
  if (!isSessionList(sessions)) {
    throw invalid('`provider.aci_session_ids` must be a list of ids, each of 64 lowercase hexadecimal digits');
  }
  return { isVerifiedWanted: true, hasSessions: true };
}

function isSessionList(value: unknown): boolean {
  const isId = (id: unknown) => typeof id === 'string' && /^[0-9a-f]{64}$/.test(id);
  return Array.isArray(value) && value.length > 0 && value.every(isId);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function invalid(message: string): ServerError {
  return new ServerError('ERR_CONSTRAINT_INVALID', message);
}
