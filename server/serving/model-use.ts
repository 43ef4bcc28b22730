/** Remembers when each model was last used. */
import type { FastifyInstance } from 'fastify';
import type { ModelDirectory } from './served-model.ts';

/** @param options.now milliseconds since 1970 */
export function followModelUse(app: FastifyInstance, options: { models: ModelDirectory; now: () => number }): void {
  const { models, now } = options;
  app.addHook('onResponse', (request, _reply, done) => {
    const { admitted } = request;
    const use = admitted === undefined ? undefined : models.get(admitted.model)?.use;
    if (use !== undefined) use.usedAt = now();
    done();
  });
}
