/** Incidents that paragraphs tell under titles of their own, and in several languages. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findIncidentTimes } from '../../../../agents/tools/security/incident-times.ts';
import { findTopics } from '../../../../agents/tools/security/report-topics.ts';

const documentOf = (text: string) => readDocument({ message: 0, text });
const times = (text: string) =>
  Object.fromEntries(
    findIncidentTimes(documentOf(text)).times.map(({ point, date, time }) => [point, `${date} ${time}`]),
  );

describe('titles in paragraphs', () => {
  it('reads the title that a paragraph begins with', () => {
    const text = 'Impact. From 08:00 on, 40 customers could not log in.\n\nDetection. A customer called us at 08:20.\n';
    expect(findTopics(documentOf(text)).map(({ topic }) => topic)).toEqual(['impact', 'detection']);
  });
});

describe('times', () => {
  it('reads a chronology told in sentences, with the day on which it happened', () => {
    const text =
      'Report, posted 9 March 2026.\n\nHere is what happened on 5 March 2026. From 08:00 until 09:15, customers could not log in. We learned of it at 08:20. We closed the incident at 11:00.\n\nPast incidents\n\nOn 3 February 2026 mail was slow between 07:10 and 07:40.\n';
    expect(times(text)).toEqual({
      start: '2026-03-05 08:00',
      detection: '2026-03-05 08:20',
      mitigation: '2026-03-05 09:15',
      end: '2026-03-05 11:00',
    });
  });

  it('reads Dutch times with a full stop', () => {
    expect(
      times('De storing begon op 2 maart 2026 om 06.15 uur, werd om 06.40 uur ontdekt en was om 08.00 uur verholpen.'),
    ).toMatchObject({ start: '2026-03-02 06:15', detection: '2026-03-02 06:40', mitigation: '2026-03-02 08:00' });
  });
});
