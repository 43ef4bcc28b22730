/**
 * The catalogue of models, with the source and the digest of each file.
 * It is one JSON file, which `catalogue-parser.ts` parses. This file opens neither weight files nor network connections.
 */
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { writeFileAtomically } from '../files/atomic-file.ts';
import { ModelError } from '../interface/errors.ts';
import type {
  Catalogue,
  CatalogueEntry,
  EmbeddingTerms,
  ModelFile,
  ModelPricing,
  ModelSource,
} from './catalogue-entry.ts';
import { parseCatalogue } from './catalogue-parser.ts';

export { splitParts } from '../gguf/split-gguf.ts';
export * from './catalogue-entry.ts';
export { parseCatalogue } from './catalogue-parser.ts';
export { kindOfFile } from './file-kind.ts';

/** Base folders of relative paths. */
export interface ModelFolders {
  readonly catalogueFolder: string;
  readonly modelsFolder: string;
}

/** The catalogue of the demo models that Cloister ships. */
export const shippedCataloguePath = join(import.meta.dirname, '..', 'demo', 'catalogue.json');

/** Far above any real catalogue; prevents that a wrong path is read into memory. */
const catalogueBytesMax = 16 * 1024 * 1024;
const updateAttemptsMax = 5;

/** @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID */
export async function readCatalogue(path: string): Promise<Catalogue> {
  return parseCatalogue(await readCatalogueText(path), path);
}

/** As `readCatalogue`; a catalogue that does not exist is empty. @throws {ModelError} ERR_CATALOGUE_INVALID */
export async function readCatalogueIfPresent(path: string): Promise<Catalogue> {
  const text = await readTextOrUndefined(path);
  return text === undefined ? { models: [] } : parseCatalogue(text, path);
}

/** Formats a catalogue, one field per line; equal catalogues give equal bytes. */
export function formatCatalogue(catalogue: Catalogue): string {
  const aliases = (catalogue.aliases ?? []).map(({ name, id }) => ({ name, id }));
  const fields = { version: 1, models: catalogue.models.map(entryInOrder), ...(aliases.length > 0 && { aliases }) };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

/**
 * Reads, changes and replaces the catalogue. If another process changed it meanwhile, `change` runs again on the new text.
 * A catalogue that does not exist is treated as empty.
 * @throws {ModelError} ERR_CATALOGUE_INVALID if the catalogue is invalid before or after the change; ERR_CATALOGUE_WRITE
 */
export async function updateCatalogue(path: string, change: (catalogue: Catalogue) => Catalogue): Promise<Catalogue> {
  const target = await realpath(path).catch(() => resolve(path));
  for (let attempt = 1; attempt <= updateAttemptsMax; attempt++) {
    const before = await readTextOrUndefined(target);
    const changed = formatCatalogue(change(before === undefined ? { models: [] } : parseCatalogue(before, path)));
    const checked = parseCatalogue(changed, path);
    if ((await readTextOrUndefined(target)) !== before) continue;
    await writeFileAtomically(target, changed).catch((cause: Error) => {
      throw new ModelError('ERR_CATALOGUE_WRITE', `cannot write ${path}: ${cause.message}; set CLOISTER_CATALOGUE`, {
        cause,
      });
    });
    return checked;
  }
  throw new ModelError(
    'ERR_CATALOGUE_WRITE',
    `${path} was changed by another process during each of ${updateAttemptsMax} attempts to write it; try again`,
  );
}

/** @returns a catalogue in which `entry` replaces the entry with the same id, or is appended */
export function withEntry(catalogue: Catalogue, entry: CatalogueEntry): Catalogue {
  const exists = catalogue.models.some(({ id }) => id === entry.id);
  return {
    ...catalogue,
    models: exists
      ? catalogue.models.map((other) => (other.id === entry.id ? entry : other))
      : [...catalogue.models, entry],
  };
}

/** @returns a catalogue without the entries that have the ids of these; aliases stay */
export function withoutEntries(catalogue: Catalogue, removed: readonly Pick<CatalogueEntry, 'id'>[]): Catalogue {
  const ids = new Set(removed.map(({ id }) => id));
  return { ...catalogue, models: catalogue.models.filter(({ id }) => !ids.has(id)) };
}

/** @returns a catalogue in which the alias `name` stands for `id`, or for no model if `id` is undefined */
export function withAlias(catalogue: Catalogue, name: string, id: string | undefined): Catalogue {
  const others = (catalogue.aliases ?? []).filter((alias) => alias.name !== name);
  return { ...catalogue, aliases: id === undefined ? others : [...others, { name, id }] };
}

/** @throws {ModelError} ERR_MODEL_UNKNOWN listing the existing ids */
export function findModel(catalogue: Catalogue, id: string): CatalogueEntry {
  const entry = catalogue.models.find((model) => model.id === id);
  if (entry !== undefined) return entry;
  const ids = catalogue.models.map((model) => model.id).join(', ');
  throw new ModelError(
    'ERR_MODEL_UNKNOWN',
    `no model ${JSON.stringify(id)} in the catalogue; it has: ${ids || 'none'}`,
  );
}

/** @returns the absolute path of one of `entry`'s files */
export function locateFile(entry: CatalogueEntry, file: ModelFile, folders: ModelFolders): string {
  return entry.source.kind === 'path'
    ? resolve(folders.catalogueFolder, file.path)
    : join(resolve(folders.modelsFolder), file.path);
}

/** @returns `name-TEE` for `…/name.gguf`, `…/name-00001-of-00003.gguf`, `…/name/model.onnx` and `…/name/onnx/model.onnx` */
export function idForFile(path: string): string {
  const folder = /([^/]+)(?:\/onnx)?\/model[^/]*\.onnx$/.exec(path)?.[1];
  const stem = (folder ?? basename(path).replace(/\.[A-Za-z0-9]{1,12}$/, ''))
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 90);
  return stem.endsWith('-TEE') ? stem : `${stem || 'model'}-TEE`;
}

function entryInOrder(entry: CatalogueEntry): Record<string, unknown> {
  const { id, kind, name, source, files, contextLength, maxOutputTokens, capabilities, pricing, plans } = entry;
  const { embedding, image, adapters } = entry;
  return {
    id,
    kind,
    name,
    source: sourceInOrder(source),
    files: files.map(({ path, sha256, bytes }) => ({ path, sha256, bytes })),
    contextLength,
    ...(maxOutputTokens === contextLength ? {} : { maxOutputTokens }),
    capabilities,
    pricing: pricingInOrder(pricing),
    plans,
    ...(embedding === undefined ? {} : { embedding: embeddingInOrder(embedding) }),
    ...(image === undefined ? {} : { image: { guidanceScale: image.guidanceScale, steps: image.steps } }),
    ...(adapters === undefined ? {} : { adapters: adapters.map(({ name, path }) => ({ name, path })) }),
  };
}

function pricingInOrder({ promptPerMillion, completionPerMillion, perImage, perStep }: ModelPricing): ModelPricing {
  return { promptPerMillion, completionPerMillion, perImage, perStep };
}

function embeddingInOrder(terms: EmbeddingTerms): EmbeddingTerms {
  const { pooling, normalizes, dimensions, prefix, queryPrefix, documentPrefix } = terms;
  return { pooling, normalizes, dimensions, prefix, queryPrefix, documentPrefix };
}

function sourceInOrder(source: ModelSource): ModelSource {
  switch (source.kind) {
    case 'hub':
      return { kind: 'hub', repository: source.repository, revision: source.revision, files: source.files };
    case 'url':
      return { kind: 'url', urls: source.urls };
    case 'path':
      return { kind: 'path' };
  }
}

async function readCatalogueText(path: string): Promise<string> {
  const text = await readTextOrUndefined(path);
  if (text !== undefined) return text;
  throw new ModelError('ERR_CATALOGUE_MISSING', `no catalogue at ${path}; set CLOISTER_CATALOGUE or add a model`);
}

async function readTextOrUndefined(path: string): Promise<string | undefined> {
  try {
    const { size } = await stat(path);
    if (size > catalogueBytesMax) {
      throw new ModelError('ERR_CATALOGUE_INVALID', `${path} has ${size} bytes; at most ${catalogueBytesMax} are read`);
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new ModelError('ERR_CATALOGUE_INVALID', `cannot read ${path}: ${message}`, { cause: error });
  }
}
