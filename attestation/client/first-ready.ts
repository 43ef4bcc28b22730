/** Hedging: starts the next candidate while the last one takes long, and uses the first that is ready. */

/**
 * @param start must settle; called for one candidate after the other
 * @param hedgeAfterMs pause after which the next candidate is started too; without pause after a failure
 * @param unused called with the results that come after the first
 * @returns the first result; undefined if all candidates fail
 */
export function firstReady<T, R>(
  candidates: readonly T[],
  start: (candidate: T) => Promise<R>,
  { hedgeAfterMs, unused }: { hedgeAfterMs: number; unused: (result: R) => void },
): Promise<R | undefined> {
  return new Promise((resolve) => {
    const left = [...candidates];
    let running = 0;
    let isReady = false;
    let hedge: NodeJS.Timeout | undefined;
    const startNext = () => {
      clearTimeout(hedge);
      const candidate = left.shift();
      if (candidate === undefined) {
        if (running === 0) resolve(undefined);
        return;
      }
      running += 1;
      hedge = setTimeout(startNext, hedgeAfterMs);
      start(candidate).then(ready, failed);
    };
    const ready = (result: R) => {
      running -= 1;
      clearTimeout(hedge);
      if (isReady) unused(result);
      isReady = true;
      resolve(result);
    };
    const failed = () => {
      running -= 1;
      if (!isReady) startNext();
    };
    startNext();
  });
}
