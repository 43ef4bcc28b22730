/** How a graph in int8 quantises what passes through it, read from its file's operators. */
import { open } from 'node:fs/promises';

/** Of the operators' names: `…Linear`, and `…MatMul` where a graph was saved after its nodes were fused. */
const quantisedWhenItRuns = Buffer.from('DynamicQuantize');
const pieceBytes = 1 << 20;

/**
 * Whether activations are quantised by the range of a whole batch: then texts that are computed together change each
 * other's numbers, and what one caller gets would depend on what another sent.
 * @param path of a graph
 */
export async function quantisesActivations(path: string): Promise<boolean> {
  await using file = await open(path);
  const overlap = quantisedWhenItRuns.length - 1;
  const piece = Buffer.alloc(pieceBytes + overlap);
  for (let at = 0; ; at += pieceBytes) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (piece.subarray(0, bytesRead).includes(quantisedWhenItRuns)) return true;
    if (bytesRead < piece.length) return false;
  }
}
