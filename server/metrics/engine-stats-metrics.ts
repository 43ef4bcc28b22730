/** Metrics of engines, read at each scrape, so that steps and batches have no overhead. */
import { Counter, Gauge, type Registry } from 'prom-client';

export interface StatsMetrics<Stats> {
  gauge(name: string, help: string, of: (stats: Stats) => number): void;
  /** Registers a value that only grows. */
  counter(name: string, help: string, of: (stats: Stats) => number): void;
}

/**
 * One series per engine, labelled with its model's id.
 * @param prefix of every name: `cloister_image_`
 */
export function statsMetrics<Stats>(
  registry: Registry,
  prefix: string,
  engines: () => Iterable<{ id: string; stats: Stats }>,
): StatsMetrics<Stats> {
  const define = (Kind: typeof Counter | typeof Gauge, name: string, help: string, of: (stats: Stats) => number) =>
    new Kind({
      name: `${prefix}${name}`,
      help,
      labelNames: ['model_name'],
      registers: [registry],
      collect(this: { reset(): void; inc(labels: object, value: number): void }) {
        this.reset();
        for (const { id, stats } of engines()) this.inc({ model_name: id }, of(stats));
      },
    });
  return {
    gauge: (name, help, of) => void define(Gauge, name, help, of),
    counter: (name, help, of) => void define(Counter, name, help, of),
  };
}
