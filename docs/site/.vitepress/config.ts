/**
 * The documentation as a site: `npm run docs` writes it to `docs/site/.vitepress/dist`. Its pages are the Markdown files of the
 * whole repository, where they are, and its sidebar is what `docs/README.md` lists. A link to a page that does not exist
 * fails the build.
 */
import { matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withMermaid } from 'vitepress-plugin-mermaid';
import { linkOnSite } from '../links.ts';
import { sidebarOf } from '../sidebar.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const packages = fileURLToPath(new URL('../node_modules/', import.meta.url));

/** Markdown files that are not documentation. */
const excluded = [
  '**/node_modules/**',
  '.*/**',
  'agents/*/prompt.md',
  'bench/agents-quality/**',
  'bench/build/**',
  'bench/peers/**',
  'native/build/**',
  'release/**',
  'test/**',
];
const links = {
  root,
  isPage: (path: string) => !excluded.some((glob) => matchesGlob(path, glob)),
  sources: process.env.DOCS_SOURCES,
};

export default withMermaid({
  title: 'Cloister',
  description: 'Inference in confidential virtual machines, with proof of the code and the weights that answer',
  lang: 'en',
  srcDir: '../..',
  srcExclude: excluded,
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, '$1index.md'),
  markdown: {
    config(markdown) {
      markdown.core.ruler.push('links-of-the-repository', ({ tokens, env }) => {
        for (const { children } of tokens) rewriteLinks(children ?? [], env.relativePath);
      });
    },
  },
  // The pages import Vue, and are not below the folder with its package.
  vite: {
    build: { chunkSizeWarningLimit: 2_000 },
    resolve: {
      alias: [
        { find: /^vue$/, replacement: `${packages}vue/dist/vue.runtime.esm-bundler.js` },
        {
          find: /^vue\/server-renderer$/,
          replacement: `${packages}@vue/server-renderer/dist/server-renderer.esm-bundler.js`,
        },
      ],
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Architecture', link: '/ARCHITECTURE' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: sidebarOf(root),
  },
});

interface Token {
  type: string;
  tag: string;
  attrs: [string, string][] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/** A link that leads nowhere becomes plain text. */
function rewriteLinks(tokens: Token[], page: string): void {
  let isText = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const link = linkOnSite(token.attrGet('href') ?? '', page, links);
      isText = link === undefined;
      if (link !== undefined) token.attrSet('href', link);
      else Object.assign(token, { tag: 'span', attrs: null });
    } else if (token.type === 'link_close' && isText) {
      token.tag = 'span';
    }
  }
}
