/** Decodes latents to pixels with the decoder of the model's autoencoder. */
import type { RawImage } from '../interface/image-model.ts';
import type { Component, Numbers } from './component.ts';

/** Pixels decoded per pass (one image of 1024×1024), because the decoder's largest tensors are many times its output. */
const decodedPixelsMax = 1024 * 1024;
/** Scaling factor of Stable Diffusion 1's autoencoder, whose first files do not contain it (Rombach et al. 2022). */
const scalingFallback = 0.18215;

export interface Latents extends Numbers {
  readonly data: Float32Array;
  readonly dims: readonly [count: number, channels: number, height: number, width: number];
}

export class VaeDecoder {
  /** Pixels per side of a latent cell. */
  readonly scale: number;
  readonly #component: Component;
  readonly #factor: number;
  readonly #shift: number;

  /** @throws {ModelError} ERR_MODEL_LOAD */
  constructor(component: Component) {
    component.requireInputs(['latent_sample']);
    const { scaling_factor: factor, shift_factor: shift } = component.config;
    this.#component = component;
    this.scale = 2 ** (component.stages - 1);
    this.#factor = Number(factor ?? scalingFallback);
    this.#shift = Number(shift ?? 0);
  }

  /**
   * @param latents [images, channels, height, width], scaled as for the UNet
   * @param throwIfCancelled called before each pass; an error that it throws ends the decoding
   * @returns one image per latent
   */
  async decode(
    latents: Latents,
    {
      pixelsMax = decodedPixelsMax,
      throwIfCancelled = () => {},
    }: { pixelsMax?: number; throwIfCancelled?: () => void } = {},
  ): Promise<RawImage[]> {
    const [count, ...picture] = latents.dims;
    const size = latents.data.length / count;
    const pixels = picture[1] * picture[2] * this.scale ** 2;
    const atOnce = Math.max(1, Math.floor(pixelsMax / pixels));
    const images: RawImage[] = [];
    for (let first = 0; first < count; first += atOnce) {
      throwIfCancelled();
      const some = latents.data.subarray(first * size, (first + atOnce) * size);
      images.push(...(await this.#run({ data: some, dims: [some.length / size, ...picture] })));
    }
    return images;
  }

  async #run({ data, dims }: Latents): Promise<RawImage[]> {
    const sample = data.map((value) => value / this.#factor + this.#shift);
    const [pixels] = await this.#component.run({ latent_sample: { data: sample, dims } });
    const [count, , height, width] = pixels!.dims as [number, number, number, number];
    return Array.from({ length: count }, (_, index) => ({
      width,
      height,
      pixels: toPixels(pixels!.data, { index, plane: height * width }),
    }));
  }

  async close(): Promise<void> {
    await this.#component.close();
  }
}

/** Converts the channels (−1…1) of image `index` to [height, width, 3] bytes. */
function toPixels(data: Float32Array, { index, plane }: { index: number; plane: number }): Uint8Array {
  const pixels = new Uint8Array(plane * 3);
  for (let channel = 0; channel < 3; channel++) {
    const from = (index * 3 + channel) * plane;
    for (let i = 0; i < plane; i++) {
      pixels[i * 3 + channel] = Math.min(255, Math.max(0, Math.round((data[from + i]! + 1) * 127.5)));
    }
  }
  return pixels;
}
