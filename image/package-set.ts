/**
 * Selects the npm packages of the guest's image: the server's imports and their dependencies on linux-x64, without development
 * tools and binaries for other platforms. Pure.
 */

export interface LockedPackage {
  /** Path in the project, for example `node_modules/fastify/node_modules/x`. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** `sha512-…`, from the lock file. */
  readonly integrity: string;
}

export interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly cpu?: string | readonly string[];
  readonly os?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface PackageSet {
  /** Needed to build the native addon and the pages, and to run. */
  readonly build: readonly LockedPackage[];
  /** Needed to run. */
  readonly run: readonly LockedPackage[];
}

/** Packages to build the addon and the pages, installed without their dependencies. */
export const buildOnly = [
  ...['node-llama-cpp', 'node-addon-api'],
  ...['rolldown', '@rolldown/binding-linux-x64-gnu', '@rolldown/pluginutils'],
  ...['preact', '@preact/signals', '@preact/signals-core', 'marked', 'uplot'],
];
const llamaLibraries: Readonly<Record<GpuKind, readonly string[]>> = {
  none: ['@node-llama-cpp/linux-x64'],
  nvidia: ['@node-llama-cpp/linux-x64', '@node-llama-cpp/linux-x64-cuda', '@node-llama-cpp/linux-x64-cuda-ext'],
};
/** Dependencies of the compute service, which the image leaves out. */
const notServed = ['dockerode'];

export type GpuKind = 'none' | 'nvidia';

/**
 * @param lockText contents of package-lock.json, lockfileVersion 3
 * @throws {Error} if a required package is missing or has no digest
 */
export function packageSet(lockText: string, gpu: GpuKind = 'none'): PackageSet {
  const entries = (JSON.parse(lockText) as { packages: Record<string, LockEntry> }).packages;
  const root = entries[''];
  if (root === undefined) throw new Error('package-lock.json has no root package');
  const names = Object.keys(root.dependencies ?? {}).filter((name) => ![...buildOnly, ...notServed].includes(name));
  const found = new Map<string, LockedPackage>();
  for (const name of names) follow(entries, { from: '', name, isOptional: false }, found);
  for (const name of llamaLibraries[gpu]) add(entries, `node_modules/${name}`, found);
  const run = [...found.values()].sort(byPath);
  for (const name of buildOnly) add(entries, `node_modules/${name}`, found);
  return { run, build: [...found.values()].sort(byPath) };
}

/**
 * The packages that these names need on linux-x64, with all of their dependencies.
 * @param lockText contents of package-lock.json · @returns by path · @throws {Error} as `packageSet`
 */
export function lockedPackages(lockText: string, names: readonly string[]): readonly LockedPackage[] {
  const entries = (JSON.parse(lockText) as { packages: Record<string, LockEntry> }).packages;
  const found = new Map<string, LockedPackage>();
  for (const name of names) follow(entries, { from: '', name, isOptional: false }, found);
  return [...found.values()].sort(byPath);
}

/** Builds the URL of a package's tarball in the registry. */
export function tarballUrl(registry: string, { name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `${registry.replace(/\/$/, '')}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
}

type Entries = Readonly<Record<string, LockEntry>>;

function follow(
  entries: Entries,
  { from, name, isOptional }: { from: string; name: string; isOptional: boolean },
  found: Map<string, LockedPackage>,
): void {
  const path = resolve(entries, from, name);
  if (path === undefined || !fits(entries[path]!)) {
    if (isOptional) return;
    throw new Error(`package-lock.json has no ${name} for ${from || 'the project'}`);
  }
  if (found.has(path)) return;
  add(entries, path, found);
  const { dependencies = {}, optionalDependencies = {} } = entries[path]!;
  for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
    follow(entries, { from: path, name: needed, isOptional: needed in optionalDependencies }, found);
  }
}

function add(entries: Entries, path: string, found: Map<string, LockedPackage>): void {
  const entry = entries[path];
  if (entry?.version === undefined || entry.integrity === undefined) {
    throw new Error(`package-lock.json has no digest for ${path}`);
  }
  const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  found.set(path, { path, name, version: entry.version, integrity: entry.integrity });
}

/** Resolves a package like Node: in the dependent's node_modules, then in each parent folder's. */
function resolve(entries: Entries, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf('/node_modules/'), 0))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (entries[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

function fits({ cpu, os, libc }: LockEntry): boolean {
  const allows = (list: string | readonly string[] | undefined, value: string) =>
    list === undefined || [list].flat().includes(value);
  return allows(os, 'linux') && allows(cpu, 'x64') && allows(libc, 'glibc');
}

function byPath(a: LockedPackage, b: LockedPackage): number {
  return a.path < b.path ? -1 : 1;
}
