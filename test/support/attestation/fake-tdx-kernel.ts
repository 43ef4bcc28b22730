/** A fake of a TD's kernel for attestation, with the behaviour of a real one and failures on demand. */
import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { type GuestKernel, guestPaths } from '../../../attestation/guest/kernel.ts';

interface Report {
  inblob: Uint8Array;
  generation: number;
  /** The generated quote and its generation. */
  cached?: { quote: Uint8Array; generation: number };
}

export type MakeFakeQuote = (reportData: Uint8Array, rtmr3: Uint8Array) => Promise<Uint8Array>;

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the test wants it`), { code });
}

export class FakeTdxKernel implements GuestKernel {
  readonly reports = new Map<string, Report>();
  readonly makeQuote: MakeFakeQuote;
  rtmr3: Uint8Array = new Uint8Array(48);
  provider = 'tdx_guest\n';
  /** Files and folders that exist. */
  readonly present = new Set<string>([guestPaths.reports, guestPaths.device, guestPaths.deviceClass]);
  readonly files = new Map<string, Uint8Array>();
  /** Errors that the next operations on a file of this name return instead, in order. */
  readonly failures: { name: string; code: string }[] = [];
  /** Runs in the middle of generating a quote. */
  meanwhile: (report: Report) => void | Promise<void> = () => undefined;
  /** The number of requests to the hardware, by kind. */
  quotesMade = 0;
  tdReportsMade = 0;
  answerMessage: (message: Uint8Array) => Promise<Uint8Array> = () => Promise.reject(systemError('ERR_NOT_SET'));

  constructor(makeQuote: MakeFakeQuote) {
    this.makeQuote = makeQuote;
  }

  async exists(path: string): Promise<boolean> {
    return this.present.has(path) || this.files.has(path);
  }

  async makeDirectory(path: string): Promise<void> {
    this.#fail('mkdir');
    if (!this.present.has(dirname(path))) throw systemError('ENOENT');
    if (this.reports.has(path)) throw systemError('EEXIST');
    this.reports.set(path, { inblob: new Uint8Array(), generation: 0 });
  }

  async removeDirectory(path: string): Promise<void> {
    this.#fail('rmdir');
    if (!this.reports.delete(path)) throw systemError('ENOENT');
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    this.#fail(basename(path));
    if (path === guestPaths.rtmr3) return this.#extend(bytes);
    const report = this.#reportOf(path);
    if (basename(path) !== 'inblob') throw systemError('EACCES');
    if (bytes.length > 64) throw systemError('EFBIG');
    report.inblob = bytes.slice();
    report.generation++;
  }

  async read(path: string): Promise<Uint8Array> {
    this.#fail(basename(path));
    if (path === guestPaths.rtmr3) return this.rtmr3.slice();
    const file = this.files.get(path);
    if (file !== undefined) return file.slice();
    const report = this.#reportOf(path);
    const text = (value: string) => new TextEncoder().encode(value);
    switch (basename(path)) {
      case 'provider':
        return text(this.provider);
      case 'generation':
        return text(`${report.generation}\n`);
      case 'outblob':
        return this.#generate(report);
      default:
        throw systemError('ENOENT');
    }
  }

  async readTdReport(_device: string, reportData: Uint8Array): Promise<Uint8Array> {
    this.#fail('tdreport');
    this.tdReportsMade++;
    const report = new Uint8Array(1024);
    report.set(reportData, 128);
    return report;
  }

  exchangeQuoteMessage(message: Uint8Array): Promise<Uint8Array> {
    return this.answerMessage(message);
  }

  async #generate(report: Report): Promise<Uint8Array> {
    if (report.cached?.generation === report.generation) return report.cached.quote.slice();
    if (report.inblob.length !== 64) throw systemError('EINVAL');
    this.quotesMade++;
    const { generation } = report;
    await this.meanwhile(report);
    const quote = await this.makeQuote(report.inblob, this.rtmr3);
    if (generation !== report.generation) throw systemError('EWOULDBLOCK');
    report.cached = { quote, generation };
    return quote.slice();
  }

  #extend(digest: Uint8Array): void {
    if (digest.length !== 48) throw systemError('EINVAL');
    this.rtmr3 = new Uint8Array(createHash('sha384').update(this.rtmr3).update(digest).digest());
  }

  #reportOf(path: string): Report {
    const report = this.reports.get(dirname(path));
    if (report === undefined) throw systemError('ENOENT');
    return report;
  }

  #fail(name: string): void {
    const index = this.failures.findIndex((failure) => failure.name === name);
    if (index >= 0) throw systemError(this.failures.splice(index, 1)[0]!.code);
  }
}
