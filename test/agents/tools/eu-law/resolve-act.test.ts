import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { readLaw } from '../../../../agents/tools/eu-law/read-law.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const cited = (text: string) =>
  readLaw(parseDocument(documentOf(text)))
    .articles.filter(({ kind }) => kind !== 'annex')
    .map(({ normalised, act }) => `${normalised} of ${act}`);

describe('the act of an article', () => {
  it.each([
    ['Articles 5, 6(1)(a) and 9 of Regulation (EU) 2031/77 apply.', ['5', '6(1), point (a)', '9'], '32031R0077'],
    ['Gemäß den Artikeln 3, 4 und 7 der Richtlinie (EU) 2031/78 gilt das.', ['3', '4', '7'], '32031L0078'],
    ['Les articles 12 et 13 du règlement (UE) 2031/77 s’appliquent.', ['12', '13'], '32031R0077'],
    ['Los artículos 4 y 5 de la Directiva (UE) 2031/78.', ['4', '5'], '32031L0078'],
    ['Gli articoli 8 e 9 della direttiva (UE) 2031/78.', ['8', '9'], '32031L0078'],
    ['De artikelen 2 en 3 van Verordening (EU) 2031/77.', ['2', '3'], '32031R0077'],
    ['Zgodnie z art. 6 ust. 2 lit. b rozporządzenia (UE) 2031/77.', ['6(2), point (b)'], '32031R0077'],
    ['Podle čl. 6 odst. 2 písm. b) nařízení (EU) 2031/77.', ['6(2), point (b)'], '32031R0077'],
    ['The first subparagraph of Article 3(2) of Directive (EU) 2031/78.', ['3(2)'], '32031L0078'],
    ['Under the third paragraph of Article 267 TFEU.', ['267(3)'], '12016E'],
    ['Having regard to the Treaty on European Union, and in particular Article 50 thereof,', ['50'], '12016M'],
  ])('is in the same noun phrase: %s', (text, articles, act) => {
    expect(cited(text)).toEqual(articles.map((article) => `Article ${article} of ${act}`));
  });

  it.each([
    ['Directive (EU) 2031/78 (hereinafter ‘the Kiosk Directive’) is new. Article 4 of the Kiosk Directive binds.'],
    ['Die Richtlinie (EU) 2031/78 (im Folgenden: „KioskRL“) ist neu. Art. 4 KioskRL bindet.'],
    ['La directive (UE) 2031/78 (ci-après la « DK ») est nouvelle. L’article 4 de la DK lie les États.'],
    ['La direttiva (UE) 2031/78 (di seguito: «DCh») è nuova. L’articolo 4 della DCh vincola.'],
    ['Directive (EU) 2031/78 was adopted. Article 4 of that Directive binds.'],
    ['Die Richtlinie (EU) 2031/78 ist neu. Art. 4 jener Richtlinie bindet.'],
    ['La directive (UE) 2031/78 est nouvelle. L’article 4 de ladite directive lie les États.'],
    ['La Directiva (UE) 2031/78 es nueva. El artículo 4 de dicha Directiva obliga.'],
    ['Richtlijn (EU) 2031/78 is nieuw. Artikel 4 van die richtlijn bindt.'],
    ['Dyrektywa (UE) 2031/78 jest nowa. Artykuł 4 tej dyrektywy wiąże.'],
    ['Directive (EU) 2031/78 sets the frame; Article 4 binds the Member States.'],
  ])('is the one that the text defined, pointed to or spoke of: %s', (text) => {
    expect(cited(text)).toEqual(['Article 4 of 32031L0078']);
  });

  it('is the head of a title, not an act that the title amends', () => {
    const text = 'Regulation (EU) 2031/77 amending Regulation (EU) 2021/12 is new. Article 4 of that Regulation binds.';
    expect(cited(text)).toEqual(['Article 4 of 32031R0077']);
  });

  it('is the act itself for a bare article of an act, and the amended act in its quoted provisions', () => {
    const text = [
      'REGULATION (EU) 2031/77 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL',
      'HAVE ADOPTED THIS REGULATION:',
      'Article 1',
      'The duties in Article 2(1) are without prejudice to paragraph 3.',
      'Article 2',
      'In Article 8 of Directive 2009/22/EC, paragraph 2 is replaced by the following:',
      '‘2.   The report referred to in Article 6 is public.’',
    ].join('\n\n');
    expect(cited(text)).toEqual([
      'Article 2(1) of 32031R0077',
      'Article 1(3) of 32031R0077',
      'Article 8(2) of 32009L0022',
      'Article 6 of 32009L0022',
    ]);
  });

  it('is the act in the header of the column', () => {
    const text =
      '| Directive 2001/5/EC | Regulation (EU) 2031/77 | Remarks |\n|---|---|---|\n| Article 1 | Article 2(1) | – |\n| Article 3, point (b) | Articles 5 to 7 | split |';
    expect(cited(text)).toEqual([
      'Article 1 of 32001L0005',
      'Article 2(1) of 32031R0077',
      'Article 3, point (b) of 32001L0005',
      'Articles 5 to 7 of 32031R0077',
    ]);
  });

  it.each([
    'Article 1240 of the Civil Code applies.',
    'Art. 12 des Mietgesetzes regelt das.',
    'L’article 9 du code de la route s’applique.',
    'Artículo 7 de la Ley de Costas.',
    'Artikel 6 van de Wet milieubeheer.',
    'Zgodnie z art. 15 ustawy o odpadach.',
    'Article 6 ECHR guarantees it.',
  ])('leaves out articles of other laws: %s', (text) => {
    expect(cited(text)).toEqual([]);
  });

  it.each([
    ['Articles 5 to 7 of Regulation (EU) 2031/77', '5 to 7'],
    ['Artikel 12 bis 15 der Verordnung (EU) 2031/77', '12 to 15'],
    ['gli articoli da 1 a 3 del regolamento (UE) 2031/77', '1 to 3'],
    ['los artículos 5 a 7 del Reglamento (UE) 2031/77', '5 to 7'],
    ['de artikelen 5 tot en met 7 van Verordening (EU) 2031/77', '5 to 7'],
    ['art. 5–7 rozporządzenia (UE) 2031/77', '5 to 7'],
  ])('keeps a range together: %s', (text, range) => {
    expect(cited(`Under ${text}.`)).toEqual([`Articles ${range} of 32031R0077`]);
  });

  it('names no act where two are possible', () => {
    expect(cited('Directive 2001/5/EC and Directive 2002/9/EC differ. Article 4 binds.')).toEqual([
      'Article 4 of undefined',
    ]);
  });
});
