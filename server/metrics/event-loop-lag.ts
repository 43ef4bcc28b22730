/** Measures how late timers are on the serving thread. Node's own histogram measures the time between two timers instead. */
import { createHistogram } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Sampling interval; a shorter one would take time from the cores of the models. */
const samplingMs = 100;

/** Metrics of prom-client that include the sampling interval and are replaced. */
const replacedNames = ['', '_min', '_max', '_mean', '_stddev', '_p50', '_p90', '_p99'].map(
  (figure) => `cloister_nodejs_eventloop_lag${figure}_seconds`,
);

/** For a registry with prom-client's default metrics. Each value covers the time since the last scrape. */
export function registerEventLoopLag(registry: Registry): void {
  for (const name of replacedNames) registry.removeSingleMetric(name);
  const delays = createHistogram();
  let before = performance.now();
  const sample = () => {
    const now = performance.now();
    // The histogram does not accept zero.
    delays.record(Math.max(1, Math.round((now - before - samplingMs) * 1e6)));
    before = now;
  };
  setInterval(sample, samplingMs).unref();
  const gauge = (figure: string, help: string) =>
    new Gauge({ name: `cloister_nodejs_eventloop_lag_${figure}_seconds`, help, registers: [registry] });
  const mean = gauge('mean', 'Mean delay of timers on the serving thread.');
  const p50 = gauge('p50', '50th percentile of the delay of timers.');
  const p90 = gauge('p90', '90th percentile of the delay of timers.');
  const p99 = gauge('p99', '99th percentile of the delay of timers.');
  new Gauge({
    name: 'cloister_nodejs_eventloop_lag_max_seconds',
    help: 'Maximum delay of timers on the serving thread.',
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

/** Interval of prom-client's own sampling, which is not used: twelve days. */
export const unusedSamplingMs = 2 ** 30;
