/** Parses the price and the settings of a catalogue entry. Pure. */
import {
  boolean,
  decimal,
  type Field,
  fieldsOf,
  integer,
  invalid,
  itemsOf,
  matching,
  oneOf,
  refuse,
  required,
  text,
  uniqueItems,
} from '../files/json-fields.ts';
import {
  type CatalogueEntry,
  type EmbeddingTerms,
  type ImageTerms,
  type ModelAdapter,
  type ModelFile,
  type ModelPricing,
  poolings,
} from './catalogue-entry.ts';

/** All functions of this file throw ModelError with ERR_CATALOGUE_INVALID. */
export function parsePricing(pricing: Field): ModelPricing {
  const fields = fieldsOf(pricing, ['promptPerMillion', 'completionPerMillion', 'perImage', 'perStep']);
  const price = (key: string): number => integer(required(fields, key, pricing), 0, Number.MAX_SAFE_INTEGER);
  return {
    promptPerMillion: price('promptPerMillion'),
    completionPerMillion: price('completionPerMillion'),
    ...(fields.perImage ? { perImage: price('perImage') } : {}),
    ...(fields.perStep ? { perStep: price('perStep') } : {}),
  };
}

export function parseEmbedding(embedding: Field, kind: CatalogueEntry['kind']): EmbeddingTerms {
  if (!kind.endsWith('-embedding'))
    throw invalid(`${embedding.owner}: embedding is allowed for embedding models only, not for ${kind}`);
  const fields = fieldsOf(embedding, embeddingFields);
  const { pooling, normalizes, dimensions } = fields;
  if (pooling?.value === 'max' && kind === 'llama-embedding') refuse(pooling, 'cls, mean or last in llama.cpp');
  const terms: { -readonly [Key in keyof EmbeddingTerms]: EmbeddingTerms[Key] } = {};
  if (pooling) terms.pooling = oneOf(pooling, poolings);
  if (normalizes) terms.normalizes = boolean(normalizes);
  if (dimensions) terms.dimensions = uniqueItems(dimensions, (item) => integer(item, 1, dimensionsMax));
  for (const key of ['prefix', 'queryPrefix', 'documentPrefix'] as const) {
    const prefix = fields[key];
    if (prefix) terms[key] = matching(prefix, prefixPattern, '1 to 1000 characters');
  }
  return terms;
}

const dimensionsMax = 65_536;
const prefixPattern = /^[^\p{Cs}\0]{1,1000}$/u;
const embeddingFields = ['pooling', 'normalizes', 'dimensions', 'prefix', 'queryPrefix', 'documentPrefix'] as const;

export function parseImage(image: Field, kind: CatalogueEntry['kind']): ImageTerms {
  if (!kind.endsWith('-image'))
    throw invalid(`${image.owner}: image is allowed for image models only, not for ${kind}`);
  const { guidanceScale, steps } = fieldsOf(image, ['guidanceScale', 'steps']);
  return {
    ...(guidanceScale ? { guidanceScale: decimal(guidanceScale, 0, 20) } : {}),
    ...(steps ? { steps: integer(steps, 1, 150) } : {}),
  };
}

/** Maximum LoRA adapters of one model; the engine loads no more. */
const adaptersMax = 64;
const adapterPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** @param files of the entry */
export function parseAdapters(
  adapters: Field,
  { kind, files }: { kind: CatalogueEntry['kind']; files: readonly ModelFile[] },
): readonly ModelAdapter[] {
  if (kind !== 'llama-text')
    throw invalid(`${adapters.owner}: adapters are allowed for llama-text only, not for ${kind}`);
  const taken = { names: new Set<string>(), paths: new Set([files[0]!.path]) };
  return itemsOf(adapters, { min: 1, max: adaptersMax }).map((item) => {
    const fields = fieldsOf(item, ['name', 'path']);
    const [nameField, pathField] = [required(fields, 'name', item), required(fields, 'path', item)];
    const name = matching(nameField, adapterPattern, 'letters, digits, ".", "_" and "-", at most 64');
    const path = text(pathField);
    if (taken.names.has(name)) refuse(nameField, 'a name that no other adapter has');
    if (taken.paths.has(path) || !files.some((file) => file.path === path)) {
      refuse(pathField, 'the path of one of the files, except the first, that no other adapter has');
    }
    taken.names.add(name);
    taken.paths.add(path);
    return { name, path };
  });
}
