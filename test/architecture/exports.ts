/** What each room's package.json exports: what other rooms import, and what is published. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Room, rooms } from './rooms.ts';
import { readManifest, readSources, roomOf, root, type Source } from './sources.ts';

/** @returns by subpath, in the order of package.json */
export function wantedExports({ name, published = [] }: Room, sources: readonly Source[]): Record<string, string> {
  const { exports } = readManifest(name);
  const prefix = `@cloister/${name}`;
  const imported = sources
    .filter(({ path }) => roomOf(path) !== name)
    .flatMap(({ imports }) => imports.map(({ specifier }) => specifier))
    .filter((specifier) => `${specifier}/`.startsWith(`${prefix}/`))
    .map((specifier) => `.${specifier.slice(prefix.length)}`);
  const subpaths = [...new Set([...published, ...[...imported].toSorted(), './package.json'])];
  return Object.fromEntries(subpaths.map((subpath) => [subpath, exports[subpath] ?? fileOf(name, subpath)]));
}

function fileOf(room: string, subpath: string): string {
  const file = [subpath, `${subpath}.ts`].find((path) => existsSync(join(root, room, path)));
  if (file === undefined) throw new Error(`${room} has no file for ${subpath}`);
  return file;
}

export function writeExports(): void {
  const sources = readSources();
  for (const room of rooms) {
    const path = join(root, room.name, 'package.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    writeFileSync(path, `${JSON.stringify({ ...manifest, exports: wantedExports(room, sources) }, null, 2)}\n`);
  }
}
