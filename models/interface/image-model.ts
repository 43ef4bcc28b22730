/** What a text-to-image model is, as the runtime sees it. Interfaces only: this file imports nothing. */

/** Facts of a loaded image model. */
export interface ImageModelInfo {
  /** One line for people: pipeline class, parameters, precision. */
  readonly description: string;
  /** Where it runs, for people. */
  readonly device: string;
  /** What a GPU lacks, where one was looked for in vain. */
  readonly whyNotGpu?: string;
  /** Pixel sizes the model was trained to draw, best first; other sizes are drawn at the nearest and resized. */
  readonly nativeSizes: readonly PixelSize[];
}

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Everything is checked and defaulted. */
export interface ImageJob {
  readonly prompt: string;
  readonly negativePrompt: string;
  /** Pictures, 1…10, drawn as one batch; picture k starts from noise of `seed + k`. */
  readonly count: number;
  /** What the caller gets; the model may draw at another size. */
  readonly size: PixelSize;
  readonly steps: number;
  readonly guidanceScale: number;
  /** Unsigned 32 bit. */
  readonly seed: number;
  /** Views of the unfinished pictures, 0…3, at evenly spaced steps. */
  readonly previews: number;
}

/** One picture, not yet encoded. */
export interface RawImage extends PixelSize {
  /** [height, width, 3], 8 bit RGB. */
  readonly pixels: Uint8Array;
}

/** What the model expects the pictures to become. */
export interface ImagePreview {
  /** From 0. */
  readonly index: number;
  /** All pictures of the job, as `draw` will answer them. */
  readonly images: readonly RawImage[];
}

/** A loaded image model: `models/image/` and a fake in `test/support`. */
export interface ImageModel {
  readonly info: ImageModelInfo;
  /**
   * Draws all pictures of one job.
   * @param onStep after each denoising step, 1…steps
   * @param onPreview before the `onStep` of the same step
   * @param isCancelled asked between steps; the drawing then ends with ERR_CANCELLED
   * @returns pictures at the size the model draws
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
