/** Builds the tar archive of a configuration disk, without owner, time or other metadata: the same files give the same bytes. Pure. */

const recordBytes = 512;
const nameBytesMax = 99;

/**
 * Builds a POSIX ustar archive of regular files in the order of their names, owned by root and dated 1970.
 * @param files contents by name; names have lowercase letters, digits, dots, dashes and underscores, and do not start with a dot
 * @throws {RangeError} for an invalid name
 */
export function buildTar(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const parts: Uint8Array[] = [];
  for (const name of Object.keys(files).sort()) {
    if (!/^[a-z0-9_-][a-z0-9._-]*$/.test(name) || name.length > nameBytesMax) {
      throw new RangeError(`invalid name of a configuration file: ${name}`);
    }
    const content = files[name]!;
    parts.push(header(name, content.length), content, new Uint8Array(-content.length & (recordBytes - 1)));
  }
  parts.push(new Uint8Array(2 * recordBytes));
  return Buffer.concat(parts);
}

function header(name: string, bytes: number): Buffer {
  const record = Buffer.alloc(recordBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  record.write(name, 0);
  record.write(octal(0o444, 7), 100);
  record.write(octal(0, 7), 108);
  record.write(octal(0, 7), 116);
  record.write(octal(bytes, 11), 124);
  record.write(octal(0, 11), 136);
  record.fill(' ', 148, 156);
  record.write('0', 156);
  record.write('ustar\u000000', 257);
  const sum = record.reduce((total, byte) => total + byte, 0);
  record.write(`${octal(sum, 6)}\0 `, 148);
  return record;
}
