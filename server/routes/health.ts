/** `/health/live` says that the process runs, `/health/ready` that it can answer. Neither needs a key. */
import type { FastifyInstance } from 'fastify';
import { RuntimeError } from '../../runtime/errors.ts';
import { ServerError } from '../errors.ts';
import type { ModelDirectory } from '../start/served-model.ts';

export interface HealthDependencies {
  readonly models: ModelDirectory;
  /** Whether there is a platform whose start has not been measured yet. */
  readonly isStarting?: (() => boolean) | undefined;
}

export function healthRoutes(app: FastifyInstance, { models, isStarting }: HealthDependencies): void {
  app.get('/health/live', async () => ({ status: 'live' }));

  app.get('/health/ready', async () => {
    const states = [...models.values()].map(({ engine }) => engine.state.kind);
    if (states.includes('draining')) throw new RuntimeError('ERR_DRAINING', 'the server is stopping');
    if (states.includes('failed')) throw new ServerError('ERR_MODEL_LOADING', 'a model could not be loaded');
    if (states.includes('loading')) throw new ServerError('ERR_MODEL_LOADING', 'the model is still loading');
    if (isStarting?.() === true) throw new ServerError('ERR_NOT_ATTESTED', 'the start is still being measured');
    return { status: 'ready' };
  });
}
