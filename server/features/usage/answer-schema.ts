/** The answers of the routes of balance and usage. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const countOrNull = Type.Union([count, Type.Null()]);
const money = Type.Integer();

export const balanceAnswer = Type.Object({
  object: Type.Literal('balance'),
  currency: Type.Literal('USD'),
  balance: text,
  balance_micro_dollars: money,
  held_micro_dollars: money,
  spent_micro_dollars: money,
  plan: Type.Object({
    id: text,
    title: text,
    requests_per_minute: countOrNull,
    requests_per_day: countOrNull,
    tokens_per_month: countOrNull,
    concurrent_requests: countOrNull,
    context_tokens: countOrNull,
  }),
  usage: Type.Object({
    running_requests: count,
    requests_today: count,
    tokens_this_month: count,
    tokens_held: count,
  }),
});

const sums = { prompt_tokens: count, completion_tokens: count, images: count, steps: count };

export const usageList = Type.Object({
  object: Type.Literal('list'),
  from: text,
  to: text,
  currency: Type.Literal('USD'),
  data: Type.Array(
    Type.Object({
      day: Type.Optional(text),
      model: Type.Optional(text),
      key_id: Type.Optional(text),
      agent: Type.Optional(Type.Union([text, Type.Null()])),
      requests: count,
      ...sums,
      price_micro_dollars: money,
      price: text,
    }),
  ),
});

const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const statementAnswer = Type.Object({
  object: Type.Literal('usage.statement'),
  account_id: text,
  day: text,
  requests: count,
  ...sums,
  price_micro_dollars: money,
  root: digest,
  signed_at: Type.Optional(Type.Integer()),
  workload_keyset_digest: Type.Optional(text),
  key_id: Type.Optional(text),
  signature: Type.Optional(text),
});

export const usageOfRequest = Type.Object({
  object: Type.Literal('usage.request'),
  id: text,
  request_id: text,
  key_id: text,
  model: text,
  created: Type.Integer(),
  ...sums,
  price_micro_dollars: money,
  finish_reason: text,
  statement: Type.Object({
    day: text,
    index: count,
    size: count,
    proof: Type.Array(digest),
    root: digest,
  }),
});
