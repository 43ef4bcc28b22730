/** The pages call documented routes only: every path in their sources is in an OpenAPI document, or on the page about health. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApiDocument as computeDocument } from '../../compute/http/openapi.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { openApiDocument } from '../../server/features/openapi/openapi.ts';
import { buildAdminDocument } from '../../server/operator/openapi.ts';
import { filesBelow } from '../architecture/sources.ts';
import { root } from './markdown.ts';

/** Descriptions of themselves. */
const documents = ['/v1/openapi.json', '/admin/openapi.json', '/api/svc/openapi.json'];

/** @returns the path without its query, with `{}` for each part that the page fills in */
function plain(path: string): string {
  return path.replaceAll(/\$?\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}').replace(/\?.*$/, '');
}

function calledPaths(): readonly { path: string; file: string }[] {
  return filesBelow('web', /\.tsx?$/).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
    const own = [...text.matchAll(/(['"`])(\/(?:v1|admin|health)\/[^'"`]*)\1/g)].map((match) => match[2]!);
    const compute = [...text.matchAll(/\bapi\((['"`])([^'"`]*)\1\)/g)].map((match) => `/api/svc/${match[2]!}`);
    return [...own, ...compute].map((path) => ({ path: plain(path), file }));
  });
}

it('the pages call documented routes only', () => {
  const health = readFileSync(join(root, 'docs/reference/health-and-metrics.md'), 'utf8');
  const described = new Set([
    ...Object.keys(openApiDocument.paths).map((path) => plain(`/v1${path}`)),
    ...Object.keys(buildAdminDocument().document.paths).map(plain),
    ...Object.keys(computeDocument(operationsOf({ svc: 'svc' }), { baseUrl: 'https://c.example' }).paths).map(plain),
    ...documents,
  ]);
  const called = calledPaths();
  expect(called.length).toBeGreaterThan(60);
  const isDescribed = (path: string) =>
    described.has(path) || (path.startsWith('/health/') && health.includes(`GET ${path}\``));
  expect(called.filter(({ path }) => !isDescribed(path))).toEqual([]);
});
