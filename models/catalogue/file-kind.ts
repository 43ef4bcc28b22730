/** Determines the kind of a model file that no catalogue describes. */
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readGgufFacts } from '../gguf/gguf-file.ts';
import type { GgufFacts } from '../gguf/gguf-header.ts';
import type { ModelKind } from './catalogue-entry.ts';

/**
 * @param path an ONNX graph, a pipeline's `model_index.json`, or a GGUF file
 * @returns `llama-text` for any other file; its loader reports what is wrong with the file
 */
export async function kindOfFile(path: string): Promise<ModelKind> {
  if (path.endsWith('.onnx')) return (await namesCrossEncoder(path)) ? 'onnx-reranker' : 'onnx-embedding';
  if (basename(path) === 'model_index.json') return 'onnx-image';
  try {
    return kindOfGguf(await readGgufFacts(path));
  } catch {
    return 'llama-text';
  }
}

export function kindOfGguf({ embeds, ranks }: GgufFacts): 'llama-text' | 'llama-embedding' | 'llama-reranker' {
  if (ranks) return 'llama-reranker';
  return embeds ? 'llama-embedding' : 'llama-text';
}

/** Reads the `config.json` next to a graph, or next to its folder `onnx`. */
async function namesCrossEncoder(path: string): Promise<boolean> {
  const folder = dirname(path);
  try {
    const home = basename(folder) === 'onnx' ? dirname(folder) : folder;
    const { architectures } = JSON.parse(await readFile(join(home, 'config.json'), 'utf8')) ?? {};
    return Array.isArray(architectures) && String(architectures[0]).endsWith('ForSequenceClassification');
  } catch {
    return false;
  }
}
