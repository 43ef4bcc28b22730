/** Errors in a folder that are detected when it is loaded. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PinnedFiles } from '../../../models/files/pinned-files.ts';
import { Component } from '../../../models/image/component.ts';
import { NoiseSource } from '../../../models/image/noise.ts';
import { loadImagePipeline } from '../../../models/image/pipeline.ts';
import { VaeDecoder } from '../../../models/image/vae-decoder.ts';
import { latentChannels, latentSide, pooledWidth, writeTinyPipeline } from '../../support/models/tiny-diffusers.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scheduler = { _class_name: 'DDIMScheduler' };

describe('an invalid folder', () => {
  it('is refused if an encoder does not output its hidden states', async () => {
    await using folder = await scratchFolder();
    const tiny = writeTinyPipeline(folder.path, { encoders: 2, scheduler: scheduler });
    const config = join(folder.path, 'text_encoder_2', 'config.json');
    const old = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...old, num_hidden_layers: 12 }));
    await expect(load(tiny.indexPath)).rejects.toThrow('text_encoder_2: the graph has no output hidden_states.11');
  });

  it('is refused if the UNet needs a missing text_encoder_2, or has other time ids', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 2, scheduler: scheduler });
    const config = join(folder.path, 'unet', 'config.json');
    const old = JSON.parse(readFileSync(config, 'utf8'));
    writeFileSync(config, JSON.stringify({ ...old, projection_class_embeddings_input_dim: 10 + pooledWidth }));
    await expect(load(indexPath)).rejects.toThrow('unet: the graph has 5 time ids');
    writeFileSync(config, JSON.stringify(old));
    const index = JSON.parse(readFileSync(indexPath, 'utf8'));
    writeFileSync(indexPath, JSON.stringify({ ...index, text_encoder_2: [null, null] }));
    await expect(load(indexPath)).rejects.toThrow('unet: the graph needs text_embeds');
  });

  it('is refused if its parts do not fit together', async () => {
    await using folder = await scratchFolder();
    const one = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    await using other = await scratchFolder();
    writeTinyPipeline(other.path, { encoders: 2, scheduler: scheduler });
    const graph = (path: string, name: string) => join(path, name, 'model.onnx');
    writeFileSync(graph(folder.path, 'text_encoder'), readFileSync(graph(other.path, 'text_encoder_2')));
    const refused = load(one.indexPath);
    await expect(refused).rejects.toThrow('the parts of the pipeline do not fit together');
    await expect(refused).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
    writeFileSync(graph(folder.path, 'text_encoder'), readFileSync(graph(folder.path, 'vae_decoder')));
    await expect(load(one.indexPath)).rejects.toThrow('text_encoder: the graph has no input input_ids');
  });

  it('is read from pinned files only', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    const all = readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).map((name) => join(folder.path, name));
    // Would be used as the tokenizer if it were pinned.
    writeFileSync(join(folder.path, 'tokenizer', 'tokenizer.json'), '{}');
    await (await load(indexPath, all)).close();
    await expect(load(indexPath)).rejects.toThrow('tokenizer.json cannot be used');
    const fewer = all.filter((path) => !path.endsWith(join('unet', 'config.json')));
    await expect(load(indexPath, fewer)).rejects.toThrow(/unet\/config\.json is not pinned; add the model again/);
  });

  it('is refused with the name of a missing file', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    rmSync(join(dirname(indexPath), 'tokenizer', 'merges.txt'));
    await expect(load(indexPath)).rejects.toMatchObject({ code: 'ERR_FILE_MISSING' });
  });
});

describe('VaeDecoder', () => {
  it('decodes as many images per pass as fit its budget, and returns them in order', async () => {
    await using folder = await scratchFolder();
    writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    const component = await Component.open(
      join(folder.path, 'vae_decoder'),
      { threads: 1, gpu: 'off' },
      new PinnedFiles(undefined),
    );
    const runs: number[] = [];
    const run = component.run.bind(component);
    component.run = (inputs) => {
      runs.push(inputs.latent_sample!.dims[0]!);
      return run(inputs);
    };
    const decoder = new VaeDecoder(component);
    const dims = [5, latentChannels, latentSide, latentSide] as const;
    const data = new NoiseSource(1).draw(5 * latentChannels * latentSide ** 2);
    const together = await decoder.decode({ data, dims });
    const apart = await decoder.decode({ data, dims }, { pixelsMax: 2 * 64 });
    expect(apart).toEqual(together);
    expect(runs).toEqual([5, 2, 2, 1]);
    await decoder.close();
  });
});

function load(indexPath: string, pinnedPaths?: readonly string[]) {
  const options = { indexPath, pinnedPaths, batchRowsMax: 8, threads: 1, gpu: 'off' } as const;
  return loadImagePipeline(options, { onProgress: () => undefined });
}
