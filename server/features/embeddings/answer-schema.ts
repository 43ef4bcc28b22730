/** The answer of `POST /v1/embeddings`. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const embedding = Type.Object({
  object: Type.Literal('embedding'),
  index: count,
  embedding: Type.Union([Type.Array(Type.Number()), Type.String({ description: 'base64 of little-endian floats' })]),
});

export const embeddingList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(embedding),
  model: text,
  usage: Type.Object({ prompt_tokens: count, completion_tokens: Type.Literal(0), total_tokens: count }),
});
