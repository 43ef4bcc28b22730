/** `POST /v1/images/generations`: pictures as links, as base64, as one raw file, or as a stream that tells its progress. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RawImage } from '../../models/image-model.ts';
import type { ImageEvent } from '../../runtime/image-engine.ts';
import { whenCallerLeaves } from '../caller-signal.ts';
import { ServerError } from '../errors.ts';
import { EventStream } from '../event-stream.ts';
import { encodeImage, type ImageFormat } from '../image-encoding.ts';
import { ImageMeter, metered } from '../metering.ts';
import { imageCountsMax } from '../model-terms.ts';
import type { PendingImages } from '../pending-images.ts';
import { type AdmissionDependencies, admitRequest } from '../plugins/admission.ts';
import { endpointOf, errorCode, errorReply } from '../plugins/error-replies.ts';
import { type ImageCall, readImageCall } from '../schemas/images.ts';
import { findImageModel, type ModelDirectory } from '../served-model.ts';

export interface ImageDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly pendingImages: PendingImages;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

const pendingPath = '/images/pending';

export function imageRoutes(app: FastifyInstance, dependencies: ImageDependencies): void {
  const { models, requestTimeoutMs, randomSeed, now } = dependencies;

  app.post('/images/generations', async (request, reply) => {
    const call = readImageCall(request.body, randomSeed);
    const rawFormat = call.job.count === 1 && !call.stream ? acceptedFormat(request) : undefined;
    const model = findImageModel(models);
    const countsMax = imageCountsMax(call.job);
    const admission = await admitRequest({ request, reply }, { surface: 'images', model, countsMax }, dependencies);
    const events = metered(
      model.engine.draw({ ...call.job, timeoutMs: requestTimeoutMs }, { signal: whenCallerLeaves(reply) }),
      { admission, meter: new ImageMeter(call.job.count) },
      { now, codeOf: (error) => errorCode(error, request) },
    );
    if (call.stream) {
      const { headers } = admission;
      return await streamAnswer({ call, events, headers }, { request, reply, dependencies });
    }
    const images = await lastImages(events);
    if (rawFormat === undefined) return await jsonAnswer(images, call, { request, dependencies });
    const file = await encodeImage(images[0]!, { format: rawFormat, size: call.job.size });
    return reply.type(`image/${rawFormat}`).send(file);
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

async function lastImages(events: AsyncIterable<ImageEvent>): Promise<readonly RawImage[]> {
  let images: readonly RawImage[] | undefined;
  // To the end: an answer that is not read to its end counts as left by its caller.
  for await (const event of events) if (event.kind === 'finished') images = event.images;
  if (images === undefined) throw new Error('the engine ended without pictures');
  return images;
}

interface Context {
  readonly request: FastifyRequest;
  readonly dependencies: ImageDependencies;
}

async function jsonAnswer(
  images: readonly RawImage[],
  { job, outputFormat: format, responseFormat }: ImageCall,
  context: Context,
) {
  const { request, dependencies } = context;
  const files = await Promise.all(images.map((image) => encodeImage(image, { format, size: job.size })));
  const data = files.map((bytes) =>
    responseFormat === 'b64_json'
      ? { b64_json: bytes.toString('base64') }
      : { url: linkTo(dependencies.pendingImages.keep({ type: `image/${format}`, bytes }), request) },
  );
  return { created: Math.floor(dependencies.now() / 1000), data };
}

function linkTo(token: string, request: FastifyRequest): string {
  return `https://${request.host}/v1${pendingPath}/${token}`;
}

interface Drawing {
  readonly call: ImageCall;
  readonly events: AsyncIterable<ImageEvent>;
  /** Of the limits. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The headers wait for the first event, so that an early refusal still has its own status. */
async function streamAnswer(
  { call, events, headers }: Drawing,
  { request, reply, dependencies }: Context & { reply: FastifyReply },
) {
  const stream = new EventStream(reply.raw, request.answerBody);
  try {
    for await (const event of events) {
      if (!stream.isOpen) {
        reply.hijack();
        stream.open({ 'x-request-id': request.id, ...headers });
      }
      if (event.kind === 'step') {
        stream.append(eventText('image.progress', { step: event.step, steps: event.steps }));
      } else {
        stream.append(eventText('image.completed', await jsonAnswer(event.images, call, { request, dependencies })));
      }
    }
    stream.end();
  } catch (error) {
    if (!stream.isOpen) throw error;
    request.outcome = errorCode(error, request);
    stream.fail(errorReply(error, endpointOf(request)).body);
  }
  return reply;
}

function eventText(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
