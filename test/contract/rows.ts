/** The pages of the contract, and the rows in them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../architecture/sources.ts';
import type { Citation } from './citations.ts';

export const pages = ['docs/contract/compute.md', 'docs/contract/inference.md'] as const;

export interface Row {
  readonly id: string;
  readonly requirement: string;
  readonly basis: string;
  /** `held`, `in part: …` or `not yet: …`. */
  readonly state: string;
  /** Paths of tests, from the root of the repository. */
  readonly tests: readonly string[];
}

const rowLine = /^\| ([CI]-\d{3}) \| (.*) \|$/;
const link = /\]\(\.\.\/\.\.\/([^)]+)\)/g;

export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** @throws {Error} if a row does not have the five cells of its table */
export function rowsOf(text: string): readonly Row[] {
  return text.split('\n').flatMap((line) => {
    const [, id, cells] = rowLine.exec(line) ?? [];
    return id === undefined ? [] : [toRow(id, cells!)];
  });
}

function toRow(id: string, text: string): Row {
  const cells = text.split(' | ').map((cell) => cell.trim());
  const [requirement, basis, state, tests] = cells;
  if (cells.length !== 4) throw new Error(`${id} must have 5 cells, got ${cells.length + 1}`);
  return {
    id,
    requirement: requirement!,
    basis: basis!,
    state: state!,
    tests: [...tests!.matchAll(link)].map(([, path]) => path!),
  };
}

/** @returns the page with its column of tests made from the citations */
export function withTests(text: string, citations: readonly Citation[]): string {
  return text
    .split('\n')
    .map((line) => {
      const id = rowLine.exec(line)?.[1];
      return id === undefined ? line : `${line.slice(0, line.lastIndexOf(' | '))} | ${testsCell(id, citations)} |`;
    })
    .join('\n');
}

function testsCell(id: string, citations: readonly Citation[]): string {
  const paths = new Set(citations.filter((one) => one.holds && one.id === id).map(({ path }) => path));
  return [...paths].sort().map(linkTo).join(', ') || '–';
}

const linkTo = (path: string): string => `[${basename(path, '.test.ts')}](../../${path})`;

export function writePages(citations: readonly Citation[]): void {
  for (const page of pages) writeFileSync(join(root, page), withTests(readPage(page), citations));
}
