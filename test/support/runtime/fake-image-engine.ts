/** An image engine that answers at once: each image has one colour, derived from its seed; previews are brighter by 100. */
import type { ImageEngine, ImageEvent, ImageFacts, ImageRequest } from '../../../runtime/images/image-engine.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { type EngineHealth, healthy } from '../../../runtime/pool/watchdog.ts';

export class FakeImageEngine implements ImageEngine {
  health: EngineHealth = healthy;
  state: EngineState<ImageFacts> = {
    kind: 'ready',
    model: { description: 'fake', device: 'none', nativeSizes: ['8×8'] },
  };
  stats = { running: 0, waiting: 0, images: 0, steps: 0 };
  readonly requests: ImageRequest[] = [];
  /** If set, `error` is thrown after `step`. */
  failAfter: { readonly step: number; readonly error: RuntimeError } | undefined;
  cancelled = 0;

  async *draw(request: ImageRequest, { signal }: { signal: AbortSignal }): AsyncIterable<ImageEvent> {
    this.requests.push(request);
    yield { kind: 'started', queuedMs: 250 };
    for (let step = 1; step <= request.steps; step++) {
      if (this.failAfter && step > this.failAfter.step) throw this.failAfter.error;
      if (signal.aborted) {
        this.cancelled += 1;
        throw new RuntimeError('ERR_CANCELLED', 'the caller disconnected');
      }
      if (step <= request.previews) yield { kind: 'preview', index: step - 1, images: picturesOf(request, 100) };
      yield { kind: 'step', step, steps: request.steps };
    }
    yield { kind: 'finished', images: picturesOf(request, 0) };
  }

  async drain(): Promise<void> {
    this.state = { kind: 'draining' };
  }
}

function picturesOf({ count, seed }: ImageRequest, brighter: number) {
  return Array.from({ length: count }, (_, index) => ({
    width: 8,
    height: 8,
    pixels: new Uint8Array(8 * 8 * 3).fill((seed + index + brighter) % 256),
  }));
}
