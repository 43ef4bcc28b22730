/**
 * Part of the image's build: copies the server's files from the built checkout to the folder that becomes the guest's /app.
 * Usage: `node image/stage-app.ts <folder> <none|nvidia> [repository] [commit]`
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type GpuKind, packageSet } from './package-set.ts';
import { writePlainSources } from './plain-sources.ts';

/** Rooms of the repository in the guest: all except the compute service. */
const rooms = ['accounts', 'agents', 'attestation', 'cli', 'image', 'models', 'native', 'runtime', 'server'];
/** Type declarations, source maps and texts, which no code loads. */
const unloaded = /\.(d\.[cm]?ts|map|md|markdown|flow)$/i;
/** Files that Node or a page may load; `build-facts.ts` measures the same set. */
const loadable = /\.(ts|mts|js|mjs|cjs|json|node|so|html|css|svg)$/;
const otherPlatforms = /^onnxruntime-node\/bin\/napi-v\d+\/(darwin|win32|linux\/arm64)(\/|$)/;
/** ONNX Runtime's GPU providers, which the CPU image leaves out. */
const gpuProviders = /^onnxruntime-node\/bin\/.*providers_(cuda|tensorrt|shared)/;

const [target, gpu = 'none', repositoryUrl = '', commit = ''] = process.argv.slice(2);
if (target === undefined)
  throw new Error('usage: node image/stage-app.ts <folder> <none|nvidia> [repository] [commit]');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });

for (const file of ['package.json', 'package-lock.json', 'LICENSE']) cpSync(file, join(target, file));
for (const folder of ['accounts', 'agents', 'attestation', 'cli', 'runtime', 'server']) copyFolder(folder, () => true);
copyFolder('image', (path) => loadable.test(path));
copyFolder('web/build', () => true);
const built = new Set(['build/cloister.node', 'build/zeroing-heap.so']);
copyFolder('native', (path) => loadable.test(path) && (!path.startsWith('build/') || built.has(path)));
const weights = catalogueFiles();
copyFolder('models', (path) => loadable.test(path) || weights.has(path));
mkdirSync(join(target, 'node_modules', '@cloister'), { recursive: true });
for (const room of rooms) symlinkSync(`../../${room}`, join(target, 'node_modules', '@cloister', room));
for (const path of built) chmodSync(join(target, 'native', path), 0o755);
writePlainSources(target);

for (const { path } of packageSet(readFileSync('package-lock.json', 'utf8'), gpu as GpuKind).run) {
  const name = path.slice('node_modules/'.length);
  copyFolder(path, (inside) => {
    const packagePath = `${name}/${inside}`;
    const isForeign = otherPlatforms.test(packagePath) || (gpu === 'none' && gpuProviders.test(packagePath));
    return !unloaded.test(inside) && !isForeign && !inside.startsWith('node_modules/');
  });
}
writeSource();

/** Copies the files of a folder whose relative path passes the filter. */
function copyFolder(folder: string, includes: (path: string) => boolean): void {
  cpSync(folder, join(target!, folder), {
    recursive: true,
    verbatimSymlinks: true,
    filter(source) {
      const path = relative(folder, source);
      if (path === '' || path === 'node_modules') return path === '';
      return statSync(source).isDirectory() || includes(path);
    },
  });
}

/** The shipped models' files, relative to the folder `models`. */
function catalogueFiles(): ReadonlySet<string> {
  const { models } = JSON.parse(readFileSync('models/demo/catalogue.json', 'utf8')) as {
    models: { files: { path: string }[] }[];
  };
  return new Set(models.flatMap(({ files }) => files.map(({ path }) => `demo/${path}`)));
}

/** Writes the repository and commit that `server/enclave/source-facts.ts` reads at the start; nothing without a commit. */
function writeSource(): void {
  if (commit === '') return;
  const source = { ...(repositoryUrl === '' ? {} : { repositoryUrl }), commit };
  writeFileSync(join(target!, 'source.json'), `${JSON.stringify(source)}\n`);
}
