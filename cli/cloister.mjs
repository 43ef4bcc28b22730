#!/usr/bin/env node
/**
 * The program's first file. Plain JavaScript: with the cache in place before any TypeScript is read, a start after the
 * first one neither loads the type stripper nor compiles, which is faster and takes 35 MB less memory.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
// By its path: this file says what is missing where no package is installed yet.
import memoryFlags from '../server/enclave/memory-flags.json' with { type: 'json' };

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`cloister: this is Node ${process.versions.node}; start it with npm or npx, which bring Node 24`);
  process.exit(1);
}

const [command] = process.argv.slice(2);
if (command === 'serve') replaceProcess();

// Built files live here, so an image that is read-only and measured holds the cache as well.
const folder = join(import.meta.dirname, '../native/build/compile-cache');
process.env.NODE_COMPILE_CACHE ??= folder; // Threads read it when they begin.
module.enableCompileCache(folder);

// ONNX Runtime reports its use to its maker otherwise, read when its library loads. Nothing leaves a machine of ours unasked.
process.env.ORT_DISABLE_TELEMETRY = '1';

const { main } = await import('./cli.ts');
process.exit(await main());

/**
 * `serve` starts Node once more in the same process, since some things are read when a process begins: flags of V8, and the library that
 * zeroes heap memory when it is freed, which children of the server are not given.
 */
function replaceProcess() {
  const heap = join(import.meta.dirname, '../native/build/zeroing-heap.so');
  const { LD_PRELOAD: preloaded = '' } = process.env;
  if (preloaded.split(':').includes(heap)) {
    const others = preloaded.split(':').filter((path) => path !== heap);
    if (others.length === 0) delete process.env.LD_PRELOAD;
    else process.env.LD_PRELOAD = others.join(':');
    return;
  }
  const flags = [...memoryFlags];
  // Left to itself the main thread's young generation grows with the load to 128 MB, of which this one needs a fraction; 16 MB
  // answer as many requests.
  const youngGeneration = /--max[-_]semi[-_]space[-_]size/;
  if (!youngGeneration.test(`${process.execArgv} ${process.env.NODE_OPTIONS}`)) flags.push('--max-semi-space-size=8');
  if (flags.every((flag) => process.execArgv.includes(flag))) return;
  // The loader takes spaces and colons as separators.
  const isPreloadable = existsSync(heap) && !/[\s:]/.test(heap);
  const env = isPreloadable ? { ...process.env, LD_PRELOAD: [heap, preloaded].filter(Boolean).join(':') } : process.env;
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], env);
}
