/** How a graph in int8 quantises what passes through it, read from its file's operators. */
import { open } from 'node:fs/promises';

/** Of the operators' names: `…Linear`, and `…MatMul` where a graph was saved after its nodes were fused. */
const QUANTISED_WHEN_IT_RUNS = Buffer.from('DynamicQuantize');
const PIECE_BYTES = 1 << 20;

/**
 * Whether activations are quantised by the range of a whole batch: then texts that are computed together change each
 * other's numbers, and what one caller gets would depend on what another sent.
 * @param path of a graph
 */
export async function quantisesActivations(path: string): Promise<boolean> {
  await using file = await open(path);
  const overlap = QUANTISED_WHEN_IT_RUNS.length - 1;
  const piece = Buffer.alloc(PIECE_BYTES + overlap);
  for (let at = 0; ; at += PIECE_BYTES) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (piece.subarray(0, bytesRead).includes(QUANTISED_WHEN_IT_RUNS)) return true;
    if (bytesRead < piece.length) return false;
  }
}
