import { describe, expect, it } from 'vitest';
import { agentDirectory } from '../../../../agents/registry.ts';

function measures(text: string): { measure: string; status: string }[] {
  const tool = agentDirectory()
    .get('compliance-officer')!
    .tools.find(({ name }) => name === 'security_measures')!;
  const result = tool.run([{ message: 0, text }]).result as unknown as {
    readonly measures: { readonly items: readonly { measure: string; status: string }[] };
  };
  return result.measures.items.map(({ measure, status }) => ({ measure, status }));
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
