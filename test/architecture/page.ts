/** The part of ARCHITECTURE.md that is made of the table. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeFloors, type Room, rooms } from './rooms.ts';
import { root } from './sources.ts';

const page = join(root, 'ARCHITECTURE.md');
const beginMark = '<!-- rooms: written by `npm run architecture` -->';
const endMark = '<!-- /rooms -->';

/** @returns the current page, and the expected one */
export function readPage(): { readonly now: string; readonly wanted: string } {
  const now = readFileSync(page, 'utf8');
  const begin = now.indexOf(beginMark);
  const end = now.indexOf(endMark);
  if (begin < 0 || end < begin) throw new Error(`ARCHITECTURE.md lacks the lines ${beginMark} and ${endMark}`);
  return { now, wanted: `${now.slice(0, begin + beginMark.length)}\n${section()}\n${now.slice(end)}` };
}

export function writePage(): void {
  writeFileSync(page, readPage().wanted);
}

function section(): string {
  const imports = rooms.map(({ name, holds, imports }) => `| \`${name}\` | ${holds} | ${list(imports) || '–'} |`);
  const floors = rooms
    .filter(({ floors }) => floors.length > 1)
    .map(({ name, floors }) => `| \`${name}\` | ${stack(floors)} |`);
  return [
    '| room | holds | may import |',
    '|---|---|---|',
    ...imports,
    '',
    'Inside a room, a folder may import the folders to its left, never one of its own group or to its right:',
    '',
    '| room | folders, from the ground up |',
    '|---|---|',
    ...floors,
    `| \`native/src\` (C++) | ${stack(nativeFloors)} |`,
  ].join('\n');
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function stack(floors: Room['floors']): string {
  return floors.map((floor) => list(floor.map((name) => (name === '.' ? 'files at the top' : name)))).join(' → ');
}
