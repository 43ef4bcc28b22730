/**
 * The one table of settings. Key `requestTimeoutS` is flag `--request-timeout-s`, variable `CLOISTER_REQUEST_TIMEOUT_S`
 * and file key `requestTimeoutS`; help, completion and the manual page are generated from it.
 */
import { availableParallelism } from 'node:os';
import {
  baseAddress,
  choice,
  collectorAddress,
  file,
  folder,
  hostNames,
  httpsOrigin,
  httpsOrigins,
  integer,
  integerOrAuto,
  list,
  optional,
  portOrOff,
  portOrOffOrAuto,
  type Setting,
  secret,
  text,
  toggle,
} from './setting-kinds.ts';

const network = {
  host: text('name or address to listen on; 0.0.0.0 or :: for every interface', '127.0.0.1'),
  port: integer('port of the API, HTTPS only; 0 takes any free one', { fallback: 8443, min: 0, max: 65535 }),
  publicUrl: baseAddress(
    'public base URL of the API, for links to images, for example https://api.example.com/v1 (default: --host and --port)',
  ),
  openaiErrors: toggle('errors of /v1 in OpenAI’s form, as below /openai/v1', false),
  connections: integer('open connections; above the limit, the longest idle one is closed', {
    fallback: 4096,
    min: 16,
    max: 100_000,
  }),
  bodyLimitMb: integer('largest request body, MiB', { fallback: 8, min: 1, max: 256 }),
  tlsCert: file('PEM certificate chain (default: made for this run)'),
  tlsKey: file('PEM private key of --tls-cert'),
  tlsChain: file(
    'PEM chain that an authority issues for the key of this run: the request is printed at start, and the file is loaded when it appears',
  ),
  tlsName: hostNames(
    'further name of this server, in the certificates that it makes and in requests to its metrics and admin ports; repeatable',
  ),
  sealedOnly: toggle('reject bodies that are not sealed to the server’s key (EHBP)', false),
} as const;

const state = {
  stateDir: folder('folder for keys, downloaded weights and the public certificate', '.cloister'),
  databaseUrl: secret(
    'PostgreSQL address of accounts that several servers share (default: a file in the state folder)',
  ),
  startKey: choice('create, keep and print a development key; never on a shared database', ['on', 'off']),
} as const;

const models = {
  model: list('models to serve: .gguf files or catalogue ids, separated by commas (default: all of the catalogues)'),
  catalogue: file('the only catalogue of models (default: the shipped one and that of the state folder)'),
  hub: optional('address of the hub that models are pulled from (default: Hugging Face)'),
  threads: integer('compute threads, over all models', { fallback: availableParallelism(), min: 1, max: 1024 }),
  gpu: choice('GPU kind', ['auto', 'cuda', 'vulkan', 'off']),
  modelIdleTtlS: integer(
    'time after which an idle model is unloaded, seconds; the next request loads it again; 0: never',
    {
      fallback: 0,
      min: 0,
      max: 2_592_000,
    },
  ),
  stepTimeoutS: integer('timeout of one step of a model, seconds; a thread that exceeds it is replaced', {
    fallback: 300,
    min: 1,
    max: 86_400,
  }),
  requestTimeoutS: integer('timeout of a request, seconds', { fallback: 600, min: 1, max: 86_400 }),
} as const;

const chat = {
  sequences: integer('answers generated concurrently', { fallback: 16, min: 1, max: 256 }),
  context: integer('tokens per sequence, at most the model’s context', {
    fallback: 4096,
    min: 64,
    max: 1_048_576,
  }),
  kvCacheType: choice('element type of the KV cache; q8_0 takes about half of the memory and rounds keys and values', [
    'f16',
    'q8_0',
  ]),
  stepTokens: integer('prompt tokens per step; a small value keeps running answers smooth', {
    fallback: 512,
    min: 16,
    max: 65_536,
  }),
  queue: integer('queued requests; more get 429', { fallback: 256, min: 0, max: 100_000 }),
  prefixCacheMb: integer('memory for cached prompt prefixes, MiB', { fallback: 512, min: 0, max: 1_048_576 }),
  promptLookup: choice(
    'speculative decoding by prompt lookup, for answers that quote the prompt; auto: where it is faster',
    ['auto', 'on', 'off'],
  ),
  draftModel: list(
    'draft model of a served model, for speculative decoding: its id, =, and a .gguf file or catalogue id with the same vocabulary; repeatable',
  ),
  poll: integer('share of time that compute threads spin between steps, percent', { fallback: 0, min: 0, max: 100 }),
} as const;

const images = {
  imageThreads: integer('threads of an image model', {
    fallback: Math.max(1, Math.floor(availableParallelism() / 2)),
    min: 1,
    max: 1024,
  }),
  imageQueue: integer('queued image requests; more get 429', { fallback: 16, min: 0, max: 10_000 }),
  imageBatchRows: integer('rows per denoising step; an image with guidance takes two', {
    fallback: 20,
    min: 1,
    max: 1024,
  }),
  imagePendingMb: integer('memory for images that are pending delivery by link, MiB', {
    fallback: 256,
    min: 1,
    max: 65_536,
  }),
  imageLinkTtlS: integer('lifetime of a link to an image, seconds', { fallback: 600, min: 1, max: 3600 }),
} as const;

const embeddings = {
  embeddingThreads: integerOrAuto(
    'threads of an embedding model; auto: all cores, or half of them next to a chat model',
    {
      min: 1,
      max: 1024,
    },
  ),
  embeddingSessions: integerOrAuto(
    'parallel sessions of an embedding model on ONNX Runtime, plus one all-core session for single requests',
    {
      min: 1,
      max: 64,
    },
  ),
  embeddingQueue: integer('queued texts; more get 429', {
    fallback: 16_384,
    min: 2048,
    max: 1_000_000,
  }),
  embeddingBatchTokens: integer('tokens per pass, padding included', {
    fallback: 1024,
    min: 64,
    max: 1_048_576,
  }),
} as const;

const attestation = {
  simulateTdx: toggle('simulate TDX for development: quotes are signed but prove nothing', false),
  collateralUrl: httpsOrigin(
    'source of Intel’s collateral for the evidence: a mirror with the interface of Intel’s cache (PCCS) (default: Intel)',
  ),
  gpuReference: optional(
    'source of NVIDIA’s manifests and OCSP responses for the GPUs, read at start: a folder, or the https:// address of a mirror (default: NVIDIA)',
  ),
  region: optional('region of this deployment, for example eu-central: part of its evidence and measured at start'),
} as const;

const fleet = {
  fleetAddress: httpsOrigin(
    'address at which the other nodes and clients of a fleet reach this server; announces it to the servers on the same database (default: no fleet)',
  ),
  fleetPolicy: file(
    'policy that other nodes must satisfy before this one forwards a request to them (default: none are asked)',
  ),
  fleetSecrets: toggle(
    'give the secrets of the fleet (database address, certificate of the shared name) to nodes that --join and satisfy --fleet-policy',
    false,
  ),
  fleetTlsCert: file(
    'PEM certificate chain of the name that all nodes share, for clients that ask for it; other names keep the certificate of this node (default: none)',
  ),
  fleetTlsKey: file('PEM private key of --fleet-tls-cert'),
  join: httpsOrigins(
    'address of a running node to get the secrets of the fleet from at start, verified by --fleet-policy; repeatable (default: they are settings of this server)',
  ),
} as const;

const operator = {
  metricsHost: text('name or address for /metrics, in plain HTTP and without a key', '127.0.0.1'),
  metricsPort: portOrOff('port of /metrics; 0 takes any free one', 9443),
  adminHost: text(
    'name or address for the admin API; one that is not loopback needs --admin-ca, --admin-cert and --admin-key, or --admin-token-file',
    '127.0.0.1',
  ),
  adminPort: portOrOffOrAuto(
    'port of the admin API; auto: the port of /metrics if both are plain HTTP on one loopback address, else 9444',
  ),
  adminCa: file('PEM authority of the client certificates that the admin API accepts (mutual TLS)'),
  adminCert: file('PEM certificate chain of the admin API (default: plain HTTP on loopback, else that of the API)'),
  adminKey: file('PEM private key of --admin-cert'),
  adminTokenFile: file(
    'file with the admin token of at least 32 characters (default: admin-token in the state folder)',
  ),
  creditsWebhookSecretFile: file(
    'file with the signing secret of payment webhooks, one per line; opens POST /webhooks/credits (default: none)',
  ),
  creditsWebhookHost: text('name or address for /webhooks/credits; one that is not loopback uses TLS', '127.0.0.1'),
  creditsWebhookPort: integer('port of /webhooks/credits; 0 takes any free one', {
    fallback: 9445,
    min: 0,
    max: 65_535,
  }),
} as const;

const tracing = {
  otlpEndpoint: collectorAddress(
    'OpenTelemetry collector that receives traces by OTLP over HTTP, at /v1/traces below this address (default: none)',
  ),
  otlpHeadersFile: file('file with headers for the collector, such as a token: one `name: value` in each line'),
  otlpCa: file('PEM certificate or authority of the collector (default: the authorities that Node trusts)'),
  otlpSamplePercent: integer('share of traces that are recorded, percent', { fallback: 100, min: 1, max: 100 }),
} as const;

const operation = {
  readyStepS: integer('time without a completed step after which /health/ready returns 503, seconds', {
    fallback: 60,
    min: 1,
    max: 86_400,
  }),
  readyGraceS: integer('outage of the account database after which /health/ready returns 503, seconds', {
    fallback: 15,
    min: 0,
    max: 3600,
  }),
  memoryLimitMb: integerOrAuto(
    'resident memory above which /health/ready returns 503, MiB; auto: 90 % of the memory of the machine or container',
    { min: 64, max: 67_108_864 },
  ),
  drainTimeoutS: integer('time for running requests to finish on SIGTERM, seconds', {
    fallback: 30,
    min: 0,
    max: 3600,
  }),
  logLevel: choice('lines written to stderr', ['info', 'debug', 'warn', 'error', 'silent']),
} as const;

const compute = {
  computeUrl: httpsOrigin('address of the compute service, for POST /v1/compute/instances (default: none)'),
  computeCa: file('PEM certificate or authority of the compute service (default: the authorities that Node trusts)'),
} as const;

/** Settings by subject, in the order of the help. */
export const settingGroups: readonly { readonly title: string; readonly settings: Record<string, Setting<unknown>> }[] =
  [
    { title: 'Network', settings: network },
    { title: 'State and accounts', settings: state },
    { title: 'Models', settings: models },
    { title: 'Chat', settings: chat },
    { title: 'Images', settings: images },
    { title: 'Embeddings', settings: embeddings },
    { title: 'Attestation', settings: attestation },
    { title: 'Fleet', settings: fleet },
    { title: 'Metrics and administration', settings: operator },
    { title: 'Tracing', settings: tracing },
    { title: 'Health and operation', settings: operation },
    { title: 'Compute service', settings: compute },
  ];

export const settings = {
  ...network,
  ...state,
  ...models,
  ...chat,
  ...images,
  ...embeddings,
  ...attestation,
  ...fleet,
  ...operator,
  ...tracing,
  ...operation,
  ...compute,
} as const;

export type SettingName = keyof typeof settings;

/** The value of every setting. */
export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

/** `requestTimeoutS` → `request-timeout-s` */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `requestTimeoutS` → `CLOISTER_REQUEST_TIMEOUT_S` */
export function variableName(key: string): string {
  return `CLOISTER_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
