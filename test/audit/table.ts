/** The table of docs/audit/README.md, read: one row per finding, factor and defence of our own. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = normalize(join(import.meta.dirname, '../..'));

export interface AuditRow {
  /** The items that the first cell names; items with the same answer share a row. */
  readonly ids: readonly string[];
  readonly claim: string;
  readonly defence: string;
  /** The test that fails without the defence, if the row applies. */
  readonly test: { readonly file: string; readonly title: string } | undefined;
  /** The reason why the row does not apply or has no defence. */
  readonly reason: string | undefined;
}

/** @param text of the page */
export function readAuditTable(text = readFileSync(join(root, 'docs/audit/README.md'), 'utf8')): AuditRow[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '))
    .map((cells) => {
      if (cells.length !== 4) throw new Error(`a row has ${cells.length} cells: ${cells[0]}`);
      const [ids, claim, defence, proof] = cells as [string, string, string, string];
      const test = /^`([^`]+\.test\.ts)` › (.+)$/.exec(proof);
      return {
        ids: [...ids.matchAll(/`([^`]+)`/g)].map(([, id]) => id!),
        ...{ claim, defence },
        test: test === null ? undefined : { file: `test/${test[1]}`, title: test[2]! },
        reason: test === null ? proof : undefined,
      };
    });
}

/** Whether a test file has a test of this title, written out or as a template and a row that fills it. */
export function hasTest({ file, title }: { file: string; title: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const texts = [path, ...importedSupport(path)].map((one) => readFileSync(one, 'utf8'));
  const own = texts[0]!;
  if (literals(own).has(title)) return true;
  const known = new Set(texts.flatMap((text) => [...literals(text)]));
  return [...literals(own)].some((template) => {
    if (!/%[sji]|\$[a-z]/.test(template)) return false;
    const filled = new RegExp(`^${escaped(template).replace(/%[sji]|\\\$[a-z]+/g, '(.+)')}$`).exec(title);
    return filled?.slice(1).every((label) => known.has(label) || known.has(label.replaceAll('"', ''))) ?? false;
  });
}

/** Every quoted text of a source file. */
function literals(source: string): Set<string> {
  const found = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g);
  return new Set([...found].map(([, single, double, template]) => single ?? double ?? template ?? ''));
}

/** The cases of a table are often in test/support. */
function importedSupport(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(/from '(\.[^']*support\/[^']+)'/g);
  return [...imports].map(([, name]) => join(dirname(path), name!));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
