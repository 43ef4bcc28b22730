/** One run of a graph on the calling thread. */
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Output } from './tensors.ts';

export type Feeds = Readonly<Record<string, Tensor>>;

/** @returns the outputs named, in their order, in 32 bit; the numbers own their memory */
export async function runGraph(
  session: InferenceSession,
  feeds: Feeds,
  names: readonly string[],
): Promise<readonly Output[]> {
  const outputs = await session.run(feeds, names);
  return names.map((name) => {
    const { data, dims } = outputs[name]!;
    return { data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number>), dims };
  });
}
