/** Public keys in OpenSSH form: one line, a known type, no options (C-078). Pure. */
import { hash } from 'node:crypto';
import { ComputeError } from './errors.ts';

export interface SshPublicKey {
  /** Type and key without the comment, as written into pods. */
  readonly line: string;
  /** As `ssh-keygen -l` prints it, `SHA256:…`. */
  readonly fingerprint: string;
}

const rsaBitsMin = 2048;
const rsaBitsMax = 16_384;

/** Lengths in bytes of the fields after the type name; `any` if the length varies. */
const fieldLengths: Readonly<Record<string, readonly (number | 'any')[]>> = {
  'ssh-ed25519': [32],
  'ecdsa-sha2-nistp256': [8, 65],
  'ecdsa-sha2-nistp384': [8, 97],
  'ecdsa-sha2-nistp521': [8, 133],
  'sk-ssh-ed25519@openssh.com': [32, 'any'],
  'sk-ecdsa-sha2-nistp256@openssh.com': [8, 65, 'any'],
  'ssh-rsa': ['any', 'any'],
};

/** @throws {ComputeError} INVALID_REQUEST */
export function parseSshPublicKey(text: string): SshPublicKey {
  if (/PRIVATE KEY/.test(text)) throw invalid('is a private key: send the public key (the .pub file) instead');
  const trimmed = text.trim();
  if (/[\r\n\0]/.test(trimmed)) throw invalid('must be one line');
  const [, type = '', data = ''] = /^([a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t]+.*)?$/.exec(trimmed) ?? [];
  const lengths = Object.hasOwn(fieldLengths, type) ? fieldLengths[type] : undefined;
  if (lengths === undefined) {
    throw invalid(
      `must be \`<type> <key> [comment]\` without options, of type ${Object.keys(fieldLengths).join(', ')}`,
    );
  }
  const bytes = Buffer.from(data, 'base64');
  const fields = readFields(bytes);
  const isWhole = bytes.toString('base64') === data && fields?.[0]?.toString('latin1') === type;
  if (!isWhole || fields === undefined || fields.length !== lengths.length + 1)
    throw invalid('is damaged: copy it again');
  if (lengths.some((length, index) => length !== 'any' && fields[index + 1]!.byteLength !== length)) {
    throw invalid('is damaged: copy it again');
  }
  if (type === 'ssh-rsa') requireRsaBits(fields[2]!);
  return {
    line: `${type} ${data}`,
    fingerprint: `SHA256:${hash('sha256', bytes, 'buffer').toString('base64').replace(/=+$/, '')}`,
  };
}

/** RFC 4251 §5: strings, each preceded by its length in four bytes. */
function readFields(bytes: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  while (at < bytes.byteLength) {
    if (at + 4 > bytes.byteLength) return undefined;
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.byteLength) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function requireRsaBits(modulus: Buffer): void {
  // A leading zero byte only marks the number as positive.
  const bytes = modulus[0] === 0 ? modulus.subarray(1) : modulus;
  const bits = bytes.byteLength === 0 ? 0 : bytes.byteLength * 8 - Math.clz32(bytes[0]!) + 24;
  if (bits >= rsaBitsMin && bits <= rsaBitsMax) return;
  throw invalid(`must have at least ${rsaBitsMin} bits, got ${bits}: use ssh-keygen -t ed25519`);
}

function invalid(what: string): ComputeError {
  return new ComputeError('INVALID_REQUEST', `\`public_key\` ${what}`);
}
