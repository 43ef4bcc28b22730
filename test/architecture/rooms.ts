/**
 * The rooms of the repository and the floors in each: who may import whom. ARCHITECTURE.md shows this table (`npm run architecture`
 * writes it there), and `architecture.test.ts` holds the code against it.
 */

export interface Room {
  readonly name: string;
  readonly holds: string;
  /** Rooms it may import, each through the `exports` of its package.json. */
  readonly imports: readonly string[];
  /**
   * Its folders from the ground up. A folder may import folders on lower floors, never one on its own floor or above. `.` are the
   * files at the top of the room.
   */
  readonly floors: readonly (readonly string[])[];
  /** Exports for people outside of this repository. */
  readonly published?: readonly string[];
}

export const rooms: readonly Room[] = [
  {
    name: 'native',
    holds: 'the C++ addon, and its typed face',
    imports: [],
    floors: [['.']],
  },
  {
    name: 'models',
    holds: 'what a model is; how each kind of file is read, checked, fetched and computed',
    imports: ['native'],
    floors: [
      ['interface'],
      ['files', 'gguf', 'tokenizer'],
      ['catalogue', 'onnx', 'sentence-transformers'],
      ['bert', 'hub', 'image'],
      ['embedding'],
    ],
  },
  {
    name: 'runtime',
    holds: 'when models run: queues, scheduler, prefix cache, worker threads',
    imports: ['models'],
    floors: [['pool'], ['chat', 'embeddings', 'images']],
  },
  {
    name: 'agents',
    holds: 'the nine preset agents and their tools',
    imports: [],
    floors: [
      ['agent', 'tools/text'],
      ['document'],
      ['files', 'tools'],
      ['tools/financial', 'tools/gloss'],
      [
        ...['tools/compliance', 'tools/contract', 'tools/due-diligence', 'tools/eu-law', 'tools/hr', 'tools/medical'],
        ...['tools/security', 'tools/tax'],
      ],
      ['facts'],
      [
        ...['compliance-officer', 'contract-analyst', 'cybersecurity-analyst', 'due-diligence', 'eu-legal'],
        ...['financial-analyst', 'hr-analyst', 'medical-analyst', 'tax-analyst'],
      ],
      ['.'],
    ],
  },
  {
    name: 'attestation',
    holds: 'makes and verifies evidence; the package that tenants install',
    imports: ['native'],
    floors: [
      ['base'],
      ['aci', 'eventlog', 'quote', 'sealed', 'x509'],
      ['collateral', 'fleet', 'provision'],
      ['simulate', 'verify'],
      ['gpu'],
      ['gpu-reference', 'guest', 'policy'],
      ['client', 'measure', 'ratls'],
      ['proxy', 'score'],
      ['cli'],
      ['.'],
    ],
    published: ['.', './browser', './collateral/fetch', './simulate'],
  },
  {
    name: 'accounts',
    holds: 'keys, plans, limits and money, on SQLite or PostgreSQL',
    imports: [],
    floors: [['base'], ['plans'], ['database'], ['ledger'], ['keys', 'transfer'], ['.']],
  },
  {
    name: 'server',
    holds: "the enclave's HTTP server",
    imports: ['accounts', 'agents', 'attestation', 'models', 'native', 'runtime'],
    floors: [
      ['schema'],
      ['http'],
      ['bodies', 'metrics', 'program', 'tls', 'tracing'],
      ['enclave', 'operator'],
      ['fleet', 'guest', 'serving'],
      [
        ...['features/attestation', 'features/chat', 'features/compute', 'features/embeddings', 'features/health'],
        ...['features/images', 'features/models', 'features/usage'],
      ],
      [
        ...['features/agents', 'features/completions', 'features/messages', 'features/pages', 'features/rerank'],
        ...['features/responses', 'features/sessions'],
      ],
      ['features/openapi'],
      ['start'],
    ],
  },
  {
    name: 'web',
    holds: 'the pages that a server shows to people, bundled at build time',
    imports: ['attestation'],
    floors: [
      ['api'],
      ['proof'],
      ['parts'],
      ['chat', 'operator', 'reference', 'renter', 'usage', 'verifier'],
      ['pages'],
      ['.'],
    ],
  },
  {
    name: 'compute',
    holds: 'the compute API, a service of its own that rents out machines and pods',
    imports: ['accounts', 'server'],
    floors: [
      ['base', 'engines'],
      ['engines/docker', 'engines/libvirt', 'schemas', 'store'],
      ['control', 'engines/swarm'],
      ['inventory', 'webhooks'],
      ['service'],
      ['deploy', 'views'],
      ['http'],
      ['routes'],
      ['start'],
    ],
  },
  {
    name: 'image',
    holds: 'builds, measures, boots and provisions the image of the confidential VM',
    imports: ['attestation', 'models'],
    floors: [['.', 'guest']],
  },
  {
    name: 'cli',
    holds: 'the `cloister` command: one file per subcommand',
    imports: ['accounts', 'attestation', 'compute', 'image', 'models', 'native', 'server'],
    floors: [['accounts', 'fleet', 'image', 'models'], ['compute'], ['.']],
  },
];

/** Operations that are allowed only in these files, given by path prefix. */
export const doors: readonly { readonly what: string; readonly pattern: RegExp; readonly files: readonly string[] }[] =
  [
    {
      what: 'load a .node file',
      pattern: /\.node['"`]/,
      files: ['native/binding.ts', 'native/addon-folder.mjs', 'native/setup.mjs', 'image/stage-app.ts'],
    },
    {
      what: 'call the addon',
      pattern: /from '@cloister\/native/,
      files: ['models/', 'attestation/guest/', 'server/enclave/process-guard.ts', 'cli/bench.ts'],
    },
    {
      what: 'construct a model',
      pattern: /from '@cloister\/models\/(bert|embedding|gguf|hub|image)/,
      files: ['server/start/', 'cli/models/'],
    },
    {
      what: 'read the environment',
      pattern: /process\.env\b/,
      // The last one shows people how their programs read it.
      files: ['server/program/config.ts', 'cli/cloister.mjs', 'native/setup.mjs', 'web/parts/snippets.ts'],
    },
    {
      what: 'start a thread',
      pattern: /import [^;]*\b(Worker|Piscina)\b[^;]* from '(node:worker_threads|piscina)'/,
      files: ['runtime/chat/engine-client.ts', 'runtime/pool/worker-pool.ts'],
    },
    {
      what: 'open a network connection',
      pattern: /\bfetch\(|https?\.(request|get)\(/,
      files: [
        'cli/models/admin-client.ts',
        'models/hub/download.ts',
        'attestation/collateral/fetch.ts',
        'attestation/client/pinned-https.ts',
        'attestation/client/fleet-list.ts',
        'attestation/client/sealed-fetch.ts',
        'server/features/compute/forward.ts',
        'compute/webhooks/post.ts',
        'image/install-packages.ts',
        'cli/fleet/nodes.ts',
        'web/api/request.ts',
      ],
    },
    { what: 'speak SQL', pattern: /node:sqlite|from '(kysely|pg)'/, files: ['accounts/', 'compute/'] },
    { what: 'touch devices', pattern: /['"`]\/(dev|sys)\//, files: ['attestation/guest/', 'image/host.ts'] },
    {
      what: 'turn an error into a status of the inference API',
      pattern: /ERR_CONTEXT_OVERFLOW: \d/,
      files: ['server/http/error-replies.ts'],
    },
  ];

/** Folders of `native/src`, from the ground up, as `floors`. */
export const nativeFloors: readonly (readonly string[])[] = [
  ['base'],
  ['kernels', 'platform'],
  ['encoder', 'sampling'],
  ['grammar'],
  ['chat'],
  ['engine'],
  ['napi'],
];
