/** Links of the repository's Markdown files, on the site that is made from them. */
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';

export interface LinkOptions {
  /** The repository's folder, absolute. */
  readonly root: string;
  /** Whether a Markdown file, by its path from the root, is a page of the site. */
  readonly isPage: (path: string) => boolean;
  /** Where sources can be read, such as `https://host/project/blob/v0.2.0/`. */
  readonly sources: string | undefined;
}

/**
 * @param href as written in the Markdown file
 * @param page path of that file, from the root
 * @returns the address on the site, or where the source can be read; undefined if it can be read nowhere
 */
export function linkOnSite(href: string, page: string, { root, isPage, sources }: LinkOptions): string | undefined {
  if (/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(page), path);
  const file = posix.join(root, target);
  const readme = posix.join(target, 'README.md');
  const anchor = fragment === undefined ? '' : `#${fragment}`;
  if (existsSync(file) && statSync(file).isDirectory() && existsSync(posix.join(root, readme)) && isPage(readme)) {
    return `${posix.join(path, 'index.md')}${anchor}`;
  }
  if (target.endsWith('.md') && isPage(target)) return `${path.replace(/(^|\/)README\.md$/, '$1index.md')}${anchor}`;
  return sources === undefined ? undefined : `${new URL(target, sources)}${anchor}`;
}
