/**
 * Compares the RTMR0 events of a boot log with those that the firmware and the memory determine: all events except the VMM's ACPI tables and
 * the boot options, which depend on the machine's devices. Pure, with WebCrypto.
 * @see edk2 OvmfPkg/Tcg/TdTcg2Dxe/TdTcg2Dxe.c · UEFI 2.10 §38.4.1 · TCG PC Client Platform Firmware Profile, §10.4
 */
import { concatBytes, fromHex, sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { eventType, type LogEvent } from '../eventlog/event-log.ts';
import { sha384 } from './extend.ts';
import { digestTdHob } from './td-hob.ts';
import { tdvfSectionBytes } from './tdvf.ts';

const rtmr0 = 1;
const eventTypes = {
  separator: 0x4,
  platformFlags: 0xa,
  variable: 0x80000001,
  bootVariable: 0x80000002,
  firmwareBlob: 0x8000000a,
  memoryList: 0x8000000b,
} as const;

/** In stored byte order. */
const globalVariables = '61dfe48bca93d211aa0d00e098032b8c';
const imageSecurity = 'cbb219d73a3d9645a3bcdad00e67656f';
/** The secure boot variables, which are empty in firmware without secure boot. */
const emptyVariables = [
  [globalVariables, 'SecureBoot'],
  [globalVariables, 'PK'],
  [globalVariables, 'KEK'],
  [imageSecurity, 'db'],
  [imageSecurity, 'dbx'],
] as const;

/**
 * Requires that RTMR0 was extended with exactly the events of this firmware, in order.
 * @param memoryBytes if undefined, the memory list is not compared
 * @throws {AttestationError} ERR_NOT_VERIFIED if the log is of another firmware, memory size or boot method; ERR_EVIDENCE_MALFORMED
 */
export async function requireMatchingEvents(
  events: readonly LogEvent[],
  firmware: Uint8Array,
  memoryBytes: number | undefined,
): Promise<void> {
  const own = events.filter(({ mrIndex, type }) => mrIndex === rtmr0 && type !== eventType.noAction);
  const memory = memoryBytes === undefined ? undefined : await digestTdHob(firmware, memoryBytes);
  const expected = [
    { what: 'the memory list', type: eventTypes.memoryList, digest: memory },
    {
      what: "the firmware's variables",
      type: eventTypes.firmwareBlob,
      digest: await sha384(tdvfSectionBytes(firmware, 'variables')),
    },
    ...(await Promise.all(
      emptyVariables.map(async ([guid, name]) => ({
        what: `the empty variable ${name}`,
        type: eventTypes.variable,
        digest: await digestEmptyVariable(guid, name),
      })),
    )),
    { what: 'the separator', type: eventTypes.separator, digest: await sha384(new Uint8Array(4)) },
  ];
  for (const [index, { what, type, digest }] of expected.entries()) {
    const found = own[index];
    if (found?.type !== type) throw refused(`has no event for ${what} at the expected position`);
    if (digest !== undefined && !sameBytes(found.digest, digest)) throw refused(`has a different value for ${what}`);
  }
  requireRest(own.slice(expected.length));
}

/** ACPI tables, then boot options; older firmware adds a separator after them. */
function requireRest(rest: readonly LogEvent[]): void {
  const tables = rest.findIndex(({ type }) => type !== eventTypes.platformFlags);
  if (tables === 0 || rest.length === 0) throw refused('has no events for ACPI tables');
  const others = tables < 0 ? [] : rest.slice(tables);
  const foreign = others.find(({ type }) => type !== eventTypes.bootVariable && type !== eventTypes.separator);
  if (foreign !== undefined)
    throw refused(`has an event of type 0x${foreign.type.toString(16)}, which is not expected there`);
}

/** UEFI_VARIABLE_DATA without data: GUID, length of the name, length of the data, name. */
async function digestEmptyVariable(guid: string, name: string): Promise<Uint8Array> {
  const head = new Uint8Array(16);
  head[0] = name.length;
  const characters = new Uint8Array(name.length * 2);
  for (let index = 0; index < name.length; index++) characters[2 * index] = name.charCodeAt(index);
  return await sha384(concatBytes(fromHex(guid)!, head, characters));
}

function refused(message: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', `the event log ${message}: it is not of a boot of this firmware`);
}
