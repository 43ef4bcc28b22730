/**
 * The secrets that all nodes of a fleet share, as bytes: unlike strings, they can be zeroed. Their text form is never a string, except
 * for the database address, which its driver needs as one.
 */
import { AttestationError } from '@cloister/attestation/base/errors';
import { type SecretName, secretNames } from '@cloister/attestation/provision/provision';

/** Limit of one secret. */
export const secretBytesMax = 32 * 1024;
const magic = Buffer.from('cloister.secrets.v1\n');
const headerBytes = 5;

export class SharedSecrets {
  readonly #values: ReadonlyMap<SecretName, Buffer>;

  /**
   * @param values owned by this object from now on; those that are undefined are left out
   * @throws {RangeError} if there is none, one is empty or has over 32 KiB, or a certificate has no key
   */
  constructor(values: Readonly<Partial<Record<SecretName, Buffer | undefined>>>) {
    const given = secretNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
    const wrong = given.find(([, { length }]) => length === 0 || length > secretBytesMax);
    if (wrong !== undefined) throw new RangeError(`${wrong[0]} must have 1 to ${secretBytesMax} bytes`);
    if (given.length === 0) throw new RangeError('there is no secret to share');
    if ((values.tlsCert === undefined) !== (values.tlsKey === undefined)) {
      throw new RangeError('tlsCert and tlsKey must be given together');
    }
    this.#values = new Map(given);
  }

  /** The names of the secrets, for logs. */
  get names(): readonly SecretName[] {
    return [...this.#values.keys()];
  }

  /** The bytes, not a copy; undefined if the fleet does not share this secret. */
  bytesOf(name: SecretName): Buffer | undefined {
    return this.#values.get(name);
  }

  /** A new message with all secrets, which the caller zeroes. */
  encode(): Buffer {
    const parts = [...this.#values].map(([name, value]) => [secretNames.indexOf(name), value] as const);
    const bytes = parts.reduce((sum, [, value]) => sum + headerBytes + value.length, magic.length);
    // Not from the pool of small buffers, whose memory is reused without zeroing.
    const message = Buffer.allocUnsafeSlow(bytes);
    let at = magic.copy(message);
    for (const [index, value] of parts) {
      at = message.writeUInt8(index, at);
      at = message.writeUInt32BE(value.length, at);
      at += value.copy(message, at);
    }
    return message;
  }

  /** Zeroes the secrets. */
  wipe(): void {
    for (const value of this.#values.values()) value.fill(0);
  }
}

/**
 * Parses a message of `encode` and copies the secrets out of it; the caller zeroes the message.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED, whose message never contains a secret
 */
export function parseSharedSecrets(message: Buffer): SharedSecrets {
  const values: Partial<Record<SecretName, Buffer>> = {};
  if (!message.subarray(0, magic.length).equals(magic)) throw malformed('do not begin with their version');
  let last = -1;
  for (let at = magic.length; at < message.length; ) {
    if (message.length - at < headerBytes) throw malformed('end inside a secret');
    const index = message.readUInt8(at);
    const length = message.readUInt32BE(at + 1);
    const name = secretNames[index];
    if (name === undefined || index <= last) throw malformed('have an unknown or repeated name');
    if (length === 0 || length > secretBytesMax) throw malformed(`have a secret without 1 to ${secretBytesMax} bytes`);
    if (message.length - at - headerBytes < length) throw malformed('end inside a secret');
    values[name] = message.subarray(at + headerBytes, at + headerBytes + length);
    at += headerBytes + length;
    last = index;
  }
  const hasPair = (values.tlsCert === undefined) === (values.tlsKey === undefined);
  if (last < 0 || !hasPair) throw malformed('are none, or a certificate without its key');
  return new SharedSecrets(Object.fromEntries(Object.entries(values).map(([name, value]) => [name, copyOf(value)])));
}

function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the secrets ${why}`);
}
