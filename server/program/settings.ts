/**
 * The one table of settings. Key `requestTimeoutS` is flag `--request-timeout-s`, variable `CLOISTER_REQUEST_TIMEOUT_S`
 * and file key `requestTimeoutS`; the help text is generated from it.
 */
import { availableParallelism } from 'node:os';

/** How one setting is parsed from text or JSON, and described in help and errors. */
export interface Setting<Value> {
  readonly help: string;
  /** The accepted values, for help and errors. */
  readonly range: string;
  readonly fallback: Value;
  /** @returns undefined if the value is out of range */
  readonly parse: (value: string | number | boolean) => Value | undefined;
}

export const settings = {
  host: text('name or address to listen on; 0.0.0.0 or :: for every interface', '127.0.0.1'),
  port: integer('port of the API, HTTPS only; 0 takes any free one', { fallback: 8443, min: 0, max: 65535 }),
  publicUrl: baseAddress(
    'public base URL of the API, for links to images, for example https://api.example.com/v1 (default: --host and --port)',
  ),
  metricsPort: portOrOff('port of /metrics on the loopback interface; 0 takes any free one', 9443),
  stateDir: text('folder for keys, downloaded weights and the public certificate', '.cloister'),
  databaseUrl: optional(
    'PostgreSQL address of accounts that several servers share (default: a file in the state folder)',
  ),
  model: optional('models to serve: .gguf files or catalogue ids, separated by commas (default: the demo models)'),
  catalogue: optional('catalogue file of models (default: the shipped one)'),
  hub: optional('address of the hub that models are pulled from (default: Hugging Face)'),
  threads: integer('compute threads, over all models', { fallback: availableParallelism(), min: 1, max: 1024 }),
  gpu: choice('GPU kind', ['auto', 'cuda', 'vulkan', 'off']),
  collateralUrl: httpsOrigin(
    'source of Intel’s collateral for the evidence: a mirror with the interface of Intel’s cache (PCCS) (default: Intel)',
  ),
  gpuReference: optional(
    'source of NVIDIA’s manifests and OCSP responses for the GPUs, read at start: a folder, or the https:// address of a mirror (default: NVIDIA)',
  ),
  sequences: integer('answers generated concurrently', { fallback: 16, min: 1, max: 256 }),
  context: integer('tokens per sequence, at most the model’s context', {
    fallback: 4096,
    min: 64,
    max: 1_048_576,
  }),
  stepTokens: integer('prompt tokens per step; a small value keeps running answers smooth', {
    fallback: 512,
    min: 16,
    max: 65_536,
  }),
  queue: integer('queued requests; more get 429', { fallback: 256, min: 0, max: 100_000 }),
  prefixCacheMb: integer('memory for cached prompt prefixes', { fallback: 512, min: 0, max: 1_048_576 }),
  promptLookup: choice(
    'speculative decoding by prompt lookup, for answers that quote the prompt; auto: where it is faster',
    ['auto', 'on', 'off'],
  ),
  poll: integer('share of time that compute threads spin between steps, percent', { fallback: 0, min: 0, max: 100 }),
  requestTimeoutS: integer('timeout of a request, seconds', { fallback: 600, min: 1, max: 86_400 }),
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
  imagePendingMb: integer('memory for images that are pending delivery by link', {
    fallback: 256,
    min: 1,
    max: 65_536,
  }),
  imageLinkTtlS: integer('lifetime of a link to an image, seconds', { fallback: 600, min: 1, max: 3600 }),
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
  stepTimeoutS: integer('timeout of one step of a model, seconds; a thread that exceeds it is replaced', {
    fallback: 300,
    min: 1,
    max: 86_400,
  }),
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
  bodyLimitMb: integer('largest request body, MiB', { fallback: 8, min: 1, max: 256 }),
  sealedOnly: toggle('reject bodies that are not sealed to the server’s key (EHBP)', false),
  connections: integer('open connections; above the limit, the longest idle one is closed', {
    fallback: 4096,
    min: 16,
    max: 100_000,
  }),
  simulateTdx: toggle('simulate TDX for development: quotes are signed but prove nothing', false),
  tlsCert: optional('PEM certificate chain (default: generated)'),
  tlsKey: optional('PEM private key of --tls-cert'),
  tlsChain: optional(
    'PEM chain that an authority issues for the key of this run: the request is printed at start, and the file is loaded when it appears',
  ),
  region: optional('region of this deployment, for example eu-central: part of its evidence and measured at start'),
  computeUrl: httpsOrigin('address of the compute service, for POST /v1/compute/instances (default: none)'),
  computeCa: optional(
    'PEM certificate or authority of the compute service (default: the authorities that Node trusts)',
  ),
  startKey: choice('create, keep and print a development key; never on a shared database', ['on', 'off']),
  logLevel: choice('lines written to stderr', ['info', 'debug', 'warn', 'error', 'silent']),
} as const;

export type SettingName = keyof typeof settings;

/** `requestTimeoutS` → `request-timeout-s` */
export function flagName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `requestTimeoutS` → `CLOISTER_REQUEST_TIMEOUT_S` */
export function variableName(key: string): string {
  return `CLOISTER_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** One line per setting, and per option of the command itself. */
export function settingsHelp(more: readonly (readonly [option: string, help: string])[] = []): string {
  const own = Object.entries(settings).map(([key, setting]) => {
    const shown = typeof setting.fallback === 'boolean' ? (setting.fallback ? 'on' : 'off') : setting.fallback;
    const fallback = shown === undefined ? '' : ` [${shown}]`;
    return [`  --${flagName(key)} <${setting.range}>`, `${setting.help}${fallback}`] as const;
  });
  const lines = [...own, ...more.map(([option, help]) => [`  ${option}`, help] as const)];
  const width = Math.max(...lines.map(([flag]) => flag.length)) + 2;
  return lines.map(([flag, help]) => `${flag.padEnd(width)}${help}\n`).join('');
}

interface IntegerOptions {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

function integer(help: string, { fallback, min, max }: IntegerOptions): Setting<number> {
  return {
    help,
    fallback,
    range: `${min}…${max}`,
    parse(value) {
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      return Number.isInteger(number) && Number(number) >= min && Number(number) <= max ? Number(number) : undefined;
    },
  };
}

function integerOrAuto(help: string, { min, max }: Omit<IntegerOptions, 'fallback'>): Setting<number | 'auto'> {
  const number = integer(help, { fallback: min, min, max });
  return {
    help,
    fallback: 'auto',
    range: `${number.range}|auto`,
    parse: (value) => (value === 'auto' ? 'auto' : number.parse(value)),
  };
}

function portOrOff(help: string, fallback: number): Setting<number | 'off'> {
  const port = integer(help, { fallback, min: 0, max: 65535 });
  return { ...port, range: `${port.range}|off`, parse: (value) => (value === 'off' ? 'off' : port.parse(value)) };
}

function text(help: string, fallback: string): Setting<string> {
  return { help, fallback, range: 'text', parse: (value) => (isFilled(value) ? value : undefined) };
}

function optional(help: string): Setting<string | undefined> {
  return { help, fallback: undefined, range: 'text', parse: (value) => (isFilled(value) ? value : undefined) };
}

/** `https://` and a name, without a path. */
function httpsOrigin(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: 'https://host[:port]',
    parse: (value) => (isFilled(value) && isHttpsOrigin(value) ? value : undefined),
  };
}

function isHttpsOrigin(value: string): boolean {
  const { protocol, pathname, search, hash, username, password } = URL.parse(value) ?? {};
  return protocol === 'https:' && pathname === '/' && [search, hash, username, password].every((part) => part === '');
}

/** Kept without a trailing slash. */
function baseAddress(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: 'an https:// address without user, query and fragment',
    parse(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null;
      const isPlain = url?.protocol === 'https:' && `${url.username}${url.password}${url.search}${url.hash}` === '';
      return isPlain ? url.href.replace(/\/+$/, '') : undefined;
    },
  };
}

/** The first choice is the default. */
function choice<const Choice extends string>(help: string, choices: readonly [Choice, ...Choice[]]): Setting<Choice> {
  return {
    help,
    fallback: choices[0],
    range: choices.join('|'),
    parse: (value) => choices.find((one) => one === value),
  };
}

/** Also 1 and 0, true and false. */
function toggle(help: string, fallback: boolean): Setting<boolean> {
  const values = new Map<unknown, boolean>([
    ...(['on', '1', 'true', 1, true] as const).map((value) => [value, true] as const),
    ...(['off', '0', 'false', 0, false] as const).map((value) => [value, false] as const),
  ]);
  return { help, fallback, range: 'on|off', parse: (value) => values.get(value) };
}

function isFilled(value: string | number | boolean): value is string {
  return typeof value === 'string' && value.length > 0 && !value.includes('\0');
}
