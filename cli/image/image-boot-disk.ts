/** `cloister image boot-disk`: writes the disk from which UEFI firmware boots the image. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { planBootDisk, writeBootDisk } from '@cloister/image/boot-disk';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image boot-disk <disk> <folder> [options]

Writes a disk that any UEFI firmware boots: a unified kernel image with the command line, and the disks of the image in
<folder> as partitions. The same image and disks give the same bytes. Compute its measurements with cloister measure
--boot uefi and the same options.

  --config <disk>      configuration disk, made by cloister image config-disk
  --model-disk <disk>  model disk, made by cloister image model-disk; repeatable
  --uki                write the unified kernel image alone
`;

export async function run(args: string[], { stdout, cwd }: CommandIo): Promise<number> {
  const given = readImageArguments(args, 'boot-disk', ['config'], { repeated: ['model-disk'], flags: ['uki'] });
  if (given.values.help === true) {
    stdout.write(help);
    return exitCodes.ok;
  }
  const [disk, folder, ...more] = given.positionals;
  if (disk === undefined || folder === undefined || more.length > 0) {
    throw usageError('boot-disk takes a disk and an image folder', 'image boot-disk');
  }
  const { config } = given.values;
  const plan = planBootDisk(resolve(cwd, folder), {
    config: config === undefined ? undefined : resolve(cwd, config),
    models: given.lists['model-disk']!.map((path) => resolve(cwd, path)),
  });
  if (given.flags.has('uki')) writeFileSync(resolve(cwd, disk), plan.uki);
  else await writeBootDisk(resolve(cwd, disk), plan);
  return exitCodes.ok;
}
