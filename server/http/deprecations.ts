/**
 * The parts of the API that will be removed, and the headers that announce it (C-003, I-009): `Deprecation` (RFC 9745)
 * and `Sunset` (RFC 8594), at least 90 days in advance.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface Deprecation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The route with its prefix: `/v1/models/:id`. */
  readonly path: string;
  /** A member of the body or the query; other requests get no headers. Undefined: the whole route. */
  readonly field?: string;
  /** UTC days, `YYYY-MM-DD`. */
  readonly deprecatedOn: string;
  readonly sunsetOn: string;
  /** Address of a page that describes the replacement. */
  readonly documentation?: string;
}

/**
 * The deprecations of the shipped API. Add an entry, and a line to the changelog, 90 days before a route or a field is
 * removed.
 */
export const deprecations: readonly Deprecation[] = [];

const noticeDaysMin = 90;
const dayMs = 86_400_000;

/**
 * Adds the headers to the responses of this app.
 * @throws {RangeError} for an entry that gives less than 90 days of notice
 */
export function announceDeprecations(app: FastifyInstance, table: readonly Deprecation[] = deprecations): void {
  for (const entry of table) requireNotice(entry);
  if (table.length === 0) return;
  // The last hook before the handler: the body has been read, and no stream has started.
  app.addHook('preHandler', (request, { raw }, next) => {
    const soonest = table
      .filter((entry) => concerns(entry, request))
      .toSorted((a, b) => timeOf(a.sunsetOn) - timeOf(b.sunsetOn))[0];
    if (soonest !== undefined) {
      // Set on the raw response, so that streams that bypass the framework have them too.
      raw.setHeader('deprecation', `@${timeOf(soonest.deprecatedOn) / 1000}`);
      raw.setHeader('sunset', new Date(timeOf(soonest.sunsetOn)).toUTCString());
      if (soonest.documentation !== undefined) raw.setHeader('link', `<${soonest.documentation}>; rel="deprecation"`);
    }
    next();
  });
}

function concerns({ method, path, field }: Deprecation, { method: asked, routeOptions, body, query }: FastifyRequest) {
  if (method !== asked || path !== routeOptions.url) return false;
  return field === undefined || [body, query].some((part) => isObject(part) && Object.hasOwn(part, field));
}

function requireNotice({ path, deprecatedOn, sunsetOn }: Deprecation): void {
  if (timeOf(sunsetOn) - timeOf(deprecatedOn) >= noticeDaysMin * dayMs) return;
  throw new RangeError(`${path} must be announced at least ${noticeDaysMin} days before its sunset, ${sunsetOn}`);
}

/** @returns milliseconds since 1970 · @throws {RangeError} */
function timeOf(day: string): number {
  const time = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(time)) throw new RangeError(`the days of a deprecation must be YYYY-MM-DD, got ${day}`);
  return time;
}

function isObject(part: unknown): part is object {
  return typeof part === 'object' && part !== null;
}
