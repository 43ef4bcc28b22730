import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findCases, findEclis } from '../../../../agents/tools/eu-law/case-citations.ts';
import { findCelex } from '../../../../agents/tools/eu-law/celex.ts';
import { findElis, findJournals } from '../../../../agents/tools/eu-law/journal-citations.ts';
import { readLaw } from '../../../../agents/tools/eu-law/read-law.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const acts = (text: string) => readLaw(parseDocument(documentOf(text))).acts;
const articles = (text: string) => readLaw(parseDocument(documentOf(text))).articles;

describe('CELEX numbers', () => {
  it.each([
    ['32016R0679', '3', 2016, 'regulation'],
    ['31995L0046', '3', 1995, 'directive'],
    ['32010D0087', '3', 2010, 'decision'],
    ['02016R0679-20160504', '0', 2016, 'regulation'],
    ['32016R0679R(02)', '3', 2016, 'regulation'],
    ['62018CJ0311', '6', 2018, 'judgment of the Court of Justice'],
    ['62012CC0293', '6', 2012, 'opinion of the Advocate General'],
    ['52021PC0206', '5', 2021, 'proposal of the Commission (COM)'],
    ['22021A0430(01)', '2', 2021, 'agreement with non-member states'],
    ['12016E101', '1', 2016, 'Treaty on the Functioning of the European Union (EC Treaty before 2009)'],
    ['12016M/TXT', '1', 2016, 'Treaty on European Union'],
    ['12016P047', '1', 2016, 'Charter of Fundamental Rights'],
  ])('reads %s', (celex, sector, year, typeName) => {
    expect(findCelex(celex)).toMatchObject([{ celex, sector, year, typeName }]);
  });

  it.each(['32016R679', '32016X', '3216R0679', '32016Z0679', 'A32016R0679', '32016R06791', '62018XX0311'])(
    'refuses %s',
    (text) => {
      expect(findCelex(text)).toEqual([]);
    },
  );

  it('returns the date of a consolidated version', () => {
    expect(findCelex('02016R0679-20160504')).toMatchObject([{ consolidated: '2016-05-04' }]);
  });
});

describe('acts', () => {
  it.each([
    ['Regulation (EU) 2016/679', '32016R0679', 'Regulation (EU) 2016/679'],
    ['Council Regulation (EEC, Euratom) No 1182/71', '31971R1182', 'Regulation (EEC, Euratom) No 1182/71'],
    ['Regulation (EC) No 1/2003', '32003R0001', 'Regulation (EC) No 1/2003'],
    ['Regulation 2016/679', '32016R0679', 'Regulation 2016/679'],
    ['Regulation No 1/2003', '32003R0001', 'Regulation No 1/2003'],
    ['Regulation (EC) No 659/1999', '31999R0659', 'Regulation (EC) No 659/1999'],
    ['Commission Implementing\nDecision (EU) 2021/914', '32021D0914', 'Implementing Decision (EU) 2021/914'],
    ['Council Regulation (EEC) No 4064/89', '31989R4064', 'Regulation (EEC) No 4064/89'],
    ['Regulation (EC) No 1998/2006', '32006R1998', 'Regulation (EC) No 1998/2006'],
    ['Regulation (EC) 1049/2001', '32001R1049', 'Regulation (EC) No 1049/2001'],
    ['Directive 95/46/EC', '31995L0046', 'Directive 95/46/EC'],
    ['Directive 2014/24/EU', '32014L0024', 'Directive 2014/24/EU'],
    ['Directive (EU) 2022/2555', '32022L2555', 'Directive (EU) 2022/2555'],
    ['Commission Decision 2010/87/EU', '32010D0087', 'Decision 2010/87/EU'],
    ['Decision No 1313/2013/EU', '32013D1313', 'Decision No 1313/2013/EU'],
    ['Council Framework Decision 2002/584/JHA', '32002F0584', 'Framework Decision 2002/584/JHA'],
    ['Commission Implementing Regulation (EU) 2024/2690', '32024R2690', 'Implementing Regulation (EU) 2024/2690'],
    ['Commission Delegated Regulation (EU) 2024/1774', '32024R1774', 'Delegated Regulation (EU) 2024/1774'],
    ['Verordnung (EU) 2016/679', '32016R0679', 'Regulation (EU) 2016/679'],
    ['Richtlinie 95/46/EG', '31995L0046', 'Directive 95/46/EC'],
    ['règlement (UE) 2016/679', '32016R0679', 'Regulation (EU) 2016/679'],
    ['règlement (CE) n° 139/2004', '32004R0139', 'Regulation (EC) No 139/2004'],
    ['nařízení (EU) 2022/2554', '32022R2554', 'Regulation (EU) 2022/2554'],
    ['nařízení Rady (ES) č. 139/2004', '32004R0139', 'Regulation (EC) No 139/2004'],
    ['směrnice 2003/88/ES', '32003L0088', 'Directive 2003/88/EC'],
  ])('reads %s as %s', (text, celex, normalised) => {
    const found = acts(`see ${text}.`);
    expect(found).toMatchObject([{ celex, normalised }]);
  });

  it('recognises short names, but not words that also have another meaning', () => {
    expect(acts('under the GDPR, the DSGVO and NIS 2').map(({ celex }) => celex)).toEqual([
      '32016R0679',
      '32016R0679',
      '32022L2555',
    ]);
    expect(acts('a LED lamp; 500 TEU of freight; MAR 2026')).toEqual([]);
    expect(acts('Article 102 TFEU and Article 4(3) TEU').map(({ celex }) => celex)).toEqual(['12016E', '12016M']);
  });

  it.each([
    'Regulation 12/13',
    'Regulation of 2016',
    'Decision 5/6/7',
    'Decision 45/2019 of the board',
    'Recommendation 3/2020',
    'directive voice 3/4',
  ])('finds no citation in %s', (text) => {
    expect(acts(text)).toEqual([]);
  });

  it('distinguishes delegated from implementing acts', () => {
    expect(acts('Commission Delegated Regulation (EU) 2024/1774')).toMatchObject([{ rank: 'delegated' }]);
    expect(acts('Durchführungsverordnung (EU) 2024/2690')).toMatchObject([{ rank: 'implementing' }]);
    expect(acts('règlement d’exécution (UE) 2024/2690')).toMatchObject([{ rank: 'implementing' }]);
  });
});

describe('articles', () => {
  it.each([
    ['Article 6(1)(f) GDPR', 'Article 6(1), point (f)', '32016R0679'],
    ['Article 6(1), point (f), of Regulation (EU) 2016/679', 'Article 6(1), point (f)', '32016R0679'],
    [
      'Article 6(1), first subparagraph, point (c), of the GDPR',
      'Article 6(1), first subparagraph, point (c)',
      '32016R0679',
    ],
    ['Art. 6 Abs. 1 UAbs. 1 lit. f DSGVO', 'Article 6(1), first subparagraph, point (f)', '32016R0679'],
    ['article 6, paragraphe 1, point f), du RGPD', 'Article 6(1), point (f)', '32016R0679'],
    ['čl. 6 odst. 1 písm. f) GDPR', 'Article 6(1), point (f)', '32016R0679'],
    ['Article 101 TFEU', 'Article 101', '12016E'],
    ['recital 47 of the GDPR', 'recital 47', '32016R0679'],
    ['Annex III, point 5, to Regulation (EU) 2024/1689', 'Annex III, point (5)', '32024R1689'],
    [
      'Article 23(4), points (a), (b) and (d), of Directive (EU) 2022/2555',
      'Article 23(4), points (a), (b) and (d)',
      '32022L2555',
    ],
    ['Article 5(1)(a)(ii) of Directive 2014/24/EU', 'Article 5(1), point (a)(ii)', '32014L0024'],
  ])('reads %s', (text, normalised, act) => {
    expect(articles(`Under ${text} the`)).toMatchObject([{ normalised, act }]);
  });

  it('assigns the act of the last article to every article of a list', () => {
    expect(articles('Articles 13, 14 and 15 of the GDPR').map(({ number, act }) => [number, act])).toEqual([
      ['13', '32016R0679'],
      ['14', '32016R0679'],
      ['15', '32016R0679'],
    ]);
  });

  it('assigns an article to the act named directly before it', () => {
    expect(articles('Regulation (EU) 2016/679, Article 6(1)')).toMatchObject([{ act: '32016R0679' }]);
  });

  it('assigns no act if none is next to the article', () => {
    expect(articles('Article 5 applies. The GDPR is older.')[0]).not.toHaveProperty('act');
  });
});

describe('cases and ECLI', () => {
  it.each([
    ['Case C-311/18', 'C-311/18', '62018CJ0311'],
    ['C\u2011293/12', 'C-293/12', '62012CJ0293'],
    ['Case T-201/04', 'T-201/04', '62004TJ0201'],
    ['order in Case C-441/17 R', 'C-441/17 R', '62017CO0441'],
    ['Opinion in Case C-311/18', 'C-311/18', '62018CC0311'],
    ['Case 26/62', '26/62', '61962CJ0026'],
    ['Rechtssache C-171/03', 'C-171/03', '62003CJ0171'],
  ])('reads %s', (text, number, celex) => {
    expect(findCases(`In ${text}, the`)).toMatchObject([{ number, celex }]);
  });

  it('reads both cases of joined cases', () => {
    expect(findCases('Joined Cases C-293/12 and C-594/12').map(({ number }) => number)).toEqual([
      'C-293/12',
      'C-594/12',
    ]);
  });

  it.each([
    ['ECLI:EU:C:2020:559', 'ECLI:EU:C:2020:559', 'Court of Justice'],
    ['EU:C:2004:714', 'ECLI:EU:C:2004:714', 'Court of Justice'],
    ['ECLI:EU:T:2007:289', 'ECLI:EU:T:2007:289', 'General Court'],
    ['ECLI:DE:BGH:2019:280519UIZR81.18.0', 'ECLI:DE:BGH:2019:280519UIZR81.18.0', undefined],
    ['ECLI:CE:ECHR:2008:1204JUD003056204', 'ECLI:CE:ECHR:2008:1204JUD003056204', 'European Court of Human Rights'],
  ])('reads %s', (text, ecli, courtName) => {
    expect(findEclis(`(${text}).`)).toMatchObject([{ ecli, ...(courtName === undefined ? {} : { courtName }) }]);
  });

  it.each(['ECLI:EU:C:20:559', 'DE:BGH:2019:1', 'ECLI:EUR:C:2020:559', 'ECLI:EU:TOOLONGX:2020:1'])(
    'refuses %s',
    (text) => {
      expect(findEclis(text)).toEqual([]);
    },
  );
});

describe('the Official Journal', () => {
  it.each([
    ['OJ L 119, 4.5.2016, p. 1', 'OJ L 119, 4.5.2016, p. 1', '2016-05-04'],
    ['OJ L, 2024/1689, 12.7.2024', 'OJ L, 2024/1689, 12.7.2024', '2024-07-12'],
    ['OJ C 326, 26.10.2012, p. 47-390', 'OJ C 326, 26.10.2012, p. 47–390', '2012-10-26'],
    ['ABl. L 119 vom 4.5.2016, S. 1', 'OJ L 119, 4.5.2016, p. 1', '2016-05-04'],
    ['JO L 119 du 4.5.2016, p. 1', 'OJ L 119, 4.5.2016, p. 1', '2016-05-04'],
    ['Úř. věst. L 119, 4.5.2016, s. 1', 'OJ L 119, 4.5.2016, p. 1', '2016-05-04'],
    ['OJ L 119 of 4 May 2016, p. 1', 'OJ L 119, 4.5.2016, p. 1', '2016-05-04'],
    ['OJ 1995 L 281, p. 31', 'OJ L 281, p. 31', undefined],
  ])('reads %s', (text, normalised, date) => {
    expect(findJournals(`(${text})`)).toMatchObject([{ normalised, ...(date === undefined ? {} : { date }) }]);
  });

  it('reads ELI identifiers', () => {
    expect(findElis('http://data.europa.eu/eli/reg/2016/679/oj')).toMatchObject([
      { eli: 'eli/reg/2016/679/oj', celex: '32016R0679' },
    ]);
  });
});
