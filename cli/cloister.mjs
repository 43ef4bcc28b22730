#!/usr/bin/env node
/**
 * The program's entry point. It is plain JavaScript because it enables the compile cache before Node reads any
 * TypeScript: later starts then neither load the type stripper nor compile, which is faster and saves 35 MB of memory.
 */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
// Imported by path: this file has to run before any package is installed, to report what is missing.
import { addonFolder } from '../native/addon-folder.mjs';
import memoryFlags from '../server/enclave/memory-flags.json' with { type: 'json' };

if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`cloister: this is Node ${process.versions.node}; start it with npm or npx, which bring Node 24`);
  process.exit(1);
}

const [command] = process.argv.slice(2);
if (command === 'serve') replaceProcess();

// The cache lies with the built files, so that the read-only, measured image includes it.
const folder = join(import.meta.dirname, '../native/build/compile-cache');
process.env.NODE_COMPILE_CACHE ??= folder; // Worker threads read the variable when they start.
module.enableCompileCache(folder);

// Turns off ONNX Runtime's usage telemetry. The library reads the variable when it loads.
process.env.ORT_DISABLE_TELEMETRY = '1';

const { main } = await import('./cli.ts');
process.exit(await main());

/**
 * Replaces the process with a new Node for `serve`: V8 flags, LD_PRELOAD and GLIBC_TUNABLES take effect only at the
 * start of a process. The preloaded library zeroes heap memory when it is freed; child processes do not inherit it.
 */
function replaceProcess() {
  const heap = join(addonFolder(), 'zeroing-heap.so');
  const { LD_PRELOAD: preloaded = '' } = process.env;
  if (preloaded.split(':').includes(heap)) {
    const others = preloaded.split(':').filter((path) => path !== heap);
    if (others.length === 0) delete process.env.LD_PRELOAD;
    else process.env.LD_PRELOAD = others.join(':');
    return;
  }
  const flags = [...memoryFlags];
  // Without the flag the main thread's young generation grows to 128 MB under load. With 16 MB in total the server
  // answers as many requests.
  const youngGeneration = /--max[-_]semi[-_]space[-_]size/;
  if (!youngGeneration.test(`${process.execArgv} ${process.env.NODE_OPTIONS}`)) flags.push('--max-semi-space-size=8');
  if (flags.every((flag) => process.execArgv.includes(flag))) return;
  // The dynamic loader treats spaces and colons in LD_PRELOAD as separators.
  const isPreloadable = existsSync(heap) && !/[\s:]/.test(heap);
  const env = { ...process.env };
  if (isPreloadable) env.LD_PRELOAD = [heap, preloaded].filter(Boolean).join(':');
  // llama.cpp's caches get huge pages, which a virtual machine provides many times faster than small ones.
  const tunables = process.env.GLIBC_TUNABLES ?? '';
  if (!tunables.includes('glibc.malloc.hugetlb')) {
    env.GLIBC_TUNABLES = ['glibc.malloc.hugetlb=1', tunables].filter(Boolean).join(':');
  }
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)], env);
}
