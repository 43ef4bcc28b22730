/** Reads the sentences in the sources of this repository: comments, and the titles of tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../architecture/sources.ts';
import { root } from './markdown.ts';

export interface SourceProse {
  /** Path from the root of the repository, with slashes. */
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

const folders = [
  ...['native', 'models', 'runtime', 'agents', 'attestation', 'accounts', 'server', 'compute', 'image', 'cli'],
  ...['bench', 'examples', 'test'],
];
const comment = /^\s*(?:\/\*\*?|\*|\/\/)\s?(.*)$|\S\s+\/\/ (.*)$/;
const title = /\b(?:it|describe)\b(?:\.\w+)*\(\s*(['"`])(.*?)\1|^\s*\]\)\((['"`])(.*?)\3/;

/** @param options.except beginnings of paths to leave out */
export function sourceProse({ except = [] }: { except?: readonly string[] } = {}): SourceProse[] {
  return folders
    .flatMap((folder) => filesBelow(folder, /\.(?:ts|mjs|cc|h)$/))
    .filter((path) => !except.some((beginning) => path.startsWith(beginning)))
    .map((path) => ({ path, lines: proseLines(readFileSync(join(root, path), 'utf8')) }));
}

function proseLines(source: string): { line: number; text: string }[] {
  return source.split('\n').flatMap((text, index) => {
    const [, whole, trailing] = comment.exec(text) ?? [];
    const [, , named, , eachNamed] = title.exec(text) ?? [];
    const prose = whole ?? trailing ?? named ?? eachNamed;
    return prose === undefined ? [] : [{ line: index + 1, text: prose.replaceAll(/`[^`]*`/g, '') }];
  });
}
