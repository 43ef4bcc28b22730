/** The import table of ARCHITECTURE.md, enforced, and the doors that only one file may open. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = normalize(join(import.meta.dirname, '..'));
const EVERYTHING = [''];

/** First match wins. A row lists path beginnings that files under `from` may import; their own folder always counts. */
const TABLE: readonly { from: string; may: readonly string[] }[] = [
  { from: 'native/', may: [] },
  { from: 'models/model.ts', may: [] },
  { from: 'models/image-model.ts', may: [] },
  { from: 'models/agents/', may: [] },
  { from: 'models/', may: ['native/', 'models/'] },
  { from: 'runtime/', may: ['runtime/', 'models/model.ts', 'models/image-model.ts', 'models/embedding-model.ts'] },
  { from: 'attestation/bytes.ts', may: ['attestation/errors.ts'] },
  { from: 'attestation/x509/', may: ['attestation/bytes.ts', 'attestation/errors.ts'] },
  { from: 'attestation/quote/', may: ['attestation/bytes.ts', 'attestation/errors.ts'] },
  {
    from: 'attestation/collateral/',
    may: ['attestation/x509/', 'attestation/bytes.ts', 'attestation/errors.ts'],
  },
  { from: 'attestation/eventlog/', may: ['attestation/bytes.ts', 'attestation/errors.ts'] },
  {
    from: 'attestation/gpu/',
    may: ['attestation/verify/checks.ts', 'attestation/x509/', 'attestation/bytes.ts', 'attestation/errors.ts'],
  },
  {
    from: 'attestation/verify/',
    may: [
      'attestation/quote/',
      'attestation/collateral/',
      'attestation/gpu/',
      'attestation/x509/',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  {
    from: 'attestation/simulate/',
    may: [
      'attestation/quote/',
      'attestation/collateral/',
      'attestation/x509/',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  {
    from: 'attestation/aci/',
    may: ['attestation/report-data.ts', 'attestation/bytes.ts', 'attestation/errors.ts'],
  },
  { from: 'attestation/sealed/', may: ['attestation/bytes.ts', 'attestation/errors.ts'] },
  {
    from: 'attestation/measure/',
    may: [
      'attestation/client/evidence-policy.ts',
      'attestation/eventlog/',
      'attestation/policy',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  {
    from: 'attestation/guest/',
    may: [
      'attestation/quote/',
      'attestation/eventlog/',
      'attestation/simulate/',
      'attestation/gpu/',
      'attestation/channel-data.ts',
      'attestation/platform.ts',
      'attestation/start-log.ts',
      'attestation/bytes.ts',
      'attestation/errors.ts',
      'native/guest.ts',
    ],
  },
  {
    from: 'attestation/client/',
    may: [
      'attestation/aci/',
      'attestation/collateral/',
      'attestation/eventlog/',
      'attestation/gpu/',
      'attestation/quote/',
      'attestation/sealed/',
      'attestation/verify/',
      'attestation/x509/',
      'attestation/channel-data.ts',
      'attestation/fetch-gpu-reference.ts',
      'attestation/policy',
      'attestation/report-data.ts',
      'attestation/start-log.ts',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  {
    from: 'attestation/score/',
    may: [
      'attestation/client/',
      'attestation/collateral/',
      'attestation/eventlog/',
      'attestation/gpu/',
      'attestation/quote/',
      'attestation/verify/',
      'attestation/policy.ts',
      'attestation/start-log.ts',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  {
    from: 'attestation/cli/',
    may: [
      'attestation/client/',
      'attestation/score/',
      'attestation/aci/',
      'attestation/collateral/',
      'attestation/gpu/',
      'attestation/verify/',
      'attestation/x509/',
      'attestation/policy',
      'attestation/report-data.ts',
      'attestation/start-log.ts',
      'attestation/bytes.ts',
      'attestation/errors.ts',
    ],
  },
  { from: 'attestation/', may: ['attestation/'] },
  { from: 'server/accounts/', may: [] },
  { from: 'server/enclave/process-guard.ts', may: ['native/guest.ts'] },
  { from: 'server/compute/main.ts', may: EVERYTHING },
  {
    from: 'server/compute/',
    may: [
      'server/accounts/',
      'server/plugins/',
      'server/bodies/parse-json.ts',
      'server/caller-signal.ts',
      'server/errors.ts',
      'server/tls/connections.ts',
    ],
  },
  { from: 'server/main.ts', may: EVERYTHING },
  { from: 'server/start/start-models.ts', may: EVERYTHING },
  { from: 'server/enclave/pin-files.ts', may: EVERYTHING },
  { from: 'server/images/worker.ts', may: EVERYTHING },
  { from: 'server/cli.ts', may: EVERYTHING },
  { from: 'server/cloister.mjs', may: EVERYTHING },
  { from: 'server/commands/', may: EVERYTHING },
  { from: 'server/guest/start.ts', may: EVERYTHING },
  { from: 'server/start/model-worker.ts', may: EVERYTHING },
  { from: 'server/embeddings/worker.ts', may: EVERYTHING },
  {
    from: 'server/',
    may: [
      'server/',
      'runtime/',
      'attestation/',
      'models/model.ts',
      'models/image-model.ts',
      'models/catalogue.ts',
      'models/agents/',
    ],
  },
];

/** What only these files may do. */
const DOORS: readonly { what: string; pattern: RegExp; files: readonly string[] }[] = [
  {
    what: 'load a .node file',
    pattern: /\.node['"`]/,
    files: ['native/binding.ts', 'native/setup.mjs', 'server/guest-image/stage-app.ts'],
  },
  {
    what: 'read the environment',
    pattern: /process\.env\b/,
    files: ['server/config.ts', 'server/cloister.mjs', 'native/setup.mjs'],
  },
  {
    what: 'start a thread',
    pattern: /import [^;]*\b(Worker|Piscina)\b[^;]* from '(node:worker_threads|piscina)'/,
    files: ['runtime/engine-client.ts', 'runtime/worker-pool.ts'],
  },
  {
    what: 'open a network connection',
    pattern: /\bfetch\(|https?\.(request|get)\(/,
    files: [
      'models/download.ts',
      'attestation/collateral/fetch.ts',
      'attestation/client/pinned-https.ts',
      'attestation/client/sealed-fetch.ts',
      'server/compute-forward.ts',
      'server/compute/webhooks/post.ts',
      'server/guest-image/install-packages.ts',
    ],
  },
  { what: 'speak SQL', pattern: /node:sqlite|from '(kysely|pg)'/, files: ['server/accounts/', 'server/compute/'] },
  { what: 'touch devices', pattern: /['"`]\/(dev|sys)\//, files: ['attestation/guest/', 'server/guest-image/host.ts'] },
];

const FOLDERS = ['native', 'models', 'runtime', 'attestation', 'server'].filter((folder) =>
  existsSync(join(ROOT, folder)),
);

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(build|node_modules)\//.test(path));
}

const FILES = FOLDERS.flatMap(sourceFiles).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import\(?|new URL\()\s*['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    (match) => match[1]!,
  );
  return specifiers
    .map((specifier) => normalize(join(dirname(path), specifier)))
    .filter((target) => !/^(package\.json|node_modules\/)/.test(target));
}

function mayImport(from: string, to: string): boolean {
  const row = TABLE.find((candidate) => from.startsWith(candidate.from));
  if (row === undefined) return false;
  const own = row.from.endsWith('/') ? [row.from] : [];
  return [...own, ...row.may].some((beginning) => to.startsWith(beginning));
}

describe('layers', () => {
  it('reads the whole tree', () => {
    expect(FILES.length).toBeGreaterThan(20);
  });

  it('imports only downwards', () => {
    const wrong = FILES.flatMap(({ path, text }) =>
      importsOf(path, text)
        .filter((target) => !mayImport(path, target))
        .map((target) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('has no circle of imports', () => {
    const edges = new Map(FILES.map(({ path, text }) => [path, importsOf(path, text)]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error(`circle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      if (done.has(path)) return;
      for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of edges.keys()) visit(path, []);
  });

  it.each(DOORS)('lets only the right files $what', ({ pattern, files }) => {
    const wrong = FILES.filter(({ path, text }) => pattern.test(text) && !files.some((file) => path.startsWith(file)));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has no file that outgrew its subject', () => {
    const long = FILES.filter(({ text }) => text.split('\n').length > 350);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
