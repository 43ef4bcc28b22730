/** The composition root of an embedding model's threads: those that tokenise, and those that hold the model. */
import '../enclave/close-model-thread.ts';
import '../enclave/follow-memory-clearing.ts';
import { workerData } from 'node:worker_threads';
import { loadLlamaEmbedding, loadLlamaTokenizer } from '@cloister/models/embedding/llama-embedding';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '@cloister/models/embedding/onnx-embedding';
import type { EmbeddingModel, TextTokenizer } from '@cloister/models/interface/embedding-model';
import {
  type EmbeddingThreadData,
  serveEmbeddingModel,
  serveTokenizer,
} from '@cloister/runtime/embeddings/embedding-worker';
import type { EmbeddingWorkerData } from './embedding-worker-data.ts';

const { role, data } = workerData as EmbeddingThreadData<EmbeddingWorkerData>;
const isGguf = data.format === 'gguf';
export default role === 'tokenizer' ? serveTokenizer(openTokenizer) : serveEmbeddingModel(openModel);

function openTokenizer(): Promise<TextTokenizer> {
  return isGguf ? loadLlamaTokenizer(data.modelPath) : loadOnnxTokenizer(data);
}

function openModel(onProgress: (fraction: number) => void): Promise<EmbeddingModel> {
  const isWide = role === 'wide-model';
  // The parallel sessions exist only if the all-core session stayed with ONNX Runtime; its choice applies to them too.
  const options = { ...data, threads: isWide ? data.wideThreads : data.threads, takesText: isWide, ownKernels: isWide };
  return isGguf ? loadLlamaEmbedding(options, { onProgress }) : loadOnnxEmbedding(options);
}
