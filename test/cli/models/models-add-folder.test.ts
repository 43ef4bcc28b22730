import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCatalogue, shippedCataloguePath } from '../../../models/catalogue/catalogue.ts';
import { factsOfGguf } from '../../../models/hub/pin.ts';
import { writeEmbeddingFolder } from '../../support/models/embedding-folder.ts';
import { type FakeHub, fakeGguf, sha256Of } from '../../support/models/fake-hub.ts';
import { startModelsCli } from '../../support/models/models-cli.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { writeTinyPipeline } from '../../support/models/tiny-diffusers.ts';

const scheduler = { _class_name: 'DDIMScheduler' };
const demoFolder = join(import.meta.dirname, '../../../models/demo/image');

/** Builds a graph with external weights in these files. */
function graphWith(locations: readonly string[]): Buffer {
  const graph = new OnnxGraph();
  let sum = graph.input({ name: 'x', type: 'float32', shape: [1] });
  for (const [index, location] of locations.entries()) {
    sum = graph.node('Add', [sum, graph.external(`weights_${index}`, 'float32', [1], location)]);
  }
  graph.output({ name: 'y', type: 'float32', shape: [1] }, sum);
  return Buffer.from(graph.encode());
}

/** Adds every file of a folder to the repository, the small ones to git. */
async function upload(hub: FakeHub, from: string) {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((one) => one.isFile())) {
    const path = join(parentPath, name);
    const file = path.slice(from.length + 1);
    hub.files.set(file, readFileSync(path));
    if (!file.endsWith('.onnx')) hub.inGit.add(file);
  }
}

describe('cloister models add with an image pipeline', () => {
  it('pins only the files that the pipeline index names', async () => {
    await using test = await startModelsCli();
    const source = join(test.folder, 'source');
    writeTinyPipeline(source, { encoders: 2, scheduler: scheduler });
    await writeFile(join(source, 'unet', 'weights.pb'), 'larger weights');
    await writeFile(join(source, 'unet', 'diffusion_pytorch_model.safetensors'), 'others');
    await mkdir(join(source, 'vae_encoder'));
    await writeFile(join(source, 'vae_encoder', 'model.onnx'), 'not needed');
    await writeFile(join(source, 'README.md'), 'a card');
    await upload(test.hub, source);
    const flags = ['--image-price', '0.02', '--step-price', '0.0001', '--guidance', '0', '--steps', '4'];
    const added = await test.cloister('add', `hf:${test.hub.repository}`, ...flags);
    expect(added).toMatchObject({ code: 0 });
    const { files, source: pinned, ...entry } = await test.entry();
    expect(entry).toMatchObject({
      ...{ id: 'tiny-TEE', kind: 'onnx-image', name: 'tiny', contextLength: 5, capabilities: ['streaming', 'images'] },
      pricing: { promptPerMillion: 0, completionPerMillion: 0, perImage: 20_000, perStep: 100 },
      image: { guidanceScale: 0, steps: 4 },
    });
    expect(pinned).toMatchObject({ kind: 'hub', repository: 'acme/tiny', revision: test.hub.commit });
    expect(files.map(({ path }) => path.replace('acme/tiny@0123456789ab/', ''))).toEqual([
      'model_index.json',
      ...['text_encoder/config.json', 'text_encoder/model.onnx'],
      ...['text_encoder_2/config.json', 'text_encoder_2/model.onnx'],
      ...['unet/config.json', 'unet/model.onnx', 'unet/weights.pb'],
      ...['vae_decoder/config.json', 'vae_decoder/model.onnx'],
      ...['tokenizer/vocab.json', 'tokenizer/merges.txt', 'tokenizer/tokenizer_config.json'],
      ...['tokenizer_2/vocab.json', 'tokenizer_2/merges.txt', 'tokenizer_2/tokenizer_config.json'],
      'scheduler/scheduler_config.json',
    ]);
    expect((await test.cloister('pull', 'tiny-TEE')).code).toBe(0);
    expect((await test.cloister('verify', 'tiny-TEE')).out.match(/ ok$/gm)).toHaveLength(files.length);

    expect((await test.cloister('add', `hf:${test.hub.repository}`, '--steps', '6')).code).toBe(0);
    expect(await test.entry()).toMatchObject({ image: { guidanceScale: 0, steps: 6 }, pricing: { perImage: 20_000 } });
  });

  it('names a missing file', async () => {
    await using test = await startModelsCli();
    const source = join(test.folder, 'source');
    writeTinyPipeline(source, { encoders: 1, scheduler: scheduler });
    await rm(join(source, 'vae_decoder', 'model.onnx'));
    await upload(test.hub, source);
    const { code, err } = await test.cloister('add', `hf:${test.hub.repository}`);
    expect(code).toBe(1);
    expect(err).toContain('the model is not complete: there is no "vae_decoder/model.onnx"');
  });

  it('pins a local folder in place, with links resolved, as for the shipped demo model', async () => {
    await using test = await startModelsCli();
    await cp(demoFolder, join(test.folder, 'image'), { recursive: true });
    await rm(join(test.folder, 'image', 'unet', 'model.onnx'));
    await symlink(join(demoFolder, 'unet', 'model.onnx'), join(test.folder, 'image', 'unet', 'model.onnx'));
    expect(await test.cloister('add', 'path:image', '--id', 'demo-TEE')).toMatchObject({ code: 0 });
    const { files, kind, contextLength } = await test.entry();
    const shipped = (await readCatalogue(shippedCataloguePath)).models.find((one) => one.kind === 'onnx-image')!;
    expect({ kind, contextLength }).toEqual({ kind: 'onnx-image', contextLength: shipped.contextLength });
    const byPath = (list: typeof files) => list.map(({ path, sha256 }) => `${path} ${sha256}`).sort();
    expect(byPath(files)).toEqual(byPath(shipped.files));
    expect(files[0]!.path).toBe('image/model_index.json');
    expect((await test.cloister('add', 'image/model_index.json', '--id', 'demo-TEE')).code).toBe(0);
  });
});

const embedding = {
  'config.json': { model_type: 'bert', max_position_embeddings: 512 },
  'tokenizer.json': { model: {} },
  'tokenizer_config.json': { model_max_length: 1e30 },
  'sentence_bert_config.json': { max_seq_length: 256 },
  '1_Pooling/config.json': { pooling_mode_cls_token: true },
};

describe('cloister models add with an embedding model', () => {
  it('pins the graph first, with its external weights and configuration files', async () => {
    await using test = await startModelsCli();
    for (const [name, json] of Object.entries(embedding)) test.hub.files.set(name, Buffer.from(JSON.stringify(json)));
    for (const graph of ['model', 'model_int8']) {
      test.hub.files.set(`onnx/${graph}.onnx`, graphWith([`${graph}.onnx_data`]));
      test.hub.files.set(`onnx/${graph}.onnx_data`, Buffer.from(`${graph} data`));
    }
    test.hub.files.set('pytorch_model.bin', Buffer.from('others'));
    for (const name of test.hub.files.keys()) test.hub.inGit.add(name);
    expect(await test.cloister('add', `hf:${test.hub.repository}`)).toMatchObject({ code: 0 });
    const entry = await test.entry();
    expect(entry).toMatchObject({ kind: 'onnx-embedding', contextLength: 256, capabilities: ['embeddings'] });
    const names = () => test.entry().then(({ files }) => files.map(({ path }) => path.replace(/^[^@]*@\w+\//, '')));
    expect(await names()).toEqual([
      ...['onnx/model.onnx', 'onnx/model.onnx_data', 'config.json', 'tokenizer.json'],
      ...['tokenizer_config.json', 'sentence_bert_config.json', '1_Pooling/config.json'],
    ]);
    await test.cloister('add', `hf:${test.hub.repository}:onnx/model_int8.onnx`);
    expect((await names()).slice(0, 2)).toEqual(['onnx/model_int8.onnx', 'onnx/model_int8.onnx_data']);
  });

  it('pins every external weight file of the graph, whatever its name', async () => {
    await using test = await startModelsCli();
    for (const [name, json] of Object.entries(embedding)) test.hub.files.set(name, Buffer.from(JSON.stringify(json)));
    const weights = { 'onnx/weights.bin': 'some', 'onnx/more/b.txt': 'more', 'onnx/model.onnx_data': 'rest' };
    for (const [name, content] of Object.entries(weights)) test.hub.files.set(name, Buffer.from(content));
    test.hub.files.set('onnx/other.bin', Buffer.from('other'));
    test.hub.files.set('onnx/model.onnx', graphWith(['weights.bin', 'model.onnx_data', 'more/b.txt']));
    for (const name of Object.keys(embedding)) test.hub.inGit.add(name);
    expect(await test.cloister('add', `hf:${test.hub.repository}`)).toMatchObject({ code: 0 });
    const { files, source } = await test.entry();
    const pinned = new Map(
      files.map(({ path, sha256, bytes }) => [path.replace(/^[^@]*@\w+\//, ''), { sha256, bytes }]),
    );
    for (const [name, content] of Object.entries(weights)) {
      const bytes = Buffer.from(content);
      expect([name, pinned.get(name)]).toEqual([name, { sha256: sha256Of(bytes), bytes: bytes.length }]);
    }
    expect(pinned.has('onnx/other.bin')).toBe(false);
    expect(files[0]!.path).toMatch(/onnx\/model\.onnx$/);
    expect(source).toMatchObject({ files: [...pinned.keys()] });
    expect((await test.cloister('pull', 'tiny-TEE')).code).toBe(0);

    test.hub.files.delete('onnx/weights.bin');
    const { code, err } = await test.cloister('add', `hf:${test.hub.repository}`);
    expect([code, err]).toEqual([1, expect.stringContaining('there is no "onnx/weights.bin"')]);
    test.hub.files.set('onnx/model.onnx', Buffer.from('no graph'));
    const again = await test.cloister('add', `hf:${test.hub.repository}`);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('onnx/model.onnx is not an ONNX file')]);
  });

  it('adds the model of a local graph file', async () => {
    await using test = await startModelsCli();
    const graph = writeEmbeddingFolder(join(test.folder, 'own'));
    expect(await test.cloister('add', 'own/onnx/model.onnx')).toMatchObject({ code: 0 });
    expect(await test.entry()).toMatchObject({ id: 'own-TEE', kind: 'onnx-embedding' });
    await writeFile(graph, 'no graph');
    const again = await test.cloister('add', 'own/onnx/model.onnx');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is not an ONNX file')]);
  });
});

describe('cloister models add with a GGUF file', () => {
  it('distinguishes embedding models and cross-encoders from text models', () => {
    const facts = { architecture: 'bert', name: 'Tiny', contextLength: 512, ranks: false };
    expect(factsOfGguf({ ...facts, embeds: true })).toMatchObject({
      ...{ kind: 'llama-embedding', capabilities: ['embeddings'], contextLength: 512 },
    });
    expect(factsOfGguf({ ...facts, embeds: false, ranks: true })).toMatchObject({
      ...{ kind: 'llama-reranker', capabilities: ['rerank'], contextLength: 512 },
    });
    expect(factsOfGguf({ ...facts, embeds: false }).kind).toBe('llama-text');
  });
});

describe('cloister models add with an invalid source', () => {
  it('lists the files that can be added', async () => {
    await using test = await startModelsCli();
    test.hub.files.set('tiny.gguf', fakeGguf(1000));
    const remote = await test.cloister('add', `hf:${test.hub.repository}`);
    expect(remote.err).toContain('name the file to add; choose one of: tiny.gguf');
    await mkdir(join(test.folder, 'empty'));
    const local = await test.cloister('add', 'path:empty');
    expect(local.err).toContain('empty holds neither model_index.json nor model.onnx');
    expect([remote.code, local.code]).toEqual([1, 1]);
  });
});
