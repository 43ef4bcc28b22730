/** Saves bench results: one JSON file per run in `bench/results/`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';

/** One measured run of one case on one server: figure → value. */
export type Sample = Readonly<Record<string, number>>;

export interface Case {
  readonly scenario: string;
  /** Distinguishes the result within its scenario: `16 rows`. */
  readonly label: string;
  /** Server name → one sample per repeat, in the order they were taken. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
}

export interface Results {
  readonly name: string;
  /** ISO 8601. */
  readonly date: string;
  /** A short run that tests the bench itself: its results are not shown in tables. */
  readonly quick: boolean;
  readonly machine: Machine;
  readonly settings: Readonly<Record<string, string | number>>;
  /** Server name → versions and the command lines it was started with. */
  readonly servers: Readonly<Record<string, readonly string[]>>;
  readonly cases: readonly Case[];
}

export const resultsFolder = join(import.meta.dirname, 'results');

/** @returns the file's path */
export function saveResults(results: Results): string {
  mkdirSync(resultsFolder, { recursive: true });
  const path = join(resultsFolder, `${results.date.slice(0, 10)}-${results.name}.json`);
  writeFileSync(path, `${JSON.stringify(results, undefined, 1)}\n`);
  return path;
}

/** The latest full run of each name. */
export function loadResults(folder = resultsFolder): Results[] {
  if (!existsSync(folder)) return [];
  const latest = new Map<string, Results>();
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.json')) continue;
    const results = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Results;
    if (!results.quick) latest.set(results.name, results);
  }
  return [...latest.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
