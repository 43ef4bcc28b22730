/**
 * Compares computed measurements with those of real firmware and a real kernel. Outside a TD, OVMF measures the same events
 * into a TPM: here into the SHA-384 bank of a software TPM, whose log is read from the machine's memory.
 * CLOISTER_IMAGE_QEMU and CLOISTER_IMAGE_OVMF name more programs and firmware files, separated by commas.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toHex } from '../../../attestation/base/bytes.ts';
import { bootEventDigests, measureCommandLine, measureKernel } from '../../../attestation/measure/direct-boot.ts';
import { extendAll } from '../../../attestation/measure/extend.ts';
import { diskBootDigests, ukiDigests } from '../../../attestation/measure/uefi-boot.ts';
import { commandLineOf } from '../../../image/artifacts.ts';
import { planBootDisk, writeBootDisk } from '../../../image/boot-disk.ts';
import { findProgram } from '../../../image/host.ts';
import type { Boot } from '../../../image/qemu.ts';
import { configDisk, image, scratch } from './support/given.ts';
import { Machine } from './support/machine.ts';
import { findTpmLog, startTpm, type TpmEvent } from './support/tpm.ts';

const { PATH, CLOISTER_IMAGE_QEMU = '', CLOISTER_IMAGE_OVMF = '' } = process.env;
const hasTpm = findProgram(['swtpm'], PATH) !== undefined;
const isPossible = image !== undefined && hasTpm;
if (!hasTpm) console.log('Predictions are not compared with firmware: swtpm is not here.');

const split = (text: string) => text.split(',').filter((part) => part !== '');
const programs = isPossible ? ['qemu-system-x86_64', ...split(CLOISTER_IMAGE_QEMU)] : [];
const system = '/usr/share/ovmf/OVMF.fd';
const firmwares = isPossible
  ? [join(image!.folder, 'OVMF.fd'), ...(existsSync(system) ? [system] : []), ...split(CLOISTER_IMAGE_OVMF)]
  : [];
const machines = programs.flatMap((program) =>
  firmwares.flatMap((firmware) =>
    ['1G', '3G'].map((memory) => [versionOf(program), firmware, memory, program] as const),
  ),
);

const noAction = 3;
const separatorType = 4;
const bootApplication = 0x80000003;
/** The register of each PCR in a TD. @see UEFI 2.10, §38.4.1 */
const rtmrOf = (pcr: number) =>
  pcr === 1 || pcr === 7 ? 0 : pcr >= 2 && pcr <= 6 ? 1 : pcr >= 8 && pcr <= 15 ? 2 : undefined;
const pieceBytes = 2 ** 28;

function versionOf(program: string): string {
  return /version ([\d.]+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))![1]!;
}

/** `readFileSync` is limited to 2 GiB. */
function readLarge(path: string): Buffer {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(fstatSync(file).size);
  for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, Math.min(pieceBytes, bytes.length - at), at);
  closeSync(file);
  return bytes;
}

/** Boots until init prints, when firmware and EFI stub have finished measuring. */
async function bootWithTpm(
  [program, firmware, memory]: readonly [program: string, firmware: string, memory: string],
  boot: Boot,
): Promise<readonly TpmEvent[]> {
  const ram = join(scratch, 'ram');
  const tpm = startTpm(join(scratch, 'tpm'));
  const { folder } = image!;
  const machine = await Machine.start({
    folder,
    boot,
    memory,
    program,
    replace: { '-machine': 'q35,hpet=off,memory-backend=ram', '-bios': firmware },
    more: ['-object', `memory-backend-file,id=ram,size=${memory},mem-path=${ram},share=on`, ...tpm.arguments],
  });
  try {
    await machine.until(/cloister: this machine is not a TD/);
    await machine.cutPower();
    return findTpmLog(readLarge(ram));
  } finally {
    await machine.cutPower();
    tpm.stop();
    rmSync(ram, { force: true });
  }
}

describe.skipIf(!isPossible).each(machines)('QEMU %s with %s and %s', (_version, firmware, memory, program) => {
  it('measures the kernel, the command line and the initial RAM disk as predicted', async () => {
    const { folder } = image!;
    const direct = { method: 'direct', cmdline: commandLineOf(folder), disks: {} } as const;
    const events = await bootWithTpm([program, firmware, memory], direct);
    const bytes = (name: string) => new Uint8Array(readFileSync(join(folder, name)));
    const boot = { kernel: bytes('vmlinuz'), initrd: bytes('initrd.img'), cmdline: commandLineOf(folder) };

    const options = events.filter(({ pcr }) => pcr === 9).map(({ digest }) => digest);
    expect(toHex(await extendAll(options))).toBe(toHex(await measureCommandLine(boot)));

    const started = events.filter(({ pcr, type }) => pcr === 4 && type === bootApplication);
    const [calling, separator, ...exit] = await bootEventDigests();
    expect(events.filter(({ pcr }) => pcr === 4 || pcr === 5).map(({ digest }) => toHex(digest))).toEqual(
      expect.arrayContaining([calling!, separator!].map(toHex)),
    );
    const memoryBytes = Number.parseInt(memory, 10) * 2 ** 30;
    const candidates = await Promise.all(
      (['unchanged', { kind: 'qemu-patched', memoryBytes }] as const).map((handover) =>
        measureKernel({ ...boot, handover }),
      ),
    );
    const observed = await extendAll([started[0]!.digest, calling!, separator!, ...exit]);
    const index = candidates.map(toHex).indexOf(toHex(observed));
    console.log(`${_version} ${firmware} ${memory}: ${['unchanged', 'qemu-patched'][index] ?? 'neither'}`);
    expect(started).toHaveLength(1);
    expect(index).toBeGreaterThanOrEqual(0);
  });

  it('measures the boot disk, the unified kernel image and its sections as predicted', async () => {
    const { folder } = image!;
    const config = configDisk('oracle.img');
    const plan = planBootDisk(folder, { config });
    const disk = join(scratch, 'oracle-boot.img');
    await writeBootDisk(disk, plan);
    const events = await bootWithTpm([program, firmware, memory], { method: 'uefi', disk });
    rmSync(disk);

    const measured = events.filter(({ pcr, type }) => rtmrOf(pcr) === 2 && type !== noAction && type !== separatorType);
    const sections = (await ukiDigests(plan.uki)).map(toHex);
    expect(measured.map(({ digest }) => toHex(digest))).toEqual(sections);

    // A TPM gets a separator for each PCR, a TD one for each register.
    const started = events.filter(
      ({ pcr, type }) => rtmrOf(pcr) === 1 && type !== noAction && (type !== separatorType || pcr === 4),
    );
    const predicted = (await diskBootDigests({ uki: plan.uki, disk: plan.layout.head })).map(toHex);
    expect(started.map(({ digest }) => toHex(digest))).toEqual(predicted);
  });
});
