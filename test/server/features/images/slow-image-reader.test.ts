import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect, it, vi } from 'vitest';
import type { ImageEvent, ImageRequest } from '../../../../runtime/images/image-engine.ts';
import type { ServedModel } from '../../../../server/serving/served-model.ts';
import { FakeImageEngine } from '../../../support/runtime/fake-image-engine.ts';
import { startTestApp, terms } from '../../../support/server/test-app.ts';

const side = 512;

/** Never finishes, and emits large previews that cannot be compressed. */
class EndlessEngine extends FakeImageEngine {
  sent = 0;
  isOver = false;

  override async *draw(_request: ImageRequest): AsyncIterable<ImageEvent> {
    const pixels = new Uint8Array(side * side * 3);
    let state = 1;
    for (let i = 0; i < pixels.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      pixels[i] = state >>> 24;
    }
    try {
      yield { kind: 'started', queuedMs: 0 };
      while (this.sent < 500) {
        this.sent += 1;
        yield { kind: 'preview', index: 0, images: [{ width: side, height: side, pixels: pixels.slice() }] };
      }
    } finally {
      this.isOver = true;
    }
  }
}

it('a client that does not read loses the images before they fill the memory', async () => {
  const engine = new EndlessEngine();
  const model: ServedModel = { kind: 'image', id: 'fake-image-TEE', engine, created: 1, fingerprint: 'fp', terms };
  const running = await startTestApp({ overrides: { models: new Map([[model.id, model]]) } });
  const port = Number(new URL(await running.listen()).port);
  const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
  socket.on('error', () => undefined);
  await once(socket, 'secureConnect');
  socket.pause();
  const body = JSON.stringify({ prompt: 'a circle', stream: true, partial_images: 3, size: '512x512' });
  socket.write(
    `POST /v1/images/generations HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  // The kernel buffers a few megabytes on both sides before the server has to buffer.
  await vi.waitFor(() => expect(engine.isOver).toBe(true), { timeout: 20_000 });
  expect(engine.sent).toBeLessThan(100);
  await vi.waitFor(() => expect(running.log()).toContain('"code":"ERR_READER_TOO_SLOW"'));
  const metrics = await running.metrics.registry.metrics();
  expect(metrics).toContain('cloister_image_failure_total{model_name="fake-image-TEE",code="ERR_READER_TOO_SLOW"} 1');
  socket.destroy();
  await running.close();
}, 30_000);
