/**
 * Part of the image's build: downloads the packages of `package-set.ts`, verifies each against package-lock.json and unpacks
 * it into node_modules. Like `npm ci`, but only for the image's packages, and without running any package script.
 * Usage: `node image/install-packages.ts [none|nvidia] [registry]`
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
// `native/setup.mjs` runs npm unless this file is newer than package-lock.json.
writeFileSync('node_modules/.package-lock.json', readFileSync('package-lock.json'));
console.log(`${build.length} packages`);

async function install(locked: LockedPackage): Promise<void> {
  const tarball = await download(locked);
  const [algorithm, digest] = locked.integrity.split('-', 2) as [string, string];
  if (algorithm !== 'sha512' || createHash('sha512').update(tarball).digest('base64') !== digest) {
    throw new Error(`${locked.name} ${locked.version} does not match its digest in package-lock.json`);
  }
  const folder = join(process.cwd(), locked.path);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xz', '--strip-components=1', '--no-same-owner', '-C', folder], { input: tarball });
}

async function download(locked: LockedPackage): Promise<Buffer> {
  const url = tarballUrl(registry, locked);
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    } catch (error) {
      if (attempt === triesMax) throw error;
    }
  }
}
