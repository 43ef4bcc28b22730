/** The body of `POST /v1/images/generations` (I-033…I-038). Unknown fields and `model` are ignored. */
import type { ImageTerms } from '@cloister/models/catalogue/catalogue';
import type { ImageJob, PixelSize } from '@cloister/models/interface/image-model';
import { bodyReader } from '../../http/body-reader.ts';
import { choice, flag } from '../../schema/members.ts';
import { defaulted, type OpenObject } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { type ImageFormat, imageFormats } from './encoding.ts';

/** The request of a caller. */
export interface ImageCall {
  readonly job: ImageJob;
  readonly responseFormat: 'url' | 'b64_json';
  readonly outputFormat: ImageFormat;
  /** Of JPEG and WebP files, 1 to 100; undefined: the server's own. */
  readonly quality?: number | undefined;
  readonly stream: boolean;
}

/** Of OpenAI's image models. `auto` is the default of this route. */
const sizes = ['auto', '256x256', '512x512', '1024x1024', '1536x1024', '1024x1536', '1792x1024', '1024x1792'] as const;
const promptCharactersMax = 32_000;
const previews = 'Number of previews in a stream.';
const byModel = 'Models may have another default.';

export const imageBody = Type.Object({
  stream: flag(false),
  partial_images: defaulted(Type.Integer({ minimum: 0, maximum: 3, description: previews }), 0),
  prompt: Type.String({ minLength: 1, maxLength: promptCharactersMax }),
  negative_prompt: defaulted(Type.String({ maxLength: promptCharactersMax }), ''),
  n: defaulted(Type.Integer({ minimum: 1, maximum: 10 }), 1),
  size: defaulted(choice(sizes), '1024x1024'),
  num_inference_steps: defaulted(Type.Integer({ minimum: 10, maximum: 150, description: byModel }), 50),
  guidance_scale: defaulted(Type.Number({ minimum: 1, maximum: 20, description: byModel }), 7.5),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })),
  response_format: defaulted(choice(['url', 'b64_json']), 'url'),
  output_format: defaulted(choice(imageFormats), 'png'),
  output_compression: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of JPEG and WebP files; only 100 for PNG.' }),
  ),
  /** Models here have one quality. */
  quality: defaulted(choice(['auto', 'standard', 'hd', 'low', 'medium', 'high']), 'auto'),
  background: defaulted(
    Type.Enum(['auto', 'opaque'], {
      type: 'string',
      description: '"auto" or "opaque": images here are never transparent',
    }),
    'auto',
  ),
});

/**
 * @param image defaults of the model's entry, before those of the contract
 * @throws {ServerError} ERR_REQUEST_INVALID naming the field
 */
export function readImageCall(
  body: unknown,
  { randomSeed, image = {} }: { randomSeed: () => number; image?: ImageTerms | undefined },
): ImageCall {
  const read = bodyReader.open(imageBody, body);
  const stream = read.get('stream');
  // Checked only.
  read.get('quality');
  read.get('background');
  const previews = read.get('partial_images');
  return {
    job: {
      prompt: readPrompt(read),
      negativePrompt: read.get('negative_prompt'),
      count: read.get('n'),
      size: toPixelSize(read.get('size')),
      steps: read.given('num_inference_steps') ?? image.steps ?? read.get('num_inference_steps'),
      guidanceScale: read.given('guidance_scale') ?? image.guidanceScale ?? read.get('guidance_scale'),
      seed: read.get('seed') ?? randomSeed(),
      previews: stream ? previews : 0,
    },
    responseFormat: read.get('response_format'),
    ...readCompression(read),
    stream,
  };
}

function readPrompt(body: OpenObject<(typeof imageBody)['properties']>): string {
  const prompt = body.get('prompt');
  return prompt.trim() === '' ? body.refuse('prompt', 'must not be blank') : prompt;
}

/** PNG files are lossless. */
function readCompression(
  read: OpenObject<(typeof imageBody)['properties']>,
): Pick<ImageCall, 'outputFormat' | 'quality'> {
  const outputFormat = read.get('output_format');
  const compression = read.get('output_compression');
  if (compression === undefined) return { outputFormat };
  if (outputFormat === 'png') {
    return compression === 100 ? { outputFormat } : read.refuse('output_compression', 'must be 100 for PNG files');
  }
  return { outputFormat, quality: Math.max(1, compression) };
}

function toPixelSize(size: (typeof sizes)[number]): PixelSize {
  if (size === 'auto') return { width: 1024, height: 1024 };
  const [width, height] = size.split('x').map(Number) as [number, number];
  return { width, height };
}
