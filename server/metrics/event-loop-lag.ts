/** How late timers are on the thread that serves people. Node's own histogram is of the time between two of them instead. */
import { createHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often the thread is woken to see how late it is; more would take time from cores that models compute on. */
const samplingMs = 100;

/** By prom-client, whose figures of these names hold the sampling interval. */
const replacedNames = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (figure) => `cloister_nodejs_eventloop_lag${figure}_seconds`,
);

/** For a registry that has prom-client's default metrics. Each figure is of the time since it was last read. */
export function registerEventLoopLag(registry: Registry): void {
  for (const name of replacedNames) registry.removeSingleMetric(name);
  const delays = createHistogram();
  let before = performance.now();
  const sample = () => {
    const now = performance.now();
    // The histogram takes no zero.
    delays.record(Math.max(1, Math.round((now - before - samplingMs) * 1e6)));
    before = now;
  };
  setInterval(sample, samplingMs).unref();
  const gauge = (figure: string, help: string) =>
    new Gauge({ name: `cloister_nodejs_eventloop_lag_${figure}_seconds`, help, registers: [registry] });
  const mean = gauge('mean', 'How late timers were on the serving thread, on average.');
  const p50 = gauge('p50', 'The 50th percentile of it.');
  const p90 = gauge('p90', 'The 90th percentile of it.');
  const p99 = gauge('p99', 'The 99th percentile of it.');
  new Gauge({
    name: 'cloister_nodejs_eventloop_lag_max_seconds',
    help: 'The most of it.',
    registers: [registry],
    collect() {
      const lateSeconds = (nanoseconds: number) => (delays.count === 0 ? 0 : nanoseconds / 1e9);
      this.set(lateSeconds(delays.max));
      mean.set(lateSeconds(delays.mean));
      p50.set(lateSeconds(delays.percentile(50)));
      p90.set(lateSeconds(delays.percentile(90)));
      p99.set(lateSeconds(delays.percentile(99)));
      delays.reset();
    },
  });
}

/** prom-client's own sampling, which nobody reads any more: once in twelve days. */
export const unusedSamplingMs = 2 ** 30;
