/** Remembers when each model was last used. */
import type { FastifyInstance } from 'fastify';
import type { ModelDirectory } from './served-model.ts';

/** A model's use of the machine, for the operator. */
export interface ModelUse {
  /** Main memory that the model has claimed. */
  readonly claimedBytes: () => number;
  /** Milliseconds since 1970, as is `usedAt`; undefined until the model is loaded. */
  readyAt?: number;
  /** End of the last admitted request. */
  usedAt?: number;
}

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
