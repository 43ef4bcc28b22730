/** Refuses images and sound with the reason, before a schema would only name the types of parts that it knows. Pure. */
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

const media: Readonly<Record<string, string>> = {
  image: 'an image',
  image_url: 'an image',
  input_image: 'an image',
  input_audio: 'sound',
  video_url: 'a video',
};

/**
 * @param messages of any API, unchecked: objects with `content`
 * @param name of the member that holds them
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function refuseMedia(messages: unknown, name: string): void {
  if (!Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (!isPlainObject(message) || !Array.isArray(message.content)) continue;
    for (const [part, value] of message.content.entries()) {
      const kind = isPlainObject(value) && typeof value.type === 'string' ? media[value.type] : undefined;
      if (kind === undefined) continue;
      refusePlace(`${name}[${index}].content[${part}]`, `must not be ${kind}: the models here take text only`);
    }
  }
}
