import { describe, expect, it } from 'vitest';
import { formatDay } from '../../../../agents/tools/eu-law/calendar.ts';
import { euDeadlines, findDeadlines, findHolidays } from '../../../../agents/tools/eu-law/find-deadlines.ts';
import { euHierarchy } from '../../../../agents/tools/eu-law/hierarchy.ts';
import { euInForce } from '../../../../agents/tools/eu-law/in-force.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const deadlines = (text: string) => findDeadlines([documentOf(text)], findHolidays([documentOf(text)]));

describe('deadlines in texts', () => {
  it('joins a period with the date of its sentence', () => {
    expect(
      deadlines('The decision was notified on 5 March 2026 and may be challenged within two months.'),
    ).toMatchObject([
      { length: '2 months', event: { date: '2026-03-05', basis: 'same sentence' }, end: { lastDay: '2026-05-05' } },
    ]);
  });

  it('uses the event of an earlier sentence, and notes it', () => {
    expect(
      deadlines('The request was received on 5 March 2026. It must be answered within one month of receipt.'),
    ).toMatchObject([
      { event: { basis: 'earlier sentence' }, end: { lastDay: '2026-04-06', lastDayBeforeExtension: '2026-04-05' } },
    ]);
  });

  it('takes holidays from a list in the text', () => {
    const text = 'Public holidays: 3 April 2026, 6 April 2026\n\nReceived on 5 March 2026; reply within one month.';
    expect(findHolidays([documentOf(text)])).toEqual(['2026-04-03', '2026-04-06']);
    expect(deadlines(text)).toMatchObject([{ end: { lastDay: '2026-04-07' } }]);
  });

  it('computes hours if the time is next to the date', () => {
    expect(
      deadlines('The controller became aware on 3 March 2026 at 14:20 and must notify within 72 hours.'),
    ).toMatchObject([{ end: { begins: '2026-03-03T15:00', ends: '2026-03-06T15:00' } }]);
    expect(deadlines('Aware on 3 March 2026; notify within 72 hours.')).toMatchObject([
      { notComputable: expect.stringContaining('hour') },
    ]);
  });

  it('computes backwards without moving the end', () => {
    expect(deadlines('Documents are filed at least 15 days before 16 March 2026.')).toMatchObject([
      { backwards: true, end: { lastDay: '2026-03-01' } },
    ]);
  });

  it('reads periods as Czech inflects them', () => {
    const text =
      'Rozhodnutí bylo doručeno dne 27. 3. 2026. Žaloba se podává ve lhůtě dvou měsíců, odpověď do tří týdnů.';
    // 27 May 2026 is a Wednesday, 17 April a Friday.
    expect(deadlines(text)).toMatchObject([
      { length: '2 months', end: { lastDay: '2026-05-27' } },
      { length: '3 weeks', end: { lastDay: '2026-04-17' } },
    ]);
  });

  it('computes nothing for a part of a period in two units', () => {
    const text = 'Notified on 5 March 2026; an action is brought within two months and ten days of notification.';
    const found = deadlines(text);
    expect(found.map(({ length, end }) => [length, end])).toEqual([
      ['2 months', undefined],
      ['10 days', undefined],
    ]);
    expect(found[0]!.notComputable).toContain('two units');
  });

  it('lists missing inputs', () => {
    expect(deadlines('Reply within 30 days of receipt.')).toMatchObject([
      { notComputable: expect.stringContaining('missing') },
    ]);
  });

  it.each(['She is 30 years old.', 'A contract of three years was signed.'])('returns no deadline for %s', (text) => {
    expect(deadlines(text)).toEqual([]);
  });

  it.each([
    ['Member States shall transpose it by 17 October 2024.', '2024-10-17', 'Thursday', true],
    ['The notice is due no later than 3 April 2026.', '2026-04-03', 'Friday', false],
    ['Einzureichen bis zum 15. März 2026', '2026-03-15', 'Sunday', false],
    ['Odpovězte nejpozději do 14. 4. 2026', '2026-04-14', 'Tuesday', true],
    ['The claim is lodged before 1 May 2026.', '2026-04-30', 'Thursday', true],
  ])('reads the fixed date of %s', (text, date, weekday, workingDay) => {
    const holidays = 'Holidays: 2026-04-03, 2026-05-01\n\n';
    expect(euDeadlines.run([documentOf(holidays + text)]).result).toMatchObject({
      fixedDates: { items: [{ date, weekday, workingDay }] },
    });
  });

  it('does not report the date from which a period is computed backwards', () => {
    expect(euDeadlines.run([documentOf('At least 15 days before 16 March 2026.')]).result).toMatchObject({
      fixedDates: { items: [] },
    });
  });

  it('considers 500 holidays and notes that there are more', () => {
    const days = Array.from({ length: 600 }, (_, day) => formatDay(20_000 + day)).join(', ');
    const text = `Holidays: ${days}\n\nReceived on 5 March 2026, reply within one month.`;
    expect(findHolidays([documentOf(text)])).toHaveLength(500);
    expect(euDeadlines.run([documentOf(text)]).digest.at(-1)).toContain('left out');
  });

  it('states in the findings which holidays were considered', () => {
    expect(euDeadlines.run([documentOf('Received 5 March 2026, reply within one month.')]).digest.at(-1)).toContain(
      'No list of public holidays',
    );
  });
});

describe('hierarchy', () => {
  it('sorts sources by their rank', () => {
    const text =
      'Directive 2003/88/EC, Article 31 of the Charter, Case C-55/18, Commission Implementing Regulation (EU) 2024/2690';
    expect(euHierarchy.run([documentOf(text)]).result).toMatchObject({
      ranks: [{ name: 'primary law' }, { name: 'directives' }, { name: 'implementing acts' }, { name: 'case-law' }],
    });
  });
});

describe('in force', () => {
  it('lists cited acts that were repealed or declared invalid', () => {
    expect(euInForce.run([documentOf('Directive 95/46/EC and Decision 2000/520/EC')]).result).toMatchObject({
      replacedActs: {
        items: [
          { celex: '31995L0046', what: 'repealed', from: '2018-05-25', replacedBy: '32016R0679' },
          { celex: '32000D0520', what: 'annulled or invalid', from: '2015-10-06' },
        ],
      },
    });
  });

  it.each([
    ['The Decision was declared invalid.', 'annulment or invalidity'],
    ['The act is no longer in force.', 'no longer in force'],
    ['Für laufende Verfahren gilt eine Übergangsfrist.', 'transitional rule'],
    ['The guidance is superseded by a later one.', 'replacement'],
  ])('finds the cue in %s', (text, kind) => {
    expect(euInForce.run([documentOf(text)]).result).toMatchObject({ cues: { items: [{ kind }] } });
  });
});

describe('ages', () => {
  const event = 'The request was received on 4 May 2026. ';

  it.each([
    'Processing is lawful where the child is at least 16 years old.',
    'Where the child is below the age of 16 years, consent is given by the parent.',
    'Member States may provide for a lower age, not below 13 years of age.',
  ])('are not deadlines: %s', (sentence) => {
    expect(findDeadlines([{ message: 0, text: event + sentence }], [])).toEqual([]);
  });
});
