/** Metrics of the quotes that are kept ready for connections. An empty pool fails no check: proofs then share a quote. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Enclave } from '../../enclave/enclave.ts';

/** @param enclave undefined until the start has been measured, and without a platform */
export function registerChannelQuotes(
  registry: Registry,
  enclave: () => Pick<Enclave, 'channelQuotes'> | undefined,
): void {
  new Gauge({
    name: 'cloister_channel_quotes_ready',
    help: 'Quotes ready for connections; none before the first proof, and ten minutes after the last.',
    registers: [registry],
    collect() {
      this.set(enclave()?.channelQuotes.ready ?? 0);
    },
  });
  new Counter({
    name: 'cloister_channel_proofs_total',
    help: 'Number of connection proofs by the origin of their quote: prepared in advance, shared because none was ready, or made for the connection.',
    labelNames: ['quote'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [quote, count] of Object.entries(enclave()?.channelQuotes.counts ?? {})) this.inc({ quote }, count);
    },
  });
}
