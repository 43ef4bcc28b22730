/** Which models a configuration asks for, by file or by catalogue id. Opens no weight file. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CatalogueEntry,
  findModel,
  idForFile,
  locateFile,
  type ModelFolders,
  readCatalogue,
  shippedCataloguePath,
} from '../models/catalogue.ts';
import type { Config } from './config.ts';
import { ServerError } from './errors.ts';
import { statePaths } from './state-folder.ts';

export interface PlannedModel {
  readonly id: string;
  readonly path: string;
  /** Most tokens per sequence; undefined: what the file says. */
  readonly contextMax: number | undefined;
  /** What the weights must be; undefined for a file that was named by its path. */
  readonly pinned: { readonly entry: CatalogueEntry; readonly folders: ModelFolders } | undefined;
}

const demoModelId = 'cloister-demo-TEE';

/** @throws {ServerError} ERR_START · @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID, ERR_MODEL_UNKNOWN */
export async function planModels(config: Config, { cwd }: { cwd: string }): Promise<readonly PlannedModel[]> {
  const names = config.model?.split(',').map((name) => name.trim());
  if (names?.every(isFile)) return names.map((name) => planFile(resolve(cwd, name)));

  const cataloguePath = config.catalogue ?? shippedCataloguePath;
  const catalogue = await readCatalogue(cataloguePath);
  const folders = { catalogueFolder: dirname(cataloguePath), modelsFolder: statePaths(config).modelsFolder };
  const wanted = names ?? (config.catalogue === undefined ? [demoModelId] : textModels(catalogue.models));
  if (wanted.length === 0) {
    throw new ServerError('ERR_START', `${cataloguePath} has no chat model: add one with \`cloister models add\``);
  }
  return wanted.map((name) =>
    isFile(name) ? planFile(resolve(cwd, name)) : planEntry(findModel(catalogue, name), folders),
  );
}

function planFile(path: string): PlannedModel {
  if (!existsSync(path)) throw new ServerError('ERR_START', `there is no file ${path}: correct --model`);
  return { id: idForFile(path), path, contextMax: undefined, pinned: undefined };
}

function planEntry(entry: CatalogueEntry, folders: ModelFolders): PlannedModel {
  const [first] = entry.files;
  if (entry.kind !== 'llama-text' || first === undefined) {
    throw new ServerError('ERR_START', `${entry.id} is of kind ${entry.kind}, which cannot be served yet`);
  }
  const path = locateFile(entry, first, folders);
  return { id: entry.id, path, contextMax: entry.contextLength, pinned: { entry, folders } };
}

function isFile(name: string): boolean {
  return name.endsWith('.gguf') || name.includes('/');
}

function textModels(entries: readonly CatalogueEntry[]): string[] {
  return entries.filter(({ kind }) => kind === 'llama-text').map(({ id }) => id);
}
