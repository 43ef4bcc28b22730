/** The body of `POST /v1/embeddings` (I-030, I-032): OpenAI's fields, `truncate` and `input_type`. Unknown fields are ignored. */
import type { EmbeddingRequest } from '@cloister/runtime/embeddings/embedding-request';
import { bodyReader } from '../../http/body-reader.ts';
import { choice, flag, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

export type EmbeddingFormat = 'float' | 'base64';
/** The purpose of the texts, for models that distinguish them. */
export type InputType = 'query' | 'document';

/** The request of a caller. The server adds the caller's account and limits. */
export interface EmbeddingCall {
  readonly model: string;
  readonly format: EmbeddingFormat;
  /** Numbers per vector, if the caller requests fewer than the model has. */
  readonly dimensions: number | undefined;
  readonly inputType: InputType | undefined;
  readonly work: Pick<EmbeddingRequest, 'input' | 'truncate'>;
}

const nonEmpty = Type.String({ minLength: 1 });
const tokens = Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), { minItems: 1 });
const atMost = { minItems: 1, maxItems: 2048 };

export const embeddingBody = Type.Object({
  model: text,
  /** A text, texts, token ids, or lists of token ids. */
  input: Type.Union([nonEmpty, Type.Array(nonEmpty, atMost), tokens, Type.Array(tokens, atMost)]),
  user: Type.Optional(text),
  encoding_format: defaulted(choice(['float', 'base64']), 'float'),
  dimensions: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 65_536, description: 'One of the dimensions that the model declares.' }),
  ),
  input_type: Type.Optional(choice(['query', 'document'])),
  truncate: flag(false, 'Truncate texts that are too long instead of refusing them.'),
});

/**
 * @param body parsed JSON
 * @throws {ServerError} ERR_REQUEST_INVALID naming the field, and the item of `input`
 */
export function readEmbeddingCall(body: unknown): EmbeddingCall {
  const read = bodyReader.read(embeddingBody, body);
  return {
    model: read.model,
    format: read.encoding_format,
    dimensions: read.dimensions,
    inputType: read.input_type,
    work: { input: toInput(read.input), truncate: read.truncate },
  };
}

type Input = EmbeddingRequest['input'];

function toInput(input: string | string[] | number[] | number[][]): Input {
  if (typeof input === 'string') return [input];
  return typeof input[0] === 'number' ? [input as number[]] : (input as Input);
}
