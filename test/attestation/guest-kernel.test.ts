/** Operations on real files: in a folder that behaves like configfs-tsm, and on files of the kernel. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { linuxKernel } from '../../attestation/guest/kernel.ts';
import { readTsmQuote } from '../../attestation/guest/tsm-report.ts';
import { parseQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import type { TsmBehaviour } from '../support/attestation/fuse-tsm.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const reportData = new Uint8Array(64).fill(7);
const errno = { ENXIO: 6, EIO: 5, EBUSY: 16, EINVAL: 22, ETIMEDOUT: 110 };

/** The mounted folder, and a function that requests a quote. */
async function mounted(behaviour: Omit<TsmBehaviour, 'quotePath'> = {}) {
  const folder = await scratchFolder();
  const reports = join(folder.path, 'report');
  const quotePath = join(folder.path, 'quote');
  await mkdir(reports);
  await writeFile(quotePath, await (await createSimulatedPlatform(Date.UTC(2026, 5, 15))).quote(new Uint8Array(64)));
  const program = join(import.meta.dirname, '../support/attestation/fuse-tsm.ts');
  const server = spawn(process.execPath, [program, reports, JSON.stringify({ quotePath, ...behaviour })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const signal = new AbortController().signal;
  const entries: string[] = [];
  const makeDirectory = (path: string) => {
    entries.push(path);
    return linuxKernel.makeDirectory(path);
  };
  const kernel = { ...linuxKernel, makeDirectory };
  const tsm = {
    entries,
    quote: () => readTsmQuote(reportData, { kernel, reports, wait: async () => undefined, signal }),
    async [Symbol.asyncDispose]() {
      spawnSync('umount', ['-l', reports]);
      if (server.exitCode === null) await once(server, 'exit');
      await folder[Symbol.asyncDispose]();
    },
  };
  await ready(server).catch(async (error) => {
    await tsm[Symbol.asyncDispose]();
    throw error;
  });
  return tsm;
}

async function ready(server: ChildProcess): Promise<void> {
  const [said] = await Promise.race([once(server.stdout!, 'data'), once(server, 'exit')]);
  if (String(said).trim() !== 'ready') throw new Error(`the folder was not mounted: ${said}`);
}

async function tryMounting(): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/dev/fuse')) return false;
  return mounted().then(
    (tsm) => tsm[Symbol.asyncDispose]().then(() => true),
    () => false,
  );
}

const canMount = await tryMounting();
const note = canMount ? '' : ' (skipped: this machine does not let us mount through /dev/fuse)';

describe.skipIf(!canMount)(`a folder that behaves as configfs-tsm${note}`, () => {
  it('gives quotes over the written data, through files that report size 0, and is left unchanged', async () => {
    await using tsm = await mounted();
    for (let count = 0; count < 3; count++) {
      expect(parseQuote(await tsm.quote()).body.reportData).toEqual(reportData);
    }
    expect(tsm.entries).toHaveLength(3);
    for (const entry of tsm.entries) expect(await linuxKernel.exists(entry)).toBe(false);
  });

  it('is retried while it is busy', async () => {
    await using tsm = await mounted({ outblobErrors: [errno.EBUSY, errno.EBUSY] });
    expect(parseQuote(await tsm.quote()).body.reportData).toEqual(reportData);
  });

  it.each([
    ['no driver makes reports', { mkdirErrors: [errno.ENXIO] }, 'ERR_TDX_DEVICE_MISSING'],
    ['the host does not answer', { outblobErrors: [errno.ETIMEDOUT] }, 'ERR_QUOTE_TIMEOUT'],
    ['the host refuses', { outblobErrors: [errno.EIO] }, 'ERR_QUOTE_SERVICE_UNREACHABLE'],
    ['the driver refuses', { outblobErrors: [errno.EINVAL] }, 'ERR_TDX_FAILED'],
  ] satisfies [string, object, string][])('fails with a code if %s', async (_what, behaviour, code) => {
    await using tsm = await mounted(behaviour);
    await expect(tsm.quote()).rejects.toMatchObject({ name: 'AttestationError', code });
  });
});

describe("the kernel's own files", () => {
  it('are read whole even if their size is 0', async () => {
    const text = new TextDecoder().decode(await linuxKernel.read('/proc/self/status'));
    expect(text).toContain(`Pid:\t${process.pid}\n`);
  });

  it('are written in one call', async () => {
    const path = '/proc/self/oom_score_adj';
    const value = await linuxKernel.read(path);
    await linuxKernel.write(path, value);
    expect(await linuxKernel.read(path)).toEqual(value);
    await expect(linuxKernel.write(path, new TextEncoder().encode('no number'))).rejects.toMatchObject({
      code: 'EINVAL',
    });
  });

  it('are never created by a write', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'new');
    await expect(linuxKernel.write(path, new Uint8Array(1))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(folder.path)).toEqual([]);
  });

  it('are in directories that are created and removed once', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'entry');
    await linuxKernel.makeDirectory(path);
    await expect(linuxKernel.makeDirectory(path)).rejects.toMatchObject({ code: 'EEXIST' });
    await linuxKernel.removeDirectory(path);
    expect(await linuxKernel.exists(path)).toBe(false);
  });
});
