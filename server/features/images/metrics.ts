/** What Prometheus sees of pictures. Labels are model ids and error codes, as in `metrics.ts`. */
import type { ImageEvent, ImageStats } from '@cloister/runtime/images/image-engine';
import { Counter, Histogram, type Registry } from 'prom-client';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';

export interface ImageMetrics {
  /** Starts the clock of one request. */
  beginImages(request: { model: string }): ImageWatch;
}

/** Sees the events of one drawing go by. */
export interface ImageWatch {
  saw(event: ImageEvent): void;
  /** The request was refused or cut short. */
  failed(code: string): void;
}

const stepSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const imageSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 240, 480, 960];

/** Registers in a registry that `buildMetrics` made. @param clock milliseconds, monotonic */
export function buildImageMetrics(
  registry: Registry,
  { engines, clock }: { engines: () => Iterable<{ id: string; stats: ImageStats }>; clock: () => number },
): ImageMetrics {
  const registers = [registry];
  const labelNames = ['model_name'] as const;
  const histogram = (name: string, help: string, buckets: number[]) =>
    new Histogram({ name: `cloister_image_${name}`, help, labelNames, buckets, registers });
  const queued = histogram('queue_time_seconds', 'Waiting for the drawing before.', imageSeconds);
  const step = histogram('step_seconds', 'One denoising step of all pictures of a request.', stepSeconds);
  const each = histogram('seconds_per_image', 'From the first step to the pictures, per picture.', imageSeconds);
  const whole = histogram('request_latency_seconds', 'From arrival to the pictures.', imageSeconds);
  const failure = new Counter({
    name: 'cloister_image_failure_total',
    help: 'Image requests refused or cut short, by error code.',
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
  gauge('requests_running', 'Drawings under way.', ({ running }) => running);
  gauge('requests_waiting', 'Drawings in the queue.', ({ waiting }) => waiting);
  counter('steps_total', 'Denoising steps, of however many pictures at once.', ({ steps }) => steps);
  counter('images_total', 'Pictures drawn.', ({ images }) => images);
}
