/** Which size a latent model draws for the size that was asked for. Pure. */
import type { PixelSize } from '../interface/image-model.ts';

/** The model's native square and what its halvings need. */
export interface LatentLimits {
  /** Side of the square latent it was trained on. */
  readonly side: number;
  /** Latent sides must be a multiple of this, one factor of 2 per halving inside the UNet. */
  readonly multiple: number;
}

/**
 * About as many latent cells as the model was trained on, in the shape of the size asked for.
 * @returns latent height and width
 */
export function latentShape({ width, height }: PixelSize, { side, multiple }: LatentLimits) {
  const stretch = Math.sqrt(width / height);
  const sized = (length: number) => Math.max(1, Math.round(length / multiple)) * multiple;
  return { height: sized(side / stretch), width: sized(side * stretch) };
}
