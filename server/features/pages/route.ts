/** The pages for people: one HTML file per path, and the scripts and styles that they load. They need no key and set no cookie. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServerError } from '../../http/errors.ts';
import { PageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';

/** The paths of pages. `web/build.ts` writes one page for each. */
export const pagePaths = ['/', '/chat', '/usage', '/reference', '/status', '/sign-in'] as const;

/** The names of assets change with their contents. */
const assetCaching = 'private, max-age=31536000, immutable';

export interface PageRouteOptions {
  /** The path of each page of `web/build.ts`, by the path at which this server has it. */
  readonly pages?: Readonly<Record<string, string>>;
  readonly files?: PageFiles;
}

/** Serves pages, and the assets of all of them. */
export function pageRoutes(app: FastifyInstance, options: PageRouteOptions = {}): void {
  const { pages = Object.fromEntries(pagePaths.map((path) => [path, path])), files = new PageFiles() } = options;
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, async (request, reply) => {
      const name = (await requireIndex(files)).pages[page];
      if (name === undefined) throw unknownPage();
      return await send({ request, reply }, files, name);
    });
  }
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { assets } = await requireIndex(files);
    const { name } = request.params;
    if (!assets.includes(name)) throw unknownPage();
    reply.header('cache-control', assetCaching);
    return await send({ request, reply }, files, name);
  });
}

async function send(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  files: PageFiles,
  name: string,
): Promise<FastifyReply> {
  const { type, plain, gzipped } = await files.file(name);
  reply.headers(pageHeaders).type(type).header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

async function requireIndex(files: PageFiles) {
  const index = await files.index();
  if (index !== undefined) return index;
  throw new ServerError('ERR_ROUTE_UNKNOWN', 'the pages are not built: run `node web/build.ts` and restart the server');
}

function unknownPage(): ServerError {
  return new ServerError('ERR_ROUTE_UNKNOWN', 'this page does not exist; the API is under /v1');
}
