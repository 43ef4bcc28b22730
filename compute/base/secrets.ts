/** Encrypts the tenants' secrets that the service must read again. The key is not in the database (C-084). */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

export class SecretBox {
  readonly #key: Buffer;

  /** @param key 32 bytes */
  constructor(key: Uint8Array) {
    if (key.byteLength !== keyBytes)
      throw new RangeError(`the sealing key must be ${keyBytes} bytes, got ${key.byteLength}`);
    this.#key = Buffer.from(key);
  }

  /** @param purpose kind and id of the row; authenticated, so a sealed text copied to another row does not decrypt */
  seal(text: string, { purpose }: { purpose: string }): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64');
  }

  /** @throws if the key differs, or the text was changed or copied from another row */
  open(sealed: string, { purpose }: { purpose: string }): string {
    const bytes = Buffer.from(sealed, 'base64');
    const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(-tagBytes)];
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8');
  }
}

/** Reads the key, or creates it with mode 0600. Back it up separately from the database. */
export function readSealingKey(path: string): Buffer {
  try {
    return Buffer.from(readFileSync(path, 'utf8').trim(), 'base64');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = randomBytes(keyBytes);
  const file = openSync(path, 'wx', 0o600);
  try {
    fchmodSync(file, 0o600);
    writeSync(file, `${key.toString('base64')}\n`);
  } finally {
    closeSync(file);
  }
  return key;
}

/** Hexadecimal SHA-256. Cookies, links and requests are stored only as this digest. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'hex');
}
