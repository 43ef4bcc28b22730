/**
 * Enforces a caller's constraints in `provider`: an attested workload, or sessions that the caller verified before. This server runs
 * the model itself and has no sessions. It refuses constraints that it cannot meet.
 */
import type { FastifyInstance } from 'fastify';
import type { ServingConstraints } from '../../bodies/serving-constraints.ts';
import type { Enclave } from '../../enclave/enclave.ts';
import { ServerError } from '../../http/errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Set by `keepServingConstraints`. @throws {ServerError} ERR_SESSION_NOT_ACCEPTED, ERR_NOT_ATTESTED */
    requireKept?: (constraints: ServingConstraints) => void;
  }
}

/** The constraints are checked after the body is read, so that a refusal has a receipt too. */
export function keepServingConstraints(
  app: FastifyInstance,
  { enclave }: { enclave: () => Enclave | undefined },
): void {
  app.decorate('requireKept', ({ isVerifiedWanted, hasSessions }: ServingConstraints) => {
    if (hasSessions) {
      throw new ServerError(
        'ERR_SESSION_NOT_ACCEPTED',
        '`provider.aci_session_ids` cannot be met: this server runs the model itself and has no sessions',
      );
    }
    if (isVerifiedWanted && enclave() === undefined) {
      throw new ServerError(
        'ERR_CONSTRAINT_UNMET',
        '`provider.aci_verified` cannot be met: this server has no evidence',
      );
    }
  });
}
