import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import { pinPath } from '../../../models/hub/pin-path.ts';
import { Component } from '../../../models/image/component.ts';
import { readExternalFiles } from '../../../models/onnx/external.ts';
import { writeEmbeddingFolder } from '../../support/models/embedding-folder.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const demo = join(import.meta.dirname, '../../../models/demo/image/unet/model.onnx');

/** A graph that adds tensors in external files to its input. */
function graphWith(locations: readonly string[]): Uint8Array {
  const graph = new OnnxGraph();
  let sum = graph.input({ name: 'x', type: 'float32', shape: [2] });
  for (const [index, location] of locations.entries()) {
    sum = graph.node('Add', [sum, graph.external(`weights_${index}`, 'float32', [2], location)]);
  }
  graph.tensor('large', 'float32', [100_000], new Float32Array(100_000));
  graph.output({ name: 'y', type: 'float32', shape: [2] }, sum);
  return graph.encode();
}

describe('readExternalFiles', () => {
  it('lists each file once, and none for a graph without external weights', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'model.onnx');
    writeFileSync(path, graphWith(['model.onnx_data', 'more/weights.pb', 'model.onnx_data']));
    expect(readExternalFiles(path)).toEqual(['model.onnx_data', 'more/weights.pb']);
    expect(readExternalFiles(demo)).toEqual([]);
  });

  it('refuses any file that is not ONNX', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'model.onnx');
    writeFileSync(path, readFileSync(demo).subarray(0, 100_000));
    expect(() => readExternalFiles(path)).toThrow(expect.objectContaining({ code: 'ERR_MODEL_LOAD' }));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        writeFileSync(path, bytes);
        try {
          expect(readExternalFiles(path)).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_MODEL_LOAD' });
        }
      }),
      { numRuns: 500, seed: 5 },
    );
  });
});

it('pinning a folder pins the external weight files of its graph, with any name', async () => {
  await using scratch = await scratchFolder();
  const graph = writeEmbeddingFolder(scratch.path);
  writeFileSync(graph, graphWith(['a.bin', 'more/b.txt']));
  mkdirSync(join(dirname(graph), 'more'));
  for (const name of ['a.bin', 'more/b.txt', 'c.bin']) writeFileSync(join(dirname(graph), name), Float32Array.of(3, 4));
  const folders = { catalogueFolder: scratch.path, modelsFolder: scratch.path };
  const options = { folders, signal: AbortSignal.timeout(30_000) };
  const { files } = await pinPath({ kind: 'path', path: graph }, options);
  expect(files.map(({ path }) => path).filter((path) => path.startsWith('onnx/'))).toEqual([
    ...['onnx/model.onnx', 'onnx/a.bin', 'onnx/more/b.txt'],
  ]);
  expect(files[0]!.path).toBe('onnx/model.onnx');
});

describe('a component with external weights', () => {
  it('is opened only if the weight file is pinned, too', async () => {
    await using folder = await scratchFolder();
    const [graph, config, weights] = ['model.onnx', 'config.json', 'weights.pb'].map((name) => join(folder.path, name));
    writeFileSync(graph!, graphWith(['weights.pb']));
    writeFileSync(config!, '{}');
    writeFileSync(weights!, Float32Array.of(3, 4));
    const open = (pinned: readonly string[]) =>
      Component.open(folder.path, { threads: 1, gpu: 'off' }, new PinnedFiles(pinned));
    await expect(open([graph!, config!])).rejects.toThrow('weights.pb is not pinned; add the model again');
    const component = await open([graph!, config!, weights!]);
    const [sum] = await component.run({ x: { data: [1, 2], dims: [2] } });
    expect([...sum!.data]).toEqual([4, 6]);
    await component.close();
  });
});
