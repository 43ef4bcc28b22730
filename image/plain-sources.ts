/** Writes the program's sources without types, next to the originals; `image/guest/plain-sources.mjs` loads them. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const folders = ['accounts', 'agents', 'attestation', 'cli', 'image', 'models', 'native', 'runtime', 'server'];
/** Output folder, among the build outputs, so that the program's measured digest still covers the original sources. */
export const plainFolder = 'native/build/plain';

/**
 * Writes every TypeScript file to the same path in `plainFolder`, with types replaced by blanks, which keeps lines and columns.
 * With the guest's version of Node, the bytes equal those that Node would produce at each start.
 * @returns the number of files · @throws {SyntaxError} if a file needs more than removing types
 */
export function writePlainSources(app: string): number {
  const paths = globSync(`{${folders.join(',')}}/**/*.ts`, { cwd: app }).filter(
    (path) => !path.startsWith(plainFolder),
  );
  for (const path of paths) {
    const target = join(app, plainFolder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, stripTypeScriptTypes(readFileSync(join(app, path), 'utf8')));
  }
  return paths.length;
}
