/** The host's side of the simulated TDX device: says what the TD "was built with", and turns its reports into quotes. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fromHex } from '../../../attestation/bytes.ts';
import type { ImageMeasurements } from '../../../attestation/measure/measure.ts';
import { parseTdReport, tdReportBytes } from '../../../attestation/quote/td-report.ts';
import type { SimulatedPlatform } from '../../../attestation/simulate/platform.ts';

const verbBytes = 8;
const tdInfoBytes = 512;

/** As the processor would have measured the boot of these files. */
export function tdInfoOf({ mrTd, rtmr0, rtmr1, rtmr2 }: ImageMeasurements): Buffer {
  const info = Buffer.alloc(tdInfoBytes);
  info.writeUInt8(0x10, 3); // SEPT_VE_DISABLE
  info.set([0xe7, 0, 6], 8);
  info.set(fromHex(mrTd)!, 16);
  for (const [index, register] of [rtmr0!, rtmr1, rtmr2].entries()) info.set(fromHex(register)!, 208 + 48 * index);
  return info;
}

/** Serves QEMU's socket until the machine ends. @returns how many quotes were made, counted on */
export async function serveQuotes(
  path: string,
  { platform, tdInfo }: { platform: SimulatedPlatform; tdInfo: Buffer },
): Promise<{ readonly quotes: () => number }> {
  const socket = await connectTo(path);
  let count = 0;
  let pending = Buffer.alloc(0);
  let tail = Promise.resolve();
  socket.on('data', (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    for (;;) {
      const verb = pending.toString('latin1', 0, verbBytes);
      if (verb === 'TDINFO\n\n') {
        socket.write(tdInfo);
        pending = pending.subarray(verbBytes);
      } else if (verb === 'QUOTE\n\n\n' && pending.length >= verbBytes + tdReportBytes) {
        const report = new Uint8Array(pending.subarray(verbBytes, verbBytes + tdReportBytes));
        pending = pending.subarray(verbBytes + tdReportBytes);
        count += 1;
        tail = tail.then(() => answer(socket, report, platform));
      } else return;
    }
  });
  socket.on('error', () => undefined); // The machine's power was cut.
  return { quotes: () => count };
}

async function answer(socket: Socket, report: Uint8Array, platform: SimulatedPlatform): Promise<void> {
  const { reportData, mrTd, rtmrs, tdAttributes, xfam } = parseTdReport(report);
  const quote = await platform.quote(reportData, { mrTd, rtmrs, tdAttributes, xfam });
  const length = Buffer.alloc(4);
  length.writeUInt32LE(quote.length);
  socket.write(Buffer.concat([length, quote]));
}

/** QEMU makes the socket when it starts. */
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
