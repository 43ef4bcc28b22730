import { describe, expect, it } from 'vitest';
import { createProgress, formatBytes } from '../../../server/program/progress.ts';

function setUp({ isTTY, columns = 70 }: { isTTY: boolean; columns?: number }) {
  let [written, now] = ['', 0];
  const sink = { isTTY, columns, write: (text: string) => (written += text) };
  const progress = createProgress(sink, { now: () => now });
  return {
    progress,
    written: () => written,
    at(ms: number, megabytes: number, label = 'pulling x.gguf') {
      now = ms;
      progress.report({ label, bytesDone: megabytes * 1e6, bytesTotal: 100e6 });
    },
  };
}

describe('createProgress', () => {
  it('repaints one line on a terminal, with rate and remaining time, and shortens the label to fit', () => {
    const test = setUp({ isTTY: true });
    test.at(1000, 0);
    test.at(1050, 5);
    test.at(2000, 10);
    test.at(3000, 20);
    test.progress.finish();
    expect(test.written().split('\r\x1b[2K')).toEqual([
      '',
      'pulling x.gguf  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0%  0 B of 100 MB',
      'pulling x.g…  █░░░░░░░   10%  10.0 MB of 100 MB  10.0 MB/s  0:09 left',
      'pulling x.g…  ██░░░░░░   20%  20.0 MB of 100 MB  10.0 MB/s  0:08 left\n',
    ]);
  });

  it('never writes to the terminal’s last column, which would wrap the line', () => {
    const test = setUp({ isTTY: true, columns: 40 });
    test.at(1000, 0, 'a very long name of a file in a folder');
    test.at(2000, 50, 'a very long name of a file in a folder');
    for (const line of test.written().split('\r\x1b[2K')) expect(line.length).toBeLessThan(40);
  });

  it('writes a line per 10 %, at most one per second, if the output is not a terminal', () => {
    const test = setUp({ isTTY: false });
    for (let ms = 0; ms <= 20_000; ms += 100) test.at(ms, ms / 200);
    test.progress.finish();
    const lines = test.written().trimEnd().split('\n');
    expect(lines.length).toBe(10);
    expect(lines[0]).toBe('pulling x.gguf   10%  10.0 MB of 100 MB  5.00 MB/s  0:18 left');
    expect(lines.at(-1)).toMatch(/100% {2}100 MB of 100 MB/);
    expect(test.written()).not.toContain('\x1b');
  });

  it('adapts to a new rate within seconds', () => {
    const test = setUp({ isTTY: true });
    for (let ms = 0; ms <= 20_000; ms += 200) test.at(ms, ms < 10_000 ? ms / 500 : 20 + (ms - 10_000) / 1000);
    expect(test.written().split('\r').at(-1)).toContain('1.00 MB/s');
  });

  it('starts a new line for a new label, and prints notes above the bar', () => {
    const test = setUp({ isTTY: true });
    test.at(1000, 50);
    test.progress.note('waiting');
    test.at(2000, 100, 'hashing x.gguf');
    test.progress.finish();
    const shown = test.written().split('\r\x1b[2K');
    expect(shown).toHaveLength(4);
    expect(shown[1]).toContain('50%');
    expect(shown[2]).toBe('waiting\n\n');
    expect(shown[3]).toMatch(/^hashing x\.gguf .*100%.*\n$/);
  });
});

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.00 kB'],
    [999_999, '1000 kB'],
    [9_812_345, '9.81 MB'],
    [4e10, '40.0 GB'],
  ])('formats %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
