/** `cloister measure`: computes the expected measurement registers of a TD from the image's files alone. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readableEvidence } from '@cloister/attestation/client/attest-server';
import { parseBundle } from '@cloister/attestation/client/bundle';
import type { Handover } from '@cloister/attestation/measure/direct-boot';
import { type ImageMeasurements, type MeasureOptions, policyFor } from '@cloister/attestation/measure/measure';
import {
  type BootMethod,
  formatMeasurements,
  type MeasurementFile,
  measureArtifacts,
  measurementsOf,
} from '@cloister/image/measurements';
import { parseMemory } from '@cloister/image/memory';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readGivenFile } from './image-arguments.ts';

const help = `Usage: cloister measure <folder> [options]

Computes MRTD, RTMR1 and RTMR2 of the image in <folder> as booted by QEMU 10.1 or later, or from its boot disk by UEFI.
RTMR0 depends on the machine's CPUs, memory and firmware tables, and is computed from the event log of a trusted first
boot (--event-log). A verifier computes RTMR3 from the start log.

  --config <disk>      attached configuration disk, whose SHA-256 is part of the kernel command line
  --model-disk <disk>  attached model disk; repeatable, in the order of attachment
  --boot <method>      direct, or uefi for a boot from the disk of cloister image boot-disk; repeat it for a policy that
                       accepts both [direct]
  --firmware <file>    firmware of the machine, for example that of a cloud [OVMF.fd of the image]
  --event-log <log>    the firmware's event log (CCEL) of a trusted first boot, or a bundle of cloister verify --save with
                       that log, as <file> or <memory>:<file>, for example 64G:first.json; repeat it for each machine
                       shape. With <memory>, every entry except the ACPI tables is compared with its expected value.
                       Without --event-log, RTMR0 is not computed
  --policy <file>      write a policy that accepts these measurements, for cloister verify --policy; it accepts the RTMR0
                       of each log, or any RTMR0 without --event-log
  --json               print JSON; with at most one --event-log it equals measurements.json byte for byte
  --page-order <how>   page-by-page, or add-then-measure for QEMU 8 [page-by-page]
  --patched-for <mem>  memory of the machine, for example 8G, on which RTMR1 depends with QEMU before 10 or OVMF before
                       2025, which boot the kernel with a setup header modified by QEMU
`;

export async function run(args: string[], { stdout, stderr, cwd }: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const { values, positionals } = readArguments(args);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw usageError('measure takes one image folder', 'measure');
  const disks = {
    config: values.config === undefined ? undefined : resolve(cwd, values.config),
    models: (values['model-disk'] ?? []).map((disk) => resolve(cwd, disk)),
  };
  const logs = (values['event-log'] ?? []).map((named) => eventLogOf(named, cwd));
  const boots = bootsOf(values.boot, logs.length);
  const firmware = values.firmware === undefined ? undefined : resolve(cwd, values.firmware);
  const options = { ...optionsOf(values), bootOfLog: boots[0]!, firmware };
  const shapes = await Promise.all(
    (logs.length === 0 ? [undefined] : logs).map(async (log) => ({
      log,
      measured: await measureArtifacts(resolve(cwd, folder), disks, { ...options, ...log }),
    })),
  );
  const measured = shapes.map((shape) => shape.measured);
  const sets = boots.map((boot) => setsOf(boot, shapes));
  stdout.write(values.json === true ? measured.map(formatMeasurements).join('') : describe(boots, sets));
  if (values.policy !== undefined) {
    const accepted = sets.flat().map((set) => set.measured);
    writeFileSync(resolve(cwd, values.policy), `${JSON.stringify(policyFor(accepted), null, 2)}\n`);
    if (logs.length === 0) stderr.write(unpinnedRegisterWarning(values.policy));
  }
  return exitCodes.ok;
}

function readArguments(args: string[]) {
  return parseCommandArgs(args, {
    command: 'measure',
    options: {
      config: { type: 'string' },
      'model-disk': { type: 'string', multiple: true },
      boot: { type: 'string', multiple: true },
      firmware: { type: 'string' },
      'event-log': { type: 'string', multiple: true },
      policy: { type: 'string' },
      json: { type: 'boolean' },
      'page-order': { type: 'string' },
      'patched-for': { type: 'string' },
    },
  });
}

function optionsOf(values: ReturnType<typeof readArguments>['values']): MeasureOptions {
  const { 'page-order': pageOrder = 'page-by-page', 'patched-for': memory } = values;
  if (pageOrder !== 'page-by-page' && pageOrder !== 'add-then-measure') {
    throw usageError(`--page-order must be page-by-page or add-then-measure, got ${pageOrder}`, 'measure');
  }
  if (memory === undefined) return { pageOrder };
  const memoryBytes = parseMemory(memory);
  if (memoryBytes === undefined) throw usageError(`--patched-for must be a size such as 8G, got ${memory}`, 'measure');
  const handover: Handover = { kind: 'qemu-patched', memoryBytes };
  return { pageOrder, handover };
}

interface NamedLog extends Required<Pick<MeasureOptions, 'eventLog'>>, Pick<MeasureOptions, 'memoryBytes'> {
  /** The memory as the option gives it, for example `64G`. */
  readonly memory?: string;
}

function eventLogOf(named: string, cwd: string): NamedLog {
  const [, memory, path = named] = /^([^:/]*):(.+)$/.exec(named) ?? [];
  const given = { cwd, option: '--event-log', command: 'measure' };
  if (memory === undefined) return { eventLog: bootLogOf(readGivenFile(path, given)) };
  const memoryBytes = parseMemory(memory);
  if (memoryBytes === undefined) {
    throw usageError(
      `--event-log must be <file> or <memory>:<file>, for example 64G:first.json, got ${named}`,
      'measure',
    );
  }
  return { eventLog: bootLogOf(readGivenFile(path, given)), memory, memoryBytes };
}

/** Accepts a bundle of `cloister verify --save`, which is JSON, or an event log, which starts with a register index. */
function bootLogOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  if (bytes[0] !== '{'.charCodeAt(0)) return bytes;
  const log = readableEvidence(parseBundle(new TextDecoder().decode(bytes)).report)?.bootLog;
  if (log === undefined) throw new ServerError('ERR_START', '--event-log: the bundle contains no event log of a boot');
  return log;
}

interface Shape<Measured> {
  /** Undefined without `--event-log`: there is then one shape, without RTMR0. */
  readonly log: NamedLog | undefined;
  readonly measured: Measured;
}

/** An event log is of one boot, so of one method. */
function bootsOf(named: readonly string[] = ['direct'], logCount: number): readonly BootMethod[] {
  const boots = [...new Set(named)];
  const unknown = boots.find((boot) => boot !== 'direct' && boot !== 'uefi');
  if (unknown !== undefined) throw usageError(`--boot must be direct or uefi, got ${unknown}`, 'measure');
  if (boots.length > 1 && logCount > 0) {
    throw usageError(
      '--event-log belongs to one boot method: give one --boot, and measure the other one by itself',
      'measure',
    );
  }
  return boots as BootMethod[];
}

/** @throws {ServerError} ERR_START if the image cannot be booted in this way */
function setsOf(boot: BootMethod, shapes: readonly Shape<MeasurementFile>[]): readonly Shape<ImageMeasurements>[] {
  return shapes.map(({ log, measured: file }) => {
    const measured = measurementsOf(file, boot);
    if (measured === undefined) {
      throw new ServerError('ERR_START', '--boot uefi: the image has no stub.efi. Action: build it again');
    }
    return { log, measured };
  });
}

function describe(boots: readonly BootMethod[], sets: readonly (readonly Shape<ImageMeasurements>[])[]): string {
  return boots.map((boot, index) => `${boots.length > 1 ? `${boot}\n` : ''}${describeBoot(sets[index]!)}`).join('\n');
}

function describeBoot(shapes: readonly Shape<ImageMeasurements>[]): string {
  const { mrTd, rtmr1, rtmr2 } = shapes[0]!.measured;
  const hardware = shapes.map(({ log, measured: { rtmr0 } }) => `RTMR0  ${rtmr0 ?? 'not computed'}${rtmr0Source(log)}`);
  return `${[`MRTD   ${mrTd}`, ...hardware, `RTMR1  ${rtmr1}`, `RTMR2  ${rtmr2}`].join('\n')}\n`;
}

/** Describes the source of RTMR0 and which entries of the log were not compared with an expected value. */
function rtmr0Source(log: NamedLog | undefined): string {
  if (log === undefined) return ': it depends on the machine shape; give the --event-log of a first boot';
  if (log.memory !== undefined)
    return `  (event log, ${log.memory}: memory and firmware compared, ACPI tables as logged)`;
  return '  (event log: firmware compared, memory and ACPI tables as logged; to compare the memory, give it: 64G:first.json)';
}

function unpinnedRegisterWarning(policy: string): string {
  return [
    `cloister: ${policy} accepts any RTMR0, and so any number of CPUs, any memory size and any ACPI tables. To pin them, boot`,
    '  once on a trusted host, save its evidence with cloister verify --save first.json, and run cloister measure again with',
    '  --event-log 64G:first.json',
    '',
  ].join('\n');
}
