/** Chooses how many sessions of an embedding model run in parallel. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { PlannedModel } from './model-plan.ts';

/** Memory limit for the sessions of one model; more than this do not help. */
const sessionBytesMax = 1024 ** 3;
const sessionsMax = 8;

/**
 * Sessions of one thread each are best for short texts, but each is a copy of the weights, and the all-core session is
 * one more. A model that divides a batch among its threads itself is loaded once, regardless of this number.
 * @param asked the operator's setting
 * @param threads of the model, over all sessions
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

/** Includes the adjacent files that hold larger weights: `model.onnx_data`, `model.onnx.data`. */
function graphBytes(path: string): number {
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return names.reduce((sum, name) => sum + statSync(join(dirname(path), name)).size, 0);
}
