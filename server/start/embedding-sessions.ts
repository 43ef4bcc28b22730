/** How many copies of an embedding model compute side by side. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PlannedModel } from './model-plan.ts';

/** Memory that copies of one model may take, and how many more do not help. */
const sessionBytesMax = 1024 ** 3;
const sessionsMax = 8;

/**
 * One thread each is best for short texts, but each is a copy of the weights, and one more stands beside them. A model
 * that shares a batch out among its threads by itself is loaded once, whatever this says.
 * @param asked what the operator says
 * @param threads of the model, over all copies
 */
export function embeddingSessions(
  { path, pinned }: Pick<PlannedModel, 'path' | 'pinned'>,
  { asked, threads }: { asked: number | 'auto'; threads: number },
): number {
  if (asked !== 'auto') return asked;
  const bytes = pinned?.entry.files.reduce((sum, file) => sum + file.bytes, 0) ?? graphBytes(path);
  const copies = Math.floor(sessionBytesMax / bytes) - 1;
  return Math.max(1, Math.min(copies, threads, sessionsMax));
}

/** With the files beside it that hold larger weights: `model.onnx_data`, `model.onnx.data`. */
function graphBytes(path: string): number {
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return names.reduce((sum, name) => sum + statSync(join(dirname(path), name)).size, 0);
}
