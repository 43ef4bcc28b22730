/** Which models a configuration asks for, by file or by catalogue id. Opens no weight file. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CatalogueEntry,
  findModel,
  idForFile,
  locateFile,
  type ModelFolders,
  type ModelKind,
  readCatalogue,
  shippedCataloguePath,
} from '../models/catalogue.ts';
import type { Config } from './config.ts';
import { ServerError } from './errors.ts';
import { statePaths } from './state-folder.ts';

/** Kinds that there is an engine for. */
type ServedKind = Exclude<ModelKind, 'onnx-embedding'>;

export interface PlannedModel {
  readonly id: string;
  readonly kind: ServedKind;
  /** Of the first file, which is the one to load; a model of several files has the others below or beside it. */
  readonly path: string;
  /** Most tokens per sequence; undefined: what the file says. */
  readonly contextMax: number | undefined;
  /** What the weights must be; undefined for a file that was named by its path. */
  readonly pinned: { readonly entry: CatalogueEntry; readonly folders: ModelFolders } | undefined;
}

/** @throws {ServerError} ERR_START · @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID, ERR_MODEL_UNKNOWN */
export async function planModels(config: Config, { cwd }: { cwd: string }): Promise<readonly PlannedModel[]> {
  const names = config.model?.split(',').map((name) => name.trim());
  if (names?.every(isFile)) return names.map((name) => planFile(resolve(cwd, name)));

  const cataloguePath = config.catalogue ?? shippedCataloguePath;
  const catalogue = await readCatalogue(cataloguePath);
  const folders = { catalogueFolder: dirname(cataloguePath), modelsFolder: statePaths(config).modelsFolder };
  const wanted = names ?? catalogue.models.map(({ id }) => id);
  if (wanted.length === 0) {
    throw new ServerError('ERR_START', `${cataloguePath} has no model: add one with \`cloister models add\``);
  }
  return wanted.map((name) =>
    isFile(name) ? planFile(resolve(cwd, name)) : planEntry(findModel(catalogue, name), folders),
  );
}

function planFile(path: string): PlannedModel {
  if (!existsSync(path)) throw new ServerError('ERR_START', `there is no file ${path}: correct --model`);
  return { id: idForFile(path), kind: 'llama-text', path, contextMax: undefined, pinned: undefined };
}

function planEntry(entry: CatalogueEntry, folders: ModelFolders): PlannedModel {
  if (entry.kind === 'onnx-embedding') {
    throw new ServerError('ERR_START', `${entry.id} is of kind ${entry.kind}, which cannot be served yet`);
  }
  const path = locateFile(entry, entry.files[0]!, folders);
  return { id: entry.id, kind: entry.kind, path, contextMax: entry.contextLength, pinned: { entry, folders } };
}

function isFile(name: string): boolean {
  return name.endsWith('.gguf') || name.includes('/');
}
