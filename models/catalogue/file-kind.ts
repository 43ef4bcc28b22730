/** Determines the kind of a model file that no catalogue describes. */
import { basename } from 'node:path';
import { readGgufFacts } from '../gguf/gguf-file.ts';
import type { ModelKind } from './catalogue-entry.ts';

/**
 * @param path an ONNX graph, a pipeline's `model_index.json`, or a GGUF file
 * @returns `llama-text` for any other file; its loader reports what is wrong with the file
 */
export async function kindOfFile(path: string): Promise<ModelKind> {
  if (path.endsWith('.onnx')) return 'onnx-embedding';
  if (basename(path) === 'model_index.json') return 'onnx-image';
  try {
    return (await readGgufFacts(path)).embeds ? 'llama-embedding' : 'llama-text';
  } catch {
    return 'llama-text';
  }
}
