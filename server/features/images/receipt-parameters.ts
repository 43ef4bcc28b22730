/** What a receipt says of how pictures were made: numbers and flags that decide it, and nothing that a caller wrote. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';
import type { ImageCall } from './schema.ts';

export function imageParameters({ job, outputFormat, stream }: ImageCall): Parameters {
  return {
    choices: job.count,
    width: job.size.width,
    height: job.size.height,
    steps: job.steps,
    guidance_scale: job.guidanceScale,
    seed: job.seed,
    format: outputFormat,
    stream,
  };
}
