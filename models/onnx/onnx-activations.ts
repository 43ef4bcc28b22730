/** Determines how an int8 graph quantizes activations, from the operators in its file. */
import { open } from 'node:fs/promises';

/** Prefix of the operators' names: `…Linear`, and `…MatMul` if the graph was saved after its nodes were fused. */
const quantizedWhenItRuns = Buffer.from('DynamicQuantize');
const pieceBytes = 1 << 20;

/**
 * Whether activations are quantized by the range of a whole batch. The results of a text then depend on the other texts of
 * the batch, which may belong to other users.
 * @param path path of a graph
 */
export async function quantizesActivations(path: string): Promise<boolean> {
  await using file = await open(path);
  const overlap = quantizedWhenItRuns.length - 1;
  const piece = Buffer.alloc(pieceBytes + overlap);
  for (let at = 0; ; at += pieceBytes) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (piece.subarray(0, bytesRead).includes(quantizedWhenItRuns)) return true;
    if (bytesRead < piece.length) return false;
  }
}
