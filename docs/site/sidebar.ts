/** The sidebar of the documentation's site: what `docs/README.md` lists, in its order. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface SidebarGroup {
  readonly text: string;
  readonly items: SidebarEntry[];
}

export interface SidebarEntry {
  readonly text: string;
  /** A path on the site, such as `/docs/how-to/install`; groups have none. */
  readonly link?: string;
  readonly items?: SidebarEntry[];
}

/**
 * In `docs/README.md`, a heading starts a group, and a line such as `For tenants:` a group within it. A folder without a README
 * is a group of its pages, the newest first.
 * @param root the repository's folder, with a slash at its end
 */
export function sidebarOf(root: string): SidebarGroup[] {
  const readme = readFileSync(`${root}docs/README.md`, 'utf8');
  const groups: SidebarGroup[] = [];
  let entries: SidebarEntry[] = [];
  for (const line of readme.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1];
    const subheading = /^(For .+):$/.exec(line)?.[1];
    if (heading !== undefined) {
      entries = [];
      groups.push({ text: heading, items: entries });
    } else if (subheading !== undefined) {
      const items: SidebarEntry[] = [];
      groups.at(-1)?.items.push({ text: subheading, items });
      entries = items;
    } else {
      for (const [, text = '', href = ''] of line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)) {
        entries.push({ text: capitalized(text.replaceAll('`', '')), ...target(root, href) });
      }
    }
  }
  return groups;
}

/** From `docs/`, `../attestation/PACKAGE.md` is `/attestation/PACKAGE`; a `README.md` is its folder. */
function target(root: string, href: string): Pick<SidebarEntry, 'link' | 'items'> {
  const path = new URL(href, 'file:///docs/').pathname;
  if (!path.endsWith('/') || existsSync(`${root}${path}README.md`))
    return { link: path.replace(/(?:README)?\.md$/, '') };
  const pages = readdirSync(`${root}${path}`).filter((name) => name.endsWith('.md'));
  return {
    items: pages
      .sort()
      .reverse()
      .map((name) => ({
        text: /^# (.+)$/m.exec(readFileSync(`${root}${path}${name}`, 'utf8'))?.[1] ?? name,
        link: `${path}${name.replace(/\.md$/, '')}`,
      })),
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
