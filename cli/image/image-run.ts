/** `cloister image run`: prints and runs the QEMU command for an image. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { commandLineOf } from '@cloister/image/artifacts';
import { ConsoleLines } from '@cloister/image/console';
import { isTdxHost } from '@cloister/image/host';
import { parseMemory } from '@cloister/image/memory';
import { type Boot, type PortForward, type QuoteService, qemuArguments, shellLine } from '@cloister/image/qemu';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { type ImageArguments, readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image run <folder> [options]

Prints the QEMU command for the image in <folder>, runs it and prints the guest's console. On a host with TDX the machine
is a TD (QEMU 10.1 or later). On other hosts it is emulated in software, which is slow and gives no attestation.

  --config <disk>          configuration disk, made by cloister image config-disk
  --model-disk <disk>      model disk, made by cloister image model-disk; repeatable
  --boot-disk <disk>       boot from this disk by UEFI, made by cloister image boot-disk, instead of passing kernel and disks
  --vcpus <count>          number of virtual CPUs, 1 to 1024 [2]
  --memory <size>          memory, for example 8G [2G]
  --forward <rule>         port forwarding, <host address>:<host port>:<guest port>; repeatable [127.0.0.1:8443:8443]
  --quote-service <addr>   address of the host's quote generation service: unix:<path> or vsock:<cid>:<port>
                           [unix:/var/run/tdx-qgs/qgs.socket]
  --gpu <address>          PCI address of a GPU that is bound to VFIO; repeatable
  --accel <kind>           tdx or tcg [tdx if the host supports it, else tcg]
  --qemu <program>         QEMU program [qemu-system-x86_64]
  --print                  print the command without running it
`;

const defaultQuoteService = 'unix:/var/run/tdx-qgs/qgs.socket';
const vcpusMax = 1024;

export async function run(args: string[], io: CommandIo): Promise<number> {
  const given = readImageArguments(
    args,
    'run',
    ['config', 'boot-disk', 'vcpus', 'memory', 'quote-service', 'accel', 'qemu'],
    {
      repeated: ['model-disk', 'forward', 'gpu'],
      flags: ['print'],
    },
  );
  if (given.values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const { program, words, accelerator } = machineOf(given, io);
  io.stdout.write(`${shellLine(program, words)}\n`);
  if (given.flags.has('print')) return exitCodes.ok;
  if (accelerator === 'tcg')
    io.stderr.write('cloister: emulating the machine in software: it is slow and is not a TD\n');
  return await runMachine(program, words, io);
}

function machineOf({ values, lists, positionals }: ImageArguments, { cwd }: CommandIo) {
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw usageError('run takes one image folder', 'image run');
  const accelerator = values.accel ?? (isTdxHost() ? 'tdx' : 'tcg');
  if (accelerator !== 'tdx' && accelerator !== 'tcg')
    throw usageError(`--accel must be tdx or tcg, got ${accelerator}`, 'image run');
  const vcpus = Number(values.vcpus ?? '2');
  const memory = values.memory ?? '2G';
  if (!Number.isInteger(vcpus) || vcpus < 1 || vcpus > vcpusMax)
    throw usageError(`--vcpus must be a whole number from 1 to ${vcpusMax}`, 'image run');
  if (parseMemory(memory) === undefined)
    throw usageError(`--memory must be a size such as 8G, got ${memory}`, 'image run');
  const forwards = lists.forward!.length === 0 ? ['127.0.0.1:8443:8443'] : lists.forward!;
  const words = qemuArguments({
    accelerator,
    folder: resolve(cwd, folder),
    boot: bootOf({ folder: resolve(cwd, folder), values, models: lists['model-disk']! }, cwd),
    vcpus,
    memory,
    forwards: forwards.map(parseForward),
    quoteService: parseQuoteService(values['quote-service'] ?? defaultQuoteService),
    gpus: lists.gpu!,
  });
  return { program: values.qemu ?? 'qemu-system-x86_64', words, accelerator };
}

function bootOf(
  { folder, values, models }: Pick<ImageArguments, 'values'> & { folder: string; models: readonly string[] },
  cwd: string,
): Boot {
  const { config, 'boot-disk': disk } = values;
  if (disk !== undefined) {
    if (config === undefined && models.length === 0) return { method: 'uefi', disk: resolve(cwd, disk) };
    throw usageError('--boot-disk contains the other disks: give it alone', 'image run');
  }
  const disks = {
    config: config === undefined ? undefined : resolve(cwd, config),
    models: models.map((path) => resolve(cwd, path)),
  };
  return { method: 'direct', cmdline: commandLineOf(folder, disks), disks };
}

/** Copies the console to standard output line by line. A signal ends the machine without a shutdown. @returns QEMU's exit code */
async function runMachine(program: string, words: string[], { stdout }: CommandIo): Promise<number> {
  const machine = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = () => void machine.kill('SIGTERM');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const lines = new ConsoleLines();
  machine.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of lines.add(text)) stdout.write(`${line}\n`);
  });
  const [code] = (await once(machine, 'close')) as [number | null];
  for (const line of lines.end()) stdout.write(`${line}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  return code ?? exitCodes.interrupted;
}

function parseForward(text: string): PortForward {
  const match = /^([\d.]+):(\d{1,5}):(\d{1,5})$/.exec(text);
  if (match === null)
    throw usageError(`--forward must be a rule such as 127.0.0.1:8443:8443, got ${text}`, 'image run');
  return { hostAddress: match[1]!, hostPort: Number(match[2]), guestPort: Number(match[3]) };
}

function parseQuoteService(text: string): QuoteService {
  const unix = /^unix:(\/.+)$/.exec(text);
  if (unix !== null) return { type: 'unix', path: unix[1]! };
  const vsock = /^vsock:(\d+):(\d+)$/.exec(text);
  if (vsock !== null) return { type: 'vsock', cid: vsock[1]!, port: vsock[2]! };
  throw usageError(`--quote-service must be unix:<path> or vsock:<cid>:<port>, got ${text}`, 'image run');
}
