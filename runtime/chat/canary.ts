/** The canary: a step that checks that an idle model still computes. It feeds one token to an idle sequence and trims it again. */
import type { TextModel } from '@cloister/models/interface/model';

/** An idle sequence with room for one more token, and its current length. */
export interface SpareSequence {
  readonly sequence: number;
  readonly length: number;
}

/** A token id that every vocabulary has. */
const token = 0;

/**
 * @param spare if undefined, the step has no rows and shows only that the model's thread responds
 * @throws the error of the step
 */
export async function runCanary(model: Pick<TextModel, 'step'>, spare: SpareSequence | undefined): Promise<void> {
  if (spare === undefined) {
    await model.step({ operations: [], rows: [] });
    return;
  }
  const { sequence, length } = spare;
  const row = { sequence, position: length, tokens: Int32Array.of(token), sample: false };
  try {
    await model.step({ operations: [], rows: [row] });
  } finally {
    await model.step({ operations: [{ kind: 'trim', sequence, from: length }], rows: [] });
  }
}
