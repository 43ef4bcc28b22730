/**
 * Lets clients notice that the start log has grown: connections that were opened before end with their next answer, and do not reach
 * models that their evidence cannot name. A client that verifies servers then opens a new connection, sees the new keyset and verifies again.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServerError } from '../http/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Extensions of the start log when the connection had its first request; undefined without a platform. */
    knownExtensions: number | undefined;
  }
}

/** @param extensions of the start log so far; undefined without evidence */
export function followLog(app: FastifyInstance, extensions: () => number | undefined): void {
  const known = new WeakMap<object, number>();
  app.decorateRequest('knownExtensions', undefined);
  app.addHook('onRequest', (request, reply, next) => {
    const now = extensions();
    if (now !== undefined) {
      const { socket } = request;
      const then = known.get(socket) ?? now;
      known.set(socket, then);
      request.knownExtensions = then;
      // Set on the raw response, so that streams have it too.
      if (then < now) reply.raw.setHeader('connection', 'close');
    }
    next();
  });
}

/** @throws {ServerError} ERR_MODEL_LOADING if the connection is older than the evidence that names the model */
export function requireKnownModel(
  { knownExtensions }: Pick<FastifyRequest, 'knownExtensions'>,
  { measuredBy = 0 }: { readonly measuredBy?: number | undefined },
): void {
  if (knownExtensions === undefined || measuredBy <= knownExtensions) return;
  throw new ServerError(
    'ERR_MODEL_LOADING',
    'the model was loaded after this connection was opened: send the request again on a new connection',
    { details: { retryAfterSeconds: 1 } },
  );
}
