/**
 * Stores the current step of a fuzz process and its input in a file, which survives a crash of the process.
 * Format: eight bytes for the step and the length of the input, then the input.
 */
import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

const headBytes = 8;

export class ProgressWriter {
  readonly #file: number;
  #buffer = Buffer.alloc(64 * 1024);

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  write(step: number, input: Uint8Array): void {
    const bytes = headBytes + input.length;
    if (bytes > this.#buffer.length) this.#buffer = Buffer.alloc(2 * bytes);
    this.#buffer.writeUInt32LE(step, 0);
    this.#buffer.writeUInt32LE(input.length, 4);
    this.#buffer.set(input, headBytes);
    writeSync(this.#file, this.#buffer, 0, bytes, 0);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** @returns the current step and input, or undefined before the first step */
export function readProgress(path: string): { readonly step: number; readonly input: Uint8Array } | undefined {
  if (!existsSync(path)) return undefined;
  const bytes = readFileSync(path);
  if (bytes.length < headBytes) return undefined;
  return { step: bytes.readUInt32LE(0), input: bytes.subarray(headBytes, headBytes + bytes.readUInt32LE(4)) };
}
