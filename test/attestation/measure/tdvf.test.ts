/** MRTD from a firmware file, compared with a second implementation of the TDX module's arithmetic. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../attestation/base/bytes.ts';
import { AttestationError } from '../../../attestation/base/errors.ts';
import { measureFirmware, parseTdvf, tdvfSectionBytes } from '../../../attestation/measure/tdvf.ts';
import { codeSection, type FirmwareOptions, writeFirmware } from '../../support/attestation/tdvf-writer.ts';

const variables = { fileOffset: 0, fileBytes: 0x1000, address: 0xfffc0000n, memoryBytes: 0x1000, type: 1 };
const hob = { address: 0x809000n, memoryBytes: 0x1000, type: 2 };
const later = { address: 0x900000n, memoryBytes: 0x1000, type: 3, attributes: 2 };
const sections = [codeSection, variables, hob, later];
const firmware = writeFirmware({ sections: sections });

function operation(name: string, address: bigint): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name);
  bytes.writeBigUInt64LE(address, 16);
  return bytes;
}

/** Page by page: add it, then extend its sixteen chunks. */
function expected(): string {
  const hash = createHash('sha384');
  for (let page = 0; page < 2; page++) {
    const address = codeSection.address + BigInt(page * 4096);
    hash.update(operation('MEM.PAGE.ADD', address));
    for (let chunk = 0; chunk < 16; chunk++) {
      const at = codeSection.fileOffset + page * 4096 + chunk * 256;
      hash.update(operation('MR.EXTEND', address + BigInt(chunk * 256))).update(firmware.subarray(at, at + 256));
    }
  }
  hash.update(operation('MEM.PAGE.ADD', variables.address)).update(operation('MEM.PAGE.ADD', hob.address));
  return hash.digest('hex');
}

describe('measureFirmware', () => {
  it('adds every page, extends those that are measured, and leaves out those that are added later', async () => {
    expect(toHex(await measureFirmware(firmware))).toBe(expected());
  });

  it('differs if all pages of a section are added before they are measured', async () => {
    expect(await measureFirmware(firmware, 'add-then-measure')).not.toEqual(await measureFirmware(firmware));
  });

  it('changes with a byte that is measured, not with one of the variables', async () => {
    const before = await measureFirmware(firmware);
    const withCode = firmware.slice();
    withCode[codeSection.fileOffset + 5] = 0xff;
    const withVariable = firmware.slice();
    withVariable[5] = 0xff;
    expect(await measureFirmware(withCode)).not.toEqual(before);
    expect(await measureFirmware(withVariable)).toEqual(before);
  });
});

describe('parseTdvf', () => {
  it('returns the sections in the order of the metadata', () => {
    expect(parseTdvf(firmware).map(({ type }) => type)).toEqual(['firmware', 'variables', 'hob', 'memory']);
    expect(parseTdvf(firmware)[3]).toMatchObject({ isMeasured: false, isAddedLater: true, address: 0x900000n });
    expect(tdvfSectionBytes(firmware, 'variables')).toEqual(firmware.subarray(0, 0x1000));
  });

  it.each<[string, RegExp, FirmwareOptions]>([
    ['no table at its end', /no table of entries/, { sections: sections, footer: '00'.repeat(16) }],
    ['another signature', /without their signature/, { sections: sections, signature: 'TDVX' }],
    ['another version', /version 2/, { sections: sections, version: 2 }],
    ['no section', /has 0 TDX sections/, { sections: [] }],
    ['metadata outside the file', /outside the file/, { sections: sections, metadataFromEnd: 1024 * 1024 }],
    ['a section that leaves the file', /extends past its end/, { sections: [{ ...codeSection, fileOffset: 0xf000 }] }],
    ['half a page', /bytes of memory/, { sections: [{ ...hob, memoryBytes: 0x800 }] }],
    ['a measured section without contents', /larger than its contents/, { sections: [{ ...hob, attributes: 1 }] }],
  ])('rejects a firmware with %s', (_what, message, options) => {
    const act = () => parseTdvf(writeFirmware(options));
    expect(act).toThrow(AttestationError);
    expect(act).toThrow(message);
  });

  it('rejects two sections of a type that must be unique', () => {
    const twice = writeFirmware({ sections: [variables, variables] });
    expect(() => tdvfSectionBytes(twice, 'variables')).toThrow(/has 2 sections of variables/);
  });

  it('throws only coded errors, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.nat(firmware.length - 4), fc.uint8Array({ minLength: 1, maxLength: 4 }), (at, bytes) => {
        const changed = firmware.slice();
        changed.set(bytes, Math.max(firmware.length - 2048, at));
        try {
          parseTdvf(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(AttestationError);
        }
      }),
    );
  });
});
