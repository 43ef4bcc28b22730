/** Makes quotes through configfs-tsm, the kernel's common interface of confidential machines. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { AttestationError } from '../base/errors.ts';
import type { GuestKernel } from './kernel.ts';
import { systemCodeOf, toAttestationError } from './kernel-error.ts';

export interface TsmOptions {
  readonly kernel: GuestKernel;
  /** The directory of reports. */
  readonly reports: string;
  /** Waits between two attempts. */
  readonly wait: (ms: number, options: { signal: AbortSignal }) => Promise<void>;
  /** Ends the attempts. A read in progress cannot be cancelled: the promise settles after it. */
  readonly signal: AbortSignal;
}

/**
 * Attempts per quote. An attempt fails if a signal interrupted the driver, a quote is in flight, or another process wrote to the entry.
 */
export const tsmTriesMax = 8;
/** Before the second attempt; doubled with each. The driver polls for a response once per second. */
const firstPauseMs = 50;

/**
 * @param reportData 64 bytes
 * @returns the quote as received from the driver
 * @throws {AttestationError} every code of `AttestedPlatform.quote`
 * @see Documentation/ABI/testing/configfs-tsm-report
 */
export async function readTsmQuote(reportData: Uint8Array, options: TsmOptions): Promise<Uint8Array> {
  const { kernel, reports } = options;
  // A separate entry per quote: two callers of one entry would overwrite each other's report data.
  const entry = join(reports, `cloister-${randomUUID()}`);
  await kernel.makeDirectory(entry).catch((error) => {
    throw toAttestationError(error, `make a report in ${reports}`);
  });
  try {
    await requireProvider(kernel, entry);
    return await tryUntilStable(entry, reportData, options);
  } finally {
    // A stale entry only costs a little kernel memory.
    await kernel.removeDirectory(entry).catch(() => undefined);
  }
}

async function requireProvider(kernel: GuestKernel, entry: string): Promise<void> {
  const provider = await readText(kernel, join(entry, 'provider')).catch((error) => {
    throw toAttestationError(error, 'read which driver makes reports');
  });
  if (provider === 'tdx_guest') return;
  throw new AttestationError('ERR_TDX_DEVICE_MISSING', `reports here are made by ${provider}, expected tdx_guest`);
}

async function tryUntilStable(entry: string, reportData: Uint8Array, options: TsmOptions): Promise<Uint8Array> {
  const { wait, signal } = options;
  for (let attempt = 1; ; attempt++) {
    if (signal.aborted) throw new AttestationError('ERR_ABORTED', 'the caller aborted the request for a quote');
    try {
      return await generate(entry, reportData, options);
    } catch (error) {
      const isPassing = ['EINTR', 'EBUSY', 'EAGAIN', 'EWOULDBLOCK'].includes(systemCodeOf(error));
      if (!isPassing || attempt === tsmTriesMax) throw toAttestationError(error, 'make a quote');
    }
    await wait(firstPauseMs * 2 ** (attempt - 1), { signal }).catch(() => undefined);
  }
}

/** The driver makes the quote at the first read of `outblob`; the generation shows whether it is for the data written here. */
async function generate(entry: string, reportData: Uint8Array, { kernel }: TsmOptions): Promise<Uint8Array> {
  await kernel.write(join(entry, 'inblob'), reportData);
  const before = await readText(kernel, join(entry, 'generation'));
  const quote = await kernel.read(join(entry, 'outblob'));
  const after = await readText(kernel, join(entry, 'generation'));
  if (before !== after) throw Object.assign(new Error('another process changed the report'), { code: 'EAGAIN' });
  // The driver returns an empty blob if the host's quote service refused or is not running.
  if (quote.length === 0) {
    throw new AttestationError('ERR_QUOTE_SERVICE_UNREACHABLE', 'the host answered with an empty quote');
  }
  return quote;
}

async function readText(kernel: GuestKernel, path: string): Promise<string> {
  return new TextDecoder().decode(await kernel.read(path)).trim();
}
