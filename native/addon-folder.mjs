/**
 * Finds the native addon. Plain JavaScript that imports only Node's modules, because the command runs it before everything else.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const built = join(import.meta.dirname, 'build');
const platformPackage = '@cloister/native-linux-x64/package.json';

/**
 * The folder with the addon and the heap library: `build`, which `setup.mjs` fills, or else the package for this platform, which
 * npm installs with the server. Without either, `build`.
 */
export function addonFolder() {
  if (existsSync(join(built, 'cloister.node'))) return built;
  try {
    return dirname(createRequire(import.meta.url).resolve(platformPackage));
  } catch {
    return built;
  }
}
