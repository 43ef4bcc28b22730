/** CPU time and memory of a process and its children, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** `getconf CLK_TCK` is 100 on every Linux this runs on. */
const ticksPerSecond = 100;

export interface Memory {
  /** Resident pages: private ones and mapped files. */
  readonly residentBytes: number;
  readonly residentPeakBytes: number;
  /** Private pages only: no mapped weights. */
  readonly anonymousBytes: number;
}

/** User and system time of the process tree, seconds. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const each of processTree(pid)) {
    const fields = statFields(each);
    // utime and stime are fields 14 and 15 of /proc/<pid>/stat; the state is field 3.
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

export function memory(pid: number): Memory {
  const total = { residentBytes: 0, residentPeakBytes: 0, anonymousBytes: 0 };
  for (const each of processTree(pid)) {
    const status = readFileSync(`/proc/${each}/status`, 'utf8');
    const bytes = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024;
    total.residentBytes += bytes('VmRSS');
    total.residentPeakBytes += bytes('VmHWM');
    total.anonymousBytes += bytes('RssAnon');
  }
  return total;
}

/** The process and its descendants, parents first. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(statFields(Number(entry))[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [pid];
  for (let i = 0; i < tree.length; i++) tree.push(...(children.get(tree[i]!) ?? []));
  return tree;
}

/** Fields from the state on; the name before it may contain spaces and brackets. Empty if the process has ended. */
function statFields(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
