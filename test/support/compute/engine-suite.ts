/** Suites on engines of their own: containers, machines. Where an engine cannot be had, the suite says what is missing. */
import { afterAll, describe, it } from 'vitest';

/** Describes facts of what was started, and takes it away afterwards. @param started it, or why there is none */
export function describeOn<Started extends { remove(): Promise<void> }>(
  title: string,
  started: Started | { readonly missing: string },
  facts: (started: Started) => void,
): void {
  if ('missing' in started) {
    console.warn(`skipped: ${title}: ${started.missing}`);
    describe.skip(title, () => it(started.missing, () => undefined));
    return;
  }
  describe(title, () => {
    afterAll(() => started.remove());
    facts(started);
  });
}
