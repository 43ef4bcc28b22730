/** Time limits that a document only recounts are none; the same words of the law itself are. */
import { describe, expect, it } from 'vitest';
import { euDeadlines } from '../../../../agents/tools/eu-law/find-deadlines.ts';

function deadlines(text: string): unknown[] {
  const { deadlines: periods, fixedDates } = euDeadlines.run([{ message: 0, text }]).result as unknown as Record<
    string,
    { items: { length: string; date: string }[] }
  >;
  return [...periods!.items.map(({ length }) => length), ...fixedDates!.items.map(({ date }) => date)];
}

describe('a period or a day', () => {
  it.each([
    'Parliament had asked for a period of six months.',
    'The Security Council called upon all States to freeze assets within 30 days.',
    'Le Parlement avait demandé un délai de six mois.',
    'Das Parlament hatte eine Frist von sechs Monaten gefordert.',
    'Die von der Beklagten beantragte Frist von drei Monaten ist zu lang.',
    'El Parlamento había pedido un plazo de seis meses.',
    'La Conferenza ha chiesto un termine di 60 giorni.',
    'Het Parlement heeft gevraagd om een termijn van zes maanden.',
    'Parlament wnioskował o okres dłuższy, w terminie sześciu miesięcy.',
  ])('that somebody asked for is no deadline: %s', (text) => expect(deadlines(text)).toEqual([]));

  it.each([
    'The Commission proposes that operators report incidents within 48 hours.',
    'Under the draft regulation, operators shall report within 48 hours.',
    'Nach Artikel 7 des Vorschlags melden die Betreiber Vorfälle binnen 48 Stunden.',
    "La Commission propose que l'exploitant notifie les fuites dans un délai de 24 heures.",
    'Según la propuesta, el operador notificará las fugas en un plazo de 48 horas.',
    'Komisja proponuje, aby podmioty zgłaszały incydenty w ciągu 24 godzin.',
    'Het voorstel COM(2027) 512 ligt bij de Raad. Daarin staat een termijn van twaalf uur.',
  ])('of a proposal is no deadline: %s', (text) => expect(deadlines(text)).toEqual([]));

  it.each([
    'In version 3.1, this answer read "within one week"; that was incorrect.',
    'By way of comparison, the authority had to decide within ten weeks in that file.',
    'Nach den Allgemeinen Geschäftsbedingungen kann der Vertrag mit einer Frist von drei Monaten gekündigt werden.',
    'Reply within 14 days to win a mug.',
  ])('of an earlier version, another matter or a contract is no deadline: %s', (text) =>
    expect(deadlines(text)).toEqual([]),
  );

  it.each([
    ['The Commission requests you to reply within two months of receipt of this letter.', '2 months'],
    ['You were also asked to produce the files within five days of receipt of the letter.', '5 days'],
    ['The authority shall decide within six weeks of receipt of the proposal.', '6 weeks'],
    ['Une prolongation doit être demandée au plus tard dix jours avant la réunion.', '10 days'],
    ['Il ricorso è proposto entro 30 giorni dalla notifica.', '30 days'],
    ['I ricorsi devono essere proposti nel termine di due mesi dalla notificazione.', '2 months'],
    ['Członkowie składają wniosek w terminie 30 dni od otrzymania decyzji.', '30 days'],
  ])('that is set is a deadline: %s', (text, length) => expect(deadlines(text)).toEqual([length]));

  it.each([
    'Old labels may be placed on the market until 31 March 2028.',
    'Alte Etiketten dürfen bis zum 31. März 2028 verwendet werden.',
    'Wzoru określonego w rozporządzeniu można używać do dnia 31 marca 2028 r.',
  ])('until which something may go on is no deadline: %s', (text) => expect(deadlines(text)).toEqual([]));

  it('by which something may be submitted is a deadline', () => {
    expect(deadlines('Die Parteien können bis zum 31. März 2028 Stellung nehmen.')).toEqual(['2028-03-31']);
  });

  it('in the wording that a corrigendum replaces is no deadline, also within a line', () => {
    const text =
      'Seite 9, Artikel 6 Absatz 2\n\nAnstatt: „Die Behörde entscheidet binnen 60 Tagen nach Eingang des Antrags.“ muss es heißen: „Die Behörde entscheidet binnen 90 Tagen nach Eingang des Antrags.“';
    expect(deadlines(text)).toEqual(['90 days']);
  });
});

describe('a table of positions', () => {
  it.each([
    ['Commission', 'Parliament', 'Council', 'Agreed text'],
    ['Vorschlag der Kommission', 'Standpunkt des Parlaments', 'Rat', 'Kompromiss'],
    ['Proposition de la Commission', 'Mandat du Parlement', 'Mandat du Conseil', 'Accord provisoire'],
  ])('has the deadlines of its agreed column only: %s', (...headings) => {
    const rows = [
      ['Row', ...headings],
      ['---', '---', '---', '---', '---'],
      ['1', 'within 72 hours of detection', 'within 24 hours of detection', 'within five days', 'within 48 hours'],
    ];
    expect(deadlines(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))).toEqual(['48 hours']);
  });
});
