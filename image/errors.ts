/** Error codes of images and disks. The comment at each code is the operator's action. */
export type ImageErrorCode =
  | 'ERR_IMAGE_INCOMPLETE' // A file of the image is missing: build the image again.
  | 'ERR_DISK_INVALID' // A disk or the file that describes it is damaged: make the disk again.
  | 'ERR_MODEL_CHANGED'; // A file does not match the catalogue's digest: pull the model again.

export class ImageError extends Error {
  override readonly name = 'ImageError';
  readonly code: ImageErrorCode;

  constructor(code: ImageErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
