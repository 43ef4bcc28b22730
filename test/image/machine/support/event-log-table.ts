/** Provides an event log to a guest whose firmware writes none: an ACPI table that points to memory filled by QEMU. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An address in the middle of the memory, away from firmware and kernel; the kernel's command line reserves it. */
const address = 0x3000_0000;
const areaBytes = 64 * 1024;
const tdx = 2;

/** Kernel parameter that reserves the memory. */
export const eventLogWord = `memmap=64K$0x${address.toString(16)}`;

/** @returns QEMU's arguments */
export function eventLogTable(folder: string, log: Uint8Array): readonly string[] {
  const area = Buffer.alloc(areaBytes, 0xff);
  area.set(log);
  const table = Buffer.alloc(20);
  table.writeUInt8(tdx, 0);
  table.writeBigUInt64LE(BigInt(areaBytes), 4);
  table.writeBigUInt64LE(BigInt(address), 12);
  const [tablePath, logPath] = [join(folder, 'ccel-table.bin'), join(folder, 'ccel-log.bin')];
  writeFileSync(tablePath, table);
  writeFileSync(logPath, area);
  return [
    ...['-acpitable', `sig=CCEL,rev=1,oem_id=CLOIST,oem_table_id=SIMULATE,data=${tablePath}`],
    ...['-device', `loader,file=${logPath},addr=0x${address.toString(16)},force-raw=on`],
  ];
}
