/** Parses the price and the settings of a catalogue entry. Pure. */
import {
  boolean,
  decimal,
  type Field,
  fieldsOf,
  integer,
  invalid,
  matching,
  oneOf,
  refuse,
  required,
  uniqueItems,
} from '../files/json-fields.ts';
import {
  type CatalogueEntry,
  type EmbeddingTerms,
  type ImageTerms,
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
