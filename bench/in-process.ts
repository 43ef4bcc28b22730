/**
 * Benches of code that runs in the bench's own process: a table of cases, measured in alternation and recorded like every other
 * bench.
 */
import { describeMachine } from './machine.ts';
import { type Case, type Results, type Sample, saveResults } from './results.ts';
import { quantile } from './statistics.ts';
import { renderTables } from './tables.ts';

export interface Measurement {
  readonly scenario: string;
  readonly label: string;
  /** Owner of the code: `cloister`, or the name of a library. */
  readonly of: string;
  measure(): Sample | Promise<Sample>;
}

export interface BenchHeader {
  /** Name of the results file. */
  readonly name: string;
  readonly settings: Results['settings'];
  readonly servers: Results['servers'];
  /** Default 5. */
  readonly repeats?: number;
}

const repeatsUsual = 5;

/** Measures all cases with repeats as the outer loop, prints the tables and saves the results. */
export async function runBench(
  { repeats = repeatsUsual, ...header }: BenchHeader,
  measurements: readonly Measurement[],
): Promise<void> {
  const machine = describeMachine();
  const cases = new Map<string, Case & { readonly samples: Record<string, Sample[]> }>();
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const { scenario, label, of, measure } of measurements) {
      process.stderr.write(`\r\x1b[K${repeat + 1} of ${repeats}: ${scenario}, ${label}, ${of}`);
      const key = `${scenario}/${label}`;
      const { samples } = cases.get(key) ?? cases.set(key, { scenario, label, samples: {} }).get(key)!;
      samples[of] ??= [];
      samples[of].push(await measure());
    }
  }
  process.stderr.write('\n');
  const results = { ...header, date: new Date().toISOString(), quick: false, machine, cases: [...cases.values()] };
  console.log(renderTables(results));
  console.log(saveResults(results).replace(/^.*\/bench\//, 'bench/'));
}

/** Latency of one call after another: median and 99th percentile of `runs`, after a tenth as many unmeasured. */
export async function timeCalls(runs: number, work: (run: number) => unknown): Promise<Sample> {
  for (let run = 0; run < runs / 10; run++) await work(run);
  const micros: number[] = [];
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await work(run);
    micros.push((performance.now() - start) * 1000);
  }
  return { latencyP50Us: quantile(micros, 0.5), latencyP99Us: quantile(micros, 0.99) };
}
