/** The guest kernel's TDX interfaces: their paths and the file operations on them. Only this file accesses /dev and /sys. */
import { constants } from 'node:fs';
import { access, mkdir, open, readFile, rmdir } from 'node:fs/promises';
import { exchangeQuoteMessage, readTdReport } from '@cloister/native/guest';

export interface GuestKernel {
  /**
   * Reads the whole file, regardless of its size, which kernel files often report as 0. @throws the system's error, with its `code`
   */
  read(path: string): Promise<Uint8Array>;
  /** Writes in one call and closes, because some files take effect on close. Never creates a file. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  makeDirectory(path: string): Promise<void>;
  removeDirectory(path: string): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** @param reportData 64 bytes · @returns 1,024 bytes · @throws as `native/guest.ts` */
  readTdReport(device: string, reportData: Uint8Array): Promise<Uint8Array>;
  /** Sends one message to the host's quote service and returns its response. @throws as `native/guest.ts` */
  exchangeQuoteMessage(message: Uint8Array, options: { timeoutMs: number }): Promise<Uint8Array>;
}

/** @see Documentation/ABI/testing/configfs-tsm-report and sysfs-devices-virtual-misc-tdx_guest in the Linux sources */
export const guestPaths = {
  /** Each directory in here is one report. */
  reports: '/sys/kernel/config/tsm/report',
  device: '/dev/tdx_guest',
  deviceClass: '/sys/devices/virtual/misc/tdx_guest',
  rtmr3: '/sys/devices/virtual/misc/tdx_guest/measurements/rtmr3:sha384',
  ccelTable: '/sys/firmware/acpi/tables/CCEL',
  ccelLog: '/sys/firmware/acpi/tables/data/CCEL',
  cpuInfo: '/proc/cpuinfo',
} as const;

export const linuxKernel: GuestKernel = {
  async read(path) {
    return new Uint8Array(await readFile(path));
  },
  async write(path, bytes) {
    const file = await open(path, constants.O_WRONLY);
    try {
      const { bytesWritten } = await file.write(bytes, 0, bytes.length, null);
      if (bytesWritten !== bytes.length) {
        throw Object.assign(new Error(`${path} took ${bytesWritten} of ${bytes.length} bytes`), { code: 'EIO' });
      }
    } finally {
      await file.close();
    }
  },
  makeDirectory: (path) => mkdir(path),
  removeDirectory: (path) => rmdir(path),
  exists: (path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  readTdReport,
  exchangeQuoteMessage: (message, { timeoutMs }) => exchangeQuoteMessage(message, { timeoutMs }),
};
