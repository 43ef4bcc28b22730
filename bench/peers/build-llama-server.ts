/**
 * Builds the reference llama-server, and llama-quantize for models in its formats: `node bench/peers/build-llama-server.ts [folder]`. No
 * network: the sources are
 * the git bundle inside node-llama-cpp, the very release whose shared libraries Cloister runs on.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';

const bundle = join(import.meta.dirname, '../../node_modules/node-llama-cpp/llama/gitRelease.bundle');
const defaultFolder = join(import.meta.dirname, '../build/llama.cpp');

const cmakeFlags = [
  '-DCMAKE_BUILD_TYPE=Release',
  '-DGGML_NATIVE=ON',
  '-DGGML_OPENMP=ON',
  '-DLLAMA_CURL=OFF',
  '-DLLAMA_OPENSSL=OFF',
  '-DLLAMA_BUILD_TESTS=OFF',
  '-DLLAMA_BUILD_EXAMPLES=OFF',
  '-DLLAMA_BUILD_UI=OFF',
];

function main(): void {
  const folder = resolve(process.argv[2] ?? defaultFolder);
  const build = join(folder, 'build');
  if (!existsSync(folder)) run('git', ['clone', bundle, folder]);
  run('cmake', ['-S', folder, '-B', build, ...cmakeFlags]);
  run('cmake', ['--build', build, '--target', 'llama-server', 'llama-quantize', '-j', String(availableParallelism())]);
  console.log(`\n--peer ${join(build, 'bin/llama-server')}`);
}

/** @throws with the exit code, the tool having said why */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

main();
