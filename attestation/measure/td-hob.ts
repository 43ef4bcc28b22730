/**
 * Computes the first event of RTMR0: the memory list that the VMM passes to the firmware (the TD's hand-off blocks). Pure, with WebCrypto.
 * Tested against the event log of a real TDX machine.
 * @see UEFI Platform Initialization Specification, volume 3, §5 (HOB) · QEMU hw/i386/tdvf-hob.c · edk2 OvmfPkg/Library/PeilessStartupLib
 */
import { AttestationError } from '../base/errors.ts';
import { sha384 } from './extend.ts';
import { parseTdvf } from './tdvf.ts';

/** Memory that QEMU's q35 places below 4 GiB if the machine has more than fits below the devices. */
const lowBytesOfLarge = 0x8000_0000;
const lowBytesMax = 0xb000_0000;
const highStart = 0x1_0000_0000;

const handoffType = 1;
const handoffBytes = 56;
const handoffVersion = 9;
const resourceType = 3;
const resourceBytes = 48;
/** The block that ends the list, which is not measured. */
const endBytes = 8;
/** Memory that exists at the start, and memory that the guest accepts later. */
const systemMemory = 0;
const unacceptedMemory = 7;
/** Present, initialized, tested. */
const attributes = 7;

/**
 * @param firmware the list follows from its metadata · @param memoryBytes of the whole machine, QEMU's `-m`
 * @returns SHA-384, 48 bytes
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 */
export async function digestTdHob(firmware: Uint8Array, memoryBytes: number): Promise<Uint8Array> {
  const sections = parseTdvf(firmware);
  const hob = sections.find(({ type }) => type === 'hob');
  if (hob === undefined) throw malformed('has no section for the memory list');
  const accepted = sections
    .filter(({ type }) => type === 'hob' || type === 'memory')
    .map(({ address, memoryBytes: bytes }) => ({ start: Number(address), bytes }))
    .sort((a, b) => a.start - b.start);
  const resources = [...lowMemory(accepted, memoryBytes), ...highMemory(memoryBytes)];
  const list = new Uint8Array(handoffBytes + resources.length * resourceBytes);
  const view = new DataView(list.buffer);
  writeHeader(view, 0, { type: handoffType, bytes: handoffBytes });
  view.setUint32(8, handoffVersion, true);
  view.setBigUint64(48, hob.address + BigInt(list.length + endBytes), true);
  for (const [index, { kind, start, bytes }] of resources.entries()) {
    const at = handoffBytes + index * resourceBytes;
    writeHeader(view, at, { type: resourceType, bytes: resourceBytes });
    view.setUint32(at + 24, kind, true);
    view.setUint32(at + 28, attributes, true);
    view.setBigUint64(at + 32, BigInt(start), true);
    view.setBigUint64(at + 40, BigInt(bytes), true);
  }
  return await sha384(list);
}

interface Resource {
  readonly kind: number;
  readonly start: number;
  readonly bytes: number;
}

/** The sections that the firmware has from the start, and the ranges between them, which it accepts later. */
function lowMemory(accepted: readonly { start: number; bytes: number }[], memoryBytes: number): Resource[] {
  const lowBytes = lowBytesOf(memoryBytes);
  const resources: Resource[] = [];
  let at = 0;
  for (const { start, bytes } of accepted) {
    if (start < at || start + bytes > lowBytes) throw malformed('has memory ranges that overlap or do not exist');
    if (start > at) resources.push({ kind: unacceptedMemory, start: at, bytes: start - at });
    resources.push({ kind: systemMemory, start, bytes });
    at = start + bytes;
  }
  if (lowBytes > at) resources.push({ kind: unacceptedMemory, start: at, bytes: lowBytes - at });
  return resources;
}

function highMemory(memoryBytes: number): Resource[] {
  const bytes = memoryBytes - lowBytesOf(memoryBytes);
  return bytes > 0 ? [{ kind: unacceptedMemory, start: highStart, bytes }] : [];
}

function lowBytesOf(memoryBytes: number): number {
  return memoryBytes >= lowBytesMax ? lowBytesOfLarge : memoryBytes;
}

function writeHeader(view: DataView, at: number, { type, bytes }: { type: number; bytes: number }): void {
  view.setUint16(at, type, true);
  view.setUint16(at + 2, bytes, true);
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the firmware ${message}`);
}
