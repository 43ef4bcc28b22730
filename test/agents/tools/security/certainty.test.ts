/** Figures that a newer message or another place of a report does not confirm are left out with the reason. */
import { describe, expect, it } from 'vitest';
import { incidentReport } from '../../../../agents/tools/security/incident-report.ts';

interface Result {
  readonly impacts: { readonly items: readonly { readonly of: string; readonly count: number }[] };
  readonly durations: { readonly items: readonly { readonly of: string; readonly minutes: number }[] };
  readonly leftOut: readonly { readonly because: string; readonly facts: number }[];
}

const read = (text: string) => {
  const { result, digest } = incidentReport.run([{ message: 0, text }]);
  return { ...(result as unknown as Result), digest };
};
const impactsOf = ({ impacts }: Result) => impacts.items.map(({ of, count }) => `${count} ${of}`);
const lengthsOf = ({ durations }: Result) => durations.items.map(({ of, minutes }) => `${of} ${minutes}`);

const report = (impact: string) =>
  `# Incident report: backup share\n\n## Impact\n\n${impact}\n\n## Root cause\n\nThe share was open to guests.\n`;
const reasons = {
  quoted: 'only an older message below the newest one states them',
  revised: 'the report says that it replaces its estimates',
  different: 'the report states two different lengths',
};

describe('a number of affected systems or records', () => {
  const newest =
    'The incident is over. We rebuilt the share, and the attackers have no access any more. The breach affected 12 hosts. ';
  const thread = (quoted: string) =>
    `${newest}${'We keep the disk images for the review of the incident. '.repeat(5)}\n\n-----Original Message-----\nFrom: night shift\n\n${quoted}\n`;

  it('is left out if only a quoted message states it', () => {
    const found = read(thread('The breach affected 31 hosts.'));
    expect(impactsOf(found)).toEqual(['12 hosts']);
    expect(found.leftOut).toEqual([{ because: reasons.quoted, facts: 1 }]);
    expect(found.digest).toContain(`1 fact was left out, because ${reasons.quoted}`);
  });

  it('is reported if the newest message repeats it', () => {
    const found = read(thread('The breach affected 12 hosts.'));
    expect(new Set(impactsOf(found))).toEqual(new Set(['12 hosts']));
    expect(found.leftOut).toEqual([]);
  });

  it('is left out as an estimate if the report replaces its estimates', () => {
    const estimated = 'The breach affected approximately 900 customers.';
    expect(impactsOf(read(report(estimated)))).toEqual(['900 customers']);
    const revised = read(report(`${estimated} These figures replace the estimates of this morning.`));
    expect(impactsOf(revised)).toEqual([]);
    expect(revised.leftOut).toEqual([{ because: reasons.revised, facts: 1 }]);
  });

  it('is reported from a report that replaces its estimates if it is exact', () => {
    const found = read(
      report('The breach affected 871 customers. These figures replace the estimates of this morning.'),
    );
    expect(impactsOf(found)).toEqual(['871 customers']);
    expect(found.leftOut).toEqual([]);
  });
});

describe('a length of time', () => {
  it('is left out if the report states two of the same kind', () => {
    const found = read(report('The outage lasted 40 minutes. Impact duration: 55 minutes.'));
    expect(lengthsOf(found)).toEqual([]);
    expect(found.leftOut).toEqual([{ because: reasons.different, facts: 1 }]);
  });

  it('is reported if both places agree', () => {
    const found = read(report('The outage lasted 40 minutes. Impact duration: 40 minutes.'));
    expect(lengthsOf(found)).toEqual(['impact 40']);
    expect(found.leftOut).toEqual([]);
  });
});
