/** Records the phases of an image job as spans, next to its metrics. */
import { traceCompute } from '../../tracing/queued-work.ts';
import type { WorkTrace } from '../../tracing/request-trace.ts';
import type { ImageWatch } from './metrics.ts';

/** @param work undefined if the request is not traced */
export function tracedWatch(watch: ImageWatch, work: WorkTrace | undefined): ImageWatch {
  if (work === undefined) return watch;
  let queuedMs = 0;
  return {
    saw(event) {
      watch.saw(event);
      if (event.kind === 'started') queuedMs = event.queuedMs;
      if (event.kind === 'finished') traceCompute(work, { queuedMs, endMs: performance.now() });
    },
    failed: (code) => watch.failed(code),
  };
}
