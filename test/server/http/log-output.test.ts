/** Log output to real files and pipes. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { LogOutput } from '../../../server/http/log-output.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloister-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const line = (number: number) => `{"line":${number},"more":"${'x'.repeat(90)}"}\n`;
const lines = (count: number) => Array.from({ length: count }, (_, number) => line(number));
/** More than the capacity of a pipe. */
const many = lines(2000);
const soon = { timeoutMs: 10_000 };

describe('a log that goes to a file', () => {
  it('contains every line in order', async () => {
    const path = join(folder, 'log');
    const descriptor = openSync(path, 'w');
    const output = new LogOutput(descriptor);
    for (const one of many.slice(0, 1000)) output.write(one);
    await output.flush(soon);
    for (const one of many.slice(1000)) output.write(one);
    await output.flush(soon);
    closeSync(descriptor);
    expect(readFileSync(path, 'utf8')).toBe(many.join(''));
  });

  it('contains the last line before the process exits', () => {
    const path = join(folder, 'last');
    const output = new LogOutput(openSync(path, 'w'));
    output.writeAtOnce();
    output.write('the end\n');
    expect(readFileSync(path, 'utf8')).toBe('the end\n');
  });
});

describe('a log to a pipe', () => {
  let path: string;
  let count = 0;
  beforeEach(() => {
    path = join(folder, `pipe-${count++}`);
    execFileSync('mkfifo', [path]);
  });

  function openPipe(options?: ConstructorParameters<typeof LogOutput>[1]) {
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const output = new LogOutput(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK), options);
    return { reader, output };
  }

  /** The current contents of the pipe. */
  function readAll(reader: number): string {
    const buffer = Buffer.alloc(1 << 20);
    let text = '';
    for (;;) {
      try {
        const read = readSync(reader, buffer);
        if (read === 0) return text;
        text += buffer.toString('utf8', 0, read);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return text;
        throw error;
      }
    }
  }

  it('waits for a slow reader without losing lines', async () => {
    const { reader, output } = openPipe({ retryMs: 1 });
    for (const one of many) output.write(one);
    await output.flush({ timeoutMs: 20 });
    let text = '';
    while (text.length < many.join('').length) {
      text += readAll(reader);
      await output.flush({ timeoutMs: 5 });
    }
    expect(text).toBe(many.join(''));
  });

  it('drops whole lines while its buffer is full', async () => {
    const { reader, output } = openPipe({ waitingCharsMax: 10_000 });
    for (const one of many) output.write(one);
    await output.flush(soon);
    const text = readAll(reader);
    const kept = text.split('\n').length - 1;
    expect(kept).toBeGreaterThan(50);
    expect(kept).toBeLessThan(100);
    expect(text).toBe(many.slice(0, kept).join(''));
  });

  it('neither fails nor blocks when its reader closes, and resumes with the next reader', async () => {
    const { reader, output } = openPipe();
    closeSync(reader);
    for (const one of many) output.write(one);
    await output.flush({ timeoutMs: 1e9 });
    const next = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    output.write(line(1));
    await output.flush(soon);
    expect(readAll(next)).toBe(line(1));
  });

  it('closes immediately even without a reader', () => {
    const { output } = openPipe();
    output.writeAtOnce();
    for (const one of many) output.write(one);
  });
});
