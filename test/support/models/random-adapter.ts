/** LoRA adapters with seeded random matrices, and models into whose weights such an adapter is merged. */
import { type GgufFile, type MetadataValue, type Tensor, writeGguf } from './gguf.ts';
import { randomFiller } from './random-transformer.ts';

export interface AdapterOptions {
  readonly seed: number;
  readonly rank?: number;
  readonly alpha?: number;
}

const adapted = /\.(?:attn_q|attn_v|attn_output|ffn_gate|ffn_up|ffn_down)\.weight$/;

/** Changes of the attention and of the feed-forward matrices of all layers. */
export function randomAdapter(model: GgufFile, { seed, rank = 8, alpha = 16 }: AdapterOptions): GgufFile {
  const tensors = model.tensors.filter(isAdapted).flatMap(({ name, shape }): Tensor[] => {
    const [inputs, outputs] = shape as [number, number];
    const a = randomFiller(seed, `${name}.a`, 1 / Math.sqrt(inputs));
    // Half as large as the weights, so that answers differ clearly.
    const b = randomFiller(seed, `${name}.b`, 0.5 / Math.sqrt(rank) / (alpha / rank));
    return [
      { name: `${name}.lora_a`, shape: [inputs, rank], type: 'F32', fill: a },
      { name: `${name}.lora_b`, shape: [rank, outputs], type: 'F32', fill: b },
    ];
  });
  return { metadata: adapterMetadata(String(model.metadata['general.architecture']), alpha), tensors };
}

export function adapterMetadata(architecture: string, alpha = 16): Record<string, MetadataValue> {
  return {
    'general.type': 'adapter',
    'general.architecture': architecture,
    'adapter.type': 'lora',
    'adapter.lora.alpha': { f32: alpha },
  };
}

/** @returns the model with weights W + alpha / rank · B · A */
export function mergeAdapter(model: GgufFile, adapter: GgufFile): GgufFile {
  const alpha = (adapter.metadata['adapter.lora.alpha'] as { f32: number }).f32;
  const named = new Map(adapter.tensors.map((tensor) => [tensor.name, tensor]));
  const tensors = model.tensors.map((tensor): Tensor => {
    const [a, b] = [named.get(`${tensor.name}.lora_a`), named.get(`${tensor.name}.lora_b`)];
    if (a === undefined || b === undefined) return tensor;
    const [inputs, rank] = a.shape as [number, number];
    const [left, right] = [valuesOf(b), valuesOf(a)];
    const fill = (values: Float32Array, start: number) => {
      tensor.fill(values, start);
      for (let index = 0; index < values.length; index += 1) {
        const [row, column] = [Math.floor((start + index) / inputs), (start + index) % inputs];
        let change = 0;
        for (let inner = 0; inner < rank; inner += 1)
          change += left[row * rank + inner]! * right[inner * inputs + column]!;
        values[index] = values[index]! + (alpha / rank) * change;
      }
    };
    return { ...tensor, fill };
  });
  return { metadata: model.metadata, tensors };
}

/** Writes a file. @returns its path */
export function writeModel(path: string, file: GgufFile): string {
  writeGguf(path, file);
  return path;
}

function isAdapted({ name, shape }: Tensor): boolean {
  return adapted.test(name) && shape.length === 2;
}

function valuesOf({ shape, fill }: Tensor): Float32Array {
  const values = new Float32Array(shape.reduce((product, size) => product * size, 1));
  fill(values, 0);
  return values;
}
