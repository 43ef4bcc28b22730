/** `cloister measure`: what a TD that boots an image will hold in its registers, computed from the image's files alone. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readableEvidence } from '@cloister/attestation/client/attest-server';
import { parseBundle } from '@cloister/attestation/client/bundle';
import type { Handover } from '@cloister/attestation/measure/direct-boot';
import { type MeasureOptions, policyFor } from '@cloister/attestation/measure/measure';
import { formatMeasurements, type MeasurementFile, measureArtifacts } from '@cloister/image/artifacts';
import { parseMemory } from '@cloister/image/memory';
import { ServerError } from '@cloister/server/http/errors';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readGivenFile } from './image-arguments.ts';

const help = `Usage: cloister measure <folder> [options]

Computes MRTD, RTMR1 and RTMR2 of the image in <folder>, as QEMU 10.1 or later boots it, and RTMR0 of each shape of machine
whose first boot somebody trusted recorded. RTMR3 follows from the start log.

  --config <disk>      the configuration disk that is attached: its SHA-256 is part of the command line
  --model-disk <disk>  a disk of models that is attached; repeat in their order
  --event-log <log>    firmware's event log (CCEL) of a first boot, or a bundle of cloister verify --save that has it, as
                       <file> or <memory>:<file>, like 64G:first.json; once for each shape. With the memory, all of the
                       log but the ACPI tables is compared. Without any log RTMR0 stays open
  --policy <file>      write the policy that accepts these measurements, for cloister verify --policy: with RTMR0 of each
                       log, or with any
  --json               print JSON; of one shape this is measurements.json, byte for byte
  --page-order <how>   page-by-page, or add-then-measure for QEMU 8 [page-by-page]
  --patched-for <mem>  RTMR1 where QEMU below 10 or an OVMF before 2025 hands the kernel on: it depends on the memory, like 8G
`;

export async function run(args: string[], { stdout, stderr, cwd }: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const { values, positionals } = readArguments(args);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw usageError('name one folder of an image', 'measure');
  const disks = {
    config: values.config === undefined ? undefined : resolve(cwd, values.config),
    models: (values['model-disk'] ?? []).map((disk) => resolve(cwd, disk)),
  };
  const logs = (values['event-log'] ?? []).map((named) => eventLogOf(named, cwd));
  const options = optionsOf(values);
  const shapes = await Promise.all(
    (logs.length === 0 ? [undefined] : logs).map(async (log) => ({
      log,
      measured: await measureArtifacts(resolve(cwd, folder), disks, { ...options, ...log }),
    })),
  );
  const measured = shapes.map((shape) => shape.measured);
  stdout.write(values.json === true ? measured.map(formatMeasurements).join('') : describe(shapes));
  if (values.policy !== undefined) {
    writeFileSync(resolve(cwd, values.policy), `${JSON.stringify(policyFor(measured), null, 2)}\n`);
    if (logs.length === 0) stderr.write(openRegister(values.policy));
  }
  return exitCodes.ok;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        config: { type: 'string' },
        'model-disk': { type: 'string', multiple: true },
        'event-log': { type: 'string', multiple: true },
        policy: { type: 'string' },
        json: { type: 'boolean' },
        'page-order': { type: 'string' },
        'patched-for': { type: 'string' },
      },
    });
  } catch (error) {
    throw usageError((error as Error).message, 'measure');
  }
}

function optionsOf(values: ReturnType<typeof readArguments>['values']): MeasureOptions {
  const { 'page-order': pageOrder = 'page-by-page', 'patched-for': memory } = values;
  if (pageOrder !== 'page-by-page' && pageOrder !== 'add-then-measure') {
    throw usageError('--page-order is page-by-page or add-then-measure', 'measure');
  }
  if (memory === undefined) return { pageOrder };
  const memoryBytes = parseMemory(memory);
  if (memoryBytes === undefined) throw usageError('--patched-for takes a size like 8G', 'measure');
  const handover: Handover = { kind: 'qemu-patched', memoryBytes };
  return { pageOrder, handover };
}

interface NamedLog extends Required<Pick<MeasureOptions, 'eventLog'>>, Pick<MeasureOptions, 'memoryBytes'> {
  /** As it was named, like `64G`. */
  readonly memory?: string;
}

function eventLogOf(named: string, cwd: string): NamedLog {
  const [, memory, path = named] = /^([^:/]*):(.+)$/.exec(named) ?? [];
  const given = { cwd, option: '--event-log', command: 'measure' };
  if (memory === undefined) return { eventLog: bootLogOf(readGivenFile(path, given)) };
  const memoryBytes = parseMemory(memory);
  if (memoryBytes === undefined) {
    throw usageError('--event-log takes a file, or a memory before it, like 64G:first.json', 'measure');
  }
  return { eventLog: bootLogOf(readGivenFile(path, given)), memory, memoryBytes };
}

/** A bundle of `cloister verify --save` carries the log; a log itself begins with a register's number. */
function bootLogOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  if (bytes[0] !== '{'.charCodeAt(0)) return bytes;
  const log = readableEvidence(parseBundle(new TextDecoder().decode(bytes)).report)?.bootLog;
  if (log === undefined) throw new ServerError('ERR_START', 'the bundle has no event log of a boot');
  return log;
}

interface Shape {
  /** Undefined where none was given: then there is one shape, with RTMR0 open. */
  readonly log: NamedLog | undefined;
  readonly measured: MeasurementFile;
}

function describe(shapes: readonly Shape[]): string {
  const { mrTd, rtmr1, rtmr2 } = shapes[0]!.measured;
  const hardware = shapes.map(({ log, measured: { rtmr0 } }) => `RTMR0  ${rtmr0 ?? 'not measured'}${howFound(log)}`);
  return `${[`MRTD   ${mrTd}`, ...hardware, `RTMR1  ${rtmr1}`, `RTMR2  ${rtmr2}`].join('\n')}\n`;
}

/** The way to RTMR0, and what of it nobody but the log says. */
function howFound(log: NamedLog | undefined): string {
  if (log === undefined) return ': it depends on the shape of the machine; give --event-log of a first boot';
  if (log.memory !== undefined)
    return `  (event log, ${log.memory}: memory and firmware compared, ACPI tables as logged)`;
  return '  (event log: firmware compared, memory and ACPI tables as logged; name the memory, like 64G:first.json)';
}

function openRegister(policy: string): string {
  return [
    `cloister: ${policy} accepts any RTMR0, so any number of processors, memory and ACPI tables. To pin them, boot once where you`,
    '  trust the host, save its evidence with cloister verify --save first.json, and measure again with --event-log 64G:first.json',
    '',
  ].join('\n');
}
