import { rm } from 'node:fs/promises';
import {
  type Catalogue,
  type CatalogueEntry,
  findModel,
  locateFile,
  type ModelFolders,
  updateCatalogue,
  withoutEntries,
} from '@cloister/models/catalogue/catalogue';
import { type ListedModel, readModelList } from '@cloister/models/catalogue/model-list';
import { ModelError } from '@cloister/models/interface/errors';
import { exitCodes, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { readFlags, type Subcommand, settingHelp } from './models-setting.ts';

export const rmHelp = `Usage: cloister models rm <id>… [--weights]

Removes models, and their aliases, from the catalogue. A model that comes with Cloister stays: name the models to serve
with serve --model. A running server keeps the models that it has loaded: see cloister models unload.

Options:
  --weights   also delete the weights that were downloaded for them, except for files that another model uses
${settingHelp}`;

export const removeModels: Subcommand = async (args, io) => {
  const command = 'models rm';
  const {
    values,
    positionals: ids,
    setting,
  } = readFlags(args, { command, io, options: { weights: { type: 'boolean' } } });
  if (ids.length === 0) throw usageError('expected the id of a model, got nothing', command);
  let removed: readonly CatalogueEntry[] = [];
  const shipped = await readModelList({ ...setting.places, catalogues: setting.places.catalogues.slice(0, -1) });
  setting.makeStateFolder();
  const left = await updateCatalogue(setting.cataloguePath, (catalogue) => {
    // All ids are checked first: an unknown one removes nothing.
    removed = [...new Set(ids)].map((id) => findRemovable(catalogue, { id, shipped }));
    const others = withoutEntries(catalogue, removed);
    const isLeft = (id: string) =>
      [...others.models, ...shipped.map(({ entry }) => entry)].some((one) => one.id === id);
    // An alias of a model that is in no catalogue would come back to life with a later model of the same id.
    return { ...others, aliases: others.aliases?.filter(({ id }) => isLeft(id)) };
  });
  for (const { id } of removed) io.stdout.write(`${id} is no longer in ${setting.cataloguePath}\n`);
  const files = downloadedFiles(removed, { left, folders: setting.folders });
  for (const [path, bytes] of files) {
    if (values.weights === true) await rm(path, { force: true });
    io.stdout.write(`  ${values.weights === true ? 'deleted' : 'kept'} ${path}  ${formatBytes(bytes)}\n`);
  }
  return exitCodes.ok;
};

function findRemovable(
  catalogue: Catalogue,
  { id, shipped }: { id: string; shipped: readonly ListedModel[] },
): CatalogueEntry {
  const isOwn = catalogue.models.some((model) => model.id === id);
  if (isOwn || !shipped.some(({ entry }) => entry.id === id)) return findModel(catalogue, id);
  const remedy = 'name the models to serve with `cloister serve --model`';
  throw new ModelError('ERR_MODEL_UNKNOWN', `${id} comes with Cloister and stays in its catalogue: ${remedy}`);
}

/** Paths and sizes of files that were downloaded for these models only. Files used in place belong to the operator. */
function downloadedFiles(
  removed: readonly CatalogueEntry[],
  { left, folders }: { left: Catalogue; folders: ModelFolders },
): ReadonlyMap<string, number> {
  const pathsOf = (entry: CatalogueEntry) =>
    entry.files.map((file) => [locateFile(entry, file, folders), file.bytes] as const);
  const used = new Set(left.models.flatMap(pathsOf).map(([path]) => path));
  const downloaded = removed.filter(({ source }) => source.kind !== 'path').flatMap(pathsOf);
  return new Map(downloaded.filter(([path]) => !used.has(path)));
}
