/** Facts that a document does not confirm are left out with the reason; their certain twins are reported. */
import { describe, expect, it } from 'vitest';
import { euCitations } from '../../../../agents/tools/eu-law/citations.ts';
import { euDeadlines } from '../../../../agents/tools/eu-law/find-deadlines.ts';
import { euInForce } from '../../../../agents/tools/eu-law/in-force.ts';

const run = (tool: typeof euDeadlines, text: string) => tool.run([{ message: 0, text }]);
const resultOf = (tool: typeof euDeadlines, text: string) =>
  run(tool, text).result as unknown as Record<string, { items: Record<string, unknown>[] } & { because: string }[]>;

describe('a fixed date', () => {
  const fixed = (text: string) => {
    const { fixedDates, left_out: left } = resultOf(euDeadlines, text);
    return [fixedDates!.items.map(({ date }) => date), left!.map(({ because }) => because)];
  };
  const because = 'something lasts until that day, and their sentence obliges nobody';

  it.each([
    'The consultation portal opens until 30 June 2032.',
    'Le portail accueille les visiteurs jusqu’au 30 juin 2032.',
  ])('is left out if something lasts until it: %s', (text) => expect(fixed(text)).toEqual([[], [because]]));

  it.each([
    'Operators must answer until 30 June 2032.',
    'The report is sent by 30 June 2032.',
    'Die Mitgliedstaaten übermitteln bis zum 30. Juni 2032 einen Bericht.',
  ])('is reported if something is to be done by it: %s', (text) => expect(fixed(text)).toEqual([['2032-06-30'], []]));

  it('is left out with a line of the digest', () => {
    expect(run(euDeadlines, 'The consultation portal opens until 30 June 2032.').digest[0]).toBe(
      `1 fact was left out, because ${because}`,
    );
  });
});

describe('a period in days', () => {
  const lengths = (text: string) => {
    const { deadlines, left_out: left } = resultOf(euDeadlines, text);
    return [deadlines!.items.map(({ length }) => length), left!.length];
  };

  it('is left out if the word behind it may name the kind of days', () => {
    expect(lengths('The operator must reply within 10 days blobwise after receipt of the request.')).toEqual([[], 1]);
    expect(lengths('The operator must reply within 10 days after receipt of the request.')).toEqual([['10 days'], 0]);
    expect(lengths('La respuesta se dará en el plazo de diez días contados a partir de la notificación.')).toEqual([
      ['10 days'],
      0,
    ]);
  });
});

const head = [
  'REGULATION (EU) 2027/418 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL',
  'of 24 February 2027',
  'on the traceability of recycled water',
  '',
  'HAVE ADOPTED THIS REGULATION:',
  '',
  'Article 1',
  'Scope',
  '',
].join('\n');

describe('a day of application', () => {
  const applications = (text: string) => {
    const { dates, left_out: left } = resultOf(euInForce, head + text);
    return [dates!.items.map(({ date }) => date), left!.map(({ because }) => because)];
  };

  it('is left out if the whole act has another one before', () => {
    expect(applications('It shall apply from 1 October 2028. Yet Blobs 5 shall apply from 1 April 2027.')).toEqual([
      ['2028-10-01'],
      ['the document gives the act another day before'],
    ]);
  });

  it('is reported for an article with a day of its own', () => {
    expect(
      applications('It shall apply from 1 October 2028. However, Article 5 shall apply from 1 April 2027.'),
    ).toEqual([['2028-10-01', '2027-04-01'], []]);
  });
});

describe('the act of an article', () => {
  const articles = (text: string) => {
    const { articles: found, acts_left_out: left } = resultOf(euCitations, head + text);
    return [found!.items.map(({ number, act }) => [number, act]), left!.length];
  };

  it('is not the own act if the article is amended', () => {
    expect(articles('In Article 21, paragraph 4 is deleted.')).toEqual([[['21', undefined]], 1]);
    expect(articles('Under Article 21, the blue list is public.')).toEqual([[['21', '32027R0418']], 0]);
  });

  it('is not the own act if this has no article of the number', () => {
    const text = (number: number) =>
      `The scope is in Article ${number}, and blue.\n\nArticle 2\nDefinitions\n\nBlue is blue.\n`;
    expect(articles(text(21))).toEqual([[['21', undefined]], 1]);
    expect(articles(text(2))).toEqual([[['2', '32027R0418']], 0]);
  });

  it('is not the own act if another act is named in the same phrase', () => {
    expect(articles('Article 21 blobwise thereunto Directive 2014/35/EU is public.')).toEqual([[['21', undefined]], 1]);
  });
});
