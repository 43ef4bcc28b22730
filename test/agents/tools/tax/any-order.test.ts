/** Tables with their columns in any order, and statements in several languages, give the same facts. */
import { describe, expect, it } from 'vitest';
import { agents } from '../../../../agents/registry.ts';

type Entry = Record<string, unknown>;

/** The entries of one list of a tool's result. */
function entries(name: string, list: string, text: string): Entry[] {
  const { tools } = agents.find(({ slug }) => slug === 'tax-analyst')!;
  const { result } = tools.find((tool) => tool.name === name)!.run([{ message: 0, text }]);
  return (result as unknown as Record<string, Entry[]>)[list]!;
}

function table(...rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const pick = (names: readonly string[]) => (entry: Entry) => names.map((name) => entry[name]).join(' ');

describe('top-up taxes', () => {
  const stated = (text: string) =>
    entries('pillar_two_top_up', 'stated', text).map(pick(['country', 'effective_rate_percent', 'top_up_tax']));

  it.each([
    [
      ['Jurisdiction', 'GloBE income', 'GloBE ETR', 'Top-up tax'],
      [0, 1, 2, 3],
    ],
    [
      ['Top-up tax', 'Jurisdiction', 'GloBE income', 'GloBE ETR'],
      [3, 0, 1, 2],
    ],
    [
      ['GloBE ETR', 'Ergänzungssteuer', 'Land', 'GloBE income'],
      [2, 3, 0, 1],
    ],
  ])('are found under their heads: %s', (heads, order) => {
    const row = ['Ireland', '5.0', '12.9 %', '0.1'];
    const text = `Pillar Two, EUR million\n\n${table(
      heads,
      order.map((at) => row[at]!),
    )}`;
    expect(stated(text)).toEqual(['ie 12.9 100000']);
  });
});

describe('transactions with related parties', () => {
  it('are found with their figures before the names, with the direction of each', () => {
    const text = `Controlled transactions, EUR thousand\n\n${table(
      ['2024', '2025', 'Counterparty', 'Subject'],
      ['1,000', '1,200', 'Alder AG', 'royalty paid'],
      ['300', '310', 'Birch Ltd', 'interest received'],
      ['90', '95', 'Cedar SA', 'management services'],
    )}`;
    const found = entries('tax_statements', 'related_party_transactions', text);
    expect(found.map(pick(['counterparty', 'type', 'amount']))).toEqual([
      'Alder AG royalty-expense 1200000',
      'Birch Ltd interest-income 310000',
    ]);
  });
});

describe('withheld taxes', () => {
  const found = (text: string) =>
    entries('tax_statements', 'withholding_taxes', text).map(
      pick(['income', 'country', 'rate_percent', 'amount', 'article']),
    );

  it.each([
    [
      'Ritenute',
      ['n.', 'Beneficiario', 'Tipo', 'Lordo', 'Aliquota', 'Ritenuta'],
      'dividendo',
      'ad 1  Art. 10, par. 2, lett. a) della Convenzione.',
      'it',
    ],
    [
      'Quellensteuer',
      ['Nr.', 'Empfänger', 'Art', 'Bruttobetrag', 'Satz', 'Steuer'],
      'Dividende',
      'zu 1: Art. 10 Abs. 2 Buchst. a DBA.',
      '',
    ],
    [
      'Retenciones',
      ['N.º', 'Perceptor', 'Concepto', 'Base', 'Tipo', 'Retención'],
      'dividendos',
      'nota 1: artículo 10, apartado 2, letra a), del convenio.',
      'es',
    ],
  ])('are found with the article of a note: %s', (title, heads, kind, note, country) => {
    const text = `## ${title}\n\n${table(heads, ['1', 'Alder AG', kind, '100.000,00', '15 %', '15.000,00'])}\n\n${note}`;
    expect(found(text)).toEqual([`dividend ${country} 15 15000 10(2)(a)`]);
  });

  it('are none of a surcharge on the tax', () => {
    const text =
      'Kapitalerträge                                12.480,00 EUR\nKapitalertragsteuer (25 %)                     3.120,00 EUR\nSolidaritätszuschlag zur Kapitalertragsteuer     171,60 EUR';
    expect(found(text).map((each) => each.split(' ')[3])).toEqual(['3120']);
  });
});

describe('deadlines', () => {
  const found = (text: string) =>
    entries('tax_statements', 'deadlines', text).map(({ what, date, period }) => `${what} ${date ?? period}`);

  it.each([
    [
      table(['Due', 'Filing', 'State'], ['31 Dec 2026', 'Country-by-country report FY 2025', 'draft']),
      'country-by-country-report 2026-12-31',
    ],
    [
      'Termine\n\n    Körperschaftsteuererklärung 2025      spätestens am 31. Juli 2026 (offen)',
      'corporate-tax-return 2026-07-31',
    ],
    [
      "Délais\n\n    Réclamation contre l'avis      dans un délai de deux mois à compter de la notification",
      'other-filing 2 month',
    ],
  ])('are found in rows: %s', (text, deadline) => expect(found(text)).toEqual([deadline]));

  it('is of the filing of its own row, not of the row above', () => {
    const text =
      "Délais\n\n    Déclaration de TVA, septembre    au plus tard le 24 octobre 2026\n    Réclamation contre l'avis        dans un délai de deux mois à compter de la notification";
    expect(found(text)).toEqual(['vat-return 2026-10-24', 'other-filing 2 month']);
  });
});

describe('permanent establishments', () => {
  it.each([
    [
      '1. Polen\nDie Montage in Posen dauerte 14 Monate. Die Gesellschaft hat damit in Polen eine Betriebsstätte.',
      'pl exists 14 month',
    ],
    [
      '1. Polonia\nIl cantiere di Poznań è durato 9 mesi. La società non ha una stabile organizzazione in Polonia.',
      'pl none 9 month',
    ],
    [
      "1. Espagne\nL'agent conclut les contrats. La Société dispose en Espagne d'un établissement stable.",
      'es exists ',
    ],
    [
      '1. Duitsland\nDe montage heeft veertien maanden geduurd. Er is een vaste inrichting in Duitsland.',
      'de exists 14 month',
    ],
  ])('are found with their conclusion: %s', (text, finding) => {
    const found = entries('tax_statements', 'permanent_establishments', text);
    expect(found.map(({ country, conclusion, duration }) => `${country} ${conclusion} ${duration ?? ''}`)).toEqual([
      finding,
    ]);
  });
});

describe('hallmarks', () => {
  it.each([
    ['Erfüllt?', 'nein', 'ja'],
    ['voldaan?', 'nee', 'ja'],
    ['Met?', 'no', 'yes'],
  ])('are found by an answer in a cell: %s', (head, no, yes) => {
    const text = `DAC6\n\n${table(['Code', 'Subject', head], ['A2', 'fee', no], ['C1, b, ii', 'recipient', no], ['E3', 'transfer', yes])}`;
    expect(entries('dac6_hallmark_hints', 'assessed', text).map(pick(['id', 'status']))).toEqual([
      'A2 not-met',
      'C1(b)(ii) not-met',
      'E3 met',
    ]);
  });
});

describe('the test of a transfer price', () => {
  it('takes its result from the sentence before, and none from brackets', () => {
    const text =
      'The interquartile range is 2.1 % to 5.4 %, with a median of 3.7 %. The operating margin was 3.2 % (2024: 6.1 %; budget: 5.0 %). The margin lies within the range.';
    expect(entries('transfer_pricing_range', 'stated_tests', text)).toMatchObject([
      { result: '3.2', position: 'inside' },
    ]);
  });

  it('counts a stated range in doubt once', () => {
    const text = 'The interquartile range of the margins is 210 % to 540 %.';
    expect(entries('transfer_pricing_range', 'left_out', text)).toMatchObject([{ facts: 1 }]);
  });
});
