/** What became of the spans of requests. */
import { Counter, type Registry } from 'prom-client';

/** @param counts of spans since the start, by what became of them */
export function registerTracing(registry: Registry, counts: () => Readonly<Record<string, number>>): void {
  new Counter({
    name: 'cloister_otlp_spans_total',
    help: 'Spans by outcome: exported, failed (the collector refused them or did not answer), dropped (the queue was full).',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(counts())) this.inc({ outcome }, count);
    },
  });
}
