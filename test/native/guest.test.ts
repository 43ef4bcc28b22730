import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exchangeQuoteMessage, readTdReport } from '../../native/guest.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const run = promisify(execFile);
const reportData = new Uint8Array(64).fill(1);

describe('a TDREPORT', () => {
  it('rejects a missing device', async () => {
    await expect(readTdReport('/nowhere/tdx_guest', reportData)).rejects.toMatchObject({
      code: 'ERR_TDX_DEVICE_MISSING',
      message: expect.stringContaining('/nowhere/tdx_guest'),
    });
  });

  it('rejects a file that is not the TDX device', async () => {
    await expect(readTdReport('/dev/null', reportData)).rejects.toMatchObject({ code: 'ERR_TDX_FAILED' });
  });

  // Root may open every file, so the check runs as another user.
  const isRoot = process.getuid?.() === 0;
  it.skipIf(!isRoot)(`needs permission${isRoot ? '' : ' (skipped: only root can ask as another user)'}`, async () => {
    await using folder = await scratchFolder();
    await chmod(folder.path, 0o755);
    const device = join(folder.path, 'device');
    await writeFile(device, '', { mode: 0o600 });
    const face = join(import.meta.dirname, '../../native/guest.ts');
    const program = `import { readTdReport } from ${JSON.stringify(face)};
      process.setuid(65534);
      await readTdReport(${JSON.stringify(device)}, new Uint8Array(64)).catch(({ code }) => console.log(code));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
    expect(stdout.trim()).toBe('ERR_TDX_PERMISSION');
  });

  const device = '/dev/tdx_guest';
  it.skipIf(!existsSync(device))(`is 1,024 bytes${existsSync(device) ? '' : ' (skipped: this is no TD)'}`, async () => {
    const report = await readTdReport(device, reportData);
    expect(report).toHaveLength(1024);
    expect(report.subarray(128, 192)).toEqual(reportData);
  });

  it('requires 64 bytes of report data', async () => {
    await expect(readTdReport('/dev/null', new Uint8Array(63))).rejects.toThrow(RangeError);
  });
});

describe('a message to a quote service', () => {
  it('is preceded by its length, and so is the answer', async () => {
    const received: Buffer[] = [];
    await using service = await serve((socket, bytes) => {
      received.push(bytes);
      socket.write(Buffer.from([0, 0, 0, 3, 7]));
      socket.write(Buffer.from([8, 9]));
    });
    const answer = await exchangeQuoteMessage(Uint8Array.of(1, 2), { address: service, timeoutMs: 5000 });
    expect(answer).toEqual(Uint8Array.of(7, 8, 9));
    expect(Buffer.concat(received).toString('hex')).toBe('000000020102');
  });

  it('fails if no service listens', async () => {
    const address = { unixPath: '/nowhere/qgs.socket' };
    await expect(exchangeQuoteMessage(reportData, { address, timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ERR_QUOTE_SERVICE_UNREACHABLE',
    });
  });

  it('times out', async () => {
    await using service = await serve(() => undefined);
    await expect(exchangeQuoteMessage(reportData, { address: service, timeoutMs: 20 })).rejects.toMatchObject({
      code: 'ERR_QUOTE_TIMEOUT',
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half an answer', Buffer.from([0, 0, 0, 9, 1])],
    ['an answer longer than any', Buffer.from([0, 1, 0, 1])],
  ])('rejects a service that sends %s and closes the connection', async (_what, answer) => {
    await using service = await serve((socket) => socket.end(answer));
    await expect(exchangeQuoteMessage(reportData, { address: service, timeoutMs: 5000 })).rejects.toMatchObject({
      code: 'ERR_QUOTE_SERVICE_UNREACHABLE',
    });
  });

  it('rejects an invalid address', async () => {
    const address = { unixPath: `/${'x'.repeat(200)}` };
    await expect(exchangeQuoteMessage(reportData, { address, timeoutMs: 5000 })).rejects.toThrow(/too long/);
    await expect(exchangeQuoteMessage(new Uint8Array(), { timeoutMs: 5000 })).rejects.toThrow(RangeError);
  });
});

async function serve(answer: (socket: Socket, bytes: Buffer) => void) {
  const folder = await scratchFolder();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (bytes) => answer(socket, bytes));
  });
  const unixPath = join(folder.path, 'qgs.socket');
  server.listen(unixPath);
  await once(server, 'listening');
  return {
    unixPath,
    async [Symbol.asyncDispose]() {
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
