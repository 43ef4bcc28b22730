import { describe, expect, it, vi } from 'vitest';
import { encodeImage, fileBytesMax, imageFormats } from '../../../../server/features/images/encoding.ts';
import { PendingImages } from '../../../../server/features/images/pending-images.ts';

describe('pending images', () => {
  const picture = () => ({ type: 'image/png', bytes: Buffer.alloc(100, 1) });

  it('are zeroed and rejected if they do not fit, and fit again after a fetch', () => {
    const pending = new PendingImages({ bytesMax: 250, lifetimeMs: 60_000 });
    const room = pending.reserve(150);
    const tokens = [room.keep(picture()), room.keep(picture())];
    const third = picture();
    expect(() => room.keep(third)).toThrow('too many images');
    expect(third.bytes.every((byte) => byte === 0)).toBe(true);
    expect(() => pending.reserve(100)).toThrow('too many images');
    expect(pending.take(tokens[0]!)!.bytes[0]).toBe(1);
    expect(() => pending.reserve(100)).not.toThrow();
    pending.close();
  });

  it('release the unused part of a reservation once', () => {
    const pending = new PendingImages({ bytesMax: 250, lifetimeMs: 60_000 });
    const room = pending.reserve(250);
    room.keep(picture());
    expect(() => pending.reserve(1)).toThrow('too many images');
    room.free();
    room.free();
    expect(() => pending.reserve(151)).toThrow('too many images');
    expect(() => pending.reserve(150)).not.toThrow();
    pending.close();
  });

  it('reserve all available room for a response that may need more', () => {
    const pending = new PendingImages({ bytesMax: 250, lifetimeMs: 60_000 });
    const room = pending.reserve(10_000);
    expect(() => room.keep(picture())).not.toThrow();
    room.free();
    pending.close();
  });

  it('are deleted and zeroed when they expire (I-041)', () => {
    vi.useFakeTimers();
    try {
      const pending = new PendingImages({ bytesMax: 250, lifetimeMs: 60_000 });
      const image = picture();
      const token = pending.reserve(100).keep(image);
      vi.advanceTimersByTime(59_999);
      expect(image.bytes[0]).toBe(1);
      vi.advanceTimersByTime(1);
      expect(image.bytes.every((byte) => byte === 0)).toBe(true);
      expect(pending.take(token)).toBeUndefined();
      expect(() => pending.reserve(250)).not.toThrow();
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(imageFormats)('fit in the reserved bytes as %s', async (format) => {
    const size = { width: 256, height: 256 };
    const pixels = new Uint8Array(3 * size.width * size.height);
    let state = 1;
    for (let i = 0; i < pixels.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      pixels[i] = state >>> 24;
    }
    const { length } = await encodeImage({ ...size, pixels }, { format, size });
    expect(length).toBeGreaterThan(10_000);
    expect(length).toBeLessThanOrEqual(fileBytesMax(size));
  });

  it('are zeroed when their server closes', () => {
    const pending = new PendingImages({ bytesMax: 250, lifetimeMs: 60_000 });
    const image = picture();
    const token = pending.reserve(100).keep(image);
    pending.close();
    expect(image.bytes[0]).toBe(0);
    expect(pending.take(token)).toBeUndefined();
  });
});
