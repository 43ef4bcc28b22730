/** Builds the folder of `@cloister/native-linux-x64`: the addon, the heap library and llama.cpp's libraries, prebuilt for glibc. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Packed, packageFields, readRootManifest, writeManifest } from './manifest.ts';
import { type Component, fileComponent, writeSbom } from './sbom.ts';

const llamaFolder = 'node_modules/@node-llama-cpp/linux-x64';
const built = ['cloister.node', 'zeroing-heap.so'];

const readme = `# @cloister/native-linux-x64

The native addon of [cloister](https://www.npmjs.com/package/cloister), prebuilt for Linux on x86-64 with glibc 2.34 or later and
libstdc++ of GCC 12 or later, and the libraries of llama.cpp that it is linked to. \`npm install cloister\` selects it.

llama.cpp and ggml are under the MIT licence: see \`LICENSE-llama.cpp\`.
`;

/** @param folder emptied first */
export function buildNativePackage(folder: string, { root, repository }: Packed): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of built) cpSync(join(root, 'native/build', file), join(folder, file));
  const binaries = join(root, llamaFolder, 'bins/linux-x64');
  const libraries = readdirSync(binaries).filter((name) => name.endsWith('.so'));
  for (const name of libraries) cpSync(join(binaries, name), join(folder, name));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  // The headers that the addon was compiled with come from the release of these libraries.
  cpSync(join(root, 'native/build/llama.cpp/LICENSE'), join(folder, 'LICENSE-llama.cpp'));
  writeFileSync(join(folder, 'README.md'), readme);
  const { version } = readRootManifest(root);
  const name = '@cloister/native-linux-x64';
  writeManifest(folder, {
    name,
    ...packageFields(root, { repository }),
    description: "Cloister's native addon for Linux on x86-64 with glibc.",
    exports: { './package.json': './package.json' },
    os: ['linux'],
    cpu: ['x64'],
    libc: ['glibc'],
  });
  const components = [llamaComponent(root), ...built.map((file) => fileComponent(root, `native/build/${file}`))];
  writeSbom(folder, { name, version, components });
}

function llamaComponent(root: string): Component {
  const { version } = JSON.parse(readFileSync(join(root, llamaFolder, 'package.json'), 'utf8')) as { version: string };
  const purl = `pkg:npm/%40node-llama-cpp/linux-x64@${version}`;
  return {
    ...{ type: 'library', 'bom-ref': purl, name: '@node-llama-cpp/linux-x64', version, purl },
    licenses: [{ license: { id: 'MIT' } }],
  };
}
