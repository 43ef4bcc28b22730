import { describe, expect, it } from 'vitest';
import { QuoteQueue } from '../../attestation/guest/quote-queue.ts';

const limits = { burst: 2, perMinute: 6, clientsMax: 3, cacheLifetimeMs: 1000 };
const reportData = new Uint8Array(64).fill(4);

function queue() {
  const clock = { ms: 0 };
  const asked: Uint8Array[] = [];
  const failures: Error[] = [];
  const platform = {
    async quote(data: Uint8Array) {
      asked.push(data);
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      return new Uint8Array([asked.length]);
    },
  };
  return { queue: new QuoteQueue(platform, { now: () => clock.ms, limits }), clock, asked, failures };
}

const limited = { code: 'ERR_QUOTE_RATE_LIMITED' };

describe('fresh quotes', () => {
  it('are limited to a burst, then to the refill rate of the client’s bucket', async () => {
    const { queue: quotes, clock } = queue();
    await quotes.fresh('a', reportData);
    await quotes.fresh('a', reportData);
    await expect(quotes.fresh('a', reportData)).rejects.toMatchObject(limited);
    clock.ms += 9_999;
    await expect(quotes.fresh('a', reportData)).rejects.toMatchObject(limited);
    clock.ms += 10_001;
    await quotes.fresh('a', reportData);
  });

  it('are rejected with the time to retry after', async () => {
    const { queue: quotes } = queue();
    for (let count = 0; count < 2; count++) await quotes.fresh('a', reportData);
    await expect(quotes.fresh('a', reportData)).rejects.toThrow(/retry after 10 s/);
  });

  it("of one client do not reduce another client's limit", async () => {
    const { queue: quotes } = queue();
    for (let count = 0; count < 2; count++) await quotes.fresh('a', reportData);
    await expect(quotes.fresh('a', reportData)).rejects.toMatchObject(limited);
    await quotes.fresh('b', reportData);
  });

  it('never accumulate beyond the burst', async () => {
    const { queue: quotes, clock } = queue();
    await quotes.fresh('a', reportData);
    clock.ms += 86_400_000;
    for (let count = 0; count < 2; count++) await quotes.fresh('a', reportData);
    await expect(quotes.fresh('a', reportData)).rejects.toMatchObject(limited);
  });

  it('evict only the least recent client', async () => {
    const { queue: quotes } = queue();
    for (const client of ['a', 'b', 'c'])
      for (let count = 0; count < 2; count++) await quotes.fresh(client, reportData);
    await quotes.fresh('d', reportData);
    for (const client of ['b', 'c']) await expect(quotes.fresh(client, reportData)).rejects.toMatchObject(limited);
    await quotes.fresh('a', reportData);
  });
});

describe('the quote without a nonce', () => {
  it('is made once in its lifetime for all concurrent requests', async () => {
    const { queue: quotes, clock, asked } = queue();
    const all = await Promise.all([1, 2, 3].map(() => quotes.cached(reportData)));
    expect(all).toEqual([1, 1, 1].map((value) => new Uint8Array([value])));
    clock.ms += 999;
    await quotes.cached(reportData);
    expect(asked).toHaveLength(1);
    clock.ms += 1;
    await quotes.cached(reportData);
    expect(asked).toHaveLength(2);
  });

  it('is made again for other report data', async () => {
    const { queue: quotes, asked } = queue();
    await quotes.cached(reportData);
    await quotes.cached(new Uint8Array(64));
    expect(asked).toHaveLength(2);
  });

  it('does not cache a failure', async () => {
    const { queue: quotes, failures } = queue();
    failures.push(new Error('once'));
    await expect(quotes.cached(reportData)).rejects.toThrow('once');
    expect(await quotes.cached(reportData)).toEqual(new Uint8Array([2]));
  });

  it('is a separate copy for each caller', async () => {
    const { queue: quotes } = queue();
    (await quotes.cached(reportData))[0] = 99;
    expect(await quotes.cached(reportData)).toEqual(new Uint8Array([1]));
  });
});
