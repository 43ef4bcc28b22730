/** The parameters of embeddings in their receipt: numbers and flags, no text of the caller. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';

/** @param call.dimensions undefined: the dimension of the model */
export function embeddingParameters(call: {
  texts: number;
  dimensions: number | undefined;
  format: string;
}): Parameters {
  return { texts: call.texts, dimensions: call.dimensions, format: call.format };
}
