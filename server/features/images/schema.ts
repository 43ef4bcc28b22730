/** The body of `POST /v1/images/generations` (I-033…I-038); unknown fields are let through, `model` is ignored. */
import type { ImageTerms } from '@cloister/models/catalogue/catalogue';
import type { ImageJob, PixelSize } from '@cloister/models/interface/image-model';
import { Fields } from '../../http/fields.ts';
import { type ImageFormat, imageFormats } from './encoding.ts';

/** What the caller asked for. */
export interface ImageCall {
  readonly job: ImageJob;
  readonly responseFormat: 'url' | 'b64_json';
  readonly outputFormat: ImageFormat;
  readonly stream: boolean;
}

const sizes = ['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792'] as const;
const promptCharactersMax = 32_000;
const seedMax = 2 ** 32 - 1;

/**
 * @param image what the model's entry says; what it leaves open has the contract's defaults
 * @throws {ServerError} ERR_REQUEST_INVALID naming the field
 */
export function readImageCall(
  body: unknown,
  { randomSeed, image = {} }: { randomSeed: () => number; image?: ImageTerms | undefined },
): ImageCall {
  const fields = new Fields(body);
  const stream = fields.boolean('stream', false);
  const previews = fields.integer('partial_images', { min: 0, max: 3, fallback: 0 });
  return {
    job: {
      prompt: readPrompt(fields),
      negativePrompt: readNegativePrompt(fields),
      count: fields.integer('n', { min: 1, max: 10, fallback: 1 }),
      size: toPixelSize(fields.choice('size', sizes) ?? '1024x1024'),
      steps: fields.integer('num_inference_steps', { min: 10, max: 150, fallback: image.steps ?? 50 }),
      guidanceScale: fields.number('guidance_scale', { min: 1, max: 20, fallback: image.guidanceScale ?? 7.5 }),
      seed: fields.integer('seed', { min: 0, max: seedMax, fallback: undefined }) ?? randomSeed(),
      previews: stream ? previews : 0,
    },
    responseFormat: fields.choice('response_format', ['url', 'b64_json']) ?? 'url',
    outputFormat: fields.choice('output_format', imageFormats) ?? 'png',
    stream,
  };
}

function readPrompt(fields: Fields): string {
  const prompt = fields.text('prompt');
  if (prompt.trim() !== '' && prompt.length <= promptCharactersMax) return prompt;
  return fields.refuse('prompt', `must hold 1 to ${promptCharactersMax} characters`);
}

function readNegativePrompt(fields: Fields): string {
  const prompt = fields.optionalText('negative_prompt') ?? '';
  if (prompt.length <= promptCharactersMax) return prompt;
  return fields.refuse('negative_prompt', `must hold at most ${promptCharactersMax} characters`);
}

function toPixelSize(size: (typeof sizes)[number]): PixelSize {
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { width, height };
}
