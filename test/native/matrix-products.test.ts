/**
 * native/src/kernels/quantised_matmul.cc and float_matmul.cc: products with weights in every supported format, of one matrix and of
 * experts, held against double precision (`matrix-products.cc`, a program of its own) in random shapes; and the products on AMX, whose
 * instructions `amx-emulator.cc` executes, against those on VNNI.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canRun, environmentOf, instructionSets } from './instruction-sets.ts';

const root = join(import.meta.dirname, '../..');
const build = join(root, 'native/build');
const libraries = join(root, 'node_modules/@node-llama-cpp/linux-x64/bins/linux-x64');
const folder = mkdtempSync(join(tmpdir(), 'cloister-matrix-products-'));
const program = join(folder, 'matrix-products');
const cases = 440;

interface Findings {
  readonly cases: number;
  /** Nodes that the kernel does not take. */
  readonly refused: number;
  /** The greatest of all cases: root of the errors' mean square over that of the products. */
  readonly worst: number;
  /** Results whose bits depend on the threads or on the other tokens. */
  readonly differing: number;
  /** Non-finite activations that gave finite products. */
  readonly unreported: number;
}

/** With how far products may be off: activations are rounded to eight bits for quantised weights, and not at all for others. */
const kinds = [
  { weights: 'quantised', least: 0.001, most: 0.012 },
  { weights: 'float', least: 0, most: 1e-6 },
];

/** What the emulated tile instructions did, and what the products of the batches require. */
interface TileFindings {
  readonly cases: number;
  /** Cases whose results on AMX have other bits than on VNNI. */
  readonly differing: number;
  /** Why the trial at load does not choose AMX. */
  readonly trial: string;
  /** Multiplications of bytes. */
  readonly multiplied: number;
  readonly multipliedRequired: number;
  /** Instructions that multiply tiles. */
  readonly products: number;
  readonly productsRequired: number;
  readonly zeroed: number;
  readonly loads: number;
  readonly stores: number;
}

function runProgram<Found>(instructions: string, ...words: readonly string[]): Found {
  const options = { encoding: 'utf8', env: environmentOf(instructions) } as const;
  return JSON.parse(execFileSync(program, words, options)) as Found;
}

beforeAll(() => {
  const compiled =
    /^(\w+_matmul|(?:decode_|prompt_)?attention|interleaved_\w+|matrix_products|instruction_set\w*|product_path)-[0-9a-f]{16}\.o$/;
  const objects = readdirSync(build).filter((name) => compiled.test(name));
  const headers = ['ggml/include', 'include'].flatMap((name) => ['-isystem', join(build, 'llama.cpp', name)]);
  execFileSync('g++', [
    ...['-std=c++20', '-O2', `-I${join(root, 'native/src')}`, ...headers, '-o', program],
    ...['matrix-products.cc', 'amx-emulator.cc'].map((name) => join(import.meta.dirname, name)),
    ...[...objects.map((name) => join(build, name)), '-pthread'],
    ...[`-L${libraries}`, '-l:libggml-base.so', `-Wl,-rpath,${libraries}`],
  ]);
}, 120_000);

describe.each(instructionSets)('products on %s', (instructions) => {
  describe.skipIf(!canRun(instructions, 'products')).each(kinds)(
    'with $weights weights',
    ({ weights, least, most }) => {
      let findings: Findings;

      beforeAll(() => {
        findings = runProgram(instructions, weights, String(cases), '1');
      }, 120_000);

      it('are computed for every format, for one matrix and for experts', () => {
        expect(findings).toMatchObject({ cases, refused: 0 });
      });

      it('differ from double precision by no more than their activations are rounded', () => {
        expect(findings.worst).toBeGreaterThanOrEqual(least);
        expect(findings.worst).toBeLessThan(most);
      });

      it('have the same bits alone, among other tokens and with any number of threads', () => {
        expect(findings.differing).toBe(0);
      });

      it('are not finite if an activation is not finite', () => {
        expect(findings.unreported).toBe(0);
      });
    },
  );
});

describe.skipIf(!canRun('VNNI', 'products on AMX'))('products on AMX', () => {
  let findings: TileFindings;

  beforeAll(() => {
    findings = runProgram('VNNI', 'amx', String(cases), '1');
  }, 120_000);

  it('have the same bits as on VNNI, in every format, for one matrix and for experts', () => {
    expect(findings).toMatchObject({ cases, differing: 0 });
  });

  it('multiply no byte more than the batches require, with as few tile instructions as their scales allow', () => {
    const { multiplied, multipliedRequired, products, productsRequired } = findings;
    expect(multipliedRequired).toBeGreaterThan(0);
    expect(multiplied).toBe(multipliedRequired);
    expect(products / productsRequired).toBeLessThanOrEqual(1.05);
  });

  it('load two tiles, clear one and store one for each product', () => {
    const { products, zeroed, loads, stores } = findings;
    expect({ zeroed, loads, stores }).toEqual({ zeroed: products, loads: 2 * products, stores: products });
  });

  it('are not chosen at load where they have the same bits and take more time, as with the emulator', () => {
    expect(findings.trial).toBe('AMX is slower than VNNI');
  });
});

afterAll(() => rmSync(folder, { recursive: true }));
