/** Refuses sound and video, and images where none can be, with the reason, before a schema would only name the types of parts that it knows. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

const media: Readonly<Record<string, string>> = {
  image: 'an image',
  image_url: 'an image',
  input_image: 'an image',
  audio: 'sound',
  audio_url: 'sound',
  input_audio: 'sound',
  video: 'a video',
  video_url: 'a video',
  input_video: 'a video',
};

const imagesElsewhere =
  'only messages of users to models on `/v1/chat/completions`, `/v1/messages` and `/v1/responses` may have images';

/**
 * @param messages of any API, unchecked: objects with `content`
 * @param name of the member that holds them
 * @param accepted the type of parts of users' messages that are read as images; by default none
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function refuseMedia(messages: unknown, name: string, accepted?: string): void {
  if (!Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (!isPlainObject(message) || !Array.isArray(message.content)) continue;
    const isUser = message.role === 'user';
    for (const [part, value] of message.content.entries()) {
      const type = isPlainObject(value) && typeof value.type === 'string' ? value.type : '';
      const kind = Object.hasOwn(media, type) ? media[type] : undefined;
      if (kind === undefined || (isUser && type === accepted)) continue;
      const path = `${name}[${index}].content[${part}]`;
      if (kind !== 'an image') refusePlace(path, `must not be ${kind}: models here take text and images`);
      if (accepted === undefined) refusePlace(path, `must not be an image: ${imagesElsewhere}`);
      if (isUser) refusePlace(`${path}.type`, `must be "${accepted}" for an image`);
      refusePlace(path, 'must not be an image: only messages of users may have images');
    }
  }
}
