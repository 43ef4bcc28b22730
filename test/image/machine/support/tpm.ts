/** A software TPM with a SHA-384 bank and its event log, into which OVMF and Linux measure outside a TD. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

export interface SoftwareTpm {
  /** Arguments for QEMU. */
  readonly arguments: readonly string[];
  stop(): void;
}

export function startTpm(folder: string): SoftwareTpm {
  mkdirSync(folder, { recursive: true });
  const state = ['--tpm2', '--tpmstate'];
  execFileSync('swtpm_setup', [...state, folder, '--pcr-banks', 'sha256,sha384', '--overwrite'], { stdio: 'ignore' });
  const socket = join(folder, 'socket');
  const words = ['socket', ...state, `dir=${folder}`, '--ctrl', `type=unixio,path=${socket}`];
  const tpm: ChildProcess = spawn('swtpm', words, { stdio: 'ignore' });
  return {
    arguments: [
      ...['-chardev', `socket,id=tpm,path=${socket}`, '-tpmdev', 'emulator,id=tpm0,chardev=tpm'],
      ...['-device', 'tpm-tis,tpmdev=tpm0'],
    ],
    stop: () => void tpm.kill('SIGKILL'),
  };
}

export interface TpmEvent {
  readonly pcr: number;
  readonly type: number;
  /** Digest of the SHA-384 bank. */
  readonly digest: Uint8Array;
  readonly data: Buffer;
}

const header = Buffer.from('Spec ID Event03\0');
const headerAt = 32;
const sha384 = 0x000c;
const digestBytes = new Map([
  [0x0004, 20],
  [0x000b, 32],
  [sha384, 48],
  [0x000d, 64],
]);
const pcrMax = 23;

/** Finds the longest log in a machine's memory. @see TCG PC Client Platform Firmware Profile, §10 */
export function findTpmLog(memory: Buffer): readonly TpmEvent[] {
  let longest: readonly TpmEvent[] = [];
  for (let at = memory.indexOf(header); at >= 0; at = memory.indexOf(header, at + 1)) {
    const events = parseLog(memory.subarray(at - headerAt));
    if (events.length > longest.length) longest = events;
  }
  return longest;
}

function parseLog(bytes: Buffer): TpmEvent[] {
  const events: TpmEvent[] = [];
  let at = headerAt + bytes.readUInt32LE(headerAt - 4);
  while (at + 12 < bytes.length) {
    const pcr = bytes.readUInt32LE(at);
    const type = bytes.readUInt32LE(at + 4);
    const count = bytes.readUInt32LE(at + 8);
    if (pcr > pcrMax || count === 0 || count > digestBytes.size) return events;
    at += 12;
    let digest: Uint8Array | undefined;
    for (let index = 0; index < count; index++) {
      const algorithm = bytes.readUInt16LE(at);
      const length = digestBytes.get(algorithm);
      if (length === undefined) return events;
      if (algorithm === sha384) digest = new Uint8Array(bytes.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
    const length = bytes.readUInt32LE(at);
    if (digest === undefined || length > 64 * 1024) return events;
    events.push({ pcr, type, digest, data: Buffer.from(bytes.subarray(at + 4, at + 4 + length)) });
    at += 4 + length;
  }
  return events;
}
