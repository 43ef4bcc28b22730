/**
 * The one table of settings. Key `requestTimeoutS` is flag `--request-timeout-s`, variable
 * `CLOISTER_REQUEST_TIMEOUT_S` and file key `requestTimeoutS`; the help text is written from it.
 */
import { availableParallelism } from 'node:os';

/** How one setting is read from text or from the JSON file, and told to people. */
export interface Setting<Value> {
  readonly help: string;
  /** Values accepted, for help and errors. */
  readonly range: string;
  readonly fallback: Value;
  /** @returns undefined where the value is not in range */
  readonly parse: (value: string | number | boolean) => Value | undefined;
}

export const settings = {
  host: text('name or address to listen on; 0.0.0.0 or :: for every interface', '127.0.0.1'),
  port: integer('port of the API, HTTPS only; 0 takes any free one', { fallback: 8443, min: 0, max: 65535 }),
  publicUrl: baseAddress(
    'base URL that callers reach the API by, for links to pictures, for example https://api.example.com/v1 (default: --host and --port)',
  ),
  metricsPort: portOrOff('port of /metrics on the loopback interface; 0 takes any free one', 9443),
  stateDir: text('folder for keys, downloaded weights and the public certificate', '.cloister'),
  databaseUrl: optional(
    'PostgreSQL address of accounts that several servers share (default: a file in the state folder)',
  ),
  model: optional('what to serve: .gguf files or catalogue ids, separated by commas (default: the demo models)'),
  catalogue: optional('catalogue file of models (default: the one that comes with Cloister)'),
  hub: optional('address of the hub that models are pulled from (default: Hugging Face)'),
  threads: integer('compute threads, over all models', { fallback: availableParallelism(), min: 1, max: 1024 }),
  gpu: choice('GPU kind', ['auto', 'cuda', 'vulkan', 'off']),
  collateralUrl: httpsOrigin(
    'where Intel’s collateral for the evidence is fetched: a mirror with the interface of Intel’s cache (PCCS) (default: Intel)',
  ),
  gpuReference: optional(
    'where NVIDIA’s manifests and OCSP responses for the GPUs are read at start: a folder, or the https:// address of a mirror (default: NVIDIA)',
  ),
  sequences: integer('answers generated at the same time', { fallback: 16, min: 1, max: 256 }),
  context: integer('tokens one sequence can hold, no more than the model knows', {
    fallback: 4096,
    min: 64,
    max: 1_048_576,
  }),
  stepTokens: integer('prompt tokens one step may take; small keeps running answers smooth', {
    fallback: 512,
    min: 16,
    max: 65_536,
  }),
  queue: integer('requests that may wait; more are answered 429', { fallback: 256, min: 0, max: 100_000 }),
  prefixCacheMb: integer('memory for cached prompt prefixes', { fallback: 512, min: 0, max: 1_048_576 }),
  promptLookup: choice('guess how answers that quote go on; auto: where it makes them faster', ['auto', 'on', 'off']),
  poll: integer('how eagerly compute threads spin between steps, percent', { fallback: 0, min: 0, max: 100 }),
  requestTimeoutS: integer('longest time for one request, seconds', { fallback: 600, min: 1, max: 86_400 }),
  imageThreads: integer('threads of an image model', {
    fallback: Math.max(1, Math.floor(availableParallelism() / 2)),
    min: 1,
    max: 1024,
  }),
  imageQueue: integer('drawings that may wait; more are answered 429', { fallback: 16, min: 0, max: 10_000 }),
  imageBatchRows: integer('rows of one drawing step; a guided picture takes two', { fallback: 20, min: 1, max: 1024 }),
  imagePendingMb: integer('memory for pictures that wait to be fetched by link, or are drawn to be', {
    fallback: 256,
    min: 1,
    max: 65_536,
  }),
  imageLinkTtlS: integer('seconds that a link to a picture lives', { fallback: 600, min: 1, max: 3600 }),
  embeddingThreads: integerOrAuto('threads of an embedding model; auto is all cores, or half beside a chat model', {
    min: 1,
    max: 1024,
  }),
  embeddingSessions: integerOrAuto(
    'copies side by side of an embedding model that ONNX Runtime computes; one more has all threads for what comes alone',
    {
      min: 1,
      max: 64,
    },
  ),
  embeddingQueue: integer('texts that may wait; more are answered 429', {
    fallback: 16_384,
    min: 2048,
    max: 1_000_000,
  }),
  embeddingBatchTokens: integer('tokens that are embedded in one pass, padding included', {
    fallback: 1024,
    min: 64,
    max: 1_048_576,
  }),
  stepTimeoutS: integer('longest time for one step of a model, seconds; a thread that takes longer is replaced', {
    fallback: 300,
    min: 1,
    max: 86_400,
  }),
  readyStepS: integer('time without a completed step after which /health/ready answers 503, seconds', {
    fallback: 60,
    min: 1,
    max: 86_400,
  }),
  readyGraceS: integer('time that the account database may be out before /health/ready answers 503, seconds', {
    fallback: 15,
    min: 0,
    max: 3600,
  }),
  memoryLimitMb: integerOrAuto(
    'resident memory above which /health/ready answers 503, MiB; auto is 90 % of what the machine or container has',
    { min: 64, max: 67_108_864 },
  ),
  drainTimeoutS: integer('time for running requests to finish on SIGTERM, seconds', {
    fallback: 30,
    min: 0,
    max: 3600,
  }),
  bodyLimitMb: integer('largest request body, MiB', { fallback: 4, min: 1, max: 256 }),
  sealedOnly: toggle('whether bodies that are not sealed to the server’s key (EHBP) are refused', false),
  connections: integer('open connections; past it the one idle for longest is closed', {
    fallback: 4096,
    min: 16,
    max: 100_000,
  }),
  simulateTdx: toggle('whether a machine without TDX signs quotes that prove nothing, for developing', false),
  tlsCert: optional('PEM certificate chain; without it one is made for this run'),
  tlsKey: optional('PEM private key of --tls-cert'),
  tlsChain: optional(
    'PEM chain of an authority for the key of this run: its request is printed at start, the file is taken up when it comes',
  ),
  region: optional('where this deployment is, for example eu-central: told in its evidence and measured at start'),
  computeUrl: httpsOrigin('where the compute service is reached, for POST /v1/compute/instances (default: none)'),
  computeCa: optional('PEM certificate or authority that it must show (default: the authorities that Node trusts)'),
  startKey: choice('whether a development key is made, kept and printed; never on a shared database', ['on', 'off']),
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

/** Kept without a slash at its end. */
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
