/** `cloister image`: builds the confidential VM's image, makes its disks, runs it and provisions its secrets. */
import { type Command, type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { suggestion } from '@cloister/server/program/suggestion';

const help = `Usage: cloister image <command> [options]

  build        build the image from Dockerfile.tdx, with docker or buildah
  run          print and run the QEMU command: a TD on a host with TDX, else software emulation
  config-disk  make the disk with the settings and the catalogue
  model-disk   make a disk with models of the catalogue
  boot-disk    make the disk from which UEFI firmware boots the image, for clouds
  provision    verify a running guest and send it secrets

Each command has --help. cloister measure computes the expected measurements of an image with its disks.
`;

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  build: () => import('./image-build.ts'),
  run: () => import('./image-run.ts'),
  'config-disk': () => import('./image-config-disk.ts'),
  'model-disk': () => import('./image-model-disk.ts'),
  'boot-disk': () => import('./image-boot-disk.ts'),
  provision: () => import('./image-provision.ts'),
};

export async function run(args: string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h') {
    (name === undefined ? io.stderr : io.stdout).write(help);
    return name === undefined ? exitCodes.usage : exitCodes.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw usageError(`unknown command image ${name}${suggestion(name, Object.keys(commands))}`, 'image');
  return (await command()).run(rest, io);
}
