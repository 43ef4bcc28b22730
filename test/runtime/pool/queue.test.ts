import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../runtime/pool/queue.ts';

const item = (account: string, name: string, priority = 0) => ({ account, name, priority });

function drain(queue: FairQueue<ReturnType<typeof item>>, work = 1): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    names.push(next.name);
    queue.charge(next.account, work);
  }
  return names;
}

describe('FairQueue', () => {
  it('serves one account in order of arrival', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    for (const name of ['a', 'b', 'c']) queue.push(item('x', name));
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('alternates between accounts, independent of their number of requests', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    for (const name of ['x1', 'x2', 'x3']) queue.push(item('x', name));
    for (const name of ['y1', 'y2']) queue.push(item('y', name));
    expect(drain(queue)).toEqual(['x1', 'y1', 'x2', 'y2', 'x3']);
  });

  it('takes an account with little work before one with much', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    queue.push(item('x', 'x1'));
    queue.push(item('x', 'x2'));
    queue.push(item('y', 'y1'));
    queue.push(item('y', 'y2'));
    const first = queue.take();
    queue.charge(first!.account, 1000);
    expect(drain(queue)).toEqual(['y1', 'y2', 'x2']);
  });

  it('gives an account no credit for the time it was idle', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    queue.push(item('x', 'x1'));
    drain(queue, 500);
    queue.push(item('x', 'x2'));
    drain(queue, 500);
    for (const name of ['x3', 'x4']) queue.push(item('x', name));
    for (const name of ['y1', 'y2', 'y3']) queue.push(item('y', name));
    const order = drain(queue, 500);
    expect(order.indexOf('x3')).toBeLessThan(order.indexOf('y3'));
  });

  it('takes the higher priority first, for any account', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    queue.push(item('x', 'low'));
    queue.push(item('x', 'high', 1));
    queue.push(item('y', 'other'));
    expect(drain(queue)[0]).toBe('high');
  });

  it('does not take a removed item', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    const gone = item('x', 'gone');
    queue.push(gone);
    queue.push(item('x', 'stays'));
    expect(queue.remove(gone)).toBe(true);
    expect(queue.remove(gone)).toBe(false);
    expect(drain(queue)).toEqual(['stays']);
  });

  it('skips accounts whose first item is not allowed, and counts the waiting items of each account', () => {
    const queue = new FairQueue<ReturnType<typeof item>>();
    for (const [account, name] of [
      ['x', 'x1'],
      ['x', 'x2'],
      ['y', 'y1'],
    ] as const)
      queue.push(item(account, name));
    expect([queue.lengthOf('x'), queue.lengthOf('y'), queue.lengthOf('z')]).toEqual([2, 1, 0]);
    expect(queue.take(({ account }) => account !== 'x')).toMatchObject({ account: 'y' });
    expect(queue.take(({ account }) => account !== 'x')).toBeUndefined();
    expect(drain(queue)).toEqual(['x1', 'x2']);
  });

  it('takes every item exactly once', () => {
    const request = fc.record({ account: fc.constantFrom('a', 'b', 'c'), priority: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 60 }), (requests) => {
        const queue = new FairQueue<ReturnType<typeof item>>();
        requests.forEach(({ account, priority }, index) => {
          queue.push(item(account, String(index), priority));
        });
        const names = drain(queue, 7);
        expect(names.map(Number).sort((a, b) => a - b)).toEqual(requests.map((_, index) => index));
        expect(queue.length).toBe(0);
      }),
    );
  });
});
