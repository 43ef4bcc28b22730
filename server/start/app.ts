/** The HTTP application: every plugin and route by name, in order. It does not listen by itself. */
import type { Accounts } from '@cloister/accounts/store';
import { type FastifyInstance, fastify } from 'fastify';
import { readJsonBodies } from '../bodies/json-body.ts';
import { type ConfidentialOptions, confidentialRoutes } from '../features/agents/route.ts';
import { attestationRoutes, channelRoutes, receiptRoutes } from '../features/attestation/aci.ts';
import { showIdentity } from '../features/attestation/aci-headers.ts';
import { hpkeKeyRoutes } from '../features/attestation/hpke-keys.ts';
import { keepServingConstraints } from '../features/attestation/serving-constraints.ts';
import { quoteRoutes } from '../features/chat/quote.ts';
import { type ChatDependencies, chatRoutes } from '../features/chat/route.ts';
import { completionRoutes } from '../features/completions/route.ts';
import type { ComputeTarget } from '../features/compute/forward.ts';
import { computeInstanceRoutes } from '../features/compute/route.ts';
import { type EmbeddingDependencies, embeddingRoutes } from '../features/embeddings/route.ts';
import type { Readiness } from '../features/health/readiness.ts';
import { type HealthDependencies, healthRoutes } from '../features/health/route.ts';
import { type ImageDependencies, imageRoutes, pendingImageRoutes } from '../features/images/route.ts';
import { messageRoutes } from '../features/messages/route.ts';
import { modelRoutes } from '../features/models/route.ts';
import { descriptionRoutes } from '../features/openapi/route.ts';
import { pageRoutes } from '../features/pages/route.ts';
import { rerankRoutes } from '../features/rerank/route.ts';
import { responseRoutes } from '../features/responses/route.ts';
import { sessionRoutes, signInRoutes } from '../features/sessions/route.ts';
import { balanceRoutes } from '../features/usage/balance.ts';
import { usageRoutes } from '../features/usage/route.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { joinRoutes } from '../fleet/join-route.ts';
import { fleetRoutes } from '../fleet/route.ts';
import { refuseUnknownRoutes, watchMethods } from '../http/allowed-methods.ts';
import { filterAnswers } from '../http/answer-body.ts';
import { writeAnthropicModels } from '../http/anthropic-models.ts';
import { requireKey } from '../http/authentication.ts';
import { answerClientErrors, requireOneHost } from '../http/client-errors.ts';
import { announceDeprecations, type Deprecation } from '../http/deprecations.ts';
import { endConnections } from '../http/end-connections.ts';
import { errorReply, sendError, sendErrorReplies } from '../http/error-replies.ts';
import { nameNodeInIds } from '../http/node-ids.ts';
import { openAiRewriter } from '../http/openai-errors.ts';
import { randomId } from '../http/random-id.ts';
import { addLimitHeaders } from '../http/rate-limit-headers.ts';
import { type Logger, logRequests, NoFrameworkLines } from '../http/request-log.ts';
import { countRefusals } from '../metrics/refusal-metrics.ts';
import { measureRequests } from '../metrics/request-metrics.ts';
import { followLog } from '../serving/known-log.ts';
import { followModelUse } from '../serving/model-use.ts';
import { type ReceiptOptions, writeReceipts } from '../serving/receipts.ts';
import { openSealedBodies, type SealedBodyOptions } from '../serving/sealed-body.ts';
import { limitConnections, readConnectionsApart } from '../tls/connections.ts';
import type { SharedName } from '../tls/shared-name.ts';
import { byServerName, type TlsIdentity, tlsOptions, useIdentity } from '../tls/tls.ts';
import { type Tracing, traceRequests } from '../tracing/request-trace.ts';
import type { Metrics } from './metrics.ts';

export interface AppDependencies extends ChatDependencies, EmbeddingDependencies, ImageDependencies {
  readonly metrics: Metrics;
  readonly readiness: HealthDependencies['readiness'] & Pick<Readiness, 'isReady'>;
  readonly accounts: Accounts;
  readonly logger: Logger;
  readonly tls: TlsIdentity;
  readonly bodyBytesMax: number;
  readonly connectionsMax: number;
  /** Whether errors of `/v1` have OpenAI's form, as those of `/openai/v1` do. Default false. */
  readonly openAiErrors?: boolean;
  /** Without it, bodies are not sealed and no sealing key is published. */
  readonly sealing?: Omit<SealedBodyOptions, 'bodyBytesMax' | 'keysetDigest'>;
  /** Without it, no evidence is published and no receipts are signed. */
  readonly aci?: Omit<ReceiptOptions, 'now'>;
  /** The target of `POST /v1/compute/instances`; without it the route returns 501. */
  readonly compute?: ComputeTarget | undefined;
  /** Deprecations; default: the shipped table. */
  readonly deprecations?: readonly Deprecation[];
  /** Without it, this server is not a node of a fleet. */
  readonly fleet?: Fleet | undefined;
  /** The certificate for clients that ask for the name that all nodes share; undefined without one. */
  readonly sharedName?: SharedName | undefined;
  /** Without it, requests are not traced. */
  readonly tracing?: Tracing | undefined;
  /** If absent, the confidential surface is not served. */
  readonly confidential?: ConfidentialOptions;
}

/** The application cannot be built without TLS (I-003, I-005). */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { metrics, readiness, accounts, logger, tls, bodyBytesMax, connectionsMax, sealing, aci, now } = dependencies;
  const { confidential, fleet } = dependencies;
  const forwarder = fleet?.forwarder;
  const app = fastify({
    https: { ...tlsOptions(tls), ...byServerName(() => app.server, dependencies.sharedName) },
    bodyLimit: bodyBytesMax,
    loggerInstance: logger,
    logController: new NoFrameworkLines(),
    genReqId: () => randomId(12),
    requestIdHeader: false,
    rewriteUrl: openAiRewriter({ everywhere: dependencies.openAiErrors === true }),
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => void sendError(error, request as never, reply as never),
    clientErrorHandler: answerClientErrors((refusal) => errorReply(refusal, 'unknown')),
    routerOptions: { maxParamLength: 256 },
    // The readers of server/features validate every body; Fastify would load its own validator and serializer for
    // nothing.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
  }) as unknown as FastifyInstance;

  useIdentity(app.server, tls);
  limitConnections(app.server, { connectionsMax });
  readConnectionsApart(app.server);
  logRequests(app);
  measureRequests(app, { metrics });
  countRefusals(app, { metrics });
  sendErrorReplies(app);
  requireOneHost(app);
  readJsonBodies(app, { threadUrl: new URL('./body-reader-thread.ts', import.meta.url) });
  app.addHook('onSend', (request, reply, _payload, next) => {
    reply.header('x-request-id', request.id);
    // A response is for its caller only: no intermediate cache may store it.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    next();
  });
  followModelUse(app, dependencies);
  filterAnswers(app);
  followLog(app, () => aci?.enclave()?.extensions);
  if (aci !== undefined) showIdentity(app, aci);
  const keysetDigest = () => aci?.enclave()?.identity.digest;
  if (sealing !== undefined) openSealedBodies(app, { ...sealing, bodyBytesMax, keysetDigest });

  if (fleet !== undefined) {
    nameNodeInIds(app, () => fleet.own.current?.node);
    endConnections(app, () => fleet.isDraining || !readiness.isReady);
  }

  const methods = watchMethods(app);
  healthRoutes(app, { readiness });
  pageRoutes(app);
  if (sealing !== undefined) hpkeKeyRoutes(app, sealing);
  methods.refuse();
  refuseUnknownRoutes(app);

  app.register(
    async (open) => {
      pendingImageRoutes(open, { ...dependencies, forwarder });
      descriptionRoutes(open, dependencies.deprecations);
      signInRoutes(open, dependencies);
      fleetRoutes(open, { directory: fleet?.directory, clock: () => performance.now() });
      joinRoutes(open, { giver: fleet?.giver });
      if (aci !== undefined) {
        attestationRoutes(open, { ...aci, forwarder });
        channelRoutes(open, aci);
      }
    },
    { prefix: '/v1' },
  );
  // Separate from the routes below: each POST here runs a model and gets a receipt.
  app.register(
    async (shortcut) => {
      const methods = watchMethods(shortcut);
      requireKey(shortcut, { accounts, now });
      traceRequests(shortcut, dependencies);
      computeInstanceRoutes(shortcut, dependencies);
      methods.refuse();
    },
    { prefix: '/v1' },
  );
  app.register(
    async (v1) => {
      const methods = watchMethods(v1);
      requireKey(v1, { accounts, now });
      traceRequests(v1, dependencies);
      addLimitHeaders(v1, { accounts, now });
      announceDeprecations(v1, dependencies.deprecations);
      if (aci !== undefined) {
        writeReceipts(v1, { ...aci, now });
        keepServingConstraints(v1, aci);
      }
      writeAnthropicModels(v1);
      modelRoutes(v1, dependencies);
      chatRoutes(v1, dependencies);
      quoteRoutes(v1, dependencies);
      completionRoutes(v1, dependencies);
      responseRoutes(v1, { ...dependencies, forwarder });
      messageRoutes(v1, dependencies);
      embeddingRoutes(v1, dependencies);
      rerankRoutes(v1, dependencies);
      imageRoutes(v1, dependencies);
      usageRoutes(v1, { ...dependencies, enclave: aci?.enclave });
      balanceRoutes(v1, dependencies);
      sessionRoutes(v1, dependencies);
      if (confidential !== undefined) {
        const isProven = () => aci?.enclave() !== undefined;
        v1.register(async (surface) => confidentialRoutes(surface, confidential, { ...dependencies, isProven }), {
          prefix: '/confidential',
        });
      }
      if (aci !== undefined) receiptRoutes(v1, { ...aci, forwarder });
      methods.refuse();
      refuseUnknownRoutes(v1);
    },
    { prefix: '/v1' },
  );
  return app;
}

function refuseSchema(): never {
  throw new Error('routes have no Fastify schema: their bodies are read by server/features');
}
