/** Finds the targets in `targets/` and their seed corpora in `corpus/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Random } from '../support/random.ts';
import { mutate } from './mutation/bytes.ts';
import type { FuzzSubject, FuzzTarget } from './target.ts';

const targetFolder = join(import.meta.dirname, 'targets');
const corpusFolder = join(import.meta.dirname, 'corpus');

export interface RegisteredTarget {
  readonly target: FuzzTarget;
  /** Path of the file that exports it. */
  readonly file: string;
}

/** All targets, ordered by name. */
export async function listTargets(): Promise<readonly RegisteredTarget[]> {
  const names = readdirSync(targetFolder).filter((name) => name.endsWith('.ts'));
  const files = names.map((name) => join(targetFolder, name));
  const registered = await Promise.all(
    files.map(async (file) => (await targetsOfFile(file)).map((target) => ({ target, file }))),
  );
  return registered.flat().sort((a, b) => (a.target.name < b.target.name ? -1 : 1));
}

/** @throws {RangeError} if the file has no such target */
export async function loadTarget(file: string, name: string): Promise<FuzzTarget> {
  const target = (await targetsOfFile(file)).find((one) => one.name === name);
  if (target === undefined) throw new RangeError(`${file} has no target ${name}`);
  return target;
}

async function targetsOfFile(file: string): Promise<readonly FuzzTarget[]> {
  const module: unknown = await import(pathToFileURL(file).href);
  return (module as { targets: readonly FuzzTarget[] }).targets;
}

/** The committed seeds, ordered by file name, then those of the folder `seedsPath`, then the seeds that `subject` makes. */
export function readCorpus(
  { name }: FuzzTarget,
  { seeds = [] }: FuzzSubject,
  seedsPath?: string,
): readonly Uint8Array[] {
  const folder = join(corpusFolder, name);
  const committed = existsSync(folder) ? readFiles(folder) : [];
  const corpus = [...committed, ...(seedsPath === undefined ? [] : readFiles(seedsPath)), ...seeds];
  if (corpus.length === 0) throw new RangeError(`the target ${name} has no seeds: expected files in ${folder}`);
  return corpus;
}

function readFiles(folder: string): Uint8Array[] {
  return readdirSync(folder)
    .sort()
    .map((file) => new Uint8Array(readFileSync(join(folder, file))));
}

/** Returns the input of a step: first each corpus entry unchanged, then generated ones. Deterministic. */
export function inputOfStep(target: FuzzTarget, corpus: readonly Uint8Array[], seed: number, step: number): Uint8Array {
  const entry = corpus[step];
  if (entry !== undefined) return entry;
  const random = new Random(scrambled(Math.imul(step, 0x9e37_79b1) ^ scrambled(seed)));
  const { words = [], generate } = target;
  return generate?.({ corpus, words, random }) ?? mutate(random.pick(corpus), words, random);
}

/** The finalizer of MurmurHash3, which turns consecutive numbers into unrelated seeds. */
function scrambled(number: number): number {
  let bits = number ^ (number >>> 16);
  bits = Math.imul(bits, 0x85eb_ca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2_ae35);
  return bits ^ (bits >>> 16);
}
