/** `POST /v1/images/generations`: pictures as links, as base64, as one raw file, or as a stream that tells its progress. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PixelSize, RawImage } from '../../models/image-model.ts';
import type { ImageEvent } from '../../runtime/image-engine.ts';
import { whenCallerLeaves } from '../caller-signal.ts';
import { imageParameters } from '../enclave/receipt-parameters.ts';
import { ServerError } from '../errors.ts';
import { EventStream } from '../event-stream.ts';
import { failStream } from '../failed-stream.ts';
import { encodeImage, type ImageFormat } from '../images/encoding.ts';
import type { ImageWatch } from '../images/metrics.ts';
import type { PendingImages } from '../images/pending-images.ts';
import { ImageMeter, metered } from '../metering.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type AdmissionDependencies, admitRequest } from '../plugins/admission.ts';
import { errorCode } from '../plugins/error-replies.ts';
import { refuseUnsealedLink } from '../plugins/sealed-body.ts';
import { type ImageCall, readImageCall } from '../schemas/images.ts';
import { imageCountsMax } from '../start/model-terms.ts';
import { findImageModel, type ModelDirectory } from '../start/served-model.ts';

export interface ImageDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: Metrics;
  readonly pendingImages: PendingImages;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

const pendingPath = '/images/pending';

export function imageRoutes(app: FastifyInstance, dependencies: ImageDependencies): void {
  const { models, metrics, requestTimeoutMs, randomSeed, now } = dependencies;

  app.post('/images/generations', async (request, reply) => {
    const model = findImageModel(models);
    const call = readImageCall(request.body, { randomSeed, image: model.image });
    const rawFormat = call.job.count === 1 && !call.stream ? acceptedFormat(request) : undefined;
    if (call.responseFormat === 'url' && rawFormat === undefined) {
      refuseUnsealedLink(request, { instead: 'ask for `response_format` b64_json' });
    }
    const countsMax = imageCountsMax(call.job);
    request.receipt?.describe(imageParameters(call));
    const watch = metrics.beginImages({ model: model.id });
    try {
      const admission = await admitRequest({ request, reply }, { surface: 'images', model, countsMax }, dependencies);
      const events = metered(
        model.engine.draw({ ...call.job, timeoutMs: requestTimeoutMs }, { signal: whenCallerLeaves(reply) }),
        { admission, meter: new ImageMeter(call.job.count) },
        { now, codeOf: (error) => errorCode(error, request) },
      );
      const drawing = { call, events, watch, headers: admission.headers };
      if (call.stream) return await streamAnswer(drawing, { request, reply, dependencies });
      const images = await lastImages(drawing);
      if (rawFormat === undefined) return await jsonAnswer(images, call, { request, dependencies });
      const file = await encodeImage(images[0]!, { format: rawFormat, size: call.job.size });
      return reply.type(`image/${rawFormat}`).send(file);
    } catch (error) {
      watch.failed(errorCode(error, request));
      throw error;
    }
  });
}

/** Needs no key: whoever knows the token was given it. Gone after the first fetch (I-041). */
export function pendingImageRoutes(app: FastifyInstance, { pendingImages }: Pick<ImageDependencies, 'pendingImages'>) {
  app.get<{ Params: { token: string } }>(`${pendingPath}/:token`, async (request, reply) => {
    const image = pendingImages.take(request.params.token);
    if (image === undefined) {
      throw new ServerError('ERR_ROUTE_UNKNOWN', 'this picture was fetched before, has expired, or never was');
    }
    reply.raw.once('close', () => image.bytes.fill(0));
    return reply.type(image.type).header('x-content-type-options', 'nosniff').send(image.bytes);
  });
}

/** The raw type that `Accept` names; JSON wins where both are named (I-040). */
function acceptedFormat({ headers }: FastifyRequest): ImageFormat | undefined {
  const accepted = (headers.accept ?? '').split(',').map((one) => one.split(';')[0]!.trim().toLowerCase());
  if (accepted.includes('application/json')) return undefined;
  return (['png', 'jpeg'] as const).find((format) => accepted.includes(`image/${format}`));
}

interface Drawing {
  readonly call: ImageCall;
  readonly events: AsyncIterable<ImageEvent>;
  readonly watch: ImageWatch;
  /** Of the limits. */
  readonly headers: Readonly<Record<string, string>>;
}

async function lastImages({ events, watch }: Drawing): Promise<readonly RawImage[]> {
  let images: readonly RawImage[] | undefined;
  // To the end: an answer that is not read to its end counts as left by its caller.
  for await (const event of events) {
    watch.saw(event);
    if (event.kind === 'finished') images = event.images;
  }
  if (images === undefined) throw new Error('the engine ended without pictures');
  return images;
}

interface Context {
  readonly request: FastifyRequest;
  readonly dependencies: ImageDependencies;
}

async function jsonAnswer(images: readonly RawImage[], call: ImageCall, context: Context) {
  const created = Math.floor(context.dependencies.now() / 1000);
  return { created, data: await encodeAll(images, call, context) };
}

/** @returns what stands for each picture in an answer */
async function encodeAll(
  images: readonly RawImage[],
  { job, outputFormat: format, responseFormat }: ImageCall,
  { request, dependencies }: Context,
) {
  const files = await Promise.all(images.map((image) => encodeImage(image, { format, size: job.size })));
  return files.map((bytes) => {
    if (responseFormat === 'b64_json') return { b64_json: bytes.toString('base64') };
    request.receipt?.links(bytes);
    return { url: linkTo(dependencies.pendingImages.keep({ type: `image/${format}`, bytes }), request) };
  });
}

function linkTo(token: string, request: FastifyRequest): string {
  return `https://${request.host}/v1${pendingPath}/${token}`;
}

/** The headers wait for the first event, so that an early refusal still has its own status. */
async function streamAnswer(
  { call, events, watch, headers }: Drawing,
  { request, reply, dependencies }: Context & { reply: FastifyReply },
) {
  const stream = new EventStream(reply.raw, request.answerBody);
  try {
    for await (const event of events) {
      watch.saw(event);
      if (!stream.isOpen) {
        reply.hijack();
        stream.open({ 'x-request-id': request.id, ...headers });
      }
      stream.append(await eventText(event, call, { request, dependencies }));
    }
    stream.end();
  } catch (error) {
    failStream(stream, error, { request, watch });
  }
  return reply;
}

/** Previews and pictures as OpenAI's stream has them, one event each; the progress between them is our own. */
async function eventText(event: ImageEvent, call: ImageCall, context: Context): Promise<string> {
  const facts = { created_at: Math.floor(context.dependencies.now() / 1000), output_format: call.outputFormat };
  switch (event.kind) {
    case 'started':
      return '';
    case 'step':
      return sse('image.progress', { step: event.step, steps: event.steps });
    case 'preview': {
      const size = previewSize(call.job.size);
      const small: ImageCall = { ...call, job: { ...call.job, size }, responseFormat: 'b64_json' };
      const pictures = await encodeAll(event.images, small, context);
      const number = { partial_image_index: event.index, size: `${size.width}x${size.height}` };
      return pictures
        .map((one, index) => sse('image_generation.partial_image', { ...facts, ...number, index, ...one }))
        .join('');
    }
    case 'finished': {
      const size = `${call.job.size.width}x${call.job.size.height}`;
      const pictures = await encodeAll(event.images, call, context);
      return pictures
        .map((one, index) => sse('image_generation.completed', { ...facts, size, index, ...one }))
        .join('');
    }
  }
}

/** Longer side of a preview, pixels: it is looked at once, and a reader on a slow line must keep up. */
const previewSideMax = 512;

function previewSize({ width, height }: PixelSize): PixelSize {
  const share = Math.min(1, previewSideMax / Math.max(width, height));
  return { width: Math.round(width * share), height: Math.round(height * share) };
}

function sse(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
