import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../agents/agent/agent.ts';
import { contractFacts } from '../../../../agents/tools/contract/contract-facts.ts';
import { dealTerms } from '../../../../agents/tools/due-diligence/terms.ts';
import { glossOf, glossText } from '../../../../agents/tools/gloss/gloss.ts';
import type { GlossLanguage } from '../../../../agents/tools/gloss/languages.ts';

const english = (text: string, language: GlossLanguage, subject: 'contract' | 'deal' = 'contract') =>
  glossText(text, language, subject).toString();

describe('a gloss', () => {
  it.each<[GlossLanguage, string, string]>([
    ['pt', 'Qualquer das partes pode resolver o contrato', 'Either party may terminate the agreement'],
    ['sv', 'Vardera Parten får säga upp avtalet', 'Either party may terminate the agreement'],
    ['it', 'Ciascuna parte può risolvere il contratto', 'Either party may terminate the agreement'],
    ['fr', 'Chaque partie peut résilier le contrat', 'Either party may terminate the agreement'],
    ['es', 'Cualquiera de las partes podrá resolver el contrato', 'Either party may terminate the agreement'],
    ['nl', 'Elk der partijen kan de overeenkomst opzeggen', 'Either party may the agreement terminate'],
    ['pl', 'Każda ze Stron może rozwiązać umowę', 'Either party may terminate the agreement'],
  ])('of %s gives the words of a clause in English', (language, text, expected) => {
    expect(english(text, language)).toBe(expected);
  });

  it('keeps names, numbers and abbreviations', () => {
    expect(english('Município da Régua, S.A., paga 1.200 €', 'pt')).toBe('Município da Régua, S.A., pay 1.200 €');
    expect(english('Nowak Sp. z o.o. może', 'pl')).toBe('Nowak Sp. z o.o. may');
    expect(english('il consigliere Dal Corso', 'it')).toBe('the consigliere Dal Corso');
  });

  it('joins words that are broken at the end of a line, and keeps the break', () => {
    expect(english('De overeen-\nkomst duurt', 'nl')).toBe('The agreement\n duurt');
    expect(english('De overeen-  \r\n  komst duurt', 'nl')).toBe('The agreement\r\n   duurt');
  });

  it('translates buyer and seller in deals only', () => {
    expect(english('Il Venditore', 'it')).toBe('The Venditore');
    expect(english('Il Venditore', 'it', 'deal')).toBe('The Seller');
  });

  it('leaves English and German documents as they are', () => {
    for (const text of [
      'This agreement is made between the supplier and the customer, and it is governed by the law of England and Wales.',
      'Der Vertrag wird von den Parteien mit einer Frist von drei Monaten gekündigt und ist nicht für Dritte bestimmt.',
    ]) {
      const gloss = glossOf({ message: 0, text }, 'contract');
      expect(gloss.text).toBe(text);
    }
  });

  it('gives the positions of the source', () => {
    const text =
      'O contrato é celebrado entre as partes e não se aplica a terceiros. A Prestadora pode denunciar o contrato com aviso prévio de 90 dias.';
    const gloss = glossOf({ message: 3, text }, 'contract');
    const start = gloss.text.indexOf('terminate');
    const { message, start: from, end } = gloss.spanOf({ start, end: start + 'terminate'.length });
    expect([message, text.slice(from, end)]).toEqual([3, 'denunciar']);
  });
});

const head = (title: string, between: string, and: string) => `${title}\n\n${between}\n\n${and}\n\n`;

/** The same clauses in five languages, in other words than those of the documents for evaluation. */
const contracts: readonly (readonly [string, string])[] = [
  [
    'Portuguese',
    `${head('CONTRATO DE PRESTAÇÃO DE SERVIÇOS', 'Entre: AURORA DADOS, Lda., com sede em Braga, adiante «Prestadora»;', 'e NORTEMAR, S.A., com sede no Porto, adiante «Cliente».')}1. Rescisão
1.1 O Cliente pode rescindir o contrato a qualquer momento, com aviso prévio de 45 dias.
2. Lei
2.1 O presente contrato é regido pela lei portuguesa. Para os litígios é competente o foro da comarca de Braga.`,
  ],
  [
    'Italian',
    `${head('CONTRATTO DI SERVIZI', 'tra AURORA DATI S.r.l., con sede in Parma (di seguito il "Fornitore")', 'e NORDMARE S.p.A., con sede in Genova (di seguito il "Cliente").')}1. Recesso
1.1 Il Cliente può recedere dal contratto in qualsiasi momento con un preavviso di 45 giorni.
2. Legge
2.1 Il presente contratto è regolato dalla legge italiana. Per ogni controversia è competente in via esclusiva il foro di Parma.`,
  ],
  [
    'Swedish',
    `${head('TJÄNSTEAVTAL', 'Mellan Aurora Data AB, org.nr 559000-0000 ("Leverantören")', 'och Nordhav AB, org.nr 559000-0001 ("Kunden") har denna dag träffats följande avtal.')}1. Uppsägning
1.1 Kunden får när som helst säga upp avtalet med 45 dagars varsel.
2. Lag
2.1 Svensk lag ska tillämpas på detta avtal. Tvist ska slutligt avgöras genom skiljedom enligt SCC:s regler. Skiljeförfarandets säte ska vara Malmö.`,
  ],
];

type Facts = Readonly<Record<string, { readonly items: readonly { readonly [field: string]: Json }[] }>>;

describe('contract facts', () => {
  it.each(contracts)('are read from a contract in %s', (language, text) => {
    const { result } = contractFacts.run([{ message: 0, text }]);
    const { parties, termination_rights: rights, governing_law: laws, forums } = result as unknown as Facts;
    const buyer = parties!.items.find((party) => party.function === 'customer');
    expect(buyer?.name).toMatch(/^NOR|^Nor/);
    expect(rights!.items[0]).toMatchObject({ ground: 'convenience', notice: 'P45D' });
    expect(laws!.items[0]).toMatchObject({
      jurisdiction: { Portuguese: 'Portugal', Italian: 'Italy', Swedish: 'Sweden' }[language],
    });
    expect(forums!.items[0]).toMatchObject({
      seat: { Portuguese: 'Braga', Italian: 'Parma', Swedish: 'Malmö' }[language],
    });
  });
});

describe('deal terms', () => {
  it.each([
    [
      'Polish',
      'UMOWA POŻYCZKI KONWERTOWALNEJ. Kwota pożyczki wynosi 300.000 EUR. Do wyceny stosuje się limit wyceny 4.000.000 EUR i dyskonto 15 %. Umowa jest zawarta na czas określony i nie może być zmieniona bez zgody stron.',
    ],
    [
      'Swedish',
      'AVTAL OM KONVERTIBELT LÅN. Lånebeloppet är 300 000 EUR. Vid konvertering gäller ett värderingstak om 4 000 000 EUR och en rabatt om 15 %. Avtalet får inte ändras utan att parterna har godkänt det och ska vara skriftligt.',
    ],
  ])('are read from a note in %s', (_language, text) => {
    const { result } = dealTerms.run([{ message: 0, text }]);
    const { values } = result as unknown as Facts;
    const shown = values!.items.map(({ term, value }) => `${term} ${value}`);
    expect(shown).toEqual(expect.arrayContaining(['investment 300000', 'valuation-cap 4000000', 'discount 15']));
  });
});
