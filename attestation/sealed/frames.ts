/** Frames of a sealed body: four bytes of length, most significant first, then so much ciphertext. No cryptography. */
import { concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { frameHeaderBytes, tagBytes } from './protocol.ts';

/** Cuts a stream of bytes, in whatever pieces it comes, into the ciphertexts that it frames. Bounded. */
export class FrameReader {
  readonly #frameBytesMax: number;
  readonly #framesMax: number;
  /** Received and not yet returned, oldest first; together `#waitingBytes`. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  /** Ciphertext of the frame under way, once its length is known. */
  #wantedBytes: number | undefined;
  #frames = 0;

  /** @param bounds.frameBytesMax of one ciphertext · @param bounds.framesMax of the whole body, empty ones included */
  constructor({ frameBytesMax, framesMax = Infinity }: { frameBytesMax: number; framesMax?: number }) {
    this.#frameBytesMax = frameBytesMax;
    this.#framesMax = framesMax;
  }

  /**
   * @param piece is kept until the frames it belongs to are complete
   * @returns the ciphertexts that it completes, each a tag at least; empty frames are left out
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

  /** The body is over. @throws {AttestationError} ERR_SEALED_MALFORMED where it ends inside a frame */
  end(): void {
    if (this.#waitingBytes === 0 && this.#wantedBytes === undefined) return;
    throw malformed('the sealed body ends inside a frame');
  }

  #checkedLength(header: Uint8Array): number {
    const length = new DataView(header.buffer, header.byteOffset).getUint32(0);
    if (length > this.#frameBytesMax) {
      throw malformed(`a frame may have ${this.#frameBytesMax} bytes, this one says ${length}`);
    }
    if (length > 0 && length < tagBytes) throw malformed(`a frame of ${length} bytes has no room for its tag`);
    this.#frames += 1;
    if (this.#frames > this.#framesMax) throw malformed(`a body may have ${this.#framesMax} frames, this one has more`);
    return length;
  }

  /** The first `length` bytes of those waiting: a view where one piece holds them all, else a copy. */
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

/** What stands before a ciphertext of `length` bytes. */
export function frameHeader(length: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(frameHeaderBytes);
  new DataView(header.buffer).setUint32(0, length);
  return header;
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_SEALED_MALFORMED', message);
}
