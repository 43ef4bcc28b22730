/**
 * The bodies of `POST /v1/rerank` (the fields of Cohere and Jina) and `POST /v1/score` (those of vLLM). Unknown fields are
 * ignored.
 */
import type { TextPair } from '@cloister/models/interface/embedding-model';
import { bodyReader } from '../../http/body-reader.ts';
import { ServerError } from '../../http/errors.ts';
import { flag, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';

/** The part of both calls that the engine computes. */
interface PairCall {
  readonly model: string;
  readonly pairs: readonly TextPair[];
  readonly truncate: boolean;
  /** Whether scores are between 0 and 1 instead of the model's logits. */
  readonly usesSigmoid: boolean;
}

export interface RerankCall extends PairCall {
  /** Results to return, best first; undefined: all. */
  readonly top: number | undefined;
  readonly returnsDocuments: boolean;
  readonly documentTokensMax: number | undefined;
}

export interface ScoreCall extends PairCall {
  /** The field of the second texts. */
  readonly field: string;
}

const nonEmpty = Type.String({ minLength: 1 });
const document = Type.Union([nonEmpty, Type.Object({ text: nonEmpty })]);
const atMost = { minItems: 1, maxItems: 1000 };
const texts = Type.Union([nonEmpty, Type.Array(nonEmpty, atMost)]);
const activation = flag(true, "Scores between 0 and 1; false: the model's logits.");

export const rerankBody = Type.Object({
  model: text,
  query: nonEmpty,
  /** Texts, or objects with the member `text`. */
  documents: Type.Array(document, atMost),
  top_n: Type.Optional(Type.Integer({ minimum: 1, description: 'Number of results; default: all documents.' })),
  return_documents: flag(false, 'Repeat the text of each document in its result.'),
  max_tokens_per_doc: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1, description: 'Longer documents lose their end.' }),
  ),
  truncate: flag(true, 'Truncate documents that are too long instead of refusing them.'),
  use_activation: activation,
  user: Type.Optional(text),
});

export const scoreBody = Type.Object({
  model: text,
  /** One text for all of `text_2`, or as many. `queries` is another name. */
  text_1: Type.Optional(texts),
  text_2: Type.Optional(texts),
  queries: Type.Optional(texts),
  documents: Type.Optional(texts),
  truncate: flag(false, 'Truncate second texts that are too long instead of refusing them.'),
  truncate_prompt_tokens: defaulted(Type.Union([Type.Literal(-1), Type.Null()]), null),
  use_activation: activation,
  user: Type.Optional(text),
});

/** @param body parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID naming the field */
export function readRerankCall(body: unknown): RerankCall {
  const read = bodyReader.read(rerankBody, body);
  const documents = read.documents.map((item) => (typeof item === 'string' ? item : item.text));
  return {
    model: read.model,
    pairs: documents.map((second) => ({ first: read.query, second })),
    truncate: read.truncate,
    usesSigmoid: read.use_activation,
    top: read.top_n,
    returnsDocuments: read.return_documents,
    documentTokensMax: read.max_tokens_per_doc,
  };
}

/** @param body parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID naming the field */
export function readScoreCall(body: unknown): ScoreCall {
  const read = bodyReader.read(scoreBody, body);
  const [firstField, firsts] = oneOfTwo(['text_1', read.text_1], ['queries', read.queries]);
  const [field, seconds] = oneOfTwo(['text_2', read.text_2], ['documents', read.documents]);
  if (firsts.length !== 1 && firsts.length !== seconds.length) {
    throw new ServerError(
      'ERR_REQUEST_INVALID',
      `\`${firstField}\` must have one text, or as many as \`${field}\` (${seconds.length}), got ${firsts.length}`,
    );
  }
  return {
    model: read.model,
    pairs: seconds.map((second, index) => ({ first: firsts.length === 1 ? firsts[0]! : firsts[index]!, second })),
    truncate: read.truncate || read.truncate_prompt_tokens === -1,
    usesSigmoid: read.use_activation,
    field,
  };
}

type Named = readonly [string, string | readonly string[] | undefined];

/** A field or its other name. */
function oneOfTwo([name, value]: Named, [otherName, otherValue]: Named): readonly [string, readonly string[]] {
  if ((value === undefined) === (otherValue === undefined)) {
    const came = value === undefined ? 'neither' : 'both';
    throw new ServerError('ERR_REQUEST_INVALID', `one of \`${name}\` and \`${otherName}\` is required, got ${came}`);
  }
  const found = (value ?? otherValue)!;
  return [value === undefined ? otherName : name, typeof found === 'string' ? [found] : found];
}
