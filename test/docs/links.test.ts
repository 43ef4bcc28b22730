/** Links between the Markdown files lead somewhere, and the files that pages name exist. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, markdownPages, proseOf, root } from './markdown.ts';

const pages = markdownPages();

describe.each(pages)('$path', ({ path, text }) => {
  it('has no relative link to a missing file or anchor', () => {
    const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
    const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
    expect(relative.filter((target) => !leadsSomewhere(path, target))).toEqual([]);
  });
});

// Decisions and the changelog name files as they were called at the time; test/audit/ checks the files of the audit.
describe.each(markdownPages({ except: ['docs/decisions/', 'docs/audit/', 'CHANGELOG.md'] }))(
  '$path',
  ({ path, text }) => {
    it('names no source file that does not exist', () => {
      const rooms =
        'accounts|agents|attestation|bench|cli|compute|docs|examples|image|models|native|runtime|server|test';
      const named = [...text.matchAll(new RegExp(`\`((?:${rooms})/[\\w./-]+)\``, 'g'))].map(([, file]) => file!);
      const written = named.filter((file) => /\.(ts|mjs|cc|h|md|json|sh|txt)$/.test(file));
      const known = (file: string) =>
        ['', dirname(path), 'test'].some((folder) => existsSync(join(root, folder, file)));
      expect(written.filter((file) => !known(file))).toEqual([]);
    });
  },
);

describe('docs/README.md', () => {
  it('links every page of the documentation', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const wanted = pages
      .map(({ path }) => path)
      .filter((path) => /^docs\/(tutorial|how-to|reference|explanation|audit)\/|^docs\/glossary/.test(path))
      .map((path) => path.slice('docs/'.length));
    expect(wanted.filter((path) => !index.includes(`](${path})`))).toEqual([]);
  });
});

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), decodeURIComponent(file)));
  if (path.startsWith('..') || !existsSync(join(root, path))) return false;
  if (anchor === undefined) return true;
  if (statSync(join(root, path)).isDirectory()) return false;
  return anchorsOf(readFileSync(join(root, path), 'utf8')).has(anchor);
}
