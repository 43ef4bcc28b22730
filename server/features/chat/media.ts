/** Refuses sound, and images where none can be, with the reason, before a schema would only name the types of parts that it knows. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

const media: Readonly<Record<string, string>> = {
  image: 'an image',
  image_url: 'an image',
  input_image: 'an image',
  input_audio: 'sound',
  video_url: 'a video',
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
    for (const [part, value] of message.content.entries()) {
      const kind = isPlainObject(value) && typeof value.type === 'string' ? media[value.type] : undefined;
      if (kind === undefined) continue;
      if (message.role === 'user' && (value as { type: string }).type === accepted) continue;
      const reason = kind === 'an image' ? imagesElsewhere : 'the models here take text only';
      refusePlace(`${name}[${index}].content[${part}]`, `must not be ${kind}: ${reason}`);
    }
  }
}
