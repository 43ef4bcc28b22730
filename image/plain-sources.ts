/** The program without its types, beside the reviewed sources: what `image/guest/plain-sources.mjs` hands to Node. */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

const folders = ['accounts', 'agents', 'attestation', 'cli', 'image', 'models', 'native', 'runtime', 'server'];
/** Below the program's folder, among what was built: the start's digest of the program is that of the sources. */
export const plainFolder = 'native/build/plain';

/**
 * Writes every TypeScript file of the program to the same path below `plainFolder`, each type replaced by blanks, so that lines and
 * columns stay. With the Node that will run them these are the very bytes that it would make at each start.
 * @returns how many there were · @throws {SyntaxError} where a file has more than types to take out
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
