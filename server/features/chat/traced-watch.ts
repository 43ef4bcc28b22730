/** Records the phases of a chat as spans, next to its metrics. */
import type { WorkTrace } from '../../tracing/request-trace.ts';
import type { ChatWatch } from './metrics.ts';

/** @param work undefined if the request is not traced · @param choices answers of the request */
export function tracedWatch(
  watch: ChatWatch,
  { work, choices }: { work: WorkTrace | undefined; choices: number },
): ChatWatch {
  if (work === undefined) return watch;
  let firstTokenMs: number | undefined;
  let openChoices = choices;
  return {
    admitted: () => watch.admitted(),
    saw(event) {
      watch.saw(event);
      if (event.kind === 'started') {
        firstTokenMs = performance.now();
        const begunMs = Math.min(firstTokenMs, work.admittedAtMs + event.queuedMs);
        work.phase('queue', work.admittedAtMs, begunMs);
        work.phase('prefill', begunMs, firstTokenMs);
      } else if (event.kind === 'finished') {
        openChoices -= 1;
        if (openChoices === 0 && firstTokenMs !== undefined) work.phase('decode', firstTokenMs, performance.now());
      }
    },
    failed(code) {
      watch.failed(code);
      if (openChoices > 0 && firstTokenMs !== undefined) work.phase('decode', firstTokenMs, performance.now());
      openChoices = 0;
    },
  };
}
