/** The pages of the contract agree with the files that cite them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../architecture/sources.ts';
import { citationsOf, readCitations } from './citations.ts';
import { pages, readPage, rowsOf, withTests } from './rows.ts';

const citations = readCitations();
const rows = pages.flatMap((page) => rowsOf(readPage(page)));
const ids = new Set(rows.map(({ id }) => id));
const states = /^(held($|; \S)|(in part|not yet): \S)/;
const bases = /^[FRP]( \(.+\))?( \/ P( \(.+\))?)?$/;

describe('the contract', () => {
  it('has every row once, in ascending order, from the first id to the last', () => {
    const numbered = (surface: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${surface}-${String(index + 1).padStart(3, '0')}`);
    expect(rows.map(({ id }) => id)).toEqual([...numbered('C', 160), ...numbered('I', 82)]);
  });

  it('has a row for every id that any file of the repository cites', () => {
    const unknown = citations.filter(({ id }) => !ids.has(id)).map(({ id, path }) => `${id} in ${path}`);
    expect([...new Set(unknown)]).toEqual([]);
  });

  it('states the requirement, the basis and the state of every row', () => {
    const incomplete = rows.filter(
      (row) => row.requirement === '' || !bases.test(row.basis) || !states.test(row.state),
    );
    expect(incomplete.map(({ id, basis, state }) => ({ id, basis, state }))).toEqual([]);
  });

  it('marks a row as met only if a test cites it', () => {
    const untested = rows.filter(({ state, tests }) => state.startsWith('held') && tests.length === 0);
    expect(untested.map(({ id }) => id)).toEqual([]);
  });

  it.each(pages)('lists in %s the tests that cite each row, as `npm run contract` writes them', (page) => {
    const text = readPage(page);
    const current = rowsOf(withTests(text, citations));
    const outdated = rowsOf(text).filter(({ tests }, index) => tests.join() !== current[index]!.tests.join());
    expect(outdated.map(({ id }) => id)).toEqual([]);
  });

  it.each([...pages, 'docs/contract/README.md'])('has no link from %s to a missing file', (page) => {
    const links = [...readPage(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(root, 'docs/contract', path)))).toEqual([]);
  });

  it('names only tests that exist, and each cites the row', () => {
    const holding = new Set(citations.filter(({ holds }) => holds).map(({ id, path }) => `${id} ${path}`));
    const wrong = rows.flatMap(({ id, tests }) =>
      tests.filter((path) => !existsSync(join(root, path)) || !holding.has(`${id} ${path}`)).map((path) => [id, path]),
    );
    expect(wrong).toEqual([]);
  });
});

describe('a citation', () => {
  const cited = (text: string, path = 'test/a.test.ts') => citationsOf(path, text).map(({ id }) => id);
  const id = (number: string) => `C-${number}`;

  it('is an id or a range of ids', () => {
    expect(cited(`it('${id('010')} to ${id('012')} and ${id('028')}')`)).toEqual(['010', '011', '012', '028'].map(id));
    expect(cited(`(${id('085')}…${id('087')})`)).toEqual(['085', '086', '087'].map(id));
  });

  it('is not the number of a court case', () => {
    expect(cited('Case C-311/18, Schrems II; joined cases C-293/12 and C-594/12')).toEqual([]);
  });

  it('counts for a row only in a test, below the comment at the beginning of the file', () => {
    const text = `/** Rows ${id('001')}. */\nit('${id('002')} …')`;
    const holding = (path: string) => citationsOf(path, text).filter(({ holds }) => holds);
    expect(holding('test/a.test.ts').map((one) => one.id)).toEqual([id('002')]);
    expect([...holding('test/support/a.ts'), ...holding('compute/a.ts')]).toEqual([]);
  });
});
