/** The body of `POST /v1/embeddings` (I-030, I-032): OpenAI's, `truncate`, `input_type`; unknown fields are let through. */
import type { EmbeddingRequest } from '@cloister/runtime/embeddings/embedding-request';
import { ServerError } from '../../http/errors.ts';
import { Fields } from '../../http/fields.ts';

export type EmbeddingFormat = 'float' | 'base64';
/** What the texts are for, to models that tell one from the other. */
export type InputType = 'query' | 'document';

/** What the caller asked for; who the caller is comes from the server. */
export interface EmbeddingCall {
  readonly model: string;
  readonly format: EmbeddingFormat;
  /** Numbers per vector, where the caller wants fewer than the model has. */
  readonly dimensions: number | undefined;
  readonly inputType: InputType | undefined;
  readonly work: Pick<EmbeddingRequest, 'input' | 'truncate'>;
}

const itemsMax = 2048;
const dimensionsMax = 65_536;
const tokenMax = 2 ** 31 - 1;

type Input = EmbeddingRequest['input'];

/**
 * @param body parsed JSON
 * @throws {ServerError} ERR_REQUEST_INVALID naming the field, and the item of `input`
 */
export function readEmbeddingCall(body: unknown): EmbeddingCall {
  const fields = new Fields(body);
  const model = fields.text('model');
  const input = readInput(fields);
  fields.optionalText('user');
  return {
    model,
    format: fields.choice('encoding_format', ['float', 'base64']) ?? 'float',
    dimensions: fields.integer('dimensions', { min: 1, max: dimensionsMax, fallback: undefined }),
    inputType: fields.choice('input_type', ['query', 'document']),
    work: { input, truncate: fields.boolean('truncate', false) },
  };
}

/** A text, texts, token ids, or arrays of token ids. */
function readInput(fields: Fields): Input {
  const value = fields.raw('input');
  if (typeof value === 'string') return [requireText('input', value)];
  if (!Array.isArray(value)) return fields.refuse('input', 'must be a string or an array');
  if (value.length === 0) throw invalid('input', 'must not be empty');
  if (typeof value[0] === 'number') return [requireTokens('input', value)];
  if (value.length > itemsMax) throw invalid('input', `must have at most ${itemsMax} items, got ${value.length}`);
  const takesTokens = Array.isArray(value[0]);
  return value.map((item: unknown, index) => {
    const path = `input[${index}]`;
    return takesTokens ? requireTokens(path, item) : requireText(path, item);
  });
}

function requireText(path: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(path, `must be a string like the others, got ${kindOf(value)}`);
  if (value === '') throw invalid(path, 'must not be an empty string');
  return value;
}

function requireTokens(path: string, value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw invalid(path, `must be an array of token ids like the others, got ${kindOf(value)}`);
  if (value.length === 0) throw invalid(path, 'must not be empty');
  const wrong = value.findIndex((token) => !Number.isInteger(token) || token < 0 || token > tokenMax);
  if (wrong >= 0) throw invalid(`${path}[${wrong}]`, `must be a token id, got ${kindOf(value[wrong])}`);
  return value;
}

function invalid(path: string, expected: string): ServerError {
  return new ServerError('ERR_REQUEST_INVALID', `\`${path}\` ${expected}`);
}

/** Numbers may be said again, texts never. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'string' ? 'a string' : 'an object';
}
