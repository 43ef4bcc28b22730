/** `cloister image model-disk`: writes models to a read-only disk whose dm-verity root hash is measured. */
import { dirname, resolve } from 'node:path';
import { writeModelDisk } from '@cloister/image/disks';
import { findModel, locateFile, readCatalogue, shippedCataloguePath } from '@cloister/models/catalogue/catalogue';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { readImageArguments } from './image-arguments.ts';

const help = `Usage: cloister image model-disk <disk> <model id>… [options]

Writes a disk with the files of these models, after comparing each with the catalogue's digest, and <disk>.words with the
root hash for the measured kernel command line. The same models give the same bytes. The guest verifies every block that
it reads.

  --catalogue <file>   catalogue of models [the catalogue that comes with Cloister]
  --models <folder>    folder of the downloaded models [.cloister/models]
`;

export async function run(args: string[], io: CommandIo): Promise<number> {
  const { values, positionals } = readImageArguments(args, 'model-disk', ['catalogue', 'models']);
  if (values.help === true) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const [disk, ...ids] = positionals;
  if (disk === undefined || ids.length === 0)
    throw usageError('model-disk takes a disk and at least one model ID', 'image model-disk');
  const cataloguePath = values.catalogue === undefined ? shippedCataloguePath : resolve(io.cwd, values.catalogue);
  const catalogue = await readCatalogue(cataloguePath);
  const words = await writeModelDisk(resolve(io.cwd, disk), {
    entries: ids.map((id) => findModel(catalogue, id)),
    folders: {
      catalogueFolder: dirname(cataloguePath),
      modelsFolder: resolve(io.cwd, values.models ?? '.cloister/models'),
    },
    locate: locateFile,
    signal: new AbortController().signal,
  });
  io.stdout.write(`${words}\n`);
  return exitCodes.ok;
}
