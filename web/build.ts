/**
 * `node web/build.ts`: bundles the pages into `web/build/`. `native/setup.mjs` and the build of the image run it; the server measures the
 * result into its start log. `--if-changed` skips the build if no source has changed since the last one. `--verifier FILE` writes the
 * page that verifies servers from outside instead: one HTML file that needs no server.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type OutputChunk, rolldown } from 'rolldown';

const folder = import.meta.dirname;
const root = join(folder, '..');
const target = join(folder, 'build');

interface Page {
  /** Path of the URL, which the route of `server/features/pages` serves. */
  readonly path: string;
  readonly title: string;
}

/** By the name of the entry in `pages/`. */
const pages: Readonly<Record<string, Page>> = {
  home: { path: '/', title: 'Cloister' },
  chat: { path: '/chat', title: 'Chat · Cloister' },
  usage: { path: '/usage', title: 'Usage · Cloister' },
  reference: { path: '/reference', title: 'Reference · Cloister' },
  status: { path: '/status', title: 'Status · Cloister' },
  /** Served by the compute service. */
  console: { path: '/console', title: 'Console · Cloister' },
  /** Served by the admin port, not with the others. */
  operator: { path: '/operator', title: 'Operator · Cloister' },
  'sign-in': { path: '/sign-in', title: 'Sign in · Cloister' },
};

const verifierPath = process.argv[process.argv.indexOf('--verifier') + 1];
const stamp = digestOfSources();
if (process.argv.includes('--verifier')) await buildVerifier(verifierPath!);
else if (!process.argv.includes('--if-changed') || stamp !== readStamp()) await build();

async function build(): Promise<void> {
  const fresh = `${target}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  const chunks = await bundle(
    Object.fromEntries(Object.keys(pages).map((name) => [name, join(folder, 'pages', `${name}.tsx`)])),
  );
  for (const { fileName, code } of chunks) writeFileSync(join(fresh, fileName), code);
  const style = write(fresh, 'style', 'css', readStyle());
  const icon = write(fresh, 'icon', 'svg', readFileSync(join(folder, 'icon.svg')));
  const names: Record<string, string> = {};
  for (const [name, { path, title }] of Object.entries(pages)) {
    const entry = chunks.find((chunk) => chunk.isEntry && chunk.name === name);
    if (entry === undefined) throw new Error(`the bundle has no entry ${name}`);
    names[path] = `${name}.html`;
    writeFileSync(join(fresh, `${name}.html`), html({ title, entry, style, icon }));
  }
  const assets = [...chunks.map(({ fileName }) => fileName), style, icon].sort();
  writeFileSync(join(fresh, 'pages.json'), `${JSON.stringify({ pages: names, assets, stamp }, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(fresh, target);
}

/** The policy of the page itself names its only script and style by their digests. */
async function buildVerifier(path: string): Promise<void> {
  const [chunk] = await bundle({ verifier: join(folder, 'verifier', 'main.tsx') });
  const [script, style] = [
    chunk!.code.replaceAll('</script', '<\\/script'),
    readFileSync(join(folder, 'style.css'), 'utf8'),
  ];
  const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; connect-src https:; require-trusted-types-for 'script'; trusted-types 'none'`;
  writeFileSync(
    path,
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="content-security-policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Verify a Cloister server</title>
    <style>${style}</style>
  </head>
  <body>
    <noscript>This page needs JavaScript. The command does the same: npx cloister-verify https://host</noscript>
    <script type="module">${script}</script>
  </body>
</html>
`,
  );
}

async function bundle(input: Record<string, string>): Promise<readonly OutputChunk[]> {
  const bundler = await rolldown({
    input,
    cwd: root,
    platform: 'browser',
    // The build of the image has neither a configuration of the type checker nor npm's links between the rooms.
    tsconfig: false,
    plugins: [{ name: 'rooms', resolveId: resolveRoom }],
    transform: { target: 'es2024', jsx: { runtime: 'automatic', importSource: 'preact' } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const { output } = await bundler.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundler.close();
  return output.filter((file) => file.type === 'chunk');
}

/** Resolves an import of another room by the `exports` of its package.json. */
function resolveRoom(specifier: string): string | null {
  const [, room, path] = /^@cloister\/([\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (room === undefined) return null;
  const { exports } = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const target = exports[path === undefined ? '.' : `./${path}`];
  if (target === undefined) throw new Error(`${room} does not export ${path}`);
  return join(root, room, target);
}

/** The project's style after that of its chart library, without comments. */
function readStyle(): string {
  const texts = [join(root, 'node_modules/uplot/dist/uPlot.min.css'), join(folder, 'style.css')].map((path) =>
    readFileSync(path, 'utf8'),
  );
  return texts
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\n\s*/g, '\n');
}

/** @returns the name of the file, which contains a digest of its contents */
function write(into: string, name: string, extension: string, contents: string | Buffer): string {
  const digest = createHash('sha256').update(contents).digest('base64url').slice(0, 8);
  const fileName = `${name}-${digest}.${extension}`;
  writeFileSync(join(into, fileName), contents);
  return fileName;
}

function html({ title, entry, style, icon }: { title: string; entry: OutputChunk; style: string; icon: string }) {
  const preloads = entry.imports.map((name) => `    <link rel="modulepreload" href="/assets/${name}">\n`).join('');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="/assets/${icon}">
    <link rel="stylesheet" href="/assets/${style}">
${preloads}    <script type="module" src="/assets/${entry.fileName}"></script>
  </head>
  <body>
    <noscript>These pages need JavaScript. The API works without them: see /v1/openapi.json.</noscript>
  </body>
</html>
`;
}

/** Of everything that the bundle is made from. */
function digestOfSources(): string {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const room of ['web', 'attestation']) {
    const files = readdirSync(join(root, room), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|css|svg|json)$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !/\/(build|build\.new|node_modules)\//.test(path));
    for (const path of files.sort()) hash.update(`${path}\n`).update(readFileSync(join(root, path)));
  }
  return hash.digest('hex');
}

function readStamp(): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(target, 'pages.json'), 'utf8')) as { stamp: string }).stamp;
  } catch {
    return undefined;
  }
}
