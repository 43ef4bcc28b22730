/** Reads the Markdown files of this repository: their headings, links and fenced code blocks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Page {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface CodeBlock {
  /** First word after the fence: `sh`, `ts`, `json`, `text`, …; empty if there is none. */
  readonly language: string;
  /** What follows the language, such as `run`. */
  readonly flags: readonly string[];
  readonly code: string;
  /** Line number of the opening fence, from 1. */
  readonly line: number;
}

const skippedFolders = new Set([
  'node_modules',
  'build',
  'coverage',
  '.git',
  '.cloister',
  'findings',
  'corpus',
  'documents',
]);

/** @param options.except beginnings of paths to leave out */
export function markdownPages({ except = [] }: { except?: readonly string[] } = {}): Page[] {
  return listMarkdown(root)
    .map((file) => relative(root, file))
    .filter((path) => !except.some((beginning) => path.startsWith(beginning)))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function listMarkdown(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listMarkdown(join(folder, entry.name));
    return entry.isFile() && entry.name.endsWith('.md') ? [join(folder, entry.name)] : [];
  });
}

export function codeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const fence = /^ *```([^\n]*)\n(.*?)^ *```$/gms;
  for (const { 1: info, 2: code, index } of text.matchAll(fence)) {
    const [language = '', ...flags] = info!.trim().split(/\s+/);
    blocks.push({ language, flags, code: code!, line: text.slice(0, index).split('\n').length });
  }
  return blocks;
}

/** The text without its code blocks and code spans; lines stay where they are. */
export function proseOf(text: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(/^ *```.*?^ *```$/gms, blank).replaceAll(/`[^`\n]*`/g, blank);
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  const blank = (code: string) => code.replaceAll(/[^\n]/g, ' ');
  for (const [, heading] of text.replaceAll(/^ *```.*?^ *```$/gms, blank).matchAll(/^#{1,6} +(.*)$/gm)) {
    const words = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}
