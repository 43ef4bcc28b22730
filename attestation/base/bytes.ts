/** Byte strings: hexadecimal text, comparison, and a bounds-checked reader. For Node and browsers. */
import { AttestationError, type AttestationErrorCode } from './errors.ts';

const pairs: readonly string[] = Array.from({ length: 256 }, (_, value) => value.toString(16).padStart(2, '0'));

/** @returns lowercase, two digits per byte */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += pairs[byte];
  return text;
}

/** @returns undefined unless `text` consists of pairs of hexadecimal digits, of either case */
export function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(text.slice(2 * index, 2 * index + 2), 16);
  }
  return bytes;
}

/** Compares two byte strings. Not constant-time: for public evidence only. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

export function isAllZero(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Reads consecutive little-endian fields. Results are views of the input, not copies. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #what: string;
  readonly #code: AttestationErrorCode;
  #at = 0;

  /** @param what names the input in error messages · @param code of the error for a field past the end */
  constructor(bytes: Uint8Array, what: string, code: AttestationErrorCode) {
    this.#bytes = bytes;
    this.#what = what;
    this.#code = code;
  }

  /** The number of bytes read so far. */
  get at(): number {
    return this.#at;
  }

  bytes(length: number, field: string): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) {
      throw new AttestationError(
        this.#code,
        `${this.#what} ends at byte ${this.#bytes.length}, inside ${field} (bytes ${this.#at} to ${end})`,
      );
    }
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }

  uint16(field: string): number {
    const view = this.bytes(2, field);
    return view[0]! | (view[1]! << 8);
  }

  uint32(field: string): number {
    const view = this.bytes(4, field);
    return (view[0]! | (view[1]! << 8) | (view[2]! << 16) | (view[3]! << 24)) >>> 0;
  }

  /** The unread bytes. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }
}
