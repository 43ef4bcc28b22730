/** Builds the addon with sanitizers and finds the libraries that a process needs to load it. */
import { spawnSync } from 'node:child_process';
import { isAbsolute, join } from 'node:path';

/** The order matters: the interceptors of ASan look for the C++ runtime's functions when they start. */
const libraries = ['libasan.so', 'libubsan.so', 'libstdc++.so.6'];

/** @param reportPath beginning of the files that the sanitizers write: the addon mutes stderr while it works */
export type SanitizedEnvironment = (reportPath: string) => Readonly<Record<string, string>>;

/** @returns the environment of a process that can load the addon, where its reports go; or why there is none */
export function prepareSanitizers(): SanitizedEnvironment | string {
  const paths = libraries.map((name) => libraryPath(name));
  const missing = libraries.filter((_, index) => paths[index] === undefined);
  if (missing.length > 0) return `g++ has no ${missing.join(' and no ')}. Action: apt-get install g++`;
  const setup = join(import.meta.dirname, '../../native/setup.mjs');
  const { status } = spawnSync(process.execPath, [setup, '--sanitize'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the addon with sanitizers cannot be built; see above');
  // Leaks: Node frees little at its end. Containers: llama.cpp's own libraries are not instrumented.
  const asan = 'detect_leaks=0:detect_container_overflow=0:allocator_may_return_null=1:abort_on_error=1';
  const ubsan = 'print_stacktrace=1:halt_on_error=1:abort_on_error=1';
  return (reportPath) => ({
    LD_PRELOAD: paths.join(':'),
    ASAN_OPTIONS: `${asan}:log_path=${reportPath}`,
    UBSAN_OPTIONS: `${ubsan}:log_path=${reportPath}`,
  });
}

function libraryPath(name: string): string | undefined {
  const { stdout, error } = spawnSync('g++', [`-print-file-name=${name}`], { encoding: 'utf8' });
  const path = error === undefined ? stdout.trim() : '';
  return isAbsolute(path) ? path : undefined;
}
