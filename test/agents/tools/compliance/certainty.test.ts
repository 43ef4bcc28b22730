/** Facts that a document does not confirm are left out with the reason; their certain twins are reported. */
import { describe, expect, it } from 'vitest';
import { certainFrameworks } from '../../../../agents/tools/compliance/applied-frameworks.ts';
import { withOwnerName } from '../../../../agents/tools/compliance/certainty.ts';
import { periodicControls, timeLimits } from '../../../../agents/tools/compliance/compliance-tools.ts';
import { findControls } from '../../../../agents/tools/compliance/control-register.ts';
import { findPeriodicControls } from '../../../../agents/tools/compliance/periodic-controls.ts';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findMeasures } from '../../../../agents/tools/compliance/security-measures.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';

const read = (text: string) => readingOf({ message: 0, text });
const retention = (sentence: string) => {
  const { facts, doubts } = findRetention(read(`Policy on data\n\n4 Rules\n\n${sentence}`));
  return [facts.map(({ subject, period: { count, unit } }) => `${subject}: ${count} ${unit}`), doubts];
};
const repeated = (text: string) => {
  const { facts, doubts } = findPeriodicControls(read(text));
  return [facts.map(({ activity, period: { count, unit } }) => `${activity}: ${count} ${unit}`), doubts];
};

describe('a retention period', () => {
  it('is left out if a sentence does not say what is kept', () => {
    expect(retention('Within the warehouse this was kept for 9 weeks.')).toEqual([[], ['subject']]);
    expect(retention('Delivery notes are kept for 9 weeks.')).toEqual([['Delivery notes: 9 week'], []]);
  });

  it('is left out if its subject is the act of keeping', () => {
    expect(retention('Urgent erasure is kept for 9 weeks.')).toEqual([[], ['subject']]);
    expect(retention('Urgent orders are kept for 9 weeks.')).toEqual([['Urgent orders: 9 week'], []]);
  });

  it('is left out if its sentence gives the subject another period before it', () => {
    expect(retention('Delivery notes are kept for 9 weeks or with consent 5 months.')).toEqual([
      ['Delivery notes: 9 week'],
      ['shared'],
    ]);
  });

  it('is left out if its sentence is about a year', () => {
    expect(retention('Delivery notes are kept for 9 weeks in the trial of 2024.')).toEqual([[], ['time']]);
    expect(retention('Delivery notes are kept for 9 weeks (rule of 2024).')).toEqual([['Delivery notes: 9 week'], []]);
  });

  it('is left out in brackets', () => {
    expect(retention('Delivery notes are kept at the depot (in the north for 9 weeks).')).toEqual([[], ['time']]);
  });
});

describe('a time limit', () => {
  const limits = (heading: string) => {
    const sentence = 'Security incidents are reported within 5 hours.';
    const { facts, doubts } = findTimeLimits(read(`Information security policy\n\n7 ${heading}\n\n${sentence}`));
    return [facts.map(({ period: { count, unit } }) => `${count} ${unit}`), doubts];
  };

  it('to report is left out in a section on suppliers', () => {
    expect(limits('Suppliers')).toEqual([[], ['party']]);
    expect(limits('Incidents')).toEqual([['5 hour'], []]);
  });
});

describe('a repeated activity', () => {
  it('is left out if only the heading names it, and the sentence has another subject', () => {
    const text = (sentence: string) => `Access policy\n\n7 Review\n\n${sentence}`;
    expect(repeated(text('Blue badges of guards are reviewed quarterly.'))).toEqual([[], ['activity']]);
    expect(repeated(text('It is reviewed quarterly.'))).toEqual([['document-review: 3 month'], []]);
  });

  it('is left out if it follows the period behind a comma', () => {
    const text = (sentence: string) => `Access policy\n\n7 Operations\n\n${sentence}`;
    expect(repeated(text('Bluebadge sweeps run weekly, penetration tests as needed.'))).toEqual([[], ['activity']]);
    expect(repeated(text('Penetration tests run weekly, bluebadge sweeps as needed.'))).toEqual([
      ['penetration-test: 1 week'],
      [],
    ]);
  });
});

describe('a measure', () => {
  it('is not absent or planned if its sentence names several', () => {
    const measures = (sentence: string) => {
      const { facts, doubts } = findMeasures(read(`Access policy\n\n7 Measures\n\n${sentence}`));
      return [facts.map(({ measure, status }) => `${measure} ${status}`), doubts];
    };
    expect(measures('Unlike backups, an annual penetration test is not done.')).toEqual([[], ['several', 'several']]);
    expect(measures('An annual penetration test is not done.')).toEqual([['penetration-testing absent'], []]);
  });
});

describe('a control', () => {
  const controls = (rows: readonly string[]) =>
    findControls(read(['Internal audit report', 'ISO/IEC 27001', '', ...rows].join('\n'))).map(
      ({ clause, status, evidence, owner }) => [clause, status, evidence, owner],
    );

  it('has no evidence and owner from columns without names', () => {
    expect(
      controls([
        '| A.5.15 | Access | conforming | Manual | Dispatch |',
        '| A.8.13 | Copies | conforming | Ledger | Dispatch |',
      ]),
    ).toEqual([
      ['A.5.15', 'implemented', undefined, undefined],
      ['A.8.13', 'implemented', undefined, undefined],
    ]);
    // A code next to a word is the record.
    expect(
      controls([
        '| A.5.15 | Access | conforming | PR-09 | Dispatch |',
        '| A.8.13 | Copies | conforming | PR-18 | Dispatch |',
      ]),
    ).toEqual([
      ['A.5.15', 'implemented', 'PR-09', 'Dispatch'],
      ['A.8.13', 'implemented', 'PR-18', 'Dispatch'],
    ]);
    expect(
      controls([
        '| Control | Title | Status | Evidence | Owner |',
        '|---|---|---|---|---|',
        '| A.5.15 | Access | conforming | PR-09 | Dispatch |',
      ]),
    ).toEqual([['A.5.15', 'implemented', 'PR-09', 'Dispatch']]);
  });
});

describe('a standard', () => {
  const opening = `Data processing agreement\n\n${'The parties agree on the words below. '.repeat(20)}\n\n`;
  const applied = (sentence: string) => {
    const { facts, doubts } = certainFrameworks(read(opening + sentence));
    return [facts.filter(({ status }) => status === 'applied').map(({ id }) => id), doubts];
  };

  it('is left out if one sentence names it without the own organisation', () => {
    expect(applied('Northwick Towers fulfils ISO 22301.')).toEqual([[], ['single']]);
    expect(applied('Our continuity plan fulfils ISO 22301.')).toEqual([['iso_22301'], []]);
  });

  it('is reported if it is a law', () => {
    expect(applied('The transfer fulfils the UK GDPR.')).toEqual([['uk_gdpr'], []]);
  });
});

describe('an owner', () => {
  it.each(['7920', 'The plan is tested annually.', 'Security Engineering No exceptions noted.'])(
    'is left out if it is no name: %s',
    (owner) => expect(withOwnerName({ owner })).toEqual({}),
  );

  it.each(['CISO', 'Head of IT', 'Dr. R. Quarshie-Lund', 'St. Mary Clinic'])('is reported: %s', (owner) =>
    expect(withOwnerName({ owner })).toEqual({ owner }),
  );
});

describe('the report', () => {
  const documents = [
    {
      message: 0,
      text: 'Access policy\n\n7 Review\n\nBlue badges of guards are reviewed quarterly.\n\nUrgent erasure is kept for 9 weeks.',
    },
  ];

  it('says how many facts are left out and why', () => {
    const because = 'their sentence does not name the activity itself';
    expect(periodicControls.run(documents)).toMatchObject({
      result: { left_out: [{ because, facts: 1 }] },
      digest: [`1 fact was left out, because ${because}`],
    });
    expect(timeLimits.run(documents).digest).toEqual([
      '1 fact was left out, because what is kept was not read with certainty',
    ]);
  });
});
