/** The answers of `POST /v1/rerank` and `POST /v1/score`. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const usage = Type.Object({ prompt_tokens: count, completion_tokens: Type.Literal(0), total_tokens: count });

const result = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Of the document in the request.' }),
  relevance_score: Type.Number(),
  document: Type.Optional(Type.Object({ text })),
});

export const rerankAnswer = Type.Object({
  id: text,
  object: Type.Literal('list'),
  model: text,
  results: Type.Array(result, { description: 'Best first.' }),
  meta: Type.Object({
    api_version: Type.Object({ version: Type.Literal('2') }),
    billed_units: Type.Object({ input_tokens: count }),
  }),
  usage,
});

const score = Type.Object({ index: count, object: Type.Literal('score'), score: Type.Number() });

export const scoreAnswer = Type.Object({
  id: text,
  object: Type.Literal('list'),
  created: Type.Integer(),
  model: text,
  data: Type.Array(score),
  usage,
});
