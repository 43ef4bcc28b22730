/** Reads the body of `POST /v1/images/generations`, on the serving thread or on the thread for large bodies. */
import type { ImageTerms } from '@cloister/models/catalogue/catalogue';
import type { CallReader } from '../../bodies/call-reader.ts';
import { type ImageCall, readImageCall } from './schema.ts';

export interface ImageBodyTerms {
  /** For a request without `seed`. */
  readonly seed: number;
  readonly image: ImageTerms | undefined;
}

export const imageCallReader: CallReader<ImageCall, ImageBodyTerms> = {
  name: 'images',
  read: (body, { seed, image }) => readImageCall(body, { randomSeed: () => seed, image }),
};
