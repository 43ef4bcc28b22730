/** What a receipt says of how embeddings were made: numbers and flags that decide it, and nothing that a caller wrote. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';

/** @param call.dimensions undefined: as long as the model makes them */
export function embeddingParameters(call: {
  texts: number;
  dimensions: number | undefined;
  format: string;
}): Parameters {
  return { texts: call.texts, dimensions: call.dimensions, format: call.format };
}
