/** What a model reads per token, for comparisons with the speed of memory. */
import { statSync } from 'node:fs';
import { readGgufFileInfo } from 'node-llama-cpp';

/**
 * Bytes of the weights that one token of one answer reads: of experts only those that are used, and of the embedding of tokens one row
 * (zero here) unless it is also the output.
 * @param model a GGUF file that is not split
 */
export async function weightBytesPerToken(model: string): Promise<number> {
  const { metadata, fullTensorInfo = [] } = await readGgufFileInfo(model, { readTensorInfo: true, logWarnings: false });
  const tensors = fullTensorInfo
    .map(({ name, fileOffset }) => ({ name, start: Number(fileOffset) }))
    .sort((a, b) => a.start - b.start);
  const hasOutput = tensors.some(({ name }) => name === 'output.weight');
  const architecture: object = metadata[metadata.general.architecture] ?? {};
  const { expert_count: experts = 1, expert_used_count: usedExperts = 1 } = architecture as Record<string, number>;
  const end = statSync(model).size;
  return tensors.reduce((total, { name, start }, index) => {
    const bytes = (tensors[index + 1]?.start ?? end) - start;
    if (name === 'token_embd.weight' && hasOutput) return total;
    return total + (name.includes('_exps.') ? (bytes * usedExperts) / experts : bytes);
  }, 0);
}
