/** Records admission and settlement of the work of a model. */
import type { Admission, RequestEnd } from '@cloister/accounts/store';
import type { RequestTrace, WorkTrace } from './request-trace.ts';

/** Admits within the span `admission`. @throws as `admit` */
export async function tracedAdmission(
  trace: RequestTrace | undefined,
  { surface, model, admit }: { surface: string; model: string; admit: () => Promise<Admission> },
): Promise<Admission> {
  const work = trace?.begin({ surface, model });
  if (trace === undefined || work === undefined) return await admit();
  const startMs = performance.now();
  try {
    const admission = await admit();
    work.admitted();
    // A route that writes to the socket itself sends the headers of the admission.
    const headers = { ...admission.headers, traceparent: trace.traceparent };
    return { ...withSettlement(admission, work), headers };
  } finally {
    work.phase('admission', startMs, performance.now());
  }
}

function withSettlement(admission: Admission, work: WorkTrace): Admission {
  const within = async <Result>(end: RequestEnd | undefined, settle: () => Promise<Result>) => {
    const startMs = performance.now();
    try {
      return await settle();
    } finally {
      work.phase('settle', startMs, performance.now());
      work.end(end);
    }
  };
  return {
    ...admission,
    settle: (end) => within(end, () => admission.settle(end)),
    settleInBackground: (end, options) => within(end, () => admission.settleInBackground(end, options)),
    release: (end) => within(undefined, () => admission.release(end)),
  };
}
