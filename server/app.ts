/** The HTTP application: every plugin and route by name, in order. It listens nowhere by itself. */
import { type FastifyInstance, fastify } from 'fastify';
import type { Accounts } from './accounts/store.ts';
import { filterAnswers } from './answer-body.ts';
import type { ComputeTarget } from './compute-forward.ts';
import type { Metrics } from './metrics/metrics.ts';
import { showIdentity } from './plugins/aci-headers.ts';
import { refuseUnknownRoutes, watchMethods } from './plugins/allowed-methods.ts';
import { requireKey } from './plugins/authentication.ts';
import { answerClientErrors, requireOneHost } from './plugins/client-errors.ts';
import { announceDeprecations, type Deprecation } from './plugins/deprecations.ts';
import { errorReply, sendError, sendErrorReplies } from './plugins/error-replies.ts';
import { readJsonBodies } from './plugins/json-body.ts';
import { tellLimits } from './plugins/rate-limit-headers.ts';
import { type ReceiptOptions, writeReceipts } from './plugins/receipts.ts';
import { type Logger, logRequests, NoFrameworkLines } from './plugins/request-log.ts';
import { measureRequests } from './plugins/request-metrics.ts';
import { openSealedBodies, type SealedBodyOptions } from './plugins/sealed-body.ts';
import { keepServingConstraints } from './plugins/serving-constraints.ts';
import { randomId } from './random-id.ts';
import { attestationRoutes, channelRoutes, receiptRoutes } from './routes/aci.ts';
import { balanceRoutes } from './routes/balance.ts';
import { type ChatDependencies, chatRoutes } from './routes/chat.ts';
import { computeInstanceRoutes } from './routes/compute-instances.ts';
import { type ConfidentialOptions, confidentialRoutes } from './routes/confidential.ts';
import { type EmbeddingDependencies, embeddingRoutes } from './routes/embeddings.ts';
import { type HealthDependencies, healthRoutes } from './routes/health.ts';
import { hpkeKeyRoutes } from './routes/hpke-keys.ts';
import { type ImageDependencies, imageRoutes, pendingImageRoutes } from './routes/images.ts';
import { modelRoutes } from './routes/models.ts';
import { descriptionRoutes } from './routes/openapi.ts';
import { usageRoutes } from './routes/usage.ts';
import { limitConnections, readConnectionsApart } from './tls/connections.ts';
import { type TlsIdentity, tlsOptions } from './tls/tls.ts';

export interface AppDependencies extends ChatDependencies, EmbeddingDependencies, ImageDependencies {
  readonly metrics: Metrics;
  readonly readiness: HealthDependencies['readiness'];
  readonly accounts: Accounts;
  readonly logger: Logger;
  readonly tls: TlsIdentity;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
  /** Without it bodies come and go as TLS carries them, and no sealing key is shown. */
  readonly sealing?: Omit<SealedBodyOptions, 'bodyBytesMax'>;
  /** Without it nothing is said of who serves, and nothing is signed. */
  readonly aci?: Omit<ReceiptOptions, 'now'>;
  /** Where `POST /v1/compute/instances` is forwarded to; without it the answer is 501. */
  readonly compute?: ComputeTarget | undefined;
  /** What is going to be removed; by default what ships says. */
  readonly deprecations?: readonly Deprecation[];
  /** Without it there is no confidential surface. */
  readonly confidential?: ConfidentialOptions;
}

/** There is no way to build it without TLS (I-003, I-005). */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { metrics, readiness, accounts, logger, tls, bodyBytesMax, connectionsMax, sealing, aci, now } = dependencies;
  const { confidential } = dependencies;
  const app = fastify({
    https: tlsOptions(tls),
    bodyLimit: bodyBytesMax,
    loggerInstance: logger,
    logController: new NoFrameworkLines(),
    genReqId: () => randomId(12),
    requestIdHeader: false,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendError(error, request as never, reply as never),
    clientErrorHandler: answerClientErrors((refusal) => errorReply(refusal, 'unknown')),
    routerOptions: { maxParamLength: 256 },
    // Every body is read by `schemas/`; Fastify would load its own validator and serializer and use neither.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
  }) as unknown as FastifyInstance;

  limitConnections(app.server, { connectionsMax });
  readConnectionsApart(app.server);
  logRequests(app);
  measureRequests(app, { metrics });
  sendErrorReplies(app);
  requireOneHost(app);
  readJsonBodies(app, { threadUrl: new URL('./bodies/reader-thread.ts', import.meta.url) });
  app.addHook('onSend', (request, reply, _payload, next) => {
    // Answers belong to their caller alone: no cache on the way may keep them.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    next();
  });
  filterAnswers(app);
  if (aci !== undefined) showIdentity(app, aci);
  if (sealing !== undefined) openSealedBodies(app, { ...sealing, bodyBytesMax });

  const methods = watchMethods(app);
  healthRoutes(app, { readiness });
  if (sealing !== undefined) hpkeKeyRoutes(app, sealing);
  methods.refuse();
  refuseUnknownRoutes(app);

  app.register(
    async (open) => {
      pendingImageRoutes(open, dependencies);
      if (aci !== undefined) {
        attestationRoutes(open, aci);
        channelRoutes(open, aci);
      }
    },
    { prefix: '/v1' },
  );
  // Apart from the routes below: each POST of theirs runs a model and gets a receipt.
  app.register(
    async (shortcut) => {
      const methods = watchMethods(shortcut);
      requireKey(shortcut, accounts);
      computeInstanceRoutes(shortcut, dependencies);
      methods.refuse();
    },
    { prefix: '/v1' },
  );
  app.register(
    async (v1) => {
      const methods = watchMethods(v1);
      requireKey(v1, accounts);
      tellLimits(v1, { accounts, now });
      announceDeprecations(v1, dependencies.deprecations);
      if (aci !== undefined) {
        writeReceipts(v1, { ...aci, now });
        keepServingConstraints(v1, aci);
      }
      modelRoutes(v1, dependencies);
      descriptionRoutes(v1, dependencies.deprecations);
      chatRoutes(v1, dependencies);
      embeddingRoutes(v1, dependencies);
      imageRoutes(v1, dependencies);
      usageRoutes(v1, { ...dependencies, enclave: aci?.enclave });
      balanceRoutes(v1, dependencies);
      if (confidential !== undefined) {
        const isProven = () => aci?.enclave() !== undefined;
        v1.register(async (surface) => confidentialRoutes(surface, confidential, { ...dependencies, isProven }), {
          prefix: '/confidential',
        });
      }
      if (aci !== undefined) receiptRoutes(v1, aci);
      methods.refuse();
      refuseUnknownRoutes(v1);
    },
    { prefix: '/v1' },
  );
  return app;
}

function refuseSchema(): never {
  throw new Error('routes have no Fastify schema: their bodies are read by server/schemas');
}
