/**
 * The bodies of `POST /v1/rerank` (the fields of Cohere, Jina and Voyage) and `POST /v1/score` (those of vLLM). Unknown fields are
 * ignored.
 */
import type { TextPair } from '@cloister/models/interface/embedding-model';
import { bodyReader, refuseField } from '../../http/body-reader.ts';
import { ServerError } from '../../http/errors.ts';
import { flag, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';
import { type ForeignFields, refuseForeign } from '../chat/foreign-fields.ts';
import { readDocuments } from './documents.ts';

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
const document = Type.Union([nonEmpty, Type.Record(Type.String(), Type.Unknown())], {
  description: 'a text, or an object with `text` or the fields of `rank_fields`',
});
const atMost = { minItems: 1, maxItems: 1000 };
const texts = Type.Union([nonEmpty, Type.Array(nonEmpty, atMost)]);
const activation = flag(true, "Scores between 0 and 1; false: the model's logits.");

export const rerankBody = Type.Object({
  model: text,
  query: nonEmpty,
  documents: Type.Array(document, atMost),
  rank_fields: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems: 16,
      description: 'an array of 1 to 16 names of fields of documents, of which the texts are joined; default: `text`',
    }),
  ),
  top_n: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of results; default, and 0: all documents.' })),
  top_k: Type.Optional(Type.Integer({ minimum: 1, description: "Voyage's name of `top_n`." })),
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
  data_1: Type.Optional(texts),
  data_2: Type.Optional(texts),
  truncate: flag(false, 'Truncate second texts that are too long instead of refusing them.'),
  truncate_prompt_tokens: Type.Optional(
    Type.Integer({ minimum: -1, maximum: -1, description: 'As `truncate: true`.' }),
  ),
  use_activation: activation,
  user: Type.Optional(text),
});

/** Fields of other servers that would change the scores. */
const pairFields: ForeignFields = {
  activation: { neutral: true, instead: '`use_activation`' },
  softmax: { neutral: true, instead: '`use_activation`' },
};
const rerankFields: ForeignFields = {
  ...pairFields,
  truncate_prompt_tokens: { neutral: -1, instead: '`max_tokens_per_doc`' },
  return_embeddings: { neutral: false },
};
const scoreFields: ForeignFields = {
  ...pairFields,
  // The server shortens a text to what the model takes, or a document of /v1/rerank to a number of tokens.
  truncate_prompt_tokens: { neutral: -1, instead: '-1, or `max_tokens_per_doc` to /v1/rerank,' },
};

/** @param body parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID naming the field */
export function readRerankCall(body: unknown): RerankCall {
  refuseForeign(body, rerankFields);
  const read = bodyReader.read(rerankBody, body);
  const documents = readDocuments(read.documents, read.rank_fields);
  return {
    model: read.model,
    pairs: documents.map((second) => ({ first: read.query, second })),
    truncate: read.truncate,
    usesSigmoid: read.use_activation,
    top: readTop(read),
    returnsDocuments: read.return_documents,
    documentTokensMax: read.max_tokens_per_doc,
  };
}

function readTop({ top_n: top, top_k: other }: { top_n?: number; top_k?: number }): number | undefined {
  if (top !== undefined && other !== undefined && top !== other) refuseField('top_k', 'must agree with `top_n`', other);
  const results = top ?? other;
  return results === 0 ? undefined : results;
}

/** @param body parsed JSON · @throws {ServerError} ERR_REQUEST_INVALID naming the field */
export function readScoreCall(body: unknown): ScoreCall {
  refuseForeign(body, scoreFields);
  const read = bodyReader.read(scoreBody, body);
  const [firstField, firsts] = oneOf({ text_1: read.text_1, queries: read.queries, data_1: read.data_1 });
  const [field, seconds] = oneOf({ text_2: read.text_2, documents: read.documents, data_2: read.data_2 });
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

type Texts = string | readonly string[];

/** A field or one of its other names. */
function oneOf(named: Readonly<Record<string, Texts | undefined>>): readonly [string, readonly string[]] {
  const sent = Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const [first] = sent;
  if (first === undefined || sent.length > 1) {
    const names = Object.keys(named).map((name) => `\`${name}\``);
    const expected = `one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)} is required`;
    throw new ServerError('ERR_REQUEST_INVALID', `${expected}, got ${sent.length === 0 ? 'none' : sent.length}`);
  }
  return [first.name, typeof first.value === 'string' ? [first.value] : first.value];
}
