/** Prometheus metrics of images. Labels are model ids and error codes. */
import type { ImageEvent, ImageStats } from '@cloister/runtime/images/image-engine';
import { Counter, Histogram, type Registry } from 'prom-client';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';

export interface ImageMetrics {
  /** Starts the clock of one request. */
  beginImages(request: { model: string }): ImageWatch;
}

/** Measures the events of one image job. */
export interface ImageWatch {
  saw(event: ImageEvent): void;
  /** The request was refused or aborted. */
  failed(code: string): void;
}

const stepSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const imageSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 240, 480, 960];

/** Registers the metrics in the registry of `buildMetrics`. @param clock milliseconds, monotonic */
export function buildImageMetrics(
  registry: Registry,
  { engines, clock }: { engines: () => Iterable<{ id: string; stats: ImageStats }>; clock: () => number },
): ImageMetrics {
  const registers = [registry];
  const labelNames = ['model_name'] as const;
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `cloister_image_${name}`, help, labelNames, buckets, registers });
  const queued = histogram('queue_time_seconds', 'Time that an image job was queued.', imageSeconds);
  const step = histogram('step_seconds', 'Time of one denoising step of all images of a request.', stepSeconds);
  const each = histogram('seconds_per_image', 'Time from the first step to the images, per image.', imageSeconds);
  const whole = histogram('request_latency_seconds', 'Time from the arrival of a request to its images.', imageSeconds);
  const failure = new Counter({
    name: 'cloister_image_failure_total',
    help: 'Image requests refused or aborted, by error code.',
    labelNames: ['model_name', 'code'],
    registers,
  });
  registerStats(registry, engines);
  return {
    beginImages({ model }) {
      const labels = { model_name: model };
      const arrivedAt = clock();
      let startedAt = arrivedAt;
      let lastStepAt = arrivedAt;
      return {
        saw(event) {
          const now = clock();
          switch (event.kind) {
            case 'started':
              queued.observe(labels, event.queuedMs / 1000);
              startedAt = lastStepAt = now;
              return;
            case 'step':
              step.observe(labels, (now - lastStepAt) / 1000);
              lastStepAt = now;
              return;
            case 'finished':
              each.observe(labels, (now - startedAt) / 1000 / event.images.length);
              whole.observe(labels, (now - arrivedAt) / 1000);
          }
        },
        failed: (code) => failure.inc({ ...labels, code }),
      };
    },
  };
}

function registerStats(registry: Registry, engines: () => Iterable<{ id: string; stats: ImageStats }>): void {
  const { gauge, counter } = statsMetrics(registry, 'cloister_image_', engines);
  gauge('requests_running', 'Running image jobs.', ({ running }) => running);
  gauge('requests_waiting', 'Queued image jobs.', ({ waiting }) => waiting);
  counter('steps_total', 'Denoising steps, each for all images of a batch.', ({ steps }) => steps);
  counter('images_total', 'Images generated.', ({ images }) => images);
}
