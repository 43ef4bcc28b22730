/** The images of a chat's messages: where they stand, and what a body may have of them. Pure. */
import { imagePlace } from '@cloister/models/interface/image-place';
import { refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

/** An image as a body has it, not decoded yet. */
export interface ImagePart {
  /** The path of the part in the body, for errors. */
  readonly path: string;
  /** A data URL or a link, as sent. */
  readonly url: string;
}

/** Bounds what one request may make the server decode and encode. */
export const imagesMax = 16;

/** A part of a message that is text or an image. */
export type JoinedPart = { readonly text: string } | { readonly image: true };

/**
 * The text of a message, with a place for each image. Texts are joined with line feeds, images with nothing, as llama.cpp's
 * server does.
 */
export function joinParts(parts: readonly JoinedPart[]): string {
  let joined = '';
  let isAfterText = false;
  for (const part of parts) {
    const isText = 'text' in part;
    if (isText && isAfterText) joined += '\n';
    joined += isText ? withoutPlaces(part.text) : imagePlace;
    isAfterText = isText;
  }
  return joined;
}

/** A caller's text, which must not move the images of the request. */
export function withoutPlaces(text: string): string {
  return text.includes(imagePlace) ? text.replaceAll(imagePlace, '') : text;
}

/**
 * Finds the images of user messages, in the order of their places.
 * @param messages as the body has them, checked against its schema
 * @param urlOf the URL of a part that is an image; undefined for other parts
 * @throws {ServerError} ERR_REQUEST_INVALID for too many
 */
export function findImages(messages: unknown, name: string, urlOf: (part: object) => string | undefined): ImagePart[] {
  const found: ImagePart[] = [];
  if (!Array.isArray(messages)) return found;
  for (const [index, message] of messages.entries()) {
    if (!isPlainObject(message) || message.role !== 'user' || !Array.isArray(message.content)) continue;
    for (const [part, value] of message.content.entries()) {
      const url = isPlainObject(value) ? urlOf(value) : undefined;
      if (url !== undefined) found.push({ path: `${name}[${index}].content[${part}]`, url });
    }
  }
  const beyond = found[imagesMax];
  if (beyond !== undefined) refusePlace(beyond.path, `is one image too many: a request may have ${imagesMax}`);
  return found;
}
