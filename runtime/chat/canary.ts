/** A step that proves an idle model computes, and leaves no trace: one token on an idle sequence, taken back at once. */
import type { TextModel } from '@cloister/models/interface/model';

/** An idle sequence with room for one more token, and how many it holds. */
export interface SpareSequence {
  readonly sequence: number;
  readonly length: number;
}

/** A token id that every vocabulary has. */
const token = 0;

/**
 * @param spare without one, a step without rows shows only that the model's thread turns
 * @throws what the step throws
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
