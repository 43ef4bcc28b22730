import { expect, it } from 'vitest';
import { lazily } from '../../../../agents/tools/text/lazily.ts';

it('lazily computes a value at the first use, and only once', () => {
  let computed = 0;
  const value = lazily(() => {
    computed += 1;
    return undefined;
  });
  expect(computed).toBe(0);
  expect([value(), value()]).toEqual([undefined, undefined]);
  expect(computed).toBe(1);
});
