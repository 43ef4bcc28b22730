import { describe, expect, it } from 'vitest';
import { itemsOf, runTool } from '../../../support/agents/run-tool.ts';

/** Notes in the form that de-identification leaves: names, numbers and dates are tokens, and years are shifted. */
const note = `Admission Date:  [**2601-4-17**]       Discharge Date:  [**2601-5-2**]

Date of Birth:  [**2540-9-3**]
Attending:[**Last Name (NamePattern4) 1977**]
PROCEDURES
PICC line [**4-25**]
HOSPITAL COURSE
Ms. [**Known lastname 2004**] was seen at [**Hospital 1983**] for pneumonia.
Dictated by: [**First Name8 (NamePattern2) 2011**] [**Last Name (NamePattern1) 2012**] MD [**2601-5-3**] @ 1404`;

const run = (tool: string, text: string) => runTool('medical-analyst', tool, text);

describe('de-identified records', () => {
  it('reads dates in tokens, and gives a day without a year the only year of the record', () => {
    const events = itemsOf(run('timeline', note).events);
    expect(events.map(({ date }) => date)).toEqual(['2601-04-17', '2601-04-25', '2601-05-02']);
    expect(itemsOf(run('patient_facts', note).procedures)).toMatchObject([{ name: 'PICC line', date: '2601-04-25' }]);
  });

  it('does not read the number of a token as a year, nor the date of birth or of a signature as an event', () => {
    const dates = itemsOf(run('timeline', note).events).map(({ date }) => date);
    expect(dates).not.toContain('2004');
    expect(dates).not.toContain('2540-09-03');
    expect(dates).not.toContain('2601-05-03');
  });

  it('gives a day without a year no date where the tokens state two years', () => {
    const events = itemsOf(run('timeline', 'Seen [**2600-12-30**] and [**2601-1-4**]. Biopsy [**1-2**].').events);
    expect(events.map(({ date }) => date)).toEqual(['2600-12-30', '2601-01-04']);
  });

  it('still reads bold text in brackets as bold', () => {
    const events = itemsOf(
      run('timeline', 'Seen on **2025-03-04** for [**pneumonia**], MRI of the [**spine**] in 2024.').events,
    );
    expect(events.map(({ date }) => date)).toEqual(['2024', '2025-03-04']);
  });

  it('names an event after the label of its own cell', () => {
    const chart = `Admission Date:  [**2601-4-17**]              Discharge Date:   [**2601-5-2**]

Date of Birth:  [**2540-9-3**]             Sex:   F
`;
    expect(itemsOf(run('timeline', chart).events).map(({ event }) => event)).toEqual([
      'Admission Date: [**2601-4-17**]',
      'Discharge Date: [**2601-5-2**]',
    ]);
  });
});
