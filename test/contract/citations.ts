/** Which files cite which rows of the contract. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../architecture/sources.ts';
import { repositoryFiles } from './files.ts';

export interface Citation {
  readonly id: string;
  /** Path from the root of the repository. */
  readonly path: string;
  /** Whether the citation is in a test, below the comment that opens the file: such a test verifies the row. */
  readonly holds: boolean;
}

/** An id or a range of ids. The lookahead leaves out cases of the Court of Justice, such as `C-311/18`. */
const citation = /\b([CI])-(\d{3})(?:\s*(?:to|…|–)\s*\1-(\d{3}))?(?![\d/])/g;
const openingComment = /^\/\*\*[\s\S]*?\*\//;

export function readCitations(): readonly Citation[] {
  return repositoryFiles().flatMap((path) => citationsOf(path, readFileSync(join(root, path), 'utf8')));
}

export function citationsOf(path: string, text: string): readonly Citation[] {
  const isTest = path.startsWith('test/') && path.endsWith('.test.ts');
  const opening = openingComment.exec(text)?.[0].length ?? 0;
  return [...text.matchAll(citation)].flatMap(({ index, 1: surface, 2: first, 3: last }) =>
    range(Number(first), Number(last ?? first)).map((number) => ({
      id: `${surface}-${String(number).padStart(3, '0')}`,
      path,
      holds: isTest && index >= opening,
    })),
  );
}

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: Math.max(1, last - first + 1) }, (_, offset) => first + offset);
