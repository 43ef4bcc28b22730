/** The program that runs: a metric whose labels are its facts. */
import { Gauge, type Registry } from 'prom-client';

export function registerBuildInfo(registry: Registry, { version }: { version: string }): void {
  new Gauge({
    name: 'cloister_build_info',
    help: 'Always 1; the labels are the versions of Cloister and Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version, node: process.version }, 1);
}
