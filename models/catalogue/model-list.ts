/** The models and aliases of several catalogues: the one that comes with Cloister, and the one of the state folder. */
import { dirname } from 'node:path';
import { ModelError } from '../interface/errors.ts';
import { type CatalogueEntry, type ModelFolders, readCatalogue, readCatalogueIfPresent } from './catalogue.ts';

/** `shipped` comes with Cloister, `state` is in the state folder, `file` was named by the operator. */
export type CatalogueOrigin = 'shipped' | 'state' | 'file';

export interface CataloguePlace {
  readonly origin: CatalogueOrigin;
  readonly path: string;
}

export interface CataloguePlaces {
  /** A later catalogue's entry replaces an earlier one with the same id. A catalogue of the state folder may be missing. */
  readonly catalogues: readonly CataloguePlace[];
  readonly modelsFolder: string;
}

/** An entry, and where its files are. */
export interface ListedModel {
  readonly entry: CatalogueEntry;
  readonly folders: ModelFolders;
  readonly origin: CatalogueOrigin;
  /** Other names that requests may use. */
  readonly aliases: readonly string[];
}

/**
 * An alias that is the id of a model is ignored: an id always names its own model. So is an alias of a model that no catalogue has.
 * @returns each id once, in the order of the catalogues
 * @throws {ModelError} ERR_CATALOGUE_MISSING, ERR_CATALOGUE_INVALID
 */
export async function readModelList({ catalogues, modelsFolder }: CataloguePlaces): Promise<readonly ListedModel[]> {
  const models = new Map<string, Omit<ListedModel, 'aliases'>>();
  const targets = new Map<string, string>();
  for (const { origin, path } of catalogues) {
    const catalogue = await (origin === 'state' ? readCatalogueIfPresent(path) : readCatalogue(path));
    const folders = { catalogueFolder: dirname(path), modelsFolder };
    for (const entry of catalogue.models) models.set(entry.id, { entry, folders, origin });
    for (const { name, id } of catalogue.aliases ?? []) targets.set(name, id);
  }
  const aliases = new Map<string, string[]>([...models.keys()].map((id) => [id, []]));
  for (const [name, id] of targets) if (!models.has(name)) aliases.get(id)?.push(name);
  return [...models].map(([id, model]) => ({ ...model, aliases: aliases.get(id)! }));
}

/** @param name an id or an alias · @throws {ModelError} ERR_MODEL_UNKNOWN listing the existing ids */
export function findListed(models: readonly ListedModel[], name: string): ListedModel {
  const found = models.find(({ entry }) => entry.id === name) ?? models.find(({ aliases }) => aliases.includes(name));
  if (found !== undefined) return found;
  const ids = models.map(({ entry }) => entry.id).join(', ');
  throw new ModelError(
    'ERR_MODEL_UNKNOWN',
    `no model ${JSON.stringify(name)} in the catalogue; it has: ${ids || 'none'}`,
  );
}
