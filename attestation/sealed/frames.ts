/** Frames of a sealed body: a big-endian 32-bit length, then the ciphertext of that length. No cryptography. */
import { concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { frameHeaderBytes, tagBytes } from './protocol.ts';

/** Splits a stream of bytes, in pieces of any size, into the ciphertexts of its frames. Bounded. */
export class FrameReader {
  readonly #frameBytesMax: number;
  readonly #framesMax: number;
  /** Received and not yet returned, oldest first; `#waitingBytes` in total. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Length of the current ciphertext, once it is known. */
  #wantedBytes: number | undefined;
  #frames = 0;

  /** @param bounds.frameBytesMax of one ciphertext · @param bounds.framesMax of the whole body, including empty frames */
  constructor({ frameBytesMax, framesMax = Infinity }: { frameBytesMax: number; framesMax?: number }) {
    this.#frameBytesMax = frameBytesMax;
    this.#framesMax = framesMax;
  }

  /**
   * @param piece retained until its frames are complete
   * @returns the completed ciphertexts, each at least as long as a tag; empty frames are omitted
   * @throws {AttestationError} ERR_SEALED_MALFORMED
   */
  push(piece: Uint8Array): Uint8Array[] {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    const complete: Uint8Array[] = [];
    for (;;) {
      if (this.#wantedBytes === undefined) {
        if (this.#waitingBytes < frameHeaderBytes) return complete;
        this.#wantedBytes = this.#checkedLength(this.#take(frameHeaderBytes));
      }
      if (this.#waitingBytes < this.#wantedBytes) return complete;
      const frame = this.#take(this.#wantedBytes);
      this.#wantedBytes = undefined;
      if (frame.length > 0) complete.push(frame);
    }
  }

  /** Ends the body. @throws {AttestationError} ERR_SEALED_MALFORMED inside a frame */
  end(): void {
    if (this.#waitingBytes === 0 && this.#wantedBytes === undefined) return;
    throw malformed('the sealed body ends inside a frame');
  }

  #checkedLength(header: Uint8Array): number {
    const length = new DataView(header.buffer, header.byteOffset).getUint32(0);
    if (length > this.#frameBytesMax) {
      throw malformed(`a frame may have at most ${this.#frameBytesMax} bytes, got ${length}`);
    }
    if (length > 0 && length < tagBytes) throw malformed(`a frame of ${length} bytes has no room for its tag`);
    this.#frames += 1;
    if (this.#frames > this.#framesMax) throw malformed(`a body may have at most ${this.#framesMax} frames`);
    return length;
  }

  /** The first `length` waiting bytes: a view if one piece has them all, otherwise a copy. */
  #take(length: number): Uint8Array {
    if (length === 0) return new Uint8Array();
    const parts: Uint8Array[] = [];
    let missing = length;
    let used = 0;
    while (missing > 0) {
      const piece = this.#waiting[used]!;
      const part = piece.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      if (part.length === piece.length) used += 1;
      else this.#waiting[used] = piece.subarray(part.length);
    }
    this.#waiting.splice(0, used);
    this.#waitingBytes -= length;
    return parts.length === 1 ? parts[0]! : concatBytes(...parts);
  }
}

/** The length prefix of a ciphertext. */
export function frameHeader(length: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(frameHeaderBytes);
  new DataView(header.buffer).setUint32(0, length);
  return header;
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_SEALED_MALFORMED', message);
}
