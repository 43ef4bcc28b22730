import { describe, expect, it } from 'vitest';
import { findDeadlines, findHolidays } from '../../../../agents/tools/eu-law/find-deadlines.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const limits = (text: string) => {
  const documents = [documentOf(text)];
  return findDeadlines(documents, findHolidays(documents)).map(({ length, event, end }) =>
    [length, event?.words, end?.lastDay].filter((part) => part !== undefined).join(' | '),
  );
};

describe('time limits', () => {
  it.each([
    ['The operator shall reply within three weeks of receipt of the request.', '3 weeks | receipt of the request'],
    [
      'Der Betreiber antwortet binnen zehn Arbeitstagen nach Eingang des Antrags.',
      '10 working days | Eingang des Antrags',
    ],
    [
      'L’exploitant répond dans un délai de quarante jours à compter de la réception de la demande.',
      '40 days | la réception de la demande',
    ],
    [
      'El operador responderá en el plazo de quince días hábiles desde la recepción de la solicitud.',
      '15 working days | la recepción de la solicitud',
    ],
    ['L’operatore risponde entro sei mesi dal ricevimento della domanda.', '6 months | ricevimento della domanda'],
    ['De exploitant antwoordt binnen acht weken na ontvangst van het verzoek.', '8 weeks | ontvangst van het verzoek'],
    ['Operator odpowiada w terminie czternastu dni od otrzymania wniosku.', '14 days | otrzymania wniosku'],
    ['Provozovatel odpoví do třiceti dnů od doručení žádosti.', '30 days | doručení žádosti'],
    ['The review is repeated every three years thereafter.', '3 years'],
    ['That period may be extended by two months.', '2 months'],
    ['Il termine di venti giorni è breve. Il termine decorre dalla notifica.', '20 days | notifica'],
  ])('reads length and event of %s', (text, expected) => {
    expect(limits(text)).toEqual([expected]);
  });

  it.each([
    'The licence is valid for six years.',
    'The chair is appointed for a term of four years.',
    'Die Daten werden zehn Jahre lang aufbewahrt.',
    'L’agrément est délivré pour une durée de cinq ans.',
    'El mandato es de tres años.',
    'Buyers must be at least 18 years old.',
    'Had the Council agreed, the reply would have been due within two months of receipt.',
    'One member proposed a limit of twelve weeks from receipt. It was rejected.',
    '*Template note: reply within [●] days; assume within 28 days of receipt.*',
  ])('finds none in %s', (text) => {
    expect(limits(text)).toEqual([]);
  });

  it('joins the event with the day of the same event, not with another day nearby', () => {
    const text =
      'The request was notified on 18 March 2027. You received the letter on 24 March 2027 and must answer within five working days of receipt of the letter.';
    expect(limits(text)).toEqual(['5 working days | receipt of the letter | 2027-03-31']);
  });

  it('computes nothing where the event of the limit has no day', () => {
    const text =
      'The request was notified on 18 March 2027. An action is brought within two months of notification of a decision.';
    expect(limits(text)).toEqual(['2 months | notification of a decision']);
  });

  it('takes no day of an act or of a journal as an event', () => {
    const text =
      'Under Regulation (EU) 2016/679 of 27 April 2016 (OJ L 119, 4.5.2016, p. 1), the answer is due within one month.';
    expect(limits(text)).toEqual(['1 month']);
  });

  it.each([
    ['Friday, 26 March 2027 and Monday, 29 March 2027 are public holidays.', ['2027-03-26', '2027-03-29']],
    ['Il 6, il 7 e il 17 maggio 2027 sono giorni festivi.', ['2027-05-06', '2027-05-07', '2027-05-17']],
    [
      'The list of holidays: 30 December 2026 to 2 January 2027.',
      ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'],
    ],
    ['Monday, 19 April 2027 is not a holiday.', []],
  ])('reads the holidays of %s', (text, expected) => {
    expect(findHolidays([documentOf(text)])).toEqual(expected);
  });
});
