/** Which kind of model a file holds, for files that no catalogue tells of. */
import { basename } from 'node:path';
import { readGgufFacts } from '../gguf/gguf-file.ts';
import type { ModelKind } from './catalogue-entry.ts';

/**
 * @param path a graph in ONNX, a pipeline's `model_index.json`, or a GGUF file
 * @returns for anything else the kind of a chat, whose loader says what is wrong with the file
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
