/** Parses the JSON of a catalogue field by field, and freezes the result. Pure: no file, no network. */
import { posix } from 'node:path';
import {
  type Field,
  fieldsOf,
  integer,
  invalid,
  itemsOf,
  matching,
  notJson,
  oneOf,
  refuse,
  required,
  shown,
  text,
  uniqueItems,
} from '../files/json-fields.ts';
import { isSafeUrl } from '../files/safe-url.ts';
import { splitParts } from '../gguf/split-gguf.ts';
import { ModelError } from '../interface/errors.ts';
import {
  type Catalogue,
  type CatalogueEntry,
  type ModelAlias,
  type ModelFile,
  type ModelSource,
  modelCapabilities,
  modelKinds,
} from './catalogue-entry.ts';
import { parseAdapters, parseEmbedding, parseImage, parsePricing } from './catalogue-terms.ts';

const modelsMax = 10_000;
const aliasesMax = 1_000;
const filesMax = 1_000;
const contextLengthMax = 16 * 1024 * 1024;

/**
 * @param name name of the catalogue, for messages
 * @throws {ModelError} ERR_CATALOGUE_INVALID naming the entry, the field, the expected and the actual value
 */
export function parseCatalogue(json: string, name = 'catalogue'): Catalogue {
  const root: Field = { owner: name, path: '', value: parseJson(json, name) };
  const fields = fieldsOf(root, ['version', 'models', 'aliases']);
  integer(required(fields, 'version', root), 1, 1);
  const models = itemsOf(required(fields, 'models', root), { max: modelsMax }).map(parseEntry);
  requireUniqueIds(models, name);
  requireOneDigestPerPath(models, name);
  if (fields.aliases === undefined) return freezeDeep({ models });
  const aliases = itemsOf(fields.aliases, { max: aliasesMax }).map(parseAlias);
  requireUniqueNames(aliases, { models, name });
  return freezeDeep({ models, aliases });
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new ModelError('ERR_CATALOGUE_INVALID', `${name} ${notJson(cause)}`, { cause });
  }
}

function parseAlias(item: Field): ModelAlias {
  const fields = fieldsOf(item, ['name', 'id']);
  return {
    name: matching(required(fields, 'name', item), aliasPattern, aliasForm),
    id: matching(required(fields, 'id', item), idPattern, idForm),
  };
}

function parseEntry(item: Field): CatalogueEntry {
  const { id } = fieldsOf(item, entryFields);
  const entry =
    typeof id?.value === 'string' ? { ...item, owner: `${item.owner}: model ${shown(id.value)}`, path: '' } : item;
  const fields = fieldsOf(entry);
  const field = (key: string): Field => required(fields, key, entry);
  const source = parseSource(field('source'));
  const files = itemsOf(field('files'), { min: 1, max: filesMax }).map((file) => parseFile(file, source.kind));
  const kind = oneOf(field('kind'), modelKinds);
  requireParallel(source, files, field('source'));
  if (kind.startsWith('llama-')) requireEveryPart(files, entry);
  const contextLength = integer(field('contextLength'), 1, contextLengthMax);
  return {
    id: matching(field('id'), idPattern, idForm),
    kind,
    name: matching(field('name'), namePattern, '1 to 200 characters on one line'),
    source,
    files,
    contextLength,
    maxOutputTokens: fields.maxOutputTokens ? integer(fields.maxOutputTokens, 1, contextLength) : contextLength,
    capabilities: uniqueItems(field('capabilities'), (capability) => oneOf(capability, modelCapabilities)),
    pricing: parsePricing(field('pricing')),
    plans: uniqueItems(field('plans'), (plan) => matching(plan, planPattern, '"*" or lower-case letters, digits, "-"')),
    ...(fields.embedding ? { embedding: parseEmbedding(fields.embedding, kind) } : {}),
    ...(fields.image ? { image: parseImage(fields.image, kind) } : {}),
    ...(fields.adapters ? { adapters: parseAdapters(fields.adapters, { kind, files }) } : {}),
  };
}

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,95}-TEE$/;
const idForm = 'letters, digits, ".", "_" and "-", at most 100, ending in "-TEE"';
const aliasPattern = /^[A-Za-z0-9](?:[A-Za-z0-9._:/-]{0,98}[A-Za-z0-9])?$/;
const aliasForm =
  'letters, digits, ".", "_", ":", "/" and "-", at most 100, beginning and ending with a letter or digit';
const namePattern = /^(?! )[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}(?<! )$/u;
/** A name that the loader may treat as one part of several; `-00001-of-00001.gguf` is a whole file. */
const partPattern = /-(?!00001-of-00001)\d{5}-of-\d{5}\.gguf$/;
const planPattern = /^(?:\*|[a-z0-9][a-z0-9-]{0,39})$/;
const repositoryPattern = /^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/;
const entryFields = [
  'id',
  'kind',
  'name',
  'source',
  'files',
  'contextLength',
  'maxOutputTokens',
  'capabilities',
  'pricing',
  'plans',
  'embedding',
  'image',
  'adapters',
] as const;

function parseSource(source: Field): ModelSource {
  const kind = oneOf(required(fieldsOf(source), 'kind', source), ['hub', 'url', 'path']);
  switch (kind) {
    case 'hub': {
      const fields = fieldsOf(source, ['kind', 'repository', 'revision', 'files']);
      const field = (key: string): Field => required(fields, key, source);
      return {
        kind,
        repository: matching(field('repository'), repositoryPattern, '"owner/name"'),
        revision: matching(field('revision'), /^[0-9a-f]{40}$/, 'a commit of 40 lower-case hexadecimal digits'),
        files: itemsOf(field('files'), { min: 1, max: filesMax }).map(insidePath),
      };
    }
    case 'url': {
      const fields = fieldsOf(source, ['kind', 'urls']);
      return { kind, urls: itemsOf(required(fields, 'urls', source), { min: 1, max: filesMax }).map(safeUrl) };
    }
    case 'path':
      fieldsOf(source, ['kind']);
      return { kind };
  }
}

function parseFile(file: Field, sourceKind: ModelSource['kind']): ModelFile {
  const fields = fieldsOf(file, ['path', 'sha256', 'bytes']);
  const field = (key: string): Field => required(fields, key, file);
  return {
    path: sourceKind === 'path' ? absoluteOrInsidePath(field('path')) : insidePath(field('path')),
    sha256: matching(field('sha256'), /^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits'),
    bytes: integer(field('bytes'), 1, Number.MAX_SAFE_INTEGER),
  };
}

/** Ensures that a path stays inside the folder that it is joined to. */
function insidePath(field: Field): string {
  const path = matching(field, /^[^\p{Cc}\p{Cs}\\]{1,1024}$/u, 'a path of 1 to 1024 characters without "\\"');
  const safe = path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return safe ? path : refuse(field, 'a relative path without empty, "." or ".." segments');
}

function absoluteOrInsidePath(field: Field): string {
  const { value } = field;
  if (typeof value !== 'string' || !value.startsWith('/')) return insidePath(field);
  if (posix.normalize(value) !== value) refuse(field, 'an absolute path in its shortest form');
  insidePath({ ...field, value: value.slice(1) });
  return value;
}

function safeUrl(field: Field): string {
  const url = text(field);
  return isSafeUrl(url) && new URL(url).href === url
    ? url
    : refuse(field, 'a normalized https URL without credentials');
}

function requireParallel(source: ModelSource, files: readonly ModelFile[], at: Field): void {
  if (new Set(files.map(({ path }) => path)).size < files.length) throw invalid(`${at.owner}: files name a path twice`);
  if (source.kind === 'path') return;
  const [name, count] = source.kind === 'hub' ? ['files', source.files.length] : ['urls', source.urls.length];
  if (count === files.length) return;
  throw invalid(`${at.owner}: source.${name} must have one item per file: expected ${files.length}, got ${count}`);
}

/** The loader opens all parts that the name of the first one implies; a part that is not listed would be loaded unverified. */
function requireEveryPart(files: readonly ModelFile[], at: Field): void {
  const paths = files.map(({ path }) => path);
  const parts = splitParts(paths[0]!);
  if (parts.length === 1 && partPattern.test(paths[0]!)) {
    throw invalid(`${at.owner}: files[0].path must be a whole file or one of at most ${filesMax} parts`);
  }
  const wrong = parts.findIndex((part, index) => paths[index] !== part);
  if (wrong >= 0) {
    throw invalid(`${at.owner}: files[${wrong}].path must be ${shown(parts[wrong]!)}, got ${shown(paths[wrong])}`);
  }
}

function requireUniqueIds(models: readonly CatalogueEntry[], name: string): void {
  const seen = new Set<string>();
  for (const { id } of models) {
    if (seen.has(id)) throw invalid(`${name}: model ${shown(id)} occurs twice`);
    seen.add(id);
  }
}

function requireUniqueNames(
  aliases: readonly ModelAlias[],
  { models, name: catalogue }: { models: readonly CatalogueEntry[]; name: string },
): void {
  const seen = new Set(models.map(({ id }) => id));
  for (const { name } of aliases) {
    if (seen.has(name)) throw invalid(`${catalogue}: alias ${shown(name)} is the id of a model, or occurs twice`);
    seen.add(name);
  }
}

/** Entries that share a path must pin the same digest. */
function requireOneDigestPerPath(models: readonly CatalogueEntry[], name: string): void {
  const seen = new Map<string, string>();
  for (const { id, source, files } of models) {
    for (const { path, sha256 } of files) {
      const key = `${source.kind === 'path' ? 'catalogue' : 'models'}:${path}`;
      if ((seen.get(key) ?? sha256) !== sha256) {
        throw invalid(`${name}: model ${shown(id)}: another entry pins ${shown(path)} to another digest`);
      }
      seen.set(key, sha256);
    }
  }
}

function freezeDeep<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) freezeDeep(inner);
    Object.freeze(value);
  }
  return value;
}
