/**
 * Part of the image's build: downloads the packages of `package-set.ts` into node_modules and checks each against the digest of
 * package-lock.json before it is unpacked. What `npm ci` would do, without the packages that the image leaves out, and without
 * ever running a package's script. `node image/install-packages.ts [none|nvidia] [registry]`
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GpuKind, type LockedPackage, packageSet, tarballUrl } from './package-set.ts';

const downloadsMax = 8;
const triesMax = 3;
const timeoutMs = 120_000;

const [gpu = 'none', registry = 'https://registry.npmjs.org'] = process.argv.slice(2);
const { build } = packageSet(readFileSync('package-lock.json', 'utf8'), gpu as GpuKind);
const waiting = [...build];
await Promise.all(
  Array.from({ length: downloadsMax }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await install(next);
  }),
);
// `native/setup.mjs` asks whether this is newer than the lock file before it would call npm.
writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'));
console.log(`${build.length} packages`);

async function install(wanted: LockedPackage): Promise<void> {
  const tarball = await download(wanted);
  const [algorithm, digest] = wanted.integrity.split('-', 2) as [string, string];
  if (algorithm !== 'sha512' || createHash('sha512').update(tarball).digest('base64') !== digest) {
    throw new Error(`${wanted.name} ${wanted.version} is not the package of package-lock.json`);
  }
  const folder = join(process.cwd(), wanted.path);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xz', '--strip-components=1', '--no-same-owner', '-C', folder], { input: tarball });
}

async function download(wanted: LockedPackage): Promise<Buffer> {
  const url = tarballUrl(registry, wanted);
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    } catch (error) {
      if (attempt === triesMax) throw error;
    }
  }
}
