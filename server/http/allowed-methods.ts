/** Answers 405 with `Allow` if the path exists with other methods, and 404 if it does not exist. */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { ServerError } from './errors.ts';

const methods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Call before the routes of `app` are registered; `refuse` after them. */
export function watchMethods(app: FastifyInstance): { refuse: () => void } {
  const allowed = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = allowed.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    allowed.set(url, known);
  });
  return {
    refuse() {
      for (const [url, known] of [...allowed]) refuseOthers(app, { url, known: new Set(known) });
    },
  };
}

/** Answers requests that match no route. */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  app.setNotFoundHandler(() => {
    throw new ServerError('ERR_ROUTE_UNKNOWN', 'this path does not exist; the API is under /v1');
  });
}

function refuseOthers(app: FastifyInstance, { url, known }: { url: string; known: ReadonlySet<string> }): void {
  const allow = [...known].join(', ');
  app.route({
    url: url.slice(app.prefix.length),
    method: methods.filter((method) => !known.has(method)),
    exposeHeadRoute: false,
    // The body of a rejected request is never parsed.
    preParsing: async () => {
      throw new ServerError('ERR_METHOD_NOT_ALLOWED', `this path accepts ${allow}`, { details: { allow } });
    },
    handler: async () => undefined,
  });
}
