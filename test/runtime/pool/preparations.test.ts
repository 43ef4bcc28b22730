import { describe, expect, it } from 'vitest';
import { cancelled } from '../../../runtime/pool/errors.ts';
import { Preparations, type PreparationTask } from '../../../runtime/pool/preparations.ts';

/** Preparations that the test completes. */
function open(slowMax = 1) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  let left = 0;
  const preparations = new Preparations({ slowMax, onLeft: () => (left += 1) });
  const run = (name: string, task: Partial<PreparationTask> = {}) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    const full = { account: name, priority: 0, work: 1, isSlow: false, signal: new AbortController().signal, ...task };
    return preparations.run(full, () => {
      begun.push(name);
      return end.promise;
    });
  };
  const finish = async (name: string) => {
    ends.get(name)!.resolve(name);
    await new Promise(setImmediate);
  };
  return { preparations, begun, run, finish, left: () => left };
}

describe('preparations', () => {
  it('starts one task per account at a time, even if a thread is free', async () => {
    const { begun, run, finish } = open(4);
    const all = [run('a1', { account: 'a', isSlow: true }), run('a2', { account: 'a', isSlow: true })];
    all.push(run('a3', { account: 'a' }), run('b1', { account: 'b', isSlow: true }));
    expect(begun).toEqual(['a1', 'b1']);
    await finish('a1');
    expect(begun).toEqual(['a1', 'b1', 'a3']);
    await finish('a3');
    expect(begun).toEqual(['a1', 'b1', 'a3', 'a2']);
    await Promise.all([finish('a2'), finish('b1')]);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('starts at most as many slow tasks as there are threads, and one quick task in parallel', async () => {
    const { begun, run } = open(2);
    for (const name of ['a', 'b', 'c']) void run(name, { isSlow: true });
    for (const name of ['d', 'e']) void run(name);
    expect(begun).toEqual(['a', 'b', 'd']);
  });

  it('starts the task of the account that was served least first', async () => {
    const { begun, run, finish } = open();
    for (const name of ['a1', 'a2', 'a3']) void run(name, { account: 'a', work: 1000 });
    for (const name of ['b1', 'b2']) void run(name, { account: 'b', work: 10 });
    for (const name of ['a1', 'b1', 'b2', 'a2']) await finish(name);
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2', 'a3']);
  });

  it('rejects an aborted task at once, and keeps its thread and account busy until the work has ended', async () => {
    const { preparations, begun, run, finish, left } = open();
    const leaving = new AbortController();
    const first = run('a1', { account: 'a', signal: leaving.signal });
    const waiting = run('a2', { account: 'a', signal: leaving.signal });
    void run('a3', { account: 'a' });
    leaving.abort(cancelled());
    await expect(first).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect(begun).toEqual(['a1']);
    expect([preparations.length, preparations.lengthOf('a')]).toEqual([2, 2]);
    await finish('a1');
    expect(begun).toEqual(['a1', 'a3']);
    expect(left()).toBe(2);
  });
});
