/** The operator's console on the admin port: one page, whose requests carry the admin token. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PageFiles } from './page-files.ts';
import { pageHeaders } from './page-headers.ts';

const assetPath = /^\/assets\/([\w-]+\.(?:js|css|svg))$/;

/**
 * Answers `GET /` and `GET /assets/…` of the admin port.
 * @returns a handler, which returns false for other requests, without an answer
 */
export function consoleHandler(
  files: PageFiles = new PageFiles(),
): (request: IncomingMessage, response: ServerResponse) => Promise<boolean> {
  return async ({ method, url = '' }, response) => {
    if (method !== 'GET') return false;
    const index = await files.index();
    const asset = assetPath.exec(url)?.[1] ?? '';
    const name = url === '/' ? index?.pages['/operator'] : index?.assets.find((one) => one === asset);
    if (name === undefined) return false;
    const { type, plain } = await files.file(name);
    response.writeHead(200, { ...pageHeaders, 'content-type': type, 'cache-control': 'no-store' }).end(plain);
    return true;
  };
}
