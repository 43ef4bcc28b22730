/** Keeps the load generator off the CPUs of the servers. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

/** Moves this process to CPUs other than `taken`, if there are any. @param taken a list as for taskset: `0,1` or `0-3` */
export function pinToOtherCpus(taken: string): void {
  const others = otherCpus(taken, cpus().length);
  if (others.length > 0) execFileSync('taskset', ['-a', '-c', '-p', others.join(), String(process.pid)]);
}

export function otherCpus(taken: string, count: number): number[] {
  const servers = new Set(
    taken.split(',').flatMap((part) => {
      const [from, to = from] = part.split('-').map(Number) as [number, number?];
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
  return Array.from({ length: count }, (_, cpu) => cpu).filter((cpu) => !servers.has(cpu));
}
