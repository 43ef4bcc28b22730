import { describe, expect, it } from 'vitest';
import { BodyTurns } from '../../server/plugins/body-turns.ts';

const large = 1024 * 1024;

describe('the turns of large bodies', () => {
  it('lets a small body be parsed at once, whatever waits', () => {
    const turns = new BodyTurns();
    void turns.turn({ account: 'a', bytes: large });
    expect(turns.turn({ account: 'b', bytes: 1000 })).toBeUndefined();
  });

  it('begins one large body at a time, and takes turns between accounts', async () => {
    const turns = new BodyTurns();
    const begun: string[] = [];
    const all = ['a1', 'a2', 'a3', 'b1'].map(async (name) => {
      await turns.turn({ account: name[0]!, bytes: large });
      begun.push(name);
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(begun).toEqual(['a1']);
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('gives the thread to others for longer than the body took', async () => {
    const turns = new BodyTurns();
    await turns.turn({ account: 'a', bytes: large });
    const next = turns.turn({ account: 'a', bytes: large });
    const end = performance.now() + 20;
    while (performance.now() < end);
    const done = performance.now();
    await next;
    expect(performance.now() - done).toBeGreaterThan(40);
  });

  it('refuses more than it may keep waiting with ERR_QUEUE_FULL', () => {
    const turns = new BodyTurns();
    const bytes = 100 * large;
    for (let count = 0; count < 3; count++) void turns.turn({ account: 'a', bytes });
    expect(() => turns.turn({ account: 'b', bytes })).toThrow(expect.objectContaining({ code: 'ERR_QUEUE_FULL' }));
  });
});
