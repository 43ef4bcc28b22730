/** Facts about the process's environment that determine where prompts could be written. Unreadable facts are "unknown". */
import { createHash } from 'node:crypto';
import { fstatSync, type Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import type { ModelThreads, ProcessGuard } from './process-guard.ts';

export interface HostFacts {
  readonly kernel: string;
  /** Number of swap areas. */
  readonly swapAreas: number | 'unknown';
  readonly coreLimitBytes: number | 'unlimited';
  readonly coreLimitHardBytes: number | 'unlimited';
  /** The kernel's target of core dumps: a file name, or a program after `|`. */
  readonly corePattern: string;
  readonly dumpable: boolean;
  /** Whether private keys are in memory that is never swapped. */
  readonly keysLocked: boolean;
  /** Whether native memory is zeroed when it is freed. */
  readonly freedMemoryZeroed: boolean;
  /** Limit of locked memory, bytes. */
  readonly lockLimitBytes: number | 'unlimited';
  /** Whether a debugger is attached now. */
  readonly traced: boolean | 'unknown';
  /** Yama's ptrace scope: 0 any process of the user may trace another, 1 parents only, 2 only administrators, 3 no process. */
  readonly ptraceScope: number | 'unknown';
  readonly mounts: MountFacts | 'unknown';
  /** Targets of standard output and standard error, and the lowest level of the log on the latter. */
  readonly standardOutput: Sink;
  readonly standardError: Sink;
  readonly logLevel: string;
  readonly egress: EgressFacts;
}

/** Network routes out of the machine. Firewalls outside the machine are not visible. */
export interface EgressFacts {
  /** Network interfaces except loopback, by name. */
  readonly interfaces: readonly string[] | 'unknown';
  /** Whether the kernel has a default route. */
  readonly defaultRoute: boolean | 'unknown';
  readonly modelThreads: ModelThreads;
}

export interface MountFacts {
  /** SHA-256 of the exact bytes of /proc/self/mounts. */
  readonly sha256: string;
  readonly count: number;
  /** Persistent writable mounts: not in memory and not virtual. */
  readonly writable: readonly string[];
}

export type Sink = 'terminal' | 'pipe' | 'socket' | 'file' | 'device' | 'closed';

/** @returns the text of a file; undefined if it cannot be read */
export type ReadText = (path: string) => Promise<string | undefined>;

/** File systems in memory, and virtual file systems of the kernel. */
const withoutDisk = new Set(
  'tmpfs ramfs devtmpfs devpts proc sysfs cgroup cgroup2 securityfs debugfs tracefs configfs bpf pstore mqueue efivarfs hugetlbfs'.split(
    ' ',
  ),
);

const readText: ReadText = (path) => readFile(path, 'utf8').catch(() => undefined);

/** Never throws: unreadable facts are `unknown`. */
export async function readHostFacts(
  guard: ProcessGuard,
  { logLevel, modelThreads, read = readText }: { logLevel: string; modelThreads: ModelThreads; read?: ReadText },
): Promise<HostFacts> {
  const [swaps, corePattern, status, ptraceScope, mounts, devices, routes4, routes6] = await Promise.all(
    procFiles.map((name) => read(`/proc/${name}`)),
  );
  return {
    kernel: release(),
    swapAreas: swaps === undefined ? 'unknown' : swaps.trim().split('\n').length - 1,
    coreLimitBytes: guard.coreLimitBytes,
    coreLimitHardBytes: guard.coreLimitHardBytes,
    corePattern: corePattern?.trim() ?? 'unknown',
    dumpable: guard.dumpable,
    keysLocked: guard.keysLocked,
    freedMemoryZeroed: guard.freedMemoryZeroed,
    lockLimitBytes: guard.lockLimitBytes,
    traced: tracedOf(status),
    ptraceScope: /^[0-3]$/.test(ptraceScope?.trim() ?? '') ? Number(ptraceScope) : 'unknown',
    mounts: mounts === undefined ? 'unknown' : mountsOf(mounts),
    standardOutput: sinkOf(1),
    standardError: sinkOf(2),
    logLevel,
    egress: { interfaces: interfacesOf(devices), defaultRoute: hasDefaultRoute(routes4, routes6), modelThreads },
  };
}

const procFiles = [
  'swaps',
  'sys/kernel/core_pattern',
  'self/status',
  'sys/kernel/yama/ptrace_scope',
  'self/mounts',
  'net/dev',
  'net/route',
  'net/ipv6_route',
];

/** Two lines of headings, then `eth0: 12 …` for each. */
function interfacesOf(devices: string | undefined): readonly string[] | 'unknown' {
  if (devices === undefined) return 'unknown';
  const names = devices.split('\n').flatMap((line) => /^\s*(\S+):/.exec(line)?.[1] ?? []);
  return names.filter((name) => name !== 'lo').sort();
}

/** A kernel without IPv6 has no table for it. */
function hasDefaultRoute(routes4: string | undefined, routes6: string | undefined): boolean | 'unknown' {
  if (routes4 === undefined) return 'unknown';
  // IPv4: interface, destination … mask; IPv6: destination, length … interface, where unreachable routes use `lo`.
  const by4 = routes4.split('\n').some((line) => /^\S+\s+00000000\s+(?:\S+\s+){5}00000000\s/.test(line));
  const by6 = (routes6 ?? '').split('\n').some((line) => /^0{32} 00 .*\s(?!lo$)\S+$/.test(line.trim()));
  return by4 || by6;
}

function tracedOf(status: string | undefined): boolean | 'unknown' {
  const tracer = /^TracerPid:\s*(\d+)$/m.exec(status ?? '')?.[1];
  return tracer === undefined ? 'unknown' : tracer !== '0';
}

function mountsOf(text: string): MountFacts {
  const lines = text.trim().split('\n');
  const writable = lines.flatMap((line) => {
    const [, path = '', type = '', options = ''] = line.split(' ');
    return options.split(',').includes('rw') && !withoutDisk.has(type) ? [`${path} ${type}`] : [];
  });
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    count: lines.length,
    writable: [...new Set(writable)].sort(),
  };
}

function sinkOf(descriptor: 1 | 2): Sink {
  let facts: Stats;
  try {
    facts = fstatSync(descriptor);
  } catch {
    return 'closed';
  }
  if (facts.isFIFO()) return 'pipe';
  if (facts.isSocket()) return 'socket';
  if (facts.isFile()) return 'file';
  return (descriptor === 1 ? process.stdout : process.stderr).isTTY ? 'terminal' : 'device';
}
