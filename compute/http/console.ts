/** The renter's console: one page, which the room `web` bundles and whose requests are those of the API. */
import { pageRoutes } from '@cloister/server/features/pages/route';
import type { FastifyInstance } from 'fastify';
import type { ComputeOptions } from '../service/service.ts';

/** The path names the service, so that the page finds the API of it. */
export function consolePath({ svc }: Pick<ComputeOptions, 'svc'>): string {
  return `/${svc}/console`;
}

/** Serves the console and its assets, and leads people there from the root of the address. Needs no key. */
export function consoleRoutes(app: FastifyInstance, options: Pick<ComputeOptions, 'svc'>): void {
  const path = consolePath(options);
  pageRoutes(app, { pages: { [path]: '/console' } });
  app.get('/', async (_request, reply) => reply.redirect(path, 302));
}
