import { expect, it } from 'vitest';
import { oncePer } from '../../../../agents/tools/text/once-per.ts';

it('oncePer computes a value once per object, also if it is undefined', () => {
  const computed: object[] = [];
  const value = oncePer((key: object) => {
    computed.push(key);
    return undefined;
  });
  const [one, other] = [{}, {}];
  expect([value(one), value(one), value(other)]).toEqual([undefined, undefined, undefined]);
  expect(computed).toEqual([one, other]);
});
