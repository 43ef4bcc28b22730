/** The interface of a text-to-image model. Types only: this file imports nothing. */

/** Facts of a loaded image model. */
export interface ImageModelInfo {
  /** One line for display: pipeline class, sampler, native size. */
  readonly description: string;
  /** The device, for display. */
  readonly device: string;
  /** Why no GPU is used, if one was requested or searched for. */
  readonly whyNotGpu?: string;
  /** Pixel sizes that the model was trained on, best first; other sizes are drawn at the nearest one and resized. */
  readonly nativeSizes: readonly PixelSize[];
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** A job with validated fields and defaults. */
export interface ImageJob {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** Number of images, 1…10; image k starts from noise of `seed + k`. */
  readonly count: number;
  /** The size of the result; the model may draw at another size. */
  readonly size: PixelSize;
  readonly steps: number;
  readonly guidanceScale: number;
  /** Unsigned 32 bit. */
  readonly seed: number;
  /** Number of previews, 0…3, at evenly spaced steps. */
  readonly previews: number;
}

/** An image that is not encoded yet. */
export interface RawImage extends PixelSize {
  /** [height, width, 3], 8 bit RGB. */
  readonly pixels: Uint8Array;
}

/** The model's prediction of the finished images. */
export interface ImagePreview {
  /** From 0. */
  readonly index: number;
  /** All images of the job, in the form that `draw` returns. */
  readonly images: readonly RawImage[];
}

/** A loaded image model. Implemented by `models/image/` and a fake in `test/support`. */
export interface ImageModel {
  readonly info: ImageModelInfo;
  /**
   * Draws all images of one job.
   * @param onStep called after each denoising step, 1…steps
   * @param onPreview called before the `onStep` of the same step
   * @param isCancelled polled between steps; if true, the job ends with ERR_ABORTED
   * @returns images at the model's native size
   */
  draw(
    job: ImageJob,
    options: {
      onStep: (step: number) => void;
      onPreview: (preview: ImagePreview) => void;
      isCancelled: () => boolean;
    },
  ): Promise<readonly RawImage[]>;
  close(): Promise<void>;
}
