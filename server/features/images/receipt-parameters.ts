/** The parameters of images in their receipt: numbers and flags, no text of the caller. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';
import type { ImageCall } from './schema.ts';

export function imageParameters({ job, outputFormat, quality, stream }: ImageCall): Parameters {
  return {
    choices: job.count,
    width: job.size.width,
    height: job.size.height,
    steps: job.steps,
    guidance_scale: job.guidanceScale,
    seed: job.seed,
    format: outputFormat,
    ...(quality === undefined ? {} : { output_compression: quality }),
    stream,
  };
}
