/** Checks the resident memory of the process against a limit. */
import { totalmem } from 'node:os';
import type { Check } from './readiness.ts';

const mebibyte = 1024 * 1024;
/** Above this share the kernel may kill the process, or the machine swaps. */
const shareMax = 0.9;

/** The limit in bytes. `auto`: a share of the memory of the container or machine. */
export function memoryLimit(
  limitMb: number | 'auto',
  { constrained = process.constrainedMemory(), total = totalmem() }: { constrained?: number; total?: number } = {},
): number {
  if (limitMb !== 'auto') return limitMb * mebibyte;
  // Without a limit, `constrainedMemory` is 0 or far more than any machine has.
  return Math.floor(Math.min(constrained > 0 ? constrained : total, total) * shareMax);
}

export function memoryCheck({
  limitBytes,
  readBytes = () => process.memoryUsage.rss(),
}: {
  limitBytes: number;
  readBytes?: () => number;
}): Check {
  return {
    name: 'memory',
    failure() {
      const bytes = readBytes();
      if (bytes <= limitBytes) return undefined;
      return `${inMebibytes(bytes)} MiB are resident, ${inMebibytes(limitBytes)} MiB are allowed`;
    },
  };
}

function inMebibytes(bytes: number): number {
  return Math.ceil(bytes / mebibyte);
}
