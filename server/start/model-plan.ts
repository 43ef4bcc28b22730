/** Which models a configuration asks for, by file or by catalogue id. Of a file it reads the head, to know its kind. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type CatalogueEntry,
  findModel,
  idForFile,
  kindOfFile,
  locateFile,
  type ModelFolders,
  type ModelKind,
  readCatalogue,
  shippedCataloguePath,
  splitParts,
} from '@cloister/models/catalogue/catalogue';
import { ServerError } from '../http/errors.ts';
import type { Config } from '../program/config.ts';
import { statePaths } from '../program/state-folder.ts';

export interface PlannedModel {
  readonly id: string;
  readonly kind: ModelKind;
  /** Of the first file, which is the one to load; a model of several files has the others below or beside it. */
  readonly path: string;
  /** Most tokens per sequence; undefined: what the file says. */
  readonly contextMax: number | undefined;
  /** What the weights must be; undefined for a file that was named by its path. */
  readonly pinned: { readonly entry: CatalogueEntry; readonly folders: ModelFolders } | undefined;
}

/** @throws {ServerError} ERR_START · @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID, ERR_MODEL_UNKNOWN */
export async function planModels(config: Config, { cwd }: { cwd: string }): Promise<readonly PlannedModel[]> {
  const plans = await planNamed(config, cwd);
  const twice = plans.find(({ id }, index) => plans.findIndex((other) => other.id === id) !== index);
  if (twice === undefined) return plans;
  const remedy = 'name one of them, or rename its file';
  throw new ServerError('ERR_START', `--model names two models that callers would know as ${twice.id}: ${remedy}`);
}

async function planNamed(config: Config, cwd: string): Promise<readonly PlannedModel[]> {
  const names = config.model?.split(',').map((name) => name.trim());
  if (names?.every(isFile)) return await Promise.all(names.map((name) => planFile(resolve(cwd, name))));

  const cataloguePath = config.catalogue ?? shippedCataloguePath;
  const catalogue = await readCatalogue(cataloguePath);
  const folders = { catalogueFolder: dirname(cataloguePath), modelsFolder: statePaths(config).modelsFolder };
  const wanted = names ?? catalogue.models.map(({ id }) => id);
  if (wanted.length === 0) {
    throw new ServerError('ERR_START', `${cataloguePath} has no model: add one with \`cloister models add\``);
  }
  return await Promise.all(
    wanted.map(async (name) =>
      isFile(name) ? planFile(resolve(cwd, name)) : planEntry(findModel(catalogue, name), folders),
    ),
  );
}

/** Whichever part of a model is named, its first is the one to load. */
async function planFile(named: string): Promise<PlannedModel> {
  const path = splitParts(named)[0]!;
  if (!existsSync(path)) throw new ServerError('ERR_START', `there is no file ${path}: correct --model`);
  return { id: idForFile(path), kind: await kindOfFile(path), path, contextMax: undefined, pinned: undefined };
}

function planEntry(entry: CatalogueEntry, folders: ModelFolders): PlannedModel {
  const path = locateFile(entry, entry.files[0]!, folders);
  return { id: entry.id, kind: entry.kind, path, contextMax: entry.contextLength, pinned: { entry, folders } };
}

function isFile(name: string): boolean {
  return /\.(gguf|onnx)$/.test(name) || name.includes('/');
}
