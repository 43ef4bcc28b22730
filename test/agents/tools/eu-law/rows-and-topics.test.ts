/** Dates and states in tables with an act in each row, intervals in one word, and acts that a section is about. */
import { describe, expect, it } from 'vitest';
import { euCitations } from '../../../../agents/tools/eu-law/citations.ts';
import { euDeadlines } from '../../../../agents/tools/eu-law/find-deadlines.ts';
import { euInForce } from '../../../../agents/tools/eu-law/in-force.ts';

type Lists = Record<string, { items: Record<string, unknown>[] }>;

const run = (tool: typeof euDeadlines, text: string) => tool.run([{ message: 0, text }]).result as unknown as Lists;

function dates(text: string): string[] {
  return run(euInForce, text).dates!.items.map(({ act, kind, date, step, article }) =>
    [act, step ?? kind, (article as { number: string } | undefined)?.number, date].filter(Boolean).join(' '),
  );
}

describe('a table with an act in each row', () => {
  it.each([
    [['Act', 'Title', 'In force', 'Applies', 'Exceptions'], 'Art. 5 and 11: 14.02.2028'],
    [['Rechtsakt', 'Titel', 'Inkrafttreten', 'Gilt ab', 'Abweichende Artikel'], 'Art. 5 und 11: 14.02.2028'],
    [['Acte', 'Titre', 'Entrée en vigueur', 'Applicable', 'Exceptions'], 'Art. 5 et 11 : 14.02.2028'],
    [['Acto', 'Título', 'Entrada en vigor', 'Aplicable desde', 'Excepciones'], 'Art. 5 y 11: 14.02.2028'],
    [['Handeling', 'Titel', 'Inwerkingtreding', 'Van toepassing', 'Uitzonderingen'], 'Art. 5 en 11: 14.02.2028'],
  ])('has the dates of its headings: %s', (headings, exceptions) => {
    const rows = [
      headings,
      headings.map(() => '---'),
      ['Regulation (EU) 2026/2044', 'tyres', '14.02.2027', '14.08.2028', exceptions],
      ['Regulation (EU) 2023/1115', 'wood', '29.06.2023', '30.12.2026', ''],
    ];
    expect(dates(rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))).toEqual([
      '32026R2044 entry into force 2027-02-14',
      '32026R2044 application 2028-08-14',
      '32026R2044 application 5 2028-02-14',
      '32026R2044 application 11 2028-02-14',
      '32023R1115 entry into force 2023-06-29',
      '32023R1115 application 2026-12-30',
    ]);
  });

  it('has the days of transposition of directives, and no dates of a proposal', () => {
    const text = [
      '| Act | Transposed by | Measures apply from | Due |',
      '|---|---|---|---|',
      '| Directive (EU) 2024/1760 | 26.07.2027 | 26.07.2028 | 1 May 2027 |',
      '| COM(2027) 55 | 01.01.2031 | 01.01.2032 | 2 May 2031 |',
    ].join('\n');
    expect(dates(text)).toEqual(['32024L1760 transpose 2027-07-26', '32024L1760 apply 2028-07-26']);
    expect(run(euDeadlines, text).fixedDates!.items.map(({ date }) => date)).toEqual(['2027-07-26', '2027-05-01']);
  });

  it('has the acts that are repealed', () => {
    const text =
      '| Act | Applies | Repeals |\n|---|---|---|\n| Regulation (EU) 2026/2044 | 14.08.2028 | Regulation (EU) 2020/740 (14.08.2028) |';
    expect(run(euInForce, text).relations!.items).toMatchObject([
      { relation: 'repeals', from: '32026R2044', to: '32020R0740', date: '2028-08-14' },
    ]);
  });
});

describe('the data of an act', () => {
  it.each([
    'Document 32026R1417\n\nDate of effect: 10/09/2026; Entry into force Date pub. +20 See Art. 31\nDate of effect: 01/03/2028; Application See Art. 31',
    'CELEX-Nummer: 32026R1417\n\nDatum des Wirksamwerdens: 10/09/2026; Inkrafttreten Datum Veröff. +20\nDatum des Wirksamwerdens: 01/03/2028; Gilt ab',
    'Document 32026R1417\n\nDate de prise d’effet : 10/09/2026; entrée en vigueur Date pub. +20\nDate de prise d’effet : 01/03/2028; application',
  ])('say what a date is behind it: %s', (text) => {
    expect(dates(text).map((each) => each.replace('date d', ''))).toContain('32026R1417 entry into force 2026-09-10');
  });

  it('list what the act does by CELEX numbers', () => {
    const text =
      'Document 32026R1417\n\nModifies: Repeal 32005L0207 01/03/2028\nModified by: Corrected by 32026R1417R(02)\nModified by 32028R0102 Addition article 12';
    const { relations } = run(euInForce, text);
    expect(relations!.items.map(({ relation, from, to }) => [relation, from, to])).toEqual([
      ['repeals', '32026R1417', '32005L0207'],
      ['corrects', undefined, '32026R1417'],
      ['amends', '32028R0102', '32026R1417'],
    ]);
  });
});

describe('a state', () => {
  it('is found for each act of a sentence, on the day of the clauses before it', () => {
    const text =
      'As at 15 March 2027 Regulation (EU) 2020/740 is in force; Regulation (EU) No 995/2010 is no longer in force; Regulation (EU) 2027/318 is not in force yet.';
    expect(run(euInForce, text).states!.items.map(({ act, status, on }) => `${act} ${status} ${on}`)).toEqual([
      '32020R0740 in-force 2027-03-15',
      '32010R0995 no-longer-in-force 2027-03-15',
      '32027R0318 not-yet-in-force 2027-03-15',
    ]);
  });

  it('is not of the day of its change', () => {
    const [state] = run(
      euInForce,
      'Update\n\n5 March 2027\n\nRegulation (EU) 2025/88 ceased to apply on 31 December 2026 and is no longer in force.',
    ).states!.items;
    expect(state).toMatchObject({ status: 'no-longer-in-force', on: '2027-03-05' });
  });
});

describe('an interval in one word', () => {
  it.each([
    ['Operators shall report annually to the Commission.', '1 year'],
    ['Send the list once a year.', '1 year'],
    ['Die Betreiber übermitteln den Bericht vierteljährlich.', '3 months'],
    ['Les employeurs fournissent ces informations chaque année.', '1 year'],
    ['Los operadores informarán mensualmente a la autoridad.', '1 month'],
    ['Podmioty przekazują dane corocznie.', '1 year'],
    ['Operatörerna ska rapportera varje år.', '1 year'],
  ])('is that of a duty: %s', (text, length) => {
    expect(run(euDeadlines, text).deadlines!.items).toMatchObject([{ length, recurs: true }]);
  });

  it.each(['Late payments bear interest of 10 % annually.', 'The costs annually amount to EUR 5 000.'])(
    'is none where an amount is counted by it: %s',
    (text) => expect(run(euDeadlines, text).deadlines!.items).toEqual([]),
  );
});

describe('a bare article', () => {
  const acts = (text: string) =>
    run(euCitations, text).articles!.items.map(({ act, normalised }) => `${normalised} ${act}`);

  it.each([
    'Corrigendum to Regulation (EU) 2027/1905 of 6 October 2027\n\nOn page 9, Article 6(2): …\n\nCorrigendum to Directive (EU) 2026/2288 of 8 December 2026\n\nOn page 41, Article 12(1): …',
    'Berichtigung der Verordnung (EU) 2027/1905 vom 6. Oktober 2027\n\nSeite 9, Artikel 6 Absatz 2: …\n\nBerichtigung der Richtlinie (EU) 2026/2288 vom 8. Dezember 2026\n\nSeite 41, Artikel 12 Absatz 1: …',
    'Rectificatif au règlement (UE) 2027/1905 du 6 octobre 2027\n\nPage 9, article 6, paragraphe 2 : …\n\nRectificatif à la directive (UE) 2026/2288 du 8 décembre 2026\n\nPage 41, article 12, paragraphe 1 : …',
  ])('is of the corrected act: %s', (text) => {
    expect(acts(text)).toEqual(['Article 6(2) 32027R1905', 'Article 12(1) 32026L2288']);
  });

  it('is of the act that its section presents, or that the question names', () => {
    expect(acts('1. News\n\nRegulation (EU) 2027/314 was published today.\n\n- Register under Article 8(2).')).toEqual([
      'Article 8(2) 32027R0314',
    ]);
    expect(acts('And Directive (EU) 2024/1275?\n\nArticle 14(1) is about parking.')).toEqual([
      'Article 14(1) 32024L1275',
    ]);
  });

  it('is found though its act is divided at the end of a line', () => {
    expect(acts('Zie artikel 12, lid 3, van Ver-\nordening (EU) 2016/679.')).toEqual(['Article 12(3) 32016R0679']);
  });
});
