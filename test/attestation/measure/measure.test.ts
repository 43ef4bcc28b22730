/** Computes the policy that accepts an image from the image's files. */
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../attestation/base/bytes.ts';
import { parseEventLog } from '../../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../../attestation/eventlog/replay.ts';
import { type ImageFiles, measureImage, policyFor } from '../../../attestation/measure/measure.ts';
import { digestTdHob } from '../../../attestation/measure/td-hob.ts';
import { parseEvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import {
  type BootLogOptions,
  emptyVariableDigests,
  variableType,
  writeBootLog,
} from '../../support/attestation/boot-log.ts';
import { writeEventLog } from '../../support/attestation/event-log-writer.ts';
import { writePe } from '../../support/attestation/pe-writer.ts';
import { codeSection, writeFirmware } from '../../support/attestation/tdvf-writer.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../../support/vectors.ts';

const variables = { fileOffset: 0, fileBytes: 0x1000, address: 0xfffc0000n, memoryBytes: 0x1000, type: 1 };
const hob = { address: 0x809000n, memoryBytes: 0x2000, type: 2 };
const firmware = writeFirmware({ sections: [codeSection, variables, hob] });
const files: ImageFiles = { firmware, kernel: writePe(), initrd: new Uint8Array(100), cmdline: 'quiet' };

const variableBytes = firmware.subarray(0, 0x1000);
const logOf = (changes: Partial<BootLogOptions> = {}) => writeBootLog({ variables: variableBytes, ...changes });

describe('measureImage', () => {
  it('computes MRTD, RTMR1 and RTMR2 of the files, and leaves RTMR0 open without a recorded boot', async () => {
    const measured = await measureImage(files);
    expect(measured.rtmr0).toBeUndefined();
    for (const one of [measured.mrTd, measured.rtmr1, measured.rtmr2]) expect(one).toMatch(/^[0-9a-f]{96}$/);
    expect(await measureImage(files)).toEqual(measured);
  });

  it('replays RTMR0 from the event log of a first boot with this very firmware', async () => {
    const eventLog = logOf();
    const [rtmr0] = await replayEventLog(parseEventLog(eventLog).events);
    expect((await measureImage(files, { eventLog })).rtmr0).toBe(toHex(rtmr0));
  });

  it('compares the memory map if the memory size is given', async () => {
    const memoryBytes = 2 ** 31;
    const eventLog = logOf({ memory: await digestTdHob(firmware, memoryBytes) });
    expect((await measureImage(files, { eventLog, memoryBytes })).rtmr0).toMatch(/^[0-9a-f]{96}$/);
    await expect(measureImage(files, { eventLog, memoryBytes: 2 ** 32 })).rejects.toThrow(
      /different value for the memory list/,
    );
  });

  it.each<[string, RegExp, Uint8Array]>([
    ['another firmware', /different value for the firmware's variables/, logOf({ variables: new Uint8Array(16) })],
    ['nothing but a note', /no event for the memory list/, writeEventLog([])],
    ['no ACPI tables', /no events for ACPI tables/, logOf({ tables: 0 })],
    ['a boot from a disk', /an event of type 0x80000006/, logOf({ more: 0x80000006 })],
  ])('rejects an event log of %s', async (_what, message, eventLog) => {
    const measured = measureImage(files, { eventLog });
    await expect(measured).rejects.toThrow(message);
    await expect(measured).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
  });
});

describe.skipIf(!hasVectors)(`a real TDX machine of 2 GiB${vectorsNote}`, () => {
  /** Copied from the metadata of the machine's firmware, which split the memory map. */
  const older = writeFirmware({
    sections: [
      { address: 0x809000n, memoryBytes: 0x2000, type: 2 },
      { address: 0x80b000n, memoryBytes: 0x2000, type: 3 },
      { address: 0x810000n, memoryBytes: 0x10000, type: 3 },
      { address: 0x800000n, memoryBytes: 0x6000, type: 3 },
    ],
  });

  it('measured the predicted memory list', async () => {
    const { events } = parseEventLog(vectorBytes('ccel-trustee/CCEL_data_ovmf'));
    expect(toHex(events[0]!.digest)).toBe(toHex(await digestTdHob(older, 2 ** 31)));
  });

  it('measured the predicted empty variables', () => {
    const { events } = parseEventLog(vectorBytes('ccel-trustee/CCEL_data_ovmf'));
    const found = events.filter(({ type }) => type === variableType).map(({ digest }) => toHex(digest));
    expect(found).toEqual(emptyVariableDigests);
  });
});

describe('policyFor', () => {
  it('is a policy that cloister verify accepts, with a set for every shape', async () => {
    const open = await measureImage(files);
    const closed = await measureImage(files, { eventLog: logOf() });
    const policy = policyFor([open, closed]);
    expect(parseEvidencePolicy(JSON.stringify(policy))).toEqual(policy);
    expect(policy.measurements).toEqual([
      { mrTd: open.mrTd, rtmr1: open.rtmr1, rtmr2: open.rtmr2 },
      { mrTd: open.mrTd, rtmr0: closed.rtmr0, rtmr1: open.rtmr1, rtmr2: open.rtmr2 },
    ]);
  });
});
