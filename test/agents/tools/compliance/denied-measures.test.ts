import { describe, expect, it } from 'vitest';
import { itemsOf, runTool } from '../../../support/agents/run-tool.ts';

function measures(text: string): { measure: string; status: string }[] {
  const { measures: found } = runTool('compliance-officer', 'security_measures', text);
  return itemsOf<{ measure: string; status: string }>(found).map(({ measure, status }) => ({ measure, status }));
}

describe('denials near a measure', () => {
  it('says nothing of a measure when the denial is of a violation', () => {
    expect(
      measures(
        'A disclosure that occurs despite proper minimum necessary procedures would not be a violation of the rule and would not qualify as a breach.',
      ),
    ).toEqual([]);
  });

  it.each([
    ['Role-based access is not implemented.', 'role-based-access', 'absent'],
    ['Role-based access is absent.', 'role-based-access', 'absent'],
    ['There is no role-based access to the archive.', 'role-based-access', 'absent'],
    ['Access to the archive is role based.', 'role-based-access', 'in-place'],
  ])('reads the denial of the measure itself: %s', (text, measure, status) => {
    expect(measures(text)).toEqual([{ measure, status }]);
  });

  it('does not read a record of breaches as the log of a system', () => {
    expect(measures('The following information should be collected or logged for each breach.')).toEqual([]);
    expect(measures('Access to records is logged.')).toEqual([{ measure: 'logging', status: 'in-place' }]);
  });
});
