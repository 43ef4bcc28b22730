/** Builds the addon with sanitizers and finds the libraries that a process needs to load it. */
import { spawnSync } from 'node:child_process';
import { isAbsolute, join } from 'node:path';

/** The order matters: ASan's interceptors look up the C++ runtime's functions when they start. */
const libraries = ['libasan.so', 'libubsan.so', 'libstdc++.so.6'];

/** @param reportPath prefix of the sanitizers' report files, since the addon mutes stderr while it works */
export type SanitizedEnvironment = (reportPath: string) => Readonly<Record<string, string>>;

/** @returns a function that builds the environment to load the addon, or the reason why it cannot be built */
export function prepareSanitizers(): SanitizedEnvironment | string {
  const paths = libraries.map((name) => libraryPath(name));
  const missing = libraries.filter((_, index) => paths[index] === undefined);
  if (missing.length > 0) return `g++ has no ${missing.join(' and no ')}. Action: apt-get install g++`;
  const setup = join(import.meta.dirname, '../../native/setup.mjs');
  const { status } = spawnSync(process.execPath, [setup, '--sanitize'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the addon with sanitizers cannot be built; see above');
  // No leak detection, since Node frees little at its end. No container checks, since llama.cpp is not instrumented.
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
