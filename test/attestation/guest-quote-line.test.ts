import { describe, expect, it } from 'vitest';
import { QuoteLine } from '../../attestation/guest/quote-line.ts';

function dataOf(value: number): Uint8Array {
  return new Uint8Array(64).fill(value);
}

/** A platform whose quotes the test completes by hand; a quote is its report data. */
function slowMachine({ waitingMax = 8, timeoutMs = 60_000 } = {}) {
  const running: { reportData: Uint8Array; signal: AbortSignal; finish: () => void; fail: (error: Error) => void }[] =
    [];
  const line = new QuoteLine(
    (reportData, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      running.push({ reportData, signal, finish: () => resolve(reportData), fail: reject });
      return promise;
    },
    { waitingMax, timeoutMs },
  );
  return { line, running };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the quote queue', () => {
  it('requests one quote at a time, in order', async () => {
    const { line, running } = slowMachine();
    const first = line.quote(dataOf(1));
    const second = line.quote(dataOf(2));
    await settle();
    expect(running.map(({ reportData }) => reportData[0])).toEqual([1]);
    running[0]!.finish();
    expect(await first).toEqual(dataOf(1));
    await settle();
    running[1]!.finish();
    expect(await second).toEqual(dataOf(2));
  });

  it('continues after a failed quote', async () => {
    const { line, running } = slowMachine();
    const first = line.quote(dataOf(1));
    const second = line.quote(dataOf(2));
    await settle();
    running[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await settle();
    running[1]!.finish();
    expect(await second).toEqual(dataOf(2));
  });

  it('makes one quote for the same report data, and returns a copy to each caller', async () => {
    const { line, running } = slowMachine();
    const all = [1, 2, 3].map(() => line.quote(dataOf(5)));
    await settle();
    running[0]!.finish();
    const [one, two] = await Promise.all(all);
    expect(running).toHaveLength(1);
    one![0] = 0;
    expect(two).toEqual(dataOf(5));
  });

  it('makes a new quote after the previous one was returned', async () => {
    const { line, running } = slowMachine();
    for (const count of [1, 2]) {
      const asked = line.quote(dataOf(5));
      await settle();
      expect(running).toHaveLength(count);
      running.at(-1)!.finish();
      await asked;
    }
  });

  it('copies the report data', async () => {
    const { line, running } = slowMachine();
    const mine = dataOf(1);
    const asked = line.quote(mine);
    mine.fill(9);
    await settle();
    running[0]!.finish();
    expect(await asked).toEqual(dataOf(1));
  });

  it('rejects calls beyond its limit', async () => {
    const { line, running } = slowMachine({ waitingMax: 2 });
    const [one, two] = [line.quote(dataOf(1)), line.quote(dataOf(2))];
    await expect(line.quote(dataOf(3))).rejects.toMatchObject({ code: 'ERR_QUOTE_BUSY' });
    const again = line.quote(dataOf(2));
    await settle();
    running[0]!.finish();
    await one;
    await settle();
    running[1]!.finish();
    expect(await two).toEqual(await again);
  });

  it('rejects an aborted call at once, although the quote continues', async () => {
    const { line, running } = slowMachine();
    const leaving = new AbortController();
    const left = line.quote(dataOf(1), { signal: leaving.signal });
    const next = line.quote(dataOf(2));
    await settle();
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await settle();
    expect(running[0]!.signal.aborted).toBe(true);
    expect(running).toHaveLength(1);
    running[0]!.finish();
    await settle();
    running[1]!.finish();
    expect(await next).toEqual(dataOf(2));
  });

  it('continues for the remaining callers', async () => {
    const { line, running } = slowMachine();
    const leaving = new AbortController();
    const left = line.quote(dataOf(1), { signal: leaving.signal });
    const stays = line.quote(dataOf(1));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await settle();
    expect(running[0]!.signal.aborted).toBe(false);
    running[0]!.finish();
    expect(await stays).toEqual(dataOf(1));
  });

  it('never starts a quote without callers', async () => {
    const { line, running } = slowMachine();
    const first = line.quote(dataOf(1));
    const leaving = new AbortController();
    const left = line.quote(dataOf(2), { signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    const again = line.quote(dataOf(2));
    await settle();
    running[0]!.finish();
    await first;
    await settle();
    expect(running).toHaveLength(2);
    running[1]!.finish();
    expect(await again).toEqual(dataOf(2));
  });

  it('rejects a call that was aborted before', async () => {
    const { line, running } = slowMachine();
    await expect(line.quote(dataOf(1), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await settle();
    expect(running).toHaveLength(0);
  });

  it('rejects a request that exceeds the timeout', async () => {
    const { line } = slowMachine({ timeoutMs: 5 });
    await expect(line.quote(dataOf(1))).rejects.toMatchObject({ code: 'ERR_QUOTE_TIMEOUT' });
  });
});
