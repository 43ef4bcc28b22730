/** Wording of advertisements and rules that prefers or excludes people, and near misses. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findWordings } from '../../../../agents/tools/hr/wording.ts';

const wordingsIn = (text: string) =>
  findWordings(parseDocument({ message: 0, text: `Vacancy\n\n${text}\n` })).map(
    ({ ground, phrase }) => `${ground}: ${phrase}`,
  );

describe('wordings', () => {
  it.each<[string, string[]]>([
    ['We are looking for a digital native.', ['age: digital native']],
    ['Candidates under 40 only.', ['age: under 40']],
    ['Wir suchen eine Kellnerin bis 30 Jahre.', ['age: bis 30 Jahre', 'sex: Kellnerin']],
    ['Native Dutch speakers only.', ['origin: Native Dutch speakers only']],
    ['Se busca persona joven sin hijos.', ['age: persona joven', 'pregnancy: sin hijos']],
    ['Women must wear skirts in the shop.', ['sex: Women must wear skirts']],
    ['Headscarves are not permitted at the counter.', ['religion: Headscarves']],
  ])('are found: %s', (text, expected) => {
    expect(wordingsIn(text).sort()).toEqual(expected);
  });

  it.each([
    'We welcome applications regardless of age, sex or religion.',
    'Wir suchen Verkäufer/in (m/w/d) für unseren Laden.',
    'We do not print words such as "salesman wanted" or "under 30s".',
    'Applicants over 18 only, because you will serve alcohol.',
    'Being a woman is an occupational requirement under Schedule 9: female support worker wanted.',
    'We are a young company, founded in 2022.',
  ])('are not found: %s', (text) => {
    expect(wordingsIn(text)).toEqual([]);
  });

  it('are not searched for in documents that are neither advertisements nor rules', () => {
    expect(findWordings(parseDocument({ message: 0, text: 'The waitress called him too old.' }))).toEqual([]);
  });
});
