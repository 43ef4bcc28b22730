#!/usr/bin/env node
/**
 * The program's first file. Plain JavaScript: with the cache in place before any TypeScript is read, a start after the
 * first one neither loads the type stripper nor compiles, which is faster and takes 35 MB less memory.
 */
import module from 'node:module';
import { join } from 'node:path';

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`cloister: this is Node ${process.versions.node}; start it with npm or npx, which bring Node 24`);
  process.exit(1);
}

// How large the main thread's young generation may grow is read from the command line alone. Left to itself it grows with
// the load to 128 MB, of which this one needs a fraction; 16 MB answer as many requests.
const [command] = process.argv.slice(2);
const youngGeneration = /--max[-_]semi[-_]space[-_]size/;
if (command === 'serve' && !youngGeneration.test(`${process.execArgv} ${process.env.NODE_OPTIONS}`)) {
  const options = ['--max-semi-space-size=8', ...process.execArgv];
  process.execve(process.execPath, [process.execPath, ...options, ...process.argv.slice(1)], process.env);
}

// Built files live here, so an image that is read-only and measured holds the cache as well.
const folder = join(import.meta.dirname, '../native/build/compile-cache');
process.env.NODE_COMPILE_CACHE ??= folder; // Threads read it when they begin.
module.enableCompileCache(folder);

// ONNX Runtime reports its use to its maker otherwise, read when its library loads. Nothing leaves a machine of ours unasked.
process.env.ORT_DISABLE_TELEMETRY = '1';

const { main } = await import('./cli.ts');
process.exit(await main());
