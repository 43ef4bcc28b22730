/** The recorded results of the suite `clients`, and the table that `docs/reference/clients.md` shows of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, areas } from './client.ts';

export interface ClientResult {
  readonly client: string;
  /** Name and version in the lock file of the run. */
  readonly package: string;
  readonly version: string;
  /** Whether all checks of an area passed; an area without checks is absent. */
  readonly works: Partial<Readonly<Record<Area, boolean>>>;
}

export const resultsPath = join(import.meta.dirname, 'results.json');
export const pagePath = join(import.meta.dirname, '../../docs/reference/clients.md');

const pypi = 'pypi:';
const markers = { start: '<!-- clients:start -->', end: '<!-- clients:end -->' };
const columns = ['text', 'stream', 'tools', 'typed', 'errors'] as const satisfies readonly Area[];
const titles: Partial<Record<Area, string>> = { typed: 'typed answers', tokens: 'token counts' };
const titleOf = (area: Area): string => titles[area] ?? area;

export function readResults(): readonly ClientResult[] {
  return JSON.parse(readFileSync(resultsPath, 'utf8')) as readonly ClientResult[];
}

export function writeResults(results: readonly ClientResult[]): void {
  writeFileSync(resultsPath, `${JSON.stringify(results, undefined, 2)}\n`);
}

/** @returns the version of a package as `TestedClient` names it · @throws {RangeError} if it is not in the lock file */
export function lockedVersion(name: string): string {
  if (name.startsWith(pypi)) return requiredVersion(name.slice(pypi.length));
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined) throw new RangeError(`${name} is not in test/clients/package-lock.json`);
  return entry.version;
}

function requiredVersion(name: string): string {
  const lines = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8').split('\n');
  const version = lines.find((line) => line.startsWith(`${name}==`))?.split('==')[1];
  if (version === undefined) throw new RangeError(`${name} is not in test/clients/requirements.txt`);
  return version;
}

/** The table in Markdown. */
export function renderTable(results: readonly ClientResult[]): string {
  const header = ['client', 'package', 'version', ...columns.map(titleOf), 'also'];
  const rows = results.map(({ client, package: name, version, works }) => {
    const word = (area: Area) => (works[area] === undefined ? '–' : works[area] ? 'yes' : 'no');
    const also = areas.filter((area) => !(columns as readonly Area[]).includes(area) && works[area]);
    return [
      client,
      `\`${name.replace(pypi, '')}\``,
      version,
      ...columns.map(word),
      also.map(titleOf).join(', ') || '–',
    ];
  });
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page with this table between its markers. @throws {RangeError} if the page has no markers */
export function withTable(page: string, table: string): string {
  const [from, to] = [page.indexOf(markers.start), page.indexOf(markers.end)];
  if (from < 0 || to < from) throw new RangeError(`the page has no ${markers.start} … ${markers.end}`);
  return `${page.slice(0, from + markers.start.length)}\n${table}\n${page.slice(to)}`;
}
