/** `npm run pack`: builds every package, its bill of materials and the checksums. It changes no tracked file. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPackage } from '../attestation/build.ts';
import { type Packed, readRootManifest } from './pack/manifest.ts';
import { buildNativePackage } from './pack/native-package.ts';
import { provenanceOf } from './pack/provenance.ts';
import { buildProxyPackage } from './pack/proxy-package.ts';
import { packPython } from './pack/python-package.ts';
import { writeSbom } from './pack/sbom.ts';
import { buildServerPackage } from './pack/server-package.ts';

const help = `npm run pack -- [folder] [options]

Builds the npm packages cloister, @cloister/native-linux-x64, @cloister/attestation and @cloister/proxy and the Python package
cloister_verify into the folder [release], with SHA256SUMS and provenance.json. Each npm package contains its CycloneDX bill of materials,
sbom.cdx.json.

  --repository <url>   git address that the packages name [the remote "origin", else none]`;

/** @param folder receives the archives · @returns their paths: the tenant's package, the addon, the server, the proxy, the Python package */
export async function packAll(folder: string, packed: Packed): Promise<readonly string[]> {
  const { root, repository } = packed;
  const { version } = readRootManifest(root);
  mkdirSync(folder, { recursive: true });
  const built = ['attestation', 'native-linux-x64', 'cloister', 'proxy'].map((name) => join(folder, 'packages', name));
  const [attestation, native, server, proxy] = built as [string, string, string, string];
  await buildPackage(attestation, repository === undefined ? {} : { repository });
  writeSbom(attestation, { name: '@cloister/attestation', version, components: [] });
  buildNativePackage(native, packed);
  buildServerPackage(server, packed);
  buildProxyPackage(proxy, packed, { attestation });
  const archives = [...built.map((path) => npmPack(path, folder)), packPython(root, folder)];
  const sums = archives.map((path) => ({ name: path.slice(folder.length + 1), sha256: sha256Of(path) }));
  writeFileSync(join(folder, 'SHA256SUMS'), sums.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
  writeFileSync(join(folder, 'provenance.json'), `${JSON.stringify(provenanceOf(packed, sums), null, 2)}\n`);
  return archives;
}

/** The address of the remote "origin"; undefined without one. */
export function originOf(root: string): string | undefined {
  try {
    const args = ['config', '--get', 'remote.origin.url'];
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

function npmPack(folder: string, destination: string): string {
  const output = execFileSync('npm', ['pack', folder, '--json', '--pack-destination', destination], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 26,
  });
  const [{ filename }] = JSON.parse(output) as [{ filename: string }];
  return join(destination, filename);
}

function sha256Of(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { repository: { type: 'string' }, help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const root = join(import.meta.dirname, '..');
  if (values.help) {
    console.log(help);
  } else {
    const repository = values.repository ?? originOf(root);
    for (const path of await packAll(resolve(positionals[0] ?? join(root, 'release')), { root, repository })) {
      console.log(path);
    }
  }
}
