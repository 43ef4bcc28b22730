/** Chooses the size of the latent for a requested image size. Pure. */
import type { PixelSize } from '../interface/image-model.ts';

/** The model's native size, and the multiple that its downsampling requires. */
export interface LatentLimits {
  /** Side of the square latent that the model was trained on. */
  readonly side: number;
  /** Latent sides must be a multiple of this: a factor of 2 per downsampling in the UNet. */
  readonly multiple: number;
}

/**
 * Keeps about as many latent cells as the model was trained on, with the aspect ratio of the requested size.
 * @returns latent height and width
 */
export function latentShape({ width, height }: PixelSize, { side, multiple }: LatentLimits) {
  const stretch = Math.sqrt(width / height);
  const sized = (length: number) => Math.max(1, Math.round(length / multiple)) * multiple;
  return { height: sized(side / stretch), width: sized(side * stretch) };
}
