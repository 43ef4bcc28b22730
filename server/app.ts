/** The HTTP application: every plugin and route by name, in order. It listens nowhere by itself. */
import { randomBytes } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import type { Accounts } from './accounts/store.ts';
import { filterAnswers } from './answer-body.ts';
import { limitConnections } from './connections.ts';
import type { Metrics } from './metrics.ts';
import { refuseUnknownRoutes, watchMethods } from './plugins/allowed-methods.ts';
import { requireKey } from './plugins/authentication.ts';
import { sendError, sendErrorReplies } from './plugins/error-replies.ts';
import { readJsonBodies } from './plugins/json-body.ts';
import { type Logger, logRequests, NoFrameworkLines } from './plugins/request-log.ts';
import { measureRequests } from './plugins/request-metrics.ts';
import { balanceRoutes } from './routes/balance.ts';
import { type ChatDependencies, chatRoutes } from './routes/chat.ts';
import { type EmbeddingDependencies, embeddingRoutes } from './routes/embeddings.ts';
import { healthRoutes } from './routes/health.ts';
import { type ImageDependencies, imageRoutes, pendingImageRoutes } from './routes/images.ts';
import { modelRoutes } from './routes/models.ts';
import { usageRoutes } from './routes/usage.ts';
import { type TlsIdentity, tlsOptions } from './tls.ts';

export interface AppDependencies extends ChatDependencies, EmbeddingDependencies, ImageDependencies {
  readonly metrics: Metrics;
  readonly accounts: Accounts;
  readonly logger: Logger;
  readonly tls: TlsIdentity;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
}

/** There is no way to build it without TLS (I-003, I-005). */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { models, metrics, accounts, logger, tls, bodyBytesMax, connectionsMax } = dependencies;
  const app = fastify({
    https: tlsOptions(tls),
    bodyLimit: bodyBytesMax,
    loggerInstance: logger,
    logController: new NoFrameworkLines(),
    genReqId: () => randomBytes(12).toString('base64url'),
    requestIdHeader: false,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendError(error, request as never, reply as never),
    clientErrorHandler: (_error, socket) => socket.destroy(),
    routerOptions: { maxParamLength: 256 },
  }) as unknown as FastifyInstance;

  limitConnections(app.server, { connectionsMax });
  logRequests(app);
  measureRequests(app, { metrics });
  sendErrorReplies(app);
  readJsonBodies(app);
  app.addHook('onSend', async (request, reply) => {
    // Answers belong to their caller alone: no cache on the way may keep them.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  });
  filterAnswers(app);

  const methods = watchMethods(app);
  healthRoutes(app, { models });
  methods.refuse();
  refuseUnknownRoutes(app);

  app.register(async (open) => pendingImageRoutes(open, dependencies), { prefix: '/v1' });
  app.register(
    async (v1) => {
      const methods = watchMethods(v1);
      requireKey(v1, accounts);
      modelRoutes(v1, { models });
      chatRoutes(v1, dependencies);
      embeddingRoutes(v1, dependencies);
      imageRoutes(v1, dependencies);
      usageRoutes(v1, dependencies);
      balanceRoutes(v1, dependencies);
      methods.refuse();
      refuseUnknownRoutes(v1);
    },
    { prefix: '/v1' },
  );
  return app;
}
