/**
 * native/src/sampling/sampling.cc: the tokens that it draws, compared with those of a plain sampler that sorts the whole vocabulary
 * (`sampling.cc`, a separate program).
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';

const root = join(import.meta.dirname, '../..');
const build = join(root, 'native/build');
const compiled = /^(sampling|vector_math)-[0-9a-f]{16}\.o$/;

interface Findings {
  readonly wrong: number;
  readonly nucleusMs: number;
  readonly topKMs: number;
  readonly sortMs: number;
}

describe('drawing a token', () => {
  let findings: Findings;

  beforeAll(async () => {
    await using folder = await scratchFolder();
    const program = join(folder.path, 'sampling');
    const objects = readdirSync(build).filter((name) => compiled.test(name));
    execFileSync('g++', [
      ...['-std=c++20', '-O2', `-I${join(root, 'native/src')}`, '-o', program],
      ...[join(import.meta.dirname, 'sampling.cc'), ...objects.map((name) => join(build, name))],
    ]);
    findings = JSON.parse(execFileSync(program, ['1', '12000'], { encoding: 'utf8' }));
  }, 120_000);

  it('draws the token that a plain sampler draws, from 12,000 distributions with ties, zeros and forbidden tokens', () => {
    expect(findings.wrong).toBe(0);
  });

  it('takes less time for a nucleus or a top-k of nearly all tokens than sorting them takes', () => {
    expect(findings.nucleusMs).toBeLessThan(findings.sortMs);
    expect(findings.topKMs).toBeLessThan(findings.sortMs);
  });
});
