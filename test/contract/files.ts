/** The files of the repository that may cite a row of the contract. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../architecture/sources.ts';

/** Folders of files that others wrote or that the build writes; hidden ones hold tools' files and local state. */
const outside = /^(\..*|build|coverage|dist|node_modules)$/;
const demoModels = join('models', 'demo');
const citing = /\.(ts|mjs|md|cc|h|json|sh)$/;

/** @returns paths from the root of the repository, sorted */
export function repositoryFiles(folder = root): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isOutside(entry.name, path) ? [] : repositoryFiles(path);
      return entry.isFile() && citing.test(entry.name) ? [relative(root, path)] : [];
    })
    .sort();
}

const isOutside = (name: string, path: string): boolean =>
  outside.test(name) || relative(root, path).startsWith(demoModels);
