/** Facts of the machine and the code that a figure was measured with. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** The vector extensions that affect matrix kernels. */
  readonly cpuFlags: string;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** The release whose shared libraries node-llama-cpp ships. */
  readonly llamaCpp: string;
  readonly commit: string;
  /** Load average at the start: above 0.5, the results are doubtful. */
  readonly loadAverage: number;
}

const root = join(import.meta.dirname, '..');
const vectorFlags = /^(avx2|fma|f16c|avx512f|avx512_vnni|avx512_bf16|avx_vnni|amx_int8|amx_bf16)$/;

export function describeMachine(): Machine {
  const flags = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1] ?? '';
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    cpuFlags: flags
      .split(' ')
      .filter((flag) => vectorFlags.test(flag))
      .join(' '),
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.version,
    llamaCpp: bundledRelease(),
    commit: gitCommit(),
    loadAverage: Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0]),
  };
}

function bundledRelease(): string {
  const file = join(root, 'node_modules/node-llama-cpp/llama/binariesGithubRelease.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { release: string }).release;
}

/** The commit, followed by `+` if the working tree differs. */
function gitCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return git('rev-parse', '--short=12', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '+');
}
