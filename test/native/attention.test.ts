/**
 * native/src/kernels/decode_attention.cc and prompt_attention.cc: attention to keys and values in F16 and Q8_0, held against
 * double precision (`attention.cc`, a program of its own) in random shapes, with every instruction set of this CPU.
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
const folder = mkdtempSync(join(tmpdir(), 'cloister-attention-'));
const program = join(folder, 'attention');
const cases = 60;

interface Findings {
  readonly cases: number;
  /** Nodes that the kernel does not take. */
  readonly refused: number;
  /** The greatest of all cases: root of the errors' mean square over that of the results. */
  readonly worst: number;
  /** Results whose bits depend on the threads, on the other tokens or on the other sequences. */
  readonly differing: number;
  /** Results that depend on cells that no token attends to. */
  readonly disturbed: number;
  /** Non-finite values that gave a finite result, or reached a token that does not attend to them. */
  readonly unreported: number;
}

function compile(): void {
  const objects = readdirSync(build).filter((name) =>
    /^((?:decode_|prompt_)?attention|instruction_set\w*)-[0-9a-f]{16}\.o$/.test(name),
  );
  const headers = join(build, 'llama.cpp/ggml/include');
  execFileSync('g++', [
    ...['-std=c++20', '-O1', `-I${join(root, 'native/src')}`, '-isystem', headers, '-o', program],
    ...[join(import.meta.dirname, 'attention.cc'), ...objects.map((name) => join(build, name)), '-pthread'],
    ...[`-L${libraries}`, '-l:libggml-base.so', `-Wl,-rpath,${libraries}`],
  ]);
}

beforeAll(compile, 60_000);

describe.each(instructionSets)('attention on %s', (instructions) => {
  describe.skipIf(!canRun(instructions, 'attention')).each([
    ['f16', 'decode'],
    ['f16', 'prompt'],
    ['q8_0', 'decode'],
    ['q8_0', 'prompt'],
  ])('to keys and values in %s, of a %s', (type, kernel) => {
    const env = environmentOf(instructions);
    let findings: Findings;
    beforeAll(() => {
      findings = JSON.parse(execFileSync(program, [type, kernel, String(cases), '1'], { encoding: 'utf8', env }));
    }, 60_000);

    it('is computed for every width, number of heads and number of sequences', () => {
      expect(findings).toMatchObject({ cases, refused: 0 });
    });

    it('adds no rounding to that of single precision: queries, keys and values are read as they are', () => {
      expect(findings.worst).toBeLessThan(1e-5);
    });

    it('has the same bits alone, among other tokens and sequences, and with any number of threads', () => {
      expect(findings.differing).toBe(0);
    });

    it('ignores the cells that a token does not attend to, and reports a non-finite value to those that do', () => {
      expect(findings).toMatchObject({ disturbed: 0, unreported: 0 });
    });
  });
});

afterAll(() => rmSync(folder, { recursive: true }));
