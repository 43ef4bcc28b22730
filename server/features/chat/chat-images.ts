/** Gives the engine the images of a chat, if the model takes images. */
import type { ChatInput } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import { decodeImages, wipeImages } from './decode-images.ts';
import type { ImagePart } from './image-parts.ts';

/**
 * The maximum tokens of the images.
 * @throws {ServerError} ERR_REQUEST_INVALID if there are images and the model takes none
 */
export function imageTokensMax({ engine }: ServedChatModel, images: readonly ImagePart[]): number {
  const [first] = images;
  // A model that is not ready refuses every request.
  if (first === undefined || engine.state.kind !== 'ready') return 0;
  const { imageTokensMax: tokens } = engine.state.model;
  if (tokens === 0) refusePlace(first.path, 'must not be an image: this model takes text only');
  return images.length * tokens;
}

/**
 * Decodes the images of a chat and passes it on, unchanged if it has none. The pixels are zeroed as soon as `use` has sent the
 * request to the engine's thread, which it does before it returns.
 * @throws {ServerError} ERR_REQUEST_INVALID for an image that cannot be decoded; as `use`
 */
export async function* withImages<Event>(
  input: ChatInput,
  { parts, signal }: { readonly parts: readonly ImagePart[]; readonly signal: AbortSignal },
  use: (input: ChatInput) => AsyncIterable<Event>,
): AsyncGenerator<Event> {
  const images = await decodeImages(parts, signal);
  let events: AsyncIterable<Event>;
  try {
    events = use({ ...input, images });
  } finally {
    wipeImages(images);
  }
  yield* events;
}
