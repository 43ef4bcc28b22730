/** The documentation's site: its sidebar and its links. `npm run docs` builds the site itself. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { linkOnSite } from '../../docs/site/links.ts';
import { type SidebarEntry, sidebarOf } from '../../docs/site/sidebar.ts';
import { markdownPages } from './markdown.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('the sidebar', () => {
  const sidebar = sidebarOf(root);
  const leaves = (entries: readonly SidebarEntry[]): SidebarEntry[] =>
    entries.flatMap((entry) => (entry.items === undefined ? [entry] : leaves(entry.items)));

  it('has the groups of docs/README.md, and their groups of readers', () => {
    expect(sidebar.map(({ text }) => text)).toEqual(['Tutorial', 'How-to guides', 'Reference', 'Explanation']);
    expect(sidebar[1]?.items.map(({ text }) => text)).toEqual(['For tenants', 'For operators']);
  });

  it('leads only to Markdown files and folders that exist', () => {
    const all = sidebar.flatMap(({ items }) => leaves(items));
    expect(all.length).toBeGreaterThan(30);
    const missing = all.filter(({ link = '' }) => !existsSync(`${root}${link}.md`) && !existsSync(`${root}${link}`));
    expect(missing).toEqual([]);
  });
});

it('no line of a page begins with a placeholder such as <id>, which the site takes for an element', () => {
  const pages = markdownPages().filter(({ path }) => path.startsWith('docs/') && !path.startsWith('docs/site/'));
  expect(pages.length).toBeGreaterThan(50);
  const isPlaceholder = /^<(?!\/|details|summary|img|p|br|a |picture|source|div)[a-z]/m;
  const withoutCode = pages.map(({ path, text }) => ({ path, text: text.replace(/^ *```.*?^ *```$/gms, '') }));
  expect(withoutCode.filter(({ text }) => isPlaceholder.test(text)).map(({ path }) => path)).toEqual([]);
});

describe('a link', () => {
  const link = (href: string, sources?: string) =>
    linkOnSite(href, 'docs/how-to/deploy.md', { root, isPage: (path) => !path.startsWith('test/'), sources });

  it.each([
    ['https://example.com/a#b', 'https://example.com/a#b'],
    ['#models', '#models'],
    ['operate.md#upgrade', 'operate.md#upgrade'],
    ['../README.md', '../index.md'],
    ['../../compute/', '../../compute/index.md'],
  ])('to a page stays a link: %s', (href, expected) => {
    expect(link(href)).toBe(expected);
  });

  it.each(['../../deploy/systemd/', '../../test/docs/site.test.ts', '../../test/README.md'])(
    'to a source leads to where sources can be read, or nowhere: %s',
    (href) => {
      expect(link(href)).toBeUndefined();
      const path = href.replace('../../', '');
      expect(link(href, 'https://host/blob/main/')).toBe(`https://host/blob/main/${path}`);
    },
  );
});
