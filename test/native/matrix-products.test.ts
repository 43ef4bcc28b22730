/**
 * native/src/kernels/quantised_matmul.cc and float_matmul.cc: products with weights in every supported format, of one matrix and of
 * experts, held against double precision (`matrix-products.cc`, a program of its own) in random shapes; and the products on AMX, whose
 * instructions `amx-emulator.cc` executes, against those on VNNI.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProductPath } from '@cloister/native/measure';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { kernels } = readProductPath();
const hasKernels = kernels !== '';
const hasAvx512Vnni = kernels === 'VNNI';
if (!hasKernels) console.log('skipped: matrix products, because this CPU has no AVX2');
else if (!hasAvx512Vnni)
  console.log('skipped: products with float weights and on AMX, because this CPU has no AVX-512 VNNI');

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
  /** The greatest relative error of silu(x) · y, computed with its products x and y. */
  readonly worstGate: number;
  /** Sums computed with their product that have other bits than one after the other. */
  readonly wrongSums: number;
}

/** With how far products may be off: activations are rounded to eight bits for quantised weights, and not at all for others. */
const kinds = [
  { weights: 'quantised', least: 0.001, most: 0.012, canRun: hasKernels },
  { weights: 'float', least: 0, most: 1e-6, canRun: hasAvx512Vnni },
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

function runProgram<Found>(...words: readonly string[]): Found {
  return JSON.parse(execFileSync(program, words, { encoding: 'utf8' })) as Found;
}

beforeAll(() => {
  if (!hasKernels) return;
  const compiled =
    /^(\w+_matmul|decode_attention|prompt_attention|interleaved_\w+|matrix_products|panel_products\w*|product_path|cpu_kernels|embedding_rows)-[0-9a-f]{16}\.o$/;
  const objects = readdirSync(build).filter((name) => compiled.test(name));
  const headers = ['ggml/include', 'include'].flatMap((name) => ['-isystem', join(build, 'llama.cpp', name)]);
  execFileSync('g++', [
    ...['-std=c++20', '-O2', `-I${join(root, 'native/src')}`, ...headers, '-o', program],
    ...['matrix-products.cc', 'amx-emulator.cc'].map((name) => join(import.meta.dirname, name)),
    ...[...objects.map((name) => join(build, name)), '-pthread'],
    ...[`-L${libraries}`, '-l:libggml-base.so', `-Wl,-rpath,${libraries}`],
  ]);
}, 120_000);

describe.each(kinds)('products with $weights weights', ({ weights, least, most, canRun }) => {
  let findings: Findings;

  beforeAll(() => {
    if (!canRun) return;
    findings = runProgram(weights, String(cases), '1');
  }, 120_000);

  it.runIf(canRun)('are computed for every format, for one matrix and for experts', () => {
    expect(findings).toMatchObject({ cases, refused: 0 });
  });

  it.runIf(canRun)('differ from double precision by no more than their activations are rounded', () => {
    expect(findings.worst).toBeGreaterThanOrEqual(least);
    expect(findings.worst).toBeLessThan(most);
  });

  it.runIf(canRun)('have the same bits alone, among other tokens and with any number of threads', () => {
    expect(findings.differing).toBe(0);
  });

  it.runIf(canRun)('are not finite if an activation is not finite', () => {
    expect(findings.unreported).toBe(0);
  });

  it.runIf(canRun)('give sums the same bits if these are computed with them, and gates', () => {
    expect(findings.wrongSums).toBe(0);
    expect(findings.worstGate).toBeLessThan(1e-6);
  });
});

describe.skipIf(!hasKernels)('what follows products', () => {
  it('is joined to them in a graph where nothing else needs the product and nothing is computed in between', () => {
    // Product and bias; a product that is kept and its sum; two products and their gate; product and residual; three apart.
    expect(runProgram('graph')).toEqual({ nodes: 'ccocccoo' });
  });
});

describe.skipIf(!hasAvx512Vnni)('products on AMX', () => {
  let findings: TileFindings;

  beforeAll(() => {
    findings = runProgram('amx', String(cases), '1');
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
