/**
 * Keeps or refuses what a caller demands in `provider`: to be served by a workload that proves itself, or over sessions that it
 * verified before. This server runs the model itself, so it has no sessions; what it cannot keep it refuses.
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

/** The constraints are read with the rest of the body, so that the refusal has a receipt too. */
export function keepServingConstraints(
  app: FastifyInstance,
  { enclave }: { enclave: () => Enclave | undefined },
): void {
  app.decorate('requireKept', ({ isVerifiedWanted, hasSessions }: ServingConstraints) => {
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
