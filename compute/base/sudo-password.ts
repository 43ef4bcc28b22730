/** The sudo password of a virtual machine: random, shown once, and given to the guest as a crypt(3) hash (`$6$`). */
import { createHash, randomBytes, randomInt } from 'node:crypto';

/** Excludes characters that look alike, such as 0, O, 1 and l. */
const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const lettersCount = 24;

/** @returns 24 characters, 139 random bits */
export function newSudoPassword(): string {
  return Array.from({ length: lettersCount }, () => letters[randomInt(letters.length)]).join('');
}

/** SHA-512 crypt with its standard 5,000 rounds. @see https://www.akkadia.org/drepper/SHA-crypt.txt */
export function hashSudoPassword(password: string, salt = newSalt()): string {
  const key = Buffer.from(password, 'utf8');
  const saltBytes = Buffer.from(salt, 'latin1');
  const initial = firstDigest(key, saltBytes);
  const keySequence = repeated(digest(...Array.from({ length: key.length }, () => key)), key.length);
  const saltRounds = Array.from({ length: 16 + initial[0]! }, () => saltBytes);
  const saltSequence = repeated(digest(...saltRounds), saltBytes.length);
  let current = initial;
  for (let round = 0; round < 5_000; round++) {
    const parts: Buffer[] = [round % 2 === 1 ? keySequence : current];
    if (round % 3 !== 0) parts.push(saltSequence);
    if (round % 7 !== 0) parts.push(keySequence);
    parts.push(round % 2 === 1 ? current : keySequence);
    current = digest(...parts);
  }
  return `$6$${salt}$${encode(current)}`;
}

function firstDigest(key: Buffer, salt: Buffer): Buffer {
  const alternate = digest(key, salt, key);
  const parts: Buffer[] = [key, salt, repeated(alternate, key.length)];
  for (let length = key.length; length > 0; length >>= 1) parts.push((length & 1) === 1 ? alternate : key);
  return digest(...parts);
}

function repeated(block: Buffer, length: number): Buffer {
  return Buffer.alloc(length, block);
}

function digest(...parts: readonly Buffer[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Encodes the digest in the byte order of the specification, six bits per character, lowest bits first. */
function encode(bytes: Buffer): string {
  let text = '';
  const letters = (value: number, count: number) => {
    for (let index = 0; index < count; index++) text += alphabet[(value >> (6 * index)) & 63];
  };
  let [a, b, c] = [0, 21, 42];
  for (let group = 0; group < 21; group++) {
    letters((bytes[a]! << 16) | (bytes[b]! << 8) | bytes[c]!, 4);
    [a, b, c] = [b + 1, c + 1, a + 1];
  }
  letters(bytes[63]!, 2);
  return text;
}

function newSalt(): string {
  return Array.from(randomBytes(16), (byte) => alphabet[byte & 63]).join('');
}
