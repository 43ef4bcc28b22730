/** Writes the event log of a direct boot in a TD, as OVMF does, including invalid ones. */
import { fromHex } from '../../../attestation/base/bytes.ts';
import { sha384, writeEventLog } from './event-log-writer.ts';

export interface BootLogOptions {
  /** The firmware's section of variables. */
  readonly variables: Uint8Array;
  /** Digest of the memory list. */
  readonly memory?: Uint8Array;
  /** Events for ACPI tables; default 3. */
  readonly tables?: number;
  /** Type of an additional event at the end. */
  readonly more?: number;
  /** The digests that RTMR1 and RTMR2 were extended with. */
  readonly loaded?: readonly (readonly [rtmr: 1 | 2, digest: Uint8Array])[];
}

export const variableType = 0x80000001;
const separator = 0x4;
const acpi = 0xa;
const bootVariable = 0x80000002;
const firmwareBlob = 0x8000000a;
const memoryList = 0x8000000b;

/** Digests of the empty secure boot variables, as a real TDX machine logged them. */
export const emptyVariableDigests = [
  '9dc3a1f80bcec915391dcda5ffbb15e7419f77eab462bbf72b42166fb70d50325e37b36f93537a863769bcf9bedae6fb',
  '6f2e3cbc14f9def86980f5f66fd85e99d63e69a73014ed8a5633ce56eca5b64b692108c56110e22acadcef58c3250f1b',
  'd607c0efb41c0d757d69bca0615c3a9ac0b1db06c557d992e906c6b7dee40e0e031640c7bfd7bcd35844ef9edeadc6f9',
  '08a74f8963b337acb6c93682f934496373679dd26af1089cb4eaf0c30cf260a12e814856385ab8843e56a9acea19e127',
  '18cc6e01f0c6ea99aa23f8a280423e94ad81d96d0aeb5180504fc0f7a40cb3619dd39bd6a95ec1680a86ed6ab0f9828d',
];

export function writeBootLog({ variables, memory, tables = 3, more, loaded = [] }: BootLogOptions): Uint8Array {
  const event = (type: number, data: string, digest?: Uint8Array) => ({
    mrIndex: 1,
    type,
    data,
    ...(digest === undefined ? {} : { digest }),
  });
  return writeEventLog([
    event(memoryList, 'TdxTable', memory),
    event(firmwareBlob, 'Fv', sha384(variables)),
    ...emptyVariableDigests.map((hex) => event(variableType, 'empty', fromHex(hex)!)),
    event(separator, '\0\0\0\0'),
    ...Array.from({ length: tables }, () => event(acpi, 'ACPI DATA')),
    event(bootVariable, 'BootOrder'),
    ...(more === undefined ? [] : [event(more, 'more')]),
    ...loaded.map(([rtmr, digest]) => ({ mrIndex: rtmr + 1, type: separator, data: 'loaded', digest })),
  ]);
}
