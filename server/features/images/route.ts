/** `POST /v1/images/generations`: images as links, as base64, as one raw file, or as a stream with progress. */
import type { PixelSize, RawImage } from '@cloister/models/interface/image-model';
import type { ImageEvent } from '@cloister/runtime/images/image-engine';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import type { Forwarder } from '../../fleet/forward.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { errorCode } from '../../http/error-replies.ts';
import { ServerError } from '../../http/errors.ts';
import { EventStream } from '../../http/event-stream.ts';
import { failStream } from '../../http/failed-stream.ts';
import { nodeOfId, nodePart } from '../../http/node-ids.ts';
import { type AdmissionDependencies, admitRequest, firstInPlan } from '../../serving/admission.ts';
import { ImageMeter, metered } from '../../serving/metering.ts';
import { imageCountsMax } from '../../serving/model-terms.ts';
import { refuseUnsealedLink } from '../../serving/sealed-body.ts';
import type { ModelDirectory } from '../../serving/served-model.ts';
import { imageCallReader } from './call-reader.ts';
import { encodeImage, fileBytesMax, type ImageFormat, wipePixels } from './encoding.ts';
import type { ImageMetrics, ImageWatch } from './metrics.ts';
import type { ImageRoom, PendingImages } from './pending-images.ts';
import { imageParameters } from './receipt-parameters.ts';
import type { ImageCall } from './schema.ts';
import { tracedWatch } from './traced-watch.ts';

export interface ImageDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: ImageMetrics;
  readonly pendingImages: PendingImages;
  /** Asks other nodes; undefined without a fleet. */
  readonly forwarder?: Forwarder | undefined;
  /** Base URL of the API for callers, without a trailing slash; links to images start with it. */
  readonly publicUrl: () => string;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

const pendingPath = '/images/pending';

export function imageRoutes(app: FastifyInstance, dependencies: ImageDependencies): void {
  const { metrics, requestTimeoutMs, randomSeed, now } = dependencies;

  app.post('/images/generations', async (request, reply) => {
    const model = await imageModelFor(request, dependencies);
    const call = await callOf(imageCallReader, { request, reply }, { seed: randomSeed(), image: model.image });
    const rawFormat = call.job.count === 1 && !call.stream ? acceptedFormat(request) : undefined;
    const isLinked = call.responseFormat === 'url' && rawFormat === undefined;
    if (isLinked) refuseUnsealedLink(request, { instead: 'request `response_format` b64_json' });
    const countsMax = imageCountsMax(call.job);
    request.receipt?.describe(imageParameters(call));
    let watch = metrics.beginImages({ model: model.id });
    let room: ImageRoom | undefined;
    try {
      if (isLinked) room = dependencies.pendingImages.reserve(call.job.count * fileBytesMax(call.job.size));
      const admission = await admitRequest({ request, reply }, { surface: 'images', model, countsMax }, dependencies);
      watch = tracedWatch(watch, request.trace?.work);
      const events = metered(
        () => model.engine.draw({ ...call.job, timeoutMs: requestTimeoutMs }, { signal: whenCallerLeaves(reply) }),
        { admission, meter: new ImageMeter(call.job.count), isStreamed: call.stream },
        { now, codeOf: (error) => errorCode(error, request) },
      );
      const drawing = { call, events, watch, room, headers: admission.headers };
      if (call.stream) return await streamAnswer(drawing, { request, reply, dependencies });
      const images = await lastImages(drawing);
      if (rawFormat === undefined) return await jsonAnswer(images, drawing, { request, dependencies });
      const file = await encodeImage(images[0]!, { format: rawFormat, size: call.job.size, quality: call.quality });
      wipePixels(images);
      return reply.type(`image/${rawFormat}`).send(file);
    } catch (error) {
      watch.failed(errorCode(error, request));
      throw error;
    } finally {
      room?.free();
    }
  });
}

/** The plan selects the model, since no field of the body does (I-010, I-033). @throws {ServerError} ERR_MODEL_UNKNOWN */
async function imageModelFor(request: FastifyRequest, { models, ...dependencies }: ImageDependencies) {
  const served = [...models.values()].filter((model) => model.kind === 'image');
  if (served.length === 0) throw new ServerError('ERR_MODEL_UNKNOWN', 'no image model is served here');
  const { accountId } = callerOf(request);
  return await firstInPlan(served, { accountId, surface: 'images', kind: 'image' }, dependencies);
}

/** Needs no key, since the token is secret. An image can be fetched once (I-041). */
export function pendingImageRoutes(
  app: FastifyInstance,
  { pendingImages, forwarder }: Pick<ImageDependencies, 'pendingImages' | 'forwarder'>,
): void {
  // A HEAD request would remove the image without sending it.
  const options = { exposeHeadRoute: false };
  app.get<{ Params: { token: string } }>(`${pendingPath}/:token`, options, async (request, reply) => {
    const { token } = request.params;
    const node = nodeOfId(token);
    const image = pendingImages.take(node === undefined ? token : token.slice(node.length + 1));
    if (image === undefined) {
      const answered = await forwarder?.ask(node, { request, reply });
      if (answered !== undefined) return answered;
      throw new ServerError('ERR_ROUTE_UNKNOWN', 'this image does not exist, has expired, or was fetched before');
    }
    reply.raw.once('close', () => image.bytes.fill(0));
    return reply.type(image.type).header('x-content-type-options', 'nosniff').send(image.bytes);
  });
}

/** The raw type in `Accept`. JSON takes precedence if both are named (I-040). */
function acceptedFormat({ headers }: FastifyRequest): ImageFormat | undefined {
  const accepted = (headers.accept ?? '').split(',').map((one) => one.split(';')[0]!.trim().toLowerCase());
  if (accepted.includes('application/json')) return undefined;
  return (['png', 'jpeg'] as const).find((format) => accepted.includes(`image/${format}`));
}

interface Drawing {
  readonly call: ImageCall;
  readonly events: AsyncIterable<ImageEvent>;
  readonly watch: ImageWatch;
  /** Memory for the images that the answer links to. */
  readonly room: ImageRoom | undefined;
  /** The rate-limit headers. */
  readonly headers: Readonly<Record<string, string>>;
}

async function lastImages({ events, watch }: Pick<Drawing, 'events' | 'watch'>): Promise<readonly RawImage[]> {
  let images: readonly RawImage[] | undefined;
  // All events are read, since an answer that is not read to its end counts as cancelled.
  for await (const event of events) {
    watch.saw(event);
    if (event.kind === 'finished') images = event.images;
  }
  if (images === undefined) throw new Error('the engine ended without images');
  return images;
}

interface Context {
  readonly request: FastifyRequest;
  readonly dependencies: ImageDependencies;
}

async function jsonAnswer(images: readonly RawImage[], drawing: EncodedAs, context: Context) {
  const created = Math.floor(context.dependencies.now() / 1000);
  return { created, data: await encodeAll(images, drawing, context) };
}

type EncodedAs = Pick<Drawing, 'call' | 'room'>;

/** @returns the members of each image in an answer: a link, or base64 */
async function encodeAll(images: readonly RawImage[], { call, room }: EncodedAs, { request, dependencies }: Context) {
  const { job, outputFormat: format, quality } = call;
  const files = await Promise.all(images.map((image) => encodeImage(image, { format, size: job.size, quality })));
  wipePixels(images);
  return files.map((bytes) => {
    if (room === undefined) {
      const text = bytes.toString('base64');
      bytes.fill(0);
      return { b64_json: text };
    }
    request.receipt?.links(bytes);
    const token = room.keep({ type: `image/${format}`, bytes });
    return { url: `${dependencies.publicUrl()}${pendingPath}/${nodePart(request.server)}${token}` };
  });
}

/** The headers are sent with the first event, so that an earlier error has its own status. */
async function streamAnswer(drawing: Drawing, { request, reply, dependencies }: Context & { reply: FastifyReply }) {
  const { events, watch, headers } = drawing;
  const stream = new EventStream(reply.raw, request.answerBody);
  try {
    for await (const event of events) {
      watch.saw(event);
      if (!stream.isOpen) {
        reply.hijack();
        stream.open({ 'x-request-id': request.id, ...headers });
      }
      stream.append(await eventText(event, drawing, { request, dependencies }));
    }
    stream.end();
  } catch (error) {
    failStream(stream, error, { request, watch });
  }
  return reply;
}

/** Models here have one quality, and their images are never transparent. */
const look = { quality: 'auto', background: 'opaque' };

/** OpenAI's event requires these counts. Images are charged as images. */
const noTokens = {
  ...{ total_tokens: 0, input_tokens: 0, output_tokens: 0 },
  input_tokens_details: { text_tokens: 0, image_tokens: 0 },
};

/** Previews and images as events of OpenAI's stream; the progress events are an extension. */
async function eventText(event: ImageEvent, { call, room }: EncodedAs, context: Context): Promise<string> {
  const facts = {
    created_at: Math.floor(context.dependencies.now() / 1000),
    output_format: call.outputFormat,
    ...look,
  };
  switch (event.kind) {
    case 'started':
      return '';
    case 'step':
      return sse('image.progress', { step: event.step, steps: event.steps });
    case 'preview': {
      const size = previewSize(call.job.size);
      const small: ImageCall = { ...call, job: { ...call.job, size } };
      const pictures = await encodeAll(event.images, { call: small, room: undefined }, context);
      const number = { partial_image_index: event.index, size: `${size.width}x${size.height}` };
      return pictures
        .map((one, index) => sse('image_generation.partial_image', { ...facts, ...number, index, ...one }))
        .join('');
    }
    case 'finished': {
      const size = `${call.job.size.width}x${call.job.size.height}`;
      const pictures = await encodeAll(event.images, { call, room }, context);
      return pictures
        .map((one, index) => sse('image_generation.completed', { ...facts, size, index, usage: noTokens, ...one }))
        .join('');
    }
  }
}

/** Longer side of a preview in pixels, small enough for readers on slow connections. */
const previewSideMax = 512;

function previewSize({ width, height }: PixelSize): PixelSize {
  const share = Math.min(1, previewSideMax / Math.max(width, height));
  return { width: Math.round(width * share), height: Math.round(height * share) };
}

function sse(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
