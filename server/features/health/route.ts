/**
 * `/health/live` says that the process runs, `/health/ready` that it can serve, `/health/incidents` when it could not. None of them
 * needs a key.
 */
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { FastifyInstance } from 'fastify';
import { ServerError, type ServerErrorCode } from '../../http/errors.ts';
import type { CheckName } from './check-names.ts';
import type { Failures, Readiness } from './readiness.ts';

export interface HealthDependencies {
  readonly readiness: Pick<Readiness, 'failures' | 'incidents'>;
}

export function healthRoutes(app: FastifyInstance, { readiness }: HealthDependencies): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  app.get('/health/ready', async () => {
    const failures = readiness.failures();
    if (failures.size > 0) throw notReady(failures);
    return { status: 'ready' };
  });

  app.get('/health/incidents', async () => ({
    incidents: readiness.incidents.map(({ check, from, to }) => ({
      check,
      from: new Date(from).toISOString(),
      to: to === undefined ? null : new Date(to).toISOString(),
    })),
  }));
}

/** Codes of the checks that fail while a server starts. All others have ERR_UNHEALTHY. */
const codes: Partial<Record<CheckName, ServerErrorCode>> = {
  models: 'ERR_MODEL_LOADING',
  start: 'ERR_NOT_ATTESTED',
};

/** The code and the message are those of the first failing check; `details.checks` lists all of them. */
function notReady(failures: Failures): Error {
  if (failures.has('draining')) return new RuntimeError('ERR_DRAINING', 'the server is stopping');
  const [name, reason] = [...failures][0]!;
  const details = { checks: Object.fromEntries(failures) };
  return new ServerError(codes[name] ?? 'ERR_UNHEALTHY', reason, { details });
}
