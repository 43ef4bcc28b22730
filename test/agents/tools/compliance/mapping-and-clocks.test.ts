import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { clockRegimes } from '../../../../agents/tools/compliance/clock-table.ts';
import {
  allFrameworks,
  controlMapping,
  coverageOf,
  readThemes,
} from '../../../../agents/tools/compliance/control-mapping.ts';
import { iso27001 } from '../../../../agents/tools/compliance/iso27001.ts';
import { hoursOf, pointedTo, statedClocks } from '../../../../agents/tools/compliance/notification-clocks.ts';
import { findPersonalData } from '../../../../agents/tools/compliance/personal-data.ts';

const themesOf = (text: string) => readThemes([{ message: 0, text }]).themes;
const statusOf = (text: string, id: string) => themesOf(text).find((theme) => theme.id === id)!.status;

describe('the frameworks', () => {
  it('have as many controls as their publishers count', () => {
    const counts = Object.fromEntries(allFrameworks.map(({ id, controls }) => [id, controls.length]));
    // ISO/IEC 27001:2022 Annex A: 37 + 8 + 14 + 34; TSC: 33 common, 3 + 2 + 5 + 18 further; PCI DSS v4.0.1: 63 sections.
    expect(counts).toMatchObject({ iso_27001: 93, soc_2: 61, pci_dss: 63 });
    const perChapter = ['A.5', 'A.6', 'A.7', 'A.8'].map(
      (chapter) => iso27001.controls.filter(({ id }) => id.startsWith(`${chapter}.`)).length,
    );
    expect(perChapter).toEqual([37, 8, 14, 34]);
    for (const { controls } of allFrameworks) expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length);
  });
});

describe('the control mapping', () => {
  it('distinguishes statements, denials and missing mentions', () => {
    expect(statusOf('Backups are taken daily.', 'backup')).toBe('stated');
    expect(statusOf('There are no backups of the archive.', 'backup')).toBe('denied');
    expect(statusOf('Multi-factor authentication is planned for 2027.', 'identity')).toBe('denied');
    expect(statusOf('Our office is in Brno.', 'backup')).toBe('absent');
    expect(statusOf('Do you have backups?', 'backup')).toBe('absent');
  });

  it('reads "not only" and "no longer than" as statements', () => {
    expect(statusOf('Not only backups are encrypted.', 'backup')).toBe('stated');
    expect(statusOf('Data are kept no longer than the retention period.', 'disposal')).toBe('stated');
  });

  it('counts a control as addressed if one of its themes is stated', () => {
    const coverage = coverageOf(iso27001, themesOf('Backups are taken daily and restore tests are done.'));
    expect(coverage).toMatchObject({ addressed: 2, gaps: [] });
    expect(coverage.notMentioned).toHaveLength(91);
    expect(coverage.notMentioned.some((control) => control.startsWith('A.8.13'))).toBe(false);
  });

  const frameworksOf = (...texts: string[]) => {
    const { result } = controlMapping.run(texts.map((text, message) => ({ message, text })));
    return (result as { frameworks: { id: string; gaps: string[] }[] }).frameworks;
  };

  it('compares only frameworks that a document or the question names', () => {
    expect(frameworksOf('Backups are taken daily.')).toEqual([]);
    expect(frameworksOf('Backups are taken daily.', 'Does this meet ISO 27001?').map(({ id }) => id)).toEqual([
      'iso_27001',
    ]);
  });

  it('reports as a gap only what a document says is missing', () => {
    const [iso] = frameworksOf('Our ISO 27001 controls: laptops are encrypted. There are no backups of the archive.');
    expect(iso!.gaps).toContain('A.8.13 Backup');
    expect(iso!.gaps.length).toBeLessThan(4);
  });
});

describe('notification clocks', () => {
  const clockOf = (regime: string, article: string) =>
    clockRegimes.find(({ id }) => id === regime)!.clocks.find((clock) => clock.article.startsWith(article))?.within;

  it('have the durations that the law sets', () => {
    expect(clockOf('gdpr', 'Art. 33(1)')).toBe('PT72H');
    expect(clockOf('nis2', 'Art. 23(4)(a)')).toBe('PT24H');
    expect(clockOf('nis2', 'Art. 23(4)(b)')).toBe('PT72H');
    expect(clockOf('nis2', 'Art. 23(4)(d)')).toBe('P1M');
    expect(clockOf('dora', 'Art. 19(4)(a)')).toBe('PT4H');
    expect(clockOf('dora', 'Art. 19(4)(b)')).toBe('PT72H');
    expect(clockOf('dora', 'Art. 19(4)(c)')).toBe('P1M');
  });

  it('are listed for the regimes that a text points to', () => {
    const ids = (text: string) => pointedTo([{ message: 0, text }]).map(({ id }) => id);
    expect(ids('As a financial entity under DORA we …')).toEqual(['dora']);
    expect(ids('Personal data are processed by a covered entity.')).toEqual(['gdpr', 'hipaa']);
    expect(ids('Nothing here.')).toEqual([]);
  });

  const stated = (text: string) =>
    statedClocks(readDocument({ message: 0, text })).map(({ stated: iso, laterThan }) => [iso, laterThan.length > 0]);

  it.each([
    ['Personal data breaches are notified to the supervisory authority within 5 days.', 'P5D', true],
    ['Personal data breaches are notified to the supervisory authority within 72 hours.', 'PT72H', false],
    ['Personal data breaches are notified to the supervisory authority within 3 days.', 'P3D', false],
    ['Significant incidents are reported to the CSIRT within 24 hours.', 'PT24H', false],
    ['Significant incidents are reported to the CSIRT within one week.', 'P1W', true],
    ['A major incident is reported by the financial entity within two days.', 'P2D', true],
    ['The final report on the significant incident is sent to the CSIRT within 30 days.', 'P30D', false],
    ['The final report on the significant incident is sent to the CSIRT within two months.', 'P2M', true],
  ])('compare "%s"', (text, iso, late) => {
    expect(stated(text)).toEqual([[iso, late]]);
  });

  it('ignore durations that do not concern notifications', () => {
    expect(stated('Breach records are kept for 5 years. Backups run every 24 hours.')).toEqual([]);
  });

  it('convert durations to hours', () => {
    expect(['PT72H', 'P5D', 'P2W', 'P1M', 'PT30M', ''].map(hoursOf)).toEqual([72, 120, 336, 744, 0.5, 0]);
  });
});

describe('personal data', () => {
  it('counts kinds of personal data, including special categories and identifiers', () => {
    const kinds = findPersonalData([
      { message: 2, text: 'Jane, born on 3 April 1980, jane@example.com, has diabetes.' },
    ]);
    expect(kinds.map(({ kind, article, count }) => [kind, article, count])).toEqual([
      ['date of birth', 'Art. 4(1)', 1],
      ['email address', 'Art. 4(1)', 1],
      ['health', 'Art. 9(1)', 1],
    ]);
    expect(kinds[1]!.places).toEqual({ items: [{ message: 2, start: 28, end: 44 }], more: 0 });
  });

  it('does not report other dates as dates of birth', () => {
    expect(findPersonalData([{ message: 0, text: 'Signed on 3 April 1980.' }])).toEqual([]);
  });
});
