/**
 * Runs a suite on a separate engine for containers or virtual machines. If an engine cannot run, the suite names what is missing.
 */
import { afterAll, describe, it } from 'vitest';

/** Describes the tests of a started engine and stops it afterwards. @param started the engine, or why it cannot run */
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
