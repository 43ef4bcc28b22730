/** The shipped image model: its files are complete and small, and its images follow the prompt. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { beforeAll, describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../models/demo/image');
const files = [
  'model_index.json',
  'text_encoder/config.json',
  'text_encoder/model.onnx',
  'unet/config.json',
  'unet/model.onnx',
  'vae_decoder/config.json',
  'vae_decoder/model.onnx',
  'tokenizer/tokenizer.json',
  'tokenizer/tokenizer_config.json',
  'scheduler/scheduler_config.json',
];
const tokens = 24;
const steps = 12;
const guidance = 4;

function readJson(path: string) {
  return JSON.parse(readFileSync(join(folder, path), 'utf8'));
}

function tokenIds(caption: string): number[] {
  const tokenizer = new Tokenizer(readJson('tokenizer/tokenizer.json'), readJson('tokenizer/tokenizer_config.json'));
  const { ids } = tokenizer.encode(caption);
  return [...ids, ...Array(tokens).fill(0)].slice(0, tokens);
}

/** The same noise for every caption, so that only the words make a difference. */
function fixedNoise(count: number): Float32Array {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return Float32Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform()),
  );
}

describe('the files of the demo image model', () => {
  it('are complete and at most 12 MB in total', () => {
    const bytes = files.map((file) => statSync(join(folder, file)).size).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(12e6);
  });

  it('produce the tokens that training used', () => {
    const { vocab } = readJson('tokenizer/tokenizer.json').model;
    const words = ['[BOS]', 'a', 'red', 'circle', 'above', 'a', 'blue', 'square', '[EOS]'].map((token) => vocab[token]);
    expect(tokenIds('A red circle above a blue square')).toEqual([
      ...words,
      ...Array(tokens - words.length).fill(vocab['[PAD]']),
    ]);
  });

  it('split an unknown word into pieces', () => {
    const { vocab } = readJson('tokenizer/tokenizer.json').model;
    expect(tokenIds('zebra').slice(1, 6)).toEqual(['z', '##e', '##b', '##r', '##a'].map((token) => vocab[token]));
  });
});

describe('the demo image model', () => {
  let text: InferenceSession;
  let unet: InferenceSession;
  let decoder: InferenceSession;

  beforeAll(async () => {
    const load = (part: string) => InferenceSession.create(join(folder, part, 'model.onnx'), { intraOpNumThreads: 1 });
    [text, unet, decoder] = await Promise.all([load('text_encoder'), load('unet'), load('vae_decoder')]);
  });

  async function hiddenStates(captions: string[]): Promise<Tensor> {
    const ids = BigInt64Array.from(captions.flatMap(tokenIds), BigInt);
    const { last_hidden_state: hidden } = await text.run({
      input_ids: new Tensor('int64', ids, [captions.length, tokens]),
    });
    return hidden as Tensor;
  }

  /** Plain DDIM over evenly spaced steps. @returns [3, 4·height, 4·width] in −1…1 */
  async function draw(caption: string, height: number, width: number): Promise<Float32Array> {
    const {
      num_train_timesteps: count,
      beta_start: start,
      beta_end: end,
    } = readJson('scheduler/scheduler_config.json');
    const kept: number[] = [];
    for (let time = 0; time < count; time++) {
      const beta = (Math.sqrt(start) + (time / (count - 1)) * (Math.sqrt(end) - Math.sqrt(start))) ** 2;
      kept.push((kept.at(-1) ?? 1) * (1 - beta));
    }
    const words = await hiddenStates(['', caption]);
    const size = 4 * height * width;
    let latent = fixedNoise(size);
    for (let step = steps; step > 0; step--) {
      const time = Math.round((step * count) / steps) - 1;
      const now = kept[time] as number;
      const next = step === 1 ? 1 : (kept[Math.round(((step - 1) * count) / steps) - 1] as number);
      const sample = new Tensor('float32', Float32Array.from([...latent, ...latent]), [2, 4, height, width]);
      const timestep = new Tensor('int64', [BigInt(time)], [1]);
      const { out_sample: out } = await unet.run({ sample, timestep, encoder_hidden_states: words });
      const guess = (out as Tensor).data as Float32Array;
      latent = latent.map((value, index) => {
        const without = guess[index] as number;
        const v = without + guidance * ((guess[index + size] as number) - without);
        const clean = Math.sqrt(now) * value - Math.sqrt(1 - now) * v;
        const noise = Math.sqrt(now) * v + Math.sqrt(1 - now) * value;
        return Math.sqrt(next) * clean + Math.sqrt(1 - next) * noise;
      });
    }
    const { sample: drawn } = await decoder.run({
      latent_sample: new Tensor('float32', latent, [1, 4, height, width]),
    });
    return (drawn as Tensor).data as Float32Array;
  }

  /** Colour at a position relative to the sides. */
  function colourAt(picture: Float32Array, { width, x, y }: { width: number; x: number; y: number }): number[] {
    const area = picture.length / 3;
    const index = Math.floor(y * (area / width)) * width + Math.floor(x * width);
    return [0, 1, 2].map((channel) => picture[channel * area + index] as number);
  }

  it('draws the colour in the caption, from the same noise', async () => {
    const [red, , blueOfRed] = colourAt(await draw('a large red square', 16, 16), { width: 64, x: 0.5, y: 0.5 }) as [
      number,
      number,
      number,
    ];
    const [redOfBlue, , blue] = colourAt(await draw('a large blue square', 16, 16), { width: 64, x: 0.5, y: 0.5 }) as [
      number,
      number,
      number,
    ];
    expect([red > blueOfRed + 0.7, blue > redOfBlue + 0.7]).toEqual([true, true]);
  });

  it('draws wide images with the sky above the hill over the whole width', async () => {
    const picture = await draw('a green hill under a yellow sun', 16, 28);
    expect(picture).toHaveLength(3 * 64 * 112);
    const [red, green, blue] = colourAt(picture, { width: 112, x: 0.5, y: 0.95 }) as [number, number, number];
    const [, , skyBlue] = colourAt(picture, { width: 112, x: 0.03, y: 0.06 }) as [number, number, number];
    expect([green > red + 0.4, green > blue + 0.4, skyBlue > 0.4]).toEqual([true, true, true]);
  });
});
