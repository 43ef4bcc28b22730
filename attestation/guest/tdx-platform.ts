/** The platform of a TD, which this machine must be. */
import { setTimeout as timer } from 'node:timers/promises';
import { sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { parseEventLog } from '../eventlog/event-log.ts';
import { parseQuote } from '../quote/quote.ts';
import { type GuestKernel, guestPaths } from './kernel.ts';
import { toAttestationError } from './kernel-error.ts';
import type { AttestedPlatform } from './platform.ts';
import { type MakeQuote, QuoteLine, type QuoteLineLimits } from './quote-line.ts';
import { encodeQuoteRequest, parseQuoteAnswer } from './quote-service.ts';
import { MeasuredRegister } from './rtmr3.ts';
import { readTsmQuote, type TsmOptions } from './tsm-report.ts';

/** The driver itself times out after 30 seconds. */
export const quoteLimits: QuoteLineLimits = { waitingMax: 64, timeoutMs: 60_000 };
const exchangeTimeoutMs = 30_000;
const waitFor: TsmOptions['wait'] = (ms, options) => timer(ms, undefined, options);

/** @throws {AttestationError} ERR_TDX_DEVICE_MISSING if the kernel has no driver for the TD */
export async function openTdxPlatform(
  kernel: GuestKernel,
  { limits = quoteLimits, wait = waitFor }: { limits?: QuoteLineLimits; wait?: TsmOptions['wait'] } = {},
): Promise<AttestedPlatform> {
  const line = new QuoteLine(requireReportData(await chooseSource(kernel, wait)), limits);
  const register = new MeasuredRegister(kernel, guestPaths.rtmr3);
  const bootLog = await readBootLog(kernel);
  return {
    kind: 'tdx',
    quote: (reportData, options) => line.quote(reportData, options),
    measure: (event) => register.measure(event),
    get startLog() {
      return [...register.events];
    },
    bootLog,
    simulation: undefined,
  };
}

/** Uses configfs if the kernel has it; otherwise the device's report, which this process sends to the host's quote service. */
async function chooseSource(kernel: GuestKernel, wait: TsmOptions['wait']): Promise<MakeQuote> {
  const { reports, device } = guestPaths;
  if (await kernel.exists(reports)) {
    return (reportData, { signal }) => readTsmQuote(reportData, { kernel, reports, wait, signal });
  }
  if (await kernel.exists(device)) {
    return async (reportData) => {
      try {
        const tdReport = await kernel.readTdReport(device, reportData);
        const message = encodeQuoteRequest(tdReport);
        return parseQuoteAnswer(await kernel.exchangeQuoteMessage(message, { timeoutMs: exchangeTimeoutMs }));
      } catch (error) {
        throw toAttestationError(error, 'make a quote');
      }
    };
  }
  const message = `this is a TD, but neither ${reports} nor ${device} exists: mount configfs and load tdx-guest`;
  throw new AttestationError('ERR_TDX_DEVICE_MISSING', message);
}

/** Refuses a missing or foreign quote here, so that clients never receive it. */
function requireReportData(make: MakeQuote): MakeQuote {
  return async (reportData, options) => {
    const bytes = await make(reportData, options);
    if (!sameBytes(parseQuote(bytes).body.reportData, reportData)) {
      throw new AttestationError('ERR_TDX_FAILED', 'the quote has other report data than requested');
    }
    return bytes;
  };
}

/** Strips the unused end of the log area. A malformed log is returned whole, and the verifier refuses it. */
async function readBootLog(kernel: GuestKernel): Promise<Uint8Array | undefined> {
  if (!(await kernel.exists(guestPaths.ccelLog))) return undefined;
  const area = await kernel.read(guestPaths.ccelLog).catch((error) => {
    throw toAttestationError(error, "read the firmware's event log");
  });
  try {
    return area.slice(0, parseEventLog(area).byteLength);
  } catch {
    return area;
  }
}
