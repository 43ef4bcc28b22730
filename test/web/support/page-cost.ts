/** What the pages cost: bytes on the wire, and memory of a server before and after the first visit. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const build = new URL('../../../web/build/', import.meta.url);
export const { pages } = JSON.parse(readFileSync(new URL('pages.json', build), 'utf8')) as {
  pages: Record<string, string>;
};

/** Bytes of a page and of every file that it loads, each compressed. @param file of the page, such as `chat.html` */
export function gzippedBytes(file: string): number {
  const seen = new Set([file]);
  for (const name of seen) {
    const text = readFileSync(new URL(name, build), 'utf8');
    const found = text.matchAll(/(?:\/assets\/|["'`]\.\/)([\w-]+\.(?:js|css|svg))/g);
    for (const [, asset] of found) seen.add(asset!);
  }
  return [...seen].reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, build)), { level: 9 }).length, 0);
}

export interface MemoryCost {
  /** Bytes of heap and buffers that the routes of the pages add before anyone visits them. */
  readonly beforeFirstVisit: number;
  /** Bytes that every page and asset adds once each has been visited. */
  readonly afterAllVisits: number;
}

/** Runs in a process of its own, so that nothing else allocates. */
const program = `
import fastify from 'fastify';
await import('./server/http/errors.ts');
const app = fastify();
const used = () => {
  for (let round = 0; round < 4; round++) gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const start = used();
const { pageRoutes } = await import('./server/features/pages/route.ts');
const { consoleHandler } = await import('./server/features/pages/console.ts');
const { descriptionRoutes } = await import('./server/features/openapi/route.ts');
const { PageFiles } = await import('./server/features/pages/page-files.ts');
const files = new PageFiles();
const handler = consoleHandler(files);
app.register(async (scope) => pageRoutes(scope, { files }));
app.register(async (scope) => descriptionRoutes(scope), { prefix: '/v1' });
await app.ready();
const before = used();
const index = await files.index();
await Promise.all([...Object.values(index.pages), ...index.assets].map((name) => files.file(name)));
const after = used();
console.log(JSON.stringify({ beforeFirstVisit: before - start, afterAllVisits: after - before }));
if (handler === undefined || files === undefined) throw new Error('nothing was measured');
`;

export function memoryCost(): MemoryCost {
  const text = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', program], {
    cwd: new URL('../../../', import.meta.url),
    encoding: 'utf8',
    // With a cache that lacks only these modules, Node would load its type stripper, 10 MB, during the measurement.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
  });
  return JSON.parse(text) as MemoryCost;
}
