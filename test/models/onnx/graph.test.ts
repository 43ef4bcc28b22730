import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readBertWeights } from '../../../models/bert/weights.ts';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import { OnnxValuesByName } from '../../../models/onnx/constants.ts';
import { type OnnxGraph as Graph, withOnnxGraph } from '../../../models/onnx/graph.ts';
import { mutate } from '../../fuzz/mutation/bytes.ts';
import { bertJson } from '../../support/models/embedding-folder.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { type BertShape, randomBert } from '../../support/models/random-bert.ts';
import { Random } from '../../support/random.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const noPinnedFiles = new PinnedFiles(undefined);
const small: BertShape = { vocabulary: 9, layers: 1, width: 4, heads: 2, feedForward: 4, context: 6 };

const scratch = await scratchFolder();
const path = join(scratch.path, 'model.onnx');
afterAll(() => scratch[Symbol.asyncDispose]());

function written<Result>(graph: OnnxGraph | Uint8Array, use: (graph: Graph) => Result, files = noPinnedFiles): Result {
  writeFileSync(path, graph instanceof OnnxGraph ? graph.encode() : graph);
  return withOnnxGraph(path, files, use);
}

function valuesOf({ tensors }: Graph, name: string): number[] {
  return [...tensors.get(name)!.read()];
}

/** The values that a node computes from constants. */
function folded(build: (graph: OnnxGraph) => string): { shape: readonly number[]; values: number[] } | undefined {
  const graph = new OnnxGraph();
  const name = build(graph);
  return written(graph, (read) => {
    const constant = new OnnxValuesByName(read).constant(name);
    return constant && { shape: constant.shape, values: [...constant.read()] };
  });
}

/** A length-delimited field whose length is encoded in four bytes. */
function delimited(number: number, bytes: Uint8Array): Uint8Array {
  const length = [0, 7, 14, 21].map((bits) => ((bytes.length >> bits) & 127) | (bits < 21 ? 128 : 0));
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}

const matrix = (graph: OnnxGraph, type: 'int8' | 'uint8' = 'int8') =>
  graph.tensor('matrix', type, [2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6));

describe('withOnnxGraph', () => {
  it('reads nodes with their attributes, inputs and outputs', () => {
    const graph = new OnnxGraph();
    const x = graph.input({ name: 'x', type: 'float32', shape: [2, 3] });
    const turned = graph.node('Transpose', [x], { perm: { ints: [1, 0] } });
    const scaled = graph.node('com.microsoft.Scaled', [turned, ''], { alpha: { float: 0.5 }, axis: { int: -1 } });
    graph.output({ name: 'y', type: 'float32', shape: [3, 2] }, scaled);
    const { nodes, inputs, outputs } = written(graph, (read) => read);
    expect({ inputs, outputs }).toEqual({ inputs: ['x'], outputs: ['y'] });
    expect(nodes.map(({ domain, op }) => [domain, op])).toEqual([
      ['', 'Transpose'],
      ['com.microsoft', 'Scaled'],
      ['', 'Identity'],
    ]);
    expect(nodes[0]!.attributes.get('perm')).toEqual({ numbers: [1, 0] });
    expect(nodes[1]!.attributes).toEqual(
      new Map([
        ['alpha', { number: 0.5 }],
        ['axis', { number: -1 }],
      ]),
    );
    expect(nodes[1]!.inputs).toEqual([nodes[0]!.outputs[0], '']);
  });

  it.each([false, true])('reads tensors whose values are in typed fields: %s', (isTyped) => {
    const graph = new OnnxGraph();
    graph.tensor('floats', 'float32', [3], Float32Array.of(1.5, -2, 0), { isTyped });
    graph.tensor('signed', 'int8', [2, 2], Int8Array.of(-128, -1, 0, 127), { isTyped });
    graph.tensor('unsigned', 'uint8', [], Uint8Array.of(200), { isTyped });
    graph.tensor('whole', 'int32', [2], Int32Array.of(-70_000, 70_000), { isTyped });
    written(graph, (read) => {
      expect(valuesOf(read, 'floats')).toEqual([1.5, -2, 0]);
      expect(valuesOf(read, 'signed')).toEqual([-128, -1, 0, 127]);
      expect(valuesOf(read, 'unsigned')).toEqual([200]);
      expect(valuesOf(read, 'whole')).toEqual([-70_000, 70_000]);
      expect(read.tensors.get('signed')).toMatchObject({ type: 'int8', shape: [2, 2] });
      expect(read.tensors.get('unsigned')!.shape).toEqual([]);
    });
  });

  it('reads weights from external files if these may be opened', () => {
    const graph = new OnnxGraph();
    graph.external('part', 'float32', [2], { location: 'more/weights.bin', offset: 4, length: 8 });
    graph.external('all', 'int8', [4], 'small.bin');
    mkdirSync(join(scratch.path, 'more'), { recursive: true });
    const [weights, small] = [join(scratch.path, 'more/weights.bin'), join(scratch.path, 'small.bin')];
    writeFileSync(weights, Float32Array.of(1, 2, 3, 4));
    writeFileSync(small, Int8Array.of(1, -2, 3, -4));
    written(graph, (read) => {
      expect(valuesOf(read, 'part')).toEqual([2, 3]);
      expect(valuesOf(read, 'all')).toEqual([1, -2, 3, -4]);
    });
    const pinned = new PinnedFiles([path, small]);
    expect(() => written(graph, (read) => valuesOf(read, 'part'), pinned)).toThrow(/weights\.bin is not pinned/);
  });

  it.each([
    ['lies in a folder above', { location: '../weights.bin' }],
    ['is a folder', { location: 'more', length: 8 }],
    ['has an absolute path', { location: '/etc/hostname' }],
    ['is shorter than its values', { location: 'short.bin', offset: 4 }],
    ['has a negative offset', { location: 'short.bin', offset: -4 }],
    ['has another length', { location: 'short.bin', length: 4 }],
  ])('refuses weights whose file %s', (_, place) => {
    writeFileSync(join(scratch.path, 'short.bin'), Float32Array.of(1, 2));
    mkdirSync(join(scratch.path, 'more'), { recursive: true });
    const graph = new OnnxGraph();
    graph.external('weights', 'float32', [2], place);
    const reading = () => written(graph, (read) => valuesOf(read, 'weights'));
    expect(reading).toThrow(expect.objectContaining({ code: 'ERR_MODEL_LOAD' }));
  });

  it.each([
    ['too few', [3]],
    ['too many', [1]],
    ['more than memory holds', [2 ** 40, 2 ** 40]],
  ])('refuses a tensor whose shape wants %s', (_, shape) => {
    for (const isTyped of [false, true]) {
      const graph = new OnnxGraph();
      graph.tensor('numbers', 'int32', shape, Int32Array.of(1, 2), { isTyped });
      const reading = () => written(graph, (read) => valuesOf(read, 'numbers'));
      expect(reading).toThrow(expect.objectContaining({ code: 'ERR_MODEL_LOAD' }));
    }
  });

  it('refuses unsupported element types only when the tensor is read', () => {
    const graph = new OnnxGraph();
    graph.tensor('half', 'float16', [2], Uint16Array.of(1, 2));
    expect(written(graph, ({ tensors }) => tensors.get('half')!.type)).toBe('other');
    expect(() => written(graph, (read) => valuesOf(read, 'half'))).toThrow(/has an unsupported element type/);
  });

  it('ignores values of an attribute beyond a thousand', () => {
    const graph = new OnnxGraph();
    const x = graph.input({ name: 'x', type: 'float32', shape: [2, 3] });
    graph.node('Transpose', [x], { perm: { ints: Array.from({ length: 2000 }, (_, at) => at) } });
    const { numbers } = written(graph, ({ nodes }) => nodes[0]!.attributes.get('perm')!);
    expect(numbers).toEqual(Array.from({ length: 1024 }, (_, at) => at));
  });

  it('refuses a tensor of a million fields', () => {
    // Field 4 with four bytes: one value of `float_data`.
    const one = Buffer.from([37, 0, 0, 0, 0]);
    const file = (count: number) => delimited(7, delimited(5, Buffer.alloc(count * one.length, one)));
    expect(written(file(100_000), ({ tensors }) => tensors.size)).toBe(1);
    expect(() => written(file(1_000_000), () => 0)).toThrow(/it has too many fields/);
  });

  it('refuses a file without a graph, or with two', () => {
    const graph = new OnnxGraph().encode();
    expect(() => written(new Uint8Array(), () => 0)).toThrow(/it has no graph/);
    expect(() => written(Buffer.concat([graph, graph]), () => 0)).toThrow(/it has two graphs/);
  });
});

describe('constants of a graph', () => {
  it('are computed by its nodes from tensors', () => {
    expect(folded((graph) => graph.node('Transpose', [matrix(graph)], { perm: { ints: [1, 0] } }))).toEqual({
      shape: [3, 2],
      values: [1, 4, 2, 5, 3, 6],
    });
    const scale = (graph: OnnxGraph, shape: number[], ...values: number[]) =>
      graph.tensor('scale', 'float32', shape, Float32Array.from(values));
    const cast = (graph: OnnxGraph) =>
      graph.node('Cast', [graph.node('Identity', [matrix(graph)])], { to: { int: 1 } });
    const scaled = (shape: number[], ...values: number[]) =>
      folded((graph) => graph.node('Mul', [scale(graph, shape, ...values), cast(graph)]))?.values;
    expect(scaled([], 10)).toEqual([10, 20, 30, 40, 50, 60]);
    expect(scaled([1, 3], 1, 10, 100)).toEqual([1, 20, 300, 4, 50, 600]);
    expect(scaled([2, 1], 1, 10)).toEqual([1, 2, 3, 40, 50, 60]);
    expect(scaled([2], 1, 10)).toBeUndefined();
  });

  it.each([
    ['one scale', [], [2], [1], 1, [0, 2, 4, 6, 8, 10]],
    ['a scale per column', [3], [1, 10, 100], [1, 1, 1], 1, [0, 10, 200, 3, 40, 500]],
    ['a scale per row', [2], [1, 10], [1, 2], 0, [0, 1, 2, 20, 30, 40]],
  ] as const)('are unpacked with %s', (_, shape, scales, zeros, axis, expected) => {
    const result = folded((graph) => {
      const scale = graph.tensor('scale', 'float32', shape, Float32Array.from(scales));
      const zero = graph.tensor('zero', 'uint8', shape, Uint8Array.from(zeros), { isTyped: true });
      return graph.node('DequantizeLinear', [matrix(graph, 'uint8'), scale, zero], { axis: { int: axis } });
    });
    expect(result?.values).toEqual(expected);
  });

  it('are undefined if they need more than 64 reads and computations', () => {
    const power = (doublings: number) =>
      folded((graph) => {
        let value = graph.scalar(2);
        for (let done = 0; done < doublings; done++) value = graph.node('Mul', [value, value]);
        return value;
      })?.values;
    expect(power(5)).toEqual([2 ** 32]);
    expect(power(6)).toBeUndefined();
  });

  it('are undefined if they depend on an input or on an unsupported node', () => {
    const input = (graph: OnnxGraph) => graph.input({ name: 'x', type: 'float32', shape: [2, 3] });
    expect(folded((graph) => graph.node('Transpose', [input(graph)]))).toBeUndefined();
    expect(folded((graph) => graph.node('Relu', [matrix(graph)]))).toBeUndefined();
    expect(folded((graph) => graph.node('Cast', [matrix(graph)], { to: { int: 10 } }))).toBeUndefined();
  });
});

describe('with any bytes', () => {
  const config = { ...bertJson(small) };
  const read = (bytes: Uint8Array) => {
    writeFileSync(path, bytes);
    try {
      withOnnxGraph(path, noPinnedFiles, ({ tensors }) => {
        for (const tensor of tensors.values()) if (tensor.type !== 'other') tensor.read();
      });
    } catch (error) {
      expect(error).toMatchObject({
        name: 'ModelError',
        code: expect.stringMatching(/ERR_MODEL_LOAD|ERR_FILE_MISSING/),
      });
    }
    const found = readBertWeights({ path, output: 'last_hidden_state', config, contextLength: 6 }, noPinnedFiles);
    expect(typeof found === 'string' || found.weights.layers.length === 1).toBe(true);
    return found;
  };

  it('a graph is parsed or refused with a ModelError, and weights with a reason', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void read(bytes)),
      { numRuns: 300, seed: 5 },
    );
  });

  it.each(['plain', 'uint8 columns', 'dequantized', 'gemm'] as const)(
    'and so are changed graphs in the form "%s"',
    (form) => {
      const good = randomBert(small, {
        seed: 1,
        form,
        hasNormNodes: form !== 'gemm',
        hasPackedWords: form === 'uint8 columns',
      });
      expect(read(good)).toBeTypeOf('object');
      const random = new Random(8);
      const words = ['MatMul', 'Add', 'Identity', 'input_ids', 'word_embeddings'].map((word) => Buffer.from(word));
      for (let run = 0; run < 400; run++) read(mutate(good, words, random));
    },
  );
});
