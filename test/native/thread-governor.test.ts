/** native/src/engine/thread_governor.h, compiled alone and run on simulated machines. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const childProgram = `
#include <cstdio>
#include <cstdlib>
#include "engine/thread_governor.h"
// threads, then per line: tenths of cores that are free, milliseconds that go by. Prints how many threads compute the next graph.
int main(int, char** words) {
  ThreadGovernor governor(std::atoi(words[1]));
  int64_t now = 0, free = 0, passed = 0;
  while (std::scanf("%ld %ld", &free, &passed) == 2) {
    const int64_t wall = passed * 1'000'000;
    now += wall;
    governor.observe(wall, std::max<int64_t>(0, governor.count() * 10 - free) * wall / 10, now);
    std::printf("%d\\n", governor.count());
  }
}`;

const folder = mkdtempSync(join(tmpdir(), 'cloister-governor-'));
const program = join(folder, 'governor');

beforeAll(() => {
  writeFileSync(join(folder, 'governor.cc'), childProgram);
  const include = join(import.meta.dirname, '../../native/src');
  execFileSync('g++', ['-std=c++20', `-I${include}`, '-o', program, join(folder, 'governor.cc')]);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

interface Span {
  readonly freeCores: number;
  readonly ms: number;
}

/** @returns the threads in use after every 20 ms */
function govern(threads: number, spans: readonly Span[]): number[] {
  const lines = spans.flatMap(({ freeCores, ms }) => Array(ms / 20).fill(`${freeCores * 10} 20\n`));
  const output = execFileSync(program, [String(threads)], { input: lines.join(''), encoding: 'utf8' });
  return output.trim().split('\n').map(Number);
}

describe('the number of compute threads', () => {
  it('doubles from one to the maximum while every thread gets a core', () => {
    expect(govern(12, [{ freeCores: 12, ms: 120 }])).toEqual([2, 4, 8, 12, 12, 12]);
  });

  it('drops at once to the number of free cores', () => {
    const [before, after] = [govern(8, [{ freeCores: 8, ms: 100 }]), { freeCores: 3, ms: 20 }];
    expect(before.at(-1)).toBe(8);
    expect(govern(8, [{ freeCores: 8, ms: 100 }, after]).at(-1)).toBe(3);
  });

  it('never drops below one', () => {
    expect(govern(4, [{ freeCores: 0, ms: 2000 }]).at(-1)).toBe(1);
  });

  it('grows one by one when cores become free again', () => {
    const spans = [
      { freeCores: 4, ms: 100 },
      { freeCores: 1, ms: 20 },
      { freeCores: 4, ms: 400 },
    ];
    const counts = govern(4, spans).slice(5);
    expect(counts[0]).toBe(1);
    expect(counts.filter((count, index) => count !== counts[index - 1])).toEqual([1, 2, 3, 4]);
  });

  it('tries another thread at growing intervals of at most eight seconds, for one window each', () => {
    const counts = govern(2, [{ freeCores: 1, ms: 60_000 }]);
    const tries = counts.flatMap((count, index) => (count === 2 ? [index * 20] : []));
    const intervals = tries.slice(1).map((at, index) => at - tries[index]!);
    expect(intervals.slice(0, 5)).toEqual([520, 1020, 2020, 4020, 8020]);
    expect(Math.max(...intervals)).toBe(8020);
  });

  it('keeps a thread that contributes more than it delays', () => {
    // Two threads of which one misses 40 % of the time do 1.2 times the work of one, with 70 % 0.6 times.
    expect(govern(2, [{ freeCores: 1.6, ms: 1000 }])).toEqual(Array(50).fill(2));
    expect(govern(2, [{ freeCores: 1.3, ms: 40 }])).toEqual([2, 1]);
  });
});
