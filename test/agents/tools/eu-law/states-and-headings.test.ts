import { expect, it } from 'vitest';
import { euCitations } from '../../../../agents/tools/eu-law/citations.ts';
import { findDeadlines } from '../../../../agents/tools/eu-law/find-deadlines.ts';

const documentOf = (text: string) => [{ message: 0, text }];
const articlesOf = (text: string) =>
  (
    euCitations.run(documentOf(text)) as unknown as { result: { articles: { items: { normalised: string }[] } } }
  ).result.articles.items.map(({ normalised }) => normalised);

it.each([
  'Records shall be kept for a period of 10 years after 4 May 2026.',
  'The file is retained for at least 5 years from 4 May 2026.',
  'The power is conferred on the Commission for a period of five years from 4 May 2026.',
  'Die Unterlagen werden nach dem 4. Mai 2026 für eine Frist von 10 Jahren ab Lieferung aufbewahrt.',
  'Les pièces sont conservées pendant un délai de 5 ans à compter du 4 mai 2026.',
])('does not report a retention period or a term as a deadline: %s', (text) => {
  expect(findDeadlines(documentOf(text), [])).toEqual([]);
});

it.each([
  ['The reply shall be sent within two months of 4 May 2026.', '2026-07-06'],
  ['Kept records aside, the reply shall be sent within two months of 4 May 2026.', '2026-07-06'],
])('computes a time limit: %s', (text, lastDay) => {
  expect(findDeadlines(documentOf(text), [])[0]?.end?.lastDay).toBe(lastDay);
});

it('does not report the heading of an article as a citation', () => {
  expect(articlesOf('Some text.\n\nArticle 5\n\nDuties\n\nArticle 7 applies to importers.\n')).toEqual(['Article 7']);
});
