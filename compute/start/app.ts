/** Builds the HTTP application of the compute service: plugins and routes, in order. It does not listen. */
import { randomBytes } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import { parseJson } from '@cloister/server/bodies/parse-json';
import { watchMethods } from '@cloister/server/http/allowed-methods';
import { answerClientErrors, requireOneHost } from '@cloister/server/http/client-errors';
import { announceDeprecations, type Deprecation } from '@cloister/server/http/deprecations';
import { type Logger, logRequests, NoFrameworkLines } from '@cloister/server/http/request-log';
import { Type } from '@cloister/server/schema/type';
import { limitConnections } from '@cloister/server/tls/connections';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { ComputeError } from '../base/errors.ts';
import { bodyReader, deployReader } from '../base/readers.ts';
import { Admission, type RateLimits } from '../http/admission.ts';
import { consoleRoutes } from '../http/console.ts';
import { computeErrorReply, sendComputeError } from '../http/error-replies.ts';
import { openApiDocument } from '../http/openapi.ts';
import type { Operation } from '../http/operation.ts';
import { answerOnce } from '../http/repeats.ts';
import { operationsOf } from '../routes/operations.ts';
import type { ComputeService } from '../service/service.ts';

export interface ComputeAppOptions {
  readonly service: ComputeService;
  readonly https: ServerOptions;
  readonly logger: Logger;
  readonly limits: RateLimits;
  /** Addresses and networks of the proxies whose forwarding headers are trusted (C-044). */
  readonly trustedProxies: readonly string[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Announced removals; by default those of this release. */
  readonly deprecations?: readonly Deprecation[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The exact body, which idempotency keys are bound to. */
    bodyText: string;
  }
}

const bodyBytesMax = 256 * 1024;
const connectionsMax = 4096;

/** Requires TLS options: the service never serves plain HTTP. */
export function buildComputeApp({
  service,
  https,
  logger,
  limits,
  trustedProxies,
  now,
  deprecations,
}: ComputeAppOptions): FastifyInstance {
  const app = fastify({
    https,
    bodyLimit: bodyBytesMax,
    loggerInstance: logger,
    logController: new NoFrameworkLines(),
    genReqId: () => randomBytes(12).toString('base64url'),
    requestIdHeader: false,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendUnrouted(error, request as never, reply as never),
    clientErrorHandler: answerClientErrors((refusal, { remoteAddress }) => {
      const { headers, limited } = admission.countInvalid(remoteAddress);
      const reply = computeErrorReply(limited ?? refusal, now());
      return { ...reply, headers: { ...reply.headers, ...headers } };
    }),
    routerOptions: { maxParamLength: 256 },
  }) as unknown as FastifyInstance;
  const admission = new Admission(service, { limits, now });
  const operations = operationsOf(service.options);
  // Counts requests that reach no route or fail before its hooks run, so that their responses have rate-limit headers too.
  const sendUnrouted = async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = await admission.countUnrouted(request, reply).catch((limit: unknown) => limit);
    return sendComputeError(refusal ?? error, request, reply, now());
  };

  limitConnections(app.server, { connectionsMax });
  logRequests(app);
  app.setErrorHandler((error, request, reply) => {
    const isCounted = request.counted !== undefined;
    return isCounted ? sendComputeError(error, request, reply, now()) : sendUnrouted(error, request, reply);
  });
  requireOneHost(app);
  readBodies(app);
  app.decorateRequest('accountId', '');
  app.decorateRequest('counted', undefined);
  app.decorateRequest('session', undefined);
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  // Files that need no key are not counted: a visit loads more of them than the limit per endpoint allows.
  app.register(async (pages) => consoleRoutes(pages, service.options));
  app.register(async (routes) => {
    routes.addHook('onRequest', (request, reply) => admission.admit(request, reply));
    announceDeprecations(routes, deprecations);
    const methods = watchMethods(routes);
    for (const operation of operations) addRoute(routes, operation, { service, admission, now });
    let description: object | undefined;
    // Built at the first request: most services are never asked.
    routes.get(`/api/${service.options.svc}/openapi.json`, async () => {
      description ??= openApiDocument(operations, service.options);
      return description;
    });
    methods.refuse();
    routes.setNotFoundHandler(() => {
      throw new ComputeError('NOT_FOUND', `no endpoint has this path: see /api/${service.options.svc}/openapi.json`);
    });
  });
  return app;
}

/** Accepts JSON bodies and empty bodies. */
function readBodies(app: FastifyInstance): void {
  app.decorateRequest('bodyText', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.byteLength === 0) return undefined;
    const parsed = parseJson(body);
    request.bodyText = body.toString('utf8');
    return parsed;
  });
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  { service, admission, now }: { service: ComputeService; admission: Admission; now: () => number },
): void {
  const { method, path: url, query = {} } = operation;
  const querySchema = Type.Partial(Type.Object({ ...query }));
  app.route({
    method,
    url,
    config: { operation },
    async handler(request, reply) {
      const call = {
        service,
        accountId: request.accountId,
        parameters: readParameters(request.params as Record<string, string>),
        query: bodyReader.read(querySchema, request.query),
        body: bodyOf(operation, request.body),
        countCreation: () => admission.countCreation(request),
        idempotencyKey: request.headers['idempotency-key']?.toString(),
        request,
        reply,
      };
      const { store } = service.control;
      const { status, body } = await answerOnce(operation, call, { store, bodyText: request.bodyText, now });
      return reply.code(status).send(body);
    },
  });
}

/** @throws {ComputeError} NOT_FOUND if a parameter contains U+0000, which PostgreSQL rejects even in queries */
function readParameters(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (Object.values(given).some((value) => value.includes('\0'))) {
    throw new ComputeError('NOT_FOUND', 'no resource has this id: list the resources');
  }
  return given;
}

/** @throws {ComputeError} INVALID_REQUEST, naming the field (C-026) */
function bodyOf({ body: schema, createsPods }: Operation, body: unknown): unknown {
  if (schema === undefined) return undefined;
  return (createsPods === true ? deployReader : bodyReader).read(schema, body);
}
