/**
 * What a caller may demand in `provider` of any body: to be served by a workload that proves itself, or over sessions that it
 * verified before. This server runs the model itself, so it has no sessions; what it cannot keep it refuses.
 */
import type { FastifyInstance } from 'fastify';
import type { Enclave } from '../enclave/enclave.ts';
import { ServerError } from '../errors.ts';

/** After the body is read, so that the refusal has a receipt too. See ACI, "Serving constraints". */
export function keepServingConstraints(
  app: FastifyInstance,
  { enclave }: { enclave: () => Enclave | undefined },
): void {
  app.addHook('preHandler', async ({ method, body }) => {
    if (method !== 'POST') return;
    const { isVerifiedWanted, hasSessions } = readConstraints(body);
    if (hasSessions) {
      throw new ServerError(
        'ERR_SESSION_NOT_ACCEPTED',
        '`provider.aci_session_ids` cannot be kept: this server runs the model itself and has no sessions',
      );
    }
    if (isVerifiedWanted && enclave() === undefined) {
      throw new ServerError(
        'ERR_CONSTRAINT_UNMET',
        '`provider.aci_verified` cannot be kept: this server proves nothing',
      );
    }
  });
}

/** @throws {ServerError} ERR_CONSTRAINT_INVALID */
function readConstraints(body: unknown): { isVerifiedWanted: boolean; hasSessions: boolean } {
  const provider = membersOf(membersOf(body).provider);
  for (const name of Object.keys(provider)) {
    if (name.startsWith('aci_') && name !== 'aci_verified' && name !== 'aci_session_ids') {
      throw invalid(
        '`provider` has a constraint that this server does not know: it takes `aci_verified` and `aci_session_ids`',
      );
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
