/** Checks weights by comparing plain arithmetic on them with ONNX Runtime's results for the graph that they were read from. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, describe, expect, it } from 'vitest';
import { type BertReading, readBertWeights, releaseWeights } from '../../../models/bert/weights.ts';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import type { BertWeights } from '../../../native/bert-weights.ts';
import { denseForms } from '../../support/models/bert-forms.ts';
import {
  bertJson,
  type EmbeddingFolderOptions,
  tinyBert,
  writeEmbeddingFolder,
} from '../../support/models/embedding-folder.ts';
import { plainHidden, randomBertWeights } from '../../support/models/plain-bert.ts';
import { seededNumbers } from '../../support/models/strange-texts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const reference = join(import.meta.dirname, '../embedding/reference');
const demo = join(import.meta.dirname, '../../../models/demo/embedding');
const tinyBertConfig = bertJson(tinyBert);
const files = new PinnedFiles(undefined);

const scratch = await scratchFolder();
let folders = 0;
afterAll(() => scratch[Symbol.asyncDispose]());

function write(options: EmbeddingFolderOptions = {}): string {
  return writeEmbeddingFolder(join(scratch.path, String(folders++)), options);
}

function read(
  path: string,
  { config = tinyBertConfig, output = 'last_hidden_state', contextLength = tinyBert.context } = {},
) {
  return readBertWeights({ path, output, config: { ...config }, contextLength }, files);
}

function requireWeights(found: BertReading | string): BertWeights {
  expect(found).toBeTypeOf('object');
  return (found as BertReading).weights;
}

/** The output of the graph for one text, row by row. */
async function hiddenOf(path: string, output: string, tokens: Int32Array, isInt8: boolean): Promise<Float32Array> {
  // With all optimizations, ONNX Runtime quantizes activations even where the graph does not specify it; without them, its sums of
  // eight-bit products saturate on a CPU without VNNI.
  const extra = { session: { x64quantprecision: '1' } };
  const graphOptimizationLevel = isInt8 ? 'all' : 'basic';
  const session = await InferenceSession.create(path, { logSeverityLevel: 4, graphOptimizationLevel, extra });
  const whole = (values: ArrayLike<number>) =>
    new Tensor('int64', BigInt64Array.from(Array.from(values), BigInt), [1, tokens.length]);
  const known: Record<string, Tensor> = {
    input_ids: whole(tokens),
    attention_mask: whole(new Int32Array(tokens.length).fill(1)),
    token_type_ids: whole(new Int32Array(tokens.length)),
  };
  const result = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, known[name]!])));
  await session.release();
  return result[output]!.data as Float32Array;
}

/** Compares plain arithmetic on the weights with ONNX Runtime. @returns the largest difference, and the cosine */
async function compare(weights: BertWeights, path: string, { output = 'last_hidden_state', isInt8 = false } = {}) {
  const next = seededNumbers(3);
  const tokens = Int32Array.from({ length: 29 }, () => 5 + (next() % (weights.vocabulary - 5)));
  const expected = await hiddenOf(path, output, tokens, isInt8);
  const found = plainHidden(weights, tokens).flatMap((row) => [...row]);
  expect(found).toHaveLength(expected.length);
  const dot = found.reduce((sum, value, at) => sum + value * expected[at]!, 0);
  const cosine = dot / Math.hypot(...found) / Math.hypot(...expected);
  return { cosine, difference: Math.max(...found.map((value, at) => Math.abs(value - expected[at]!))) };
}

describe('readBertWeights', () => {
  it('reads every weight unchanged', () => {
    const weights = randomBertWeights(tinyBert, 4);
    expect(read(write({ seed: 4 }))).toEqual({ weights, isQuantized: false });
  });

  it('reads weights from an external file', () => {
    let bytes = new Uint8Array(0);
    const onWeights = (all: Uint8Array) => {
      bytes = Uint8Array.from(all);
    };
    const path = write({ seed: 4, onWeights });
    writeFileSync(join(dirname(path), 'weights.bin'), bytes);
    expect(readFileSync(path).length).toBeLessThan(bytes.length);
    expect(read(path)).toEqual({ weights: randomBertWeights(tinyBert, 4), isQuantized: false });
  });

  it.each(denseForms)('reads products in the form "%s"', async (form) => {
    const path = write({ form });
    const weights = requireWeights(read(path));
    const isInt8 = /int8|fused/.test(form);
    expect(weights.layers[1]!.down.weights).toBeInstanceOf(isInt8 ? Int8Array : Float32Array);
    const { cosine, difference } = await compare(weights, path, { isInt8 });
    // With eight bits, a different order of summation can change a rounding.
    expect(cosine).toBeGreaterThan(isInt8 ? 0.9999 : 0.999999);
    if (!isInt8) expect(difference).toBeLessThan(1e-4);
  });

  it.each([
    ['norms that are many nodes', { hasNormNodes: false }],
    ['words in eight bits', { hasPackedWords: true }],
    ['no token types', { tokenTypes: false }],
    ['no mask', { attentionMask: false }],
    ['one layer', { shape: { layers: 1 } }],
  ] as const)('reads a graph of %s', async (_, options) => {
    const path = write(options);
    const config = bertJson({ ...tinyBert, ...('shape' in options ? options.shape : {}) });
    const { difference } = await compare(requireWeights(read(path, { config })), path);
    expect(difference).toBeLessThan(1e-4);
  });

  it.each([
    ['no weight', { hasPackedWords: true }, false],
    ['weights that are unpacked', { form: 'dequantized' }, true],
    ['weights that are scaled', { form: 'cast and scaled' }, false],
    ['weights that are multiplied as integers', { form: 'int8' }, true],
  ] as const)('reports whether ONNX Runtime may quantize activations: %s in eight bits', (_, options, isQuantized) => {
    expect(read(write(options))).toMatchObject({ isQuantized });
  });

  it('reads the part before the pooling of a graph that pools itself', () => {
    const path = write({ seed: 4, output: 'sentence_embedding' });
    expect(requireWeights(read(path, { output: 'sentence_embedding' }))).toEqual(randomBertWeights(tinyBert, 4));
  });

  it.each([
    ['BERT by PyTorch', join(reference, 'bert')],
    ['RoBERTa by PyTorch, equal weights merged, positions after the padding token', join(reference, 'roberta')],
    ['the demo model, its weights in eight bits', demo],
  ])('reads %s', async (_, folder) => {
    const path = join(folder, 'onnx/model.onnx');
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const { cosine, difference } = await compare(requireWeights(read(path, { config })), path, {
      isInt8: folder === demo,
    });
    expect(cosine).toBeGreaterThan(0.999999);
    expect(difference).toBeLessThan(1e-2);
  });
});

it('releaseWeights empties all arrays', () => {
  const weights = requireWeights(read(write({ form: 'int8' })));
  releaseWeights(weights);
  const { places, kind, norm, layers } = weights;
  const { query, down } = layers[1]!;
  const all = [places, kind!, norm.scale, query.weights, query.scales!, query.zeroPoints!, down.bias];
  expect(all.map(({ length }) => length)).toEqual(all.map(() => 0));
});

describe('readBertWeights returns the reason', () => {
  it.each([
    ['of another architecture', { model_type: 'qwen3' }, 'the architecture qwen3 is not supported'],
    ['named like a property of every object', { model_type: 'toString' }, 'the architecture toString is not supported'],
    ['without an architecture', { model_type: ['bert'] }, 'config.json has no valid model_type'],
    [
      'whose activation is not a string',
      { hidden_act: { toString: 1, valueOf: 1 } },
      'config.json has no valid hidden_act',
    ],
    ['of too many layers', { num_hidden_layers: 257 }, 'config.json says 257 layers, more than any BERT has'],
    ['with another activation', { hidden_act: 'gelu_new' }, 'the activation is gelu_new, not gelu'],
    [
      'with relative positions',
      { position_embedding_type: 'relative_key' },
      'positions are relative_key, not absolute',
    ],
    ['of a decoder', { is_decoder: true }, 'it is a decoder'],
    ['without a number of heads', { num_attention_heads: null }, 'config.json has no valid num_attention_heads'],
    ['whose heads do not divide the width', { num_attention_heads: 5 }, 'the width 32 is not a multiple of 5 heads'],
    ['of fewer layers', { num_hidden_layers: 1 }, 'config.json says 1 layers, the graph has more'],
    ['of more layers', { num_hidden_layers: 3 }, 'config.json says 3 layers, the graph has 2'],
    ['of other positions', { max_position_embeddings: 65 }, 'there must be one table with 65 positions'],
    ['of other token types', { type_vocab_size: 3 }, 'there is a table other than words, positions and token types'],
  ])('for a config %s', (_, changes, reason) => {
    expect(read(write(), { config: { ...tinyBertConfig, ...changes } })).toBe(reason);
  });

  it('if the position table is shorter than the context', () => {
    expect(read(write(), { contextLength: 65 })).toBe('the position table is shorter than the context');
    const config = { ...tinyBertConfig, model_type: 'roberta', pad_token_id: 1 };
    expect(read(write(), { config })).toBe('the position table is shorter than the context');
    expect(requireWeights(read(write(), { config, contextLength: 62 })).firstPosition).toBe(2);
  });

  it('if layers share weights that together exceed the file', () => {
    const path = write({ shape: { layers: 64 }, sharesLayers: true });
    const config = { ...tinyBertConfig, num_hidden_layers: 64 };
    expect(read(path, { config })).toBe('the layers share weights: together they exceed the size of the file');
  });

  it('if the weights have half precision', () => {
    const path = write({ form: 'half' });
    expect(read(path)).toBe('the weights are neither fp32 nor in a supported quantization');
  });

  it('if the graph is another kind of network', () => {
    const path = join(reference, 'qwen3/onnx/model.onnx');
    expect(read(path)).toBeTypeOf('string');
  });

  it('if the output is missing or does not consist of token rows', () => {
    expect(read(write(), { output: 'logits' })).toBe('the output does not depend on exactly one final norm');
    expect(read(write(), { output: 'input_ids' })).toBe('the output does not depend on exactly one final norm');
  });

  it('if reading fails unexpectedly', () => {
    class NoFiles extends PinnedFiles {
      override require(): never {
        throw new TypeError('no files\nat all');
      }
    }
    const source = { path: write(), output: 'last_hidden_state', config: { ...tinyBertConfig }, contextLength: 64 };
    expect(readBertWeights(source, new NoFiles(undefined))).toBe('no files');
  });

  it('if the file is damaged or missing', () => {
    const path = write();
    writeFileSync(path, readFileSync(path).subarray(0, 3000));
    expect(read(path)).toMatch(/is not an ONNX file/);
    expect(read(join(dirname(path), 'other.onnx'))).toMatch(/other\.onnx is missing/);
  });
});
