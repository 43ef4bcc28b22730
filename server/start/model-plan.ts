/** Resolves the models of a configuration, by file or by catalogue id. Reads the head of a file to find its kind. */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  type CatalogueEntry,
  idForFile,
  kindOfFile,
  locateFile,
  type ModelFolders,
  type ModelKind,
  splitParts,
} from '@cloister/models/catalogue/catalogue';
import { findListed, type ListedModel, readModelList } from '@cloister/models/catalogue/model-list';
import { ServerError } from '../http/errors.ts';
import { cataloguePlaces } from '../program/catalogue-places.ts';
import type { Config } from '../program/config.ts';

export interface PlannedModel {
  readonly id: string;
  readonly kind: ModelKind;
  /** The first file, which is the one to load; the other files of a model are below or next to it. */
  readonly path: string;
  /** The projector of a text model that takes images: the file of its entry that is named `mmproj…gguf`. */
  readonly projectorPath?: string | undefined;
  /** LoRA adapters, in the order of the entry. */
  readonly adapters?: readonly PlannedAdapter[] | undefined;
  /** Most tokens per sequence; undefined: as the file states. */
  readonly contextMax: number | undefined;
  /** Other names that requests may use; default none. */
  readonly aliases?: readonly string[];
  /** The expected weights; undefined for a file named by its path. */
  readonly pinned: { readonly entry: CatalogueEntry; readonly folders: ModelFolders } | undefined;
  /** The draft model of a chat model. */
  readonly draft?: PlannedModel | undefined;
}

export interface PlannedAdapter {
  readonly name: string;
  readonly path: string;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** @throws {ServerError} ERR_START · @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID, ERR_MODEL_UNKNOWN */
export async function planModels(config: Config, { cwd }: { cwd: string }): Promise<readonly PlannedModel[]> {
  const plans = await planNamed(config, splitList(config.model), cwd);
  const twice = plans.find(({ id }, index) => plans.findIndex((other) => other.id === id) !== index);
  if (twice === undefined) return await withDrafts(plans, config, cwd);
  const remedy = 'name one of them, or rename its file';
  throw new ServerError('ERR_START', `--model names two models with the id ${twice.id}: ${remedy}`);
}

/**
 * One model of the catalogues, as they are now. @param name an id or an alias
 * @throws {ServerError} ERR_START · @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID, ERR_MODEL_UNKNOWN
 */
export async function planModel(config: Config, name: string): Promise<PlannedModel> {
  return planEntry(findListed(await readModelList(cataloguePlaces(config)), name));
}

async function withDrafts(plans: readonly PlannedModel[], config: Config, cwd: string) {
  const drafts = new Map<string, PlannedModel>();
  for (const pair of splitList(config.draftModel) ?? []) {
    const [id = '', name = ''] = pair.split(/=(.*)/s).map((part) => part.trim());
    const target = plans.find((plan) => plan.id === id);
    if (name === '') throw wrongDraft(`expected ID=DRAFT, got ${pair}`);
    if (target === undefined) throw wrongDraft(`no served model has the id ${id}: name one of --model`);
    if (drafts.has(id)) throw wrongDraft(`${id} has two draft models: keep one`);
    const [draft] = await planNamed(config, [name], cwd);
    const other = [target, draft!].find(({ kind }) => kind !== 'llama-text');
    if (other !== undefined) throw wrongDraft(`${other.id} is not a chat model in GGUF: only these draft`);
    drafts.set(id, draft!);
  }
  return plans.map((plan) => ({ ...plan, draft: drafts.get(plan.id) }));
}

function wrongDraft(message: string): ServerError {
  return new ServerError('ERR_START', `--draft-model: ${message}`);
}

function splitList(value: string | undefined): readonly string[] | undefined {
  return value?.split(',').map((name) => name.trim());
}

/** @param names files and catalogue ids; undefined: all models of the catalogue */
async function planNamed(config: Config, names: readonly string[] | undefined, cwd: string): Promise<PlannedModel[]> {
  if (names?.every(isFile)) return await Promise.all(names.map((name) => planFile(resolve(cwd, name))));

  const places = cataloguePlaces(config);
  const models = await readModelList(places);
  const wanted = names ?? models.map(({ entry }) => entry.id);
  if (wanted.length === 0) {
    const { path } = places.catalogues.at(-1)!;
    throw new ServerError('ERR_START', `${path} lists no models: add one with \`cloister models add\``);
  }
  return await Promise.all(
    wanted.map(async (name) => (isFile(name) ? planFile(resolve(cwd, name)) : planEntry(findListed(models, name)))),
  );
}

/** Any part of a split model may be named; its first part is the one to load. */
async function planFile(named: string): Promise<PlannedModel> {
  const path = splitParts(named)[0]!;
  if (!existsSync(path))
    throw new ServerError('ERR_START', `the file ${path} does not exist: correct --model or --draft-model`);
  return { id: idForFile(path), kind: await kindOfFile(path), path, contextMax: undefined, pinned: undefined };
}

function planEntry({ entry, folders, aliases }: ListedModel): PlannedModel {
  const path = locateFile(entry, entry.files[0]!, folders);
  const projector = entry.kind === 'llama-text' ? entry.files.find(isProjector) : undefined;
  return {
    id: entry.id,
    kind: entry.kind,
    path,
    ...(projector && { projectorPath: locateFile(entry, projector, folders) }),
    adapters: planAdapters(entry, folders),
    contextMax: entry.contextLength,
    aliases,
    pinned: { entry, folders },
  };
}

function planAdapters(entry: CatalogueEntry, folders: ModelFolders): readonly PlannedAdapter[] {
  return (entry.adapters ?? []).map(({ name, path }) => {
    const file = entry.files.find((one) => one.path === path)!;
    return { name, path: locateFile(entry, file, folders), sha256: file.sha256 };
  });
}

/** llama.cpp's convention for projectors. */
function isProjector({ path }: { readonly path: string }): boolean {
  return /^mmproj[^/]*\.gguf$/.test(basename(path));
}

function isFile(name: string): boolean {
  return /\.(gguf|onnx)$/.test(name) || name.includes('/');
}
