/** Time records in layouts and languages of other authors; names and hours are invented. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../bench/agents-quality/evaluate.ts';

/** "Name 2026-05-04 8" for each day, in the order of the report. */
const days = (text: string) =>
  factsOf('hr-analyst', text)
    .filter(({ kind, value }) => kind === 'recorded_hours' && value.per === 'day')
    .map(({ value: { person, date, hours } }) => `${person ?? ''} ${date ?? ''} ${hours}`);
const weeks = (text: string) =>
  factsOf('hr-analyst', text)
    .filter(({ kind, value }) => kind === 'recorded_hours' && value.per === 'week')
    .map(({ value: { person, date, hours } }) => `${person ?? ''} ${date ?? ''} ${hours}`);

describe('a record with a column for each day', () => {
  it('reads dates without a year under a week number', () => {
    const text =
      'Wochenbericht KW 20 / 2026\n\n| Mitarbeiter | Mo 11.05. | Di 12.05. | Mi 13.05. | Σ |\n|---|---|---|---|---|\n| Roth, B. | 8,25 | krank | 7,50 | 15,75 |\n| Summe | 8,25 | 0 | 7,50 | 15,75 |\n';
    expect(days(text)).toEqual(['Roth, B. 2026-05-11 8.25', 'Roth, B. 2026-05-13 7.5']);
  });

  it('reads the numbers of the days of a month', () => {
    const text =
      'ANWESENHEIT MAI 2026\n\nName        |  4  |  5  |  6  |  7  | Summe\nIna Holt    | 8   | 7,5 | U   | 8   | 23,5\n';
    expect(days(text)).toEqual(['Ina Holt 2026-05-04 8', 'Ina Holt 2026-05-05 7.5', 'Ina Holt 2026-05-07 8']);
  });

  it('adds up the tasks of one person, and reads no task as a person', () => {
    const text =
      'Timesheet - Consultant: Lou Hart\nWeek ending Friday 8 May 2026\n\nProject   Mon 4  Tue 5  Wed 6  Total\nAlpha       4.0    3.0    8.0   15.0\nBeta        3.5    5.0     -     8.5\nTotal       7.5    8.0    8.0   23.5\n';
    expect(days(text)).toEqual(['Lou Hart 2026-05-04 7.5', 'Lou Hart 2026-05-05 8', 'Lou Hart 2026-05-06 8']);
  });

  it('reads start, end and break as rows', () => {
    const text =
      '<p>Name: Vera Nowak</p><table><tr><td>Datum</td><td>04.05.2026</td><td>05.05.2026</td></tr><tr><td>Beginn</td><td>09:00</td><td>09:00</td></tr><tr><td>Ende</td><td>17:30</td><td>18:00</td></tr><tr><td>Pause</td><td>30 Min.</td><td>45 Min.</td></tr></table>';
    expect(days(text)).toEqual(['Vera Nowak 2026-05-04 8', 'Vera Nowak 2026-05-05 8.25']);
  });

  it('takes off a break in brackets, and reads two periods in one cell', () => {
    const text =
      'Hours worked, week beginning 02/11/2026\n\n| Name | Mon | Tue | Wed |\n|---|---|---|---|\n| Zoe Lamb | 09:00-17:30 (30) | 08:00-12:00 13:00-17:00 | off |\n';
    expect(days(text)).toEqual(['Zoe Lamb 2026-11-02 8', 'Zoe Lamb 2026-11-03 8']);
  });

  it('reads no hours in a rota that is not worked yet', () => {
    const text =
      'Week ending Sunday 10 May 2026\n\nPlanned for next week\n\n| Name | Mon 11 | Tue 12 | Wed 13 |\n|---|---|---|---|\n| Zoe Lamb | 8.00 | 8.00 | 8.00 |\n';
    expect(days(text)).toEqual([]);
  });
});

describe('hours by person', () => {
  it('are read below the names of people', () => {
    const text =
      'Hours per day\n\n| Date | Ann Hill | Per Moss | Total |\n|---|---|---|---|\n| 13/05/2026 | 8 | 7.5 | 15.5 |\n| 14/05/2026 | 6 | off | 6 |\n';
    expect(days(text)).toEqual(['Ann Hill 2026-05-13 8', 'Ann Hill 2026-05-14 6', 'Per Moss 2026-05-13 7.5']);
  });

  it('are read from rows of weeks', () => {
    const text =
      'Employee | Week ending | Hours\nRay Moor | 17/05/2026 | 38.5\nRay Moor | 24/05/2026 | 50\nUna Daly | 17/05/2026 | 40\n';
    expect(weeks(text)).toEqual(['Ray Moor 2026-05-11 38.5', 'Ray Moor 2026-05-18 50', 'Una Daly 2026-05-11 40']);
  });

  it('are read from a list of weekdays behind a name', () => {
    const text = 'Stunden KW 21/2026\n\nLena Groß: Mo 8,0 | Di 8,5 | Mi frei | gesamt 16,5\n';
    expect(days(text)).toEqual(['Lena Groß 2026-05-18 8', 'Lena Groß 2026-05-19 8.5']);
  });

  it('are read from lines of labels', () => {
    const text =
      'Arbeitszeitnachweis\n\nMitarbeiter: Otto Lind\nDatum: 18.05.2026\nBeginn: 07:00\nEnde: 15:45\nPause: 45 Minuten\n';
    expect(days(text)).toEqual(['Otto Lind 2026-05-18 8']);
  });

  it('are added up if a day has several rows without times', () => {
    const text = 'Consultant;Date;Project;Hours\nKim Roy;18.05.2026;Alpha;3,5\nKim Roy;18.05.2026;Beta;4,0\n';
    expect(days(text)).toEqual(['Kim Roy 2026-05-18 7.5']);
  });
});

describe('the rows of a record', () => {
  it('have headings and weekdays in Swedish and Danish', () => {
    const swedish =
      'Tidrapport vecka 20 2026\nNamn: Karin Ek\n\nDatum       In     Ut     Rast  Tid\n2026-05-11  06.45  15.30  45    8,00\n';
    const danish =
      'Timeseddel uge 23, 2026 - Medarbejder: Bo Holm\n\n| Dag | Mødt | Gået | Pause | Timer |\n| man. 01-06-2026 | 7.00 | 15.00 | 30 min. | 7,5 |\n';
    expect(days(swedish)).toEqual(['Karin Ek 2026-05-11 8']);
    expect(days(danish)).toEqual(['Bo Holm 2026-06-01 7.5']);
  });

  it('may give times without a colon, and hours in minutes', () => {
    const unmarked =
      'Name: Sean Kee   W/E Sunday 19 April 2026\n\nDAY        START    STOP     MEAL     TOTAL\nMonday     0730     1600     0030     0800\nTuesday    0730     1630     0030     0830\n';
    const minutes = 'Name\tDatum\tArbeitszeit (Minuten)\nElif Gül\t2026-06-15\t480\nElif Gül\t2026-06-16\t510\n';
    expect(days(unmarked)).toEqual(['Sean Kee 2026-04-13 8', 'Sean Kee 2026-04-14 8.5']);
    expect(days(minutes)).toEqual(['Elif Gül 2026-06-15 8', 'Elif Gül 2026-06-16 8.5']);
  });

  it('are separated by single blanks, with a break that the hours prove', () => {
    const text =
      'Employee name: Dana Fox\n\nDate Day Start End Break Total\n18/05/2026 Mon 08:30 17:00 30 8.00\n19/05/2026 Tue 08:30 17:30 60 8.00\n';
    expect(days(text)).toEqual(['Dana Fox 2026-05-18 8', 'Dana Fox 2026-05-19 8']);
  });
});

describe('doubtful hours', () => {
  it('are left out where breaks are mentioned and no total confirms the times of a cell', () => {
    const text =
      'Hours worked, week beginning Monday 2 November 2026\nThe unpaid break is taken by arrangement.\n\n| Name | Mon | Tue | Wed |\n|---|---|---|---|\n| Zoe Lamb | 09:00-17:30 | 08:00-16:30 | off |\n';
    expect(days(text)).toEqual([]);
  });
});
