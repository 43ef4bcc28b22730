/** The phases of work that has a single result. */
import type { WorkTrace } from './request-trace.ts';

/** Records the spans `queue` and `compute` when the result is there. */
export async function tracedResult<Result extends { readonly queuedMs: number }>(
  work: WorkTrace | undefined,
  running: Promise<Result>,
): Promise<Result> {
  const result = await running;
  if (work !== undefined) traceCompute(work, { queuedMs: result.queuedMs, endMs: performance.now() });
  return result;
}

/** Records the spans `queue` and `compute` of work that ended at `endMs`. */
export function traceCompute(work: WorkTrace, { queuedMs, endMs }: { queuedMs: number; endMs: number }): void {
  const begunMs = Math.min(endMs, work.admittedAtMs + queuedMs);
  work.phase('queue', work.admittedAtMs, begunMs);
  work.phase('compute', begunMs, endMs);
}
