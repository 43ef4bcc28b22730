/**
 * Writes the package.json of the container: the packed packages, and an override for each dependency that package-lock.json has in
 * one version only, so that two builds install the same. Usage, in an empty folder: `node project.mjs <folder of archives>`
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder] = process.argv;
const archives = readdirSync(folder);
const archiveOf = (pattern) => {
  const found = archives.filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${folder} must have one archive like ${pattern}, found ${found.length}`);
  return join(folder, found[0]);
};
const server = archiveOf(/^cloister-\d+\.\d+\.\d+\.tgz$/);
const native = archiveOf(/^cloister-native-linux-x64-.*\.tgz$/);
const lock = JSON.parse(execFileSync('tar', ['-xzOf', server, 'package/lock.json'], { maxBuffer: 1 << 26 }));

const versions = new Map();
for (const [path, { version, link, dev }] of Object.entries(lock.packages)) {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0 || link || dev) continue;
  const name = path.slice(at + 'node_modules/'.length);
  versions.set(name, (versions.get(name) ?? new Set()).add(version));
}
const pinned = [...versions].filter(([, found]) => found.size === 1).map(([name, [version]]) => [name, version]);
const project = {
  private: true,
  dependencies: { cloister: `file:${server}`, '@cloister/native-linux-x64': `file:${native}` },
  overrides: Object.fromEntries(pinned),
};
writeFileSync('package.json', `${JSON.stringify(project, null, 2)}\n`);
