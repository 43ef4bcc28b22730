/** Writes the DER of certificates, requests and revocation lists. Pure. */
import { concatBytes } from '../base/bytes.ts';

/** Tag, length and content. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = concatBytes(...content);
  const length = whole.length;
  const head =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : length < 0x1_0000
          ? [0x82, length >> 8, length & 0xff]
          : [0x83, length >> 16, (length >> 8) & 0xff, length & 0xff];
  return concatBytes(Uint8Array.of(tag, ...head), whole);
}

export const derSequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
export const derOctets = (content: Uint8Array) => der(0x04, content);
export const derBits = (content: Uint8Array, unusedBits = 0) => der(0x03, Uint8Array.of(unusedBits), content);
export const derTrue = () => der(0x01, Uint8Array.of(0xff));

/** A non-negative integer from big-endian digits, in the fewest octets. */
export function derUnsignedInteger(digits: Uint8Array): Uint8Array {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === 0) start++;
  const shortest = digits.subarray(start);
  return der(0x02, shortest[0]! >= 0x80 ? Uint8Array.of(0) : new Uint8Array(), shortest);
}

/** @param value 0 to 2^31 - 1 */
export function derNumber(value: number): Uint8Array {
  return derUnsignedInteger(Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff));
}

/** @param dotted `1.2.840.10045.4.3.2` */
export function derObjectIdentifier(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]];
  const arcs = [40 * first + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
    return digits;
  });
  return der(0x06, Uint8Array.from(arcs));
}

/** UTCTime up to 2049, GeneralizedTime after it, whole seconds. */
export function derTime(ms: number): Uint8Array {
  const digits = `${new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return der(isShort ? 0x17 : 0x18, new TextEncoder().encode(isShort ? digits.slice(2) : digits));
}

/** A name with a common name and an organisation. */
export function derName(commonName: string, organisation: string): Uint8Array {
  const part = (oid: string, text: string) =>
    der(0x31, derSequence(derObjectIdentifier(oid), der(0x0c, new TextEncoder().encode(text))));
  return derSequence(part('2.5.4.3', commonName), part('2.5.4.10', organisation));
}

/** @param oid dotted · @param value the DER of the extension's value */
export function derExtension(oid: string, value: Uint8Array, critical: boolean): Uint8Array {
  return derSequence(derObjectIdentifier(oid), ...(critical ? [derTrue()] : []), derOctets(value));
}
