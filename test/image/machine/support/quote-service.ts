/** The host's side of the simulated TDX device: provides the TDINFO and turns reports into quotes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fromHex } from '../../../../attestation/base/bytes.ts';
import type { ImageMeasurements } from '../../../../attestation/measure/measure.ts';
import { parseTdReport, tdReportBytes } from '../../../../attestation/quote/td-report.ts';
import type { SimulatedPlatform } from '../../../../attestation/simulate/platform.ts';

const verbBytes = 8;
const tdInfoBytes = 512;
/** Length of the head of a message to the quote service: its header and two sizes. */
const serviceHeadBytes = 24;

/** Builds the TDINFO that a processor would have after booting these files. */
export function tdInfoOf({ mrTd, rtmr0, rtmr1, rtmr2 }: ImageMeasurements): Buffer {
  const info = Buffer.alloc(tdInfoBytes);
  info.writeUInt8(0x10, 3); // SEPT_VE_DISABLE
  info.set([0xe7, 0, 6], 8);
  info.set(fromHex(mrTd)!, 16);
  for (const [index, register] of [rtmr0!, rtmr1, rtmr2].entries()) info.set(fromHex(register)!, 208 + 48 * index);
  return info;
}

/** Numbers of requested quotes by kernel interface. */
export interface QuoteCounts {
  /** Requests through configfs-tsm. */
  readonly reports: number;
  /** Messages to the quote service, with a report from the device's ioctl. */
  readonly messages: number;
}

/** Serves QEMU's socket until the machine ends. @returns live counts of the requests */
export async function serveQuotes(
  path: string,
  { platform, tdInfo }: { platform: SimulatedPlatform; tdInfo: Buffer },
): Promise<() => QuoteCounts> {
  const socket = await connectTo(path);
  const counts = { reports: 0, messages: 0 };
  let pending = Buffer.alloc(0);
  let tail = Promise.resolve();
  const answer = (make: () => Promise<Uint8Array>) => {
    tail = tail.then(async () => sendSized(socket, await make()));
  };
  /** @returns the bytes of `pending` that formed a complete request, or 0 if it is incomplete */
  const take = (): number => {
    const verb = pending.toString('latin1', 0, verbBytes);
    const rest = pending.subarray(verbBytes);
    if (verb === 'TDINFO\n\n') {
      socket.write(tdInfo);
      return verbBytes;
    }
    if (verb === 'QUOTE\n\n\n' && rest.length >= tdReportBytes) {
      const report = new Uint8Array(rest.subarray(0, tdReportBytes));
      counts.reports += 1;
      answer(() => quoteOf(report, platform));
      return verbBytes + tdReportBytes;
    }
    if (verb === 'MESSAGE\n' && rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
      const message = Buffer.from(rest.subarray(4, 4 + rest.readUInt32LE(0)));
      counts.messages += 1;
      answer(async () => answerMessage(await quoteOf(reportOf(message), platform)));
      return verbBytes + 4 + message.length;
    }
    return 0;
  };
  socket.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    for (let taken = take(); taken > 0; taken = take()) pending = pending.subarray(taken);
  });
  socket.on('error', () => undefined); // The machine was killed.
  return () => ({ ...counts });
}

async function quoteOf(report: Uint8Array, platform: SimulatedPlatform): Promise<Uint8Array> {
  const { reportData, mrTd, rtmrs, tdAttributes, xfam } = parseTdReport(report);
  return await platform.quote(reportData, { mrTd, rtmrs, tdAttributes, xfam });
}

/** Parses GET_QUOTE_REQ of qgs_msg_lib.h: header, size of the report, size of a list of key ids, the report. */
function reportOf(message: Buffer): Uint8Array {
  const [version, type, size, reportBytes] = [
    message.readUInt16LE(0),
    message.readUInt32LE(4),
    message.readUInt32LE(8),
    message.readUInt32LE(16),
  ];
  if (version !== 1 || type !== 0 || size !== message.length || reportBytes !== tdReportBytes) {
    throw new Error(`not a quote request: ${message.subarray(0, serviceHeadBytes).toString('hex')}`);
  }
  return new Uint8Array(message.subarray(serviceHeadBytes, serviceHeadBytes + reportBytes));
}

/** Builds GET_QUOTE_RESP: version 1, type 1, size, no error, no key id, the quote. */
function answerMessage(quote: Uint8Array): Buffer {
  const head = Buffer.alloc(serviceHeadBytes);
  head.writeUInt16LE(1, 0);
  head.writeUInt32LE(1, 4);
  head.writeUInt32LE(head.length + quote.length, 8);
  head.writeUInt32LE(quote.length, 20);
  return Buffer.concat([head, quote]);
}

function sendSized(socket: Socket, bytes: Uint8Array): void {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  socket.write(Buffer.concat([length, bytes]));
}

/** Connects to the socket, which QEMU creates when it starts. */
async function connectTo(path: string): Promise<Socket> {
  for (let attempt = 1; ; attempt++) {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      if (attempt === 200) throw error;
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 50);
      await promise;
    }
  }
}
