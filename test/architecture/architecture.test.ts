/** The table of rooms holds, in the code and on the page. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wantedExports } from './exports.ts';
import { readPage } from './page.ts';
import { doors, nativeFloors, rooms } from './rooms.ts';
import { filesBelow, readManifest, readSources, roomOf, root } from './sources.ts';

const sources = readSources();
/** Runs before packages are installed, to report that they are missing. */
const bootstrap = ['cli/cloister.mjs'];

const edges = sources.flatMap(({ path, imports }) =>
  imports.map(({ specifier, target }) => ({ from: path, to: target, specifier })),
);

describe('ARCHITECTURE.md', () => {
  it('shows the table of rooms: run `npm run architecture`', () => {
    const { now, wanted } = readPage();
    expect(now).toBe(wanted);
  });
});

describe('the rooms of the architecture', () => {
  it('are all that the workspace has, each with a README of at most 40 lines', () => {
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };
    expect(workspaces).toEqual(rooms.map(({ name }) => name).sort());
    for (const { name } of rooms) {
      expect(readManifest(name).name).toBe(`@cloister/${name}`);
      const lines = readFileSync(join(root, name, 'README.md'), 'utf8')
        .trimEnd()
        .split('\n').length;
      expect.soft(lines, name).toBeLessThanOrEqual(40);
    }
  });

  it('import only the rooms in their row, through the exports of each', () => {
    const wrong = edges
      .filter(({ from, to }) => to === undefined || roomOf(to) !== roomOf(from))
      .filter(({ from, specifier }) => !(bootstrap.includes(from) && specifier.startsWith('.')))
      .filter(({ from, to, specifier }) => {
        const row = rooms.find(({ name }) => name === roomOf(from))!;
        return to === undefined || specifier.startsWith('.') || !row.imports.includes(roomOf(to));
      });
    expect(wrong.map(({ from, specifier }) => `${from} → ${specifier}`)).toEqual([]);
  });

  it('are in the order of their imports, without cycles', () => {
    const order = rooms.map(({ name }) => name);
    for (const { name, imports } of rooms) {
      expect.soft(imports.filter((other) => order.indexOf(other) >= order.indexOf(name))).toEqual([]);
    }
  });

  it('use every row: a room that is not imported is not listed', () => {
    const inRows = edges.filter(({ from }) => !bootstrap.includes(from));
    for (const { name, imports } of rooms) {
      const used = inRows.filter(({ from, to }) => roomOf(from) === name && to !== undefined && roomOf(to) !== name);
      expect.soft([...new Set(used.map(({ to }) => roomOf(to!)))].toSorted(), name).toEqual([...imports].toSorted());
    }
  });

  it.each(rooms)('$name exports what other rooms import, and nothing else: run `npm run architecture`', (room) => {
    expect(readManifest(room.name).exports).toEqual(wantedExports(room, sources));
  });
});

/** @returns imports from a folder to one that is not on a lower floor */
function climbing(
  floors: readonly (readonly string[])[],
  imports: readonly { readonly from: string; readonly to: string }[],
): readonly string[] {
  const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)));
  const floor = (folder: string) => floorOf.get(folder) ?? Number.NaN;
  return imports
    .filter(({ from, to }) => dirname(from) !== dirname(to) && !(floor(dirname(to)) < floor(dirname(from))))
    .map(({ from, to }) => `${from} → ${to}`);
}

describe('the folders of a room', () => {
  it.each(rooms)('$name: import only lower floors', ({ name, floors }) => {
    const inside = edges
      .filter(({ from, to }) => to !== undefined && roomOf(from) === name && roomOf(to) === name)
      .map(({ from, to }) => ({ from: from.slice(name.length + 1), to: to!.slice(name.length + 1) }));
    expect(climbing(floors, inside)).toEqual([]);
  });

  it.each(rooms)('$name: each belongs to a declared layer', ({ name, floors }) => {
    const folders = new Set(sources.filter(({ path }) => roomOf(path) === name).map(({ path }) => dirname(path)));
    const listed = new Set(floors.flat().map((folder) => (folder === '.' ? name : `${name}/${folder}`)));
    expect([...folders].toSorted()).toEqual([...listed].toSorted());
  });

  it('native/src: include only lower floors', () => {
    const includes = filesBelow('native/src', /\.(cc|h)$/)
      .flatMap((path) => {
        const from = path.slice('native/src/'.length);
        const text = readFileSync(join(root, path), 'utf8');
        return [...text.matchAll(/#include "([a-z]+\/\w+\.h)"/g)].map((match) => ({ from, to: match[1]! }));
      })
      .filter(({ to }) => nativeFloors.flat().includes(dirname(to)));
    expect(includes.length).toBeGreaterThan(100);
    expect(climbing(nativeFloors, includes)).toEqual([]);
    expect(readdirSync(join(root, 'native/src')).sort()).toEqual(nativeFloors.flat().sort());
  });
});

describe('files', () => {
  it('contain no import cycles', () => {
    const imports = new Map(sources.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
    const done = new Set<string>();
    const visit = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) throw new Error(`circle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
      if (done.has(path)) return;
      for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
      done.add(path);
    };
    for (const path of imports.keys()) visit(path, []);
    expect(done.size).toBeGreaterThanOrEqual(sources.length);
  });

  it.each(doors)('$what only in the listed files', ({ pattern, files }) => {
    const wrong = sources.filter(
      ({ path, text }) => pattern.test(text) && !files.some((file) => path.startsWith(file)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('have one subject: at most 350 lines', () => {
    const long = sources.filter(({ text }) => text.split('\n').length > 350);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});
