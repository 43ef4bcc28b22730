/** Reads the rooms' sources and what each of them imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { rooms } from './rooms.ts';

export const root = normalize(join(import.meta.dirname, '../..'));

export interface Source {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  /** Path from the root of the repository; undefined if a room does not export it. */
  readonly target: string | undefined;
}

export interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
}

export function readManifest(room: string): Manifest {
  return JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Manifest;
}

export const roomOf = (path: string): string => path.slice(0, path.indexOf('/'));

/** Generated, or their own tools that run apart from the program. */
const outside = /(^|\/)(build|node_modules)\/|^models\/demo\//;

export function readSources(): readonly Source[] {
  const manifests = new Map(rooms.map(({ name }) => [name, readManifest(name)]));
  return rooms
    .flatMap(({ name }) => filesBelow(name, /\.(tsx?|mjs)$/))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, imports: importsOf(path, text, manifests) };
    });
}

/** Files below a folder of the repository, by path from its root. */
export function filesBelow(folder: string, names: RegExp): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !outside.test(path));
}

const specifiers = /(?:from|import\(?|new URL\()\s*['"]((?:\.{1,2}\/|@cloister\/)[^'"]+)['"]/g;

function importsOf(path: string, text: string, manifests: ReadonlyMap<string, Manifest>): readonly Import[] {
  return [...text.matchAll(specifiers)]
    .map((match) => match[1]!)
    .map((specifier) => ({ specifier, target: resolve(path, specifier, manifests) }))
    .filter(({ target }) => target === undefined || rooms.some(({ name }) => target.startsWith(`${name}/`)))
    .filter(({ target }) => target === undefined || !outside.test(target));
}

function resolve(path: string, specifier: string, manifests: ReadonlyMap<string, Manifest>): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(path), specifier));
  const [, room = '', ...rest] = specifier.split('/');
  const target = manifests.get(room)?.exports[['.', ...rest].join('/')];
  return target === undefined ? undefined : normalize(join(room, target));
}
