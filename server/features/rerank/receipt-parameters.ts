/** The parameters of cross-encoders in receipts: numbers and flags, no text of the caller. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';
import type { RerankCall, ScoreCall } from './schema.ts';

export function rerankParameters(call: RerankCall): Parameters {
  return {
    ...pairParameters(call),
    top_n: call.top,
    return_documents: call.returnsDocuments,
    max_tokens_per_doc: call.documentTokensMax,
  };
}

/** @returns the parameters that both routes have */
export function pairParameters({ pairs, truncate, usesSigmoid }: ScoreCall | RerankCall): Parameters {
  return { texts: pairs.length, truncate, use_activation: usesSigmoid };
}
