/** The answers of the operator's API. */
import { count, text } from '../schema/members.ts';
import { Type } from '../schema/type.ts';

const money = Type.Integer();
const limit = Type.Optional(count);
const moment = Type.Integer();
const maybeMoment = Type.Optional(moment);
const maybeCount = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const plan = Type.Object({
  id: text,
  title: text,
  description: text,
  models: Type.Unsafe<object>({ type: 'object' }),
  contextTokensMax: limit,
  requestsPerMinute: limit,
  requestsPerDay: limit,
  tokensPerMonth: limit,
  concurrentRequestsMax: limit,
  pricePercent: count,
  monthlyPrice: Type.Optional(money),
  priority: Type.Integer(),
});

const account = {
  id: text,
  name: text,
  plan: text,
  createdAt: moment,
  closedAt: maybeMoment,
  balance: Type.Object({ paidIn: money, available: money, held: money, spent: money }),
};

const key = {
  id: text,
  account: text,
  name: text,
  preview: text,
  scopes: Type.Array(text),
  createdAt: moment,
  expiresAt: maybeMoment,
  lastUsedAt: maybeMoment,
  revokedAt: maybeMoment,
};

export const adminAnswers = {
  Account: Type.Object(account),
  Standing: Type.Object({
    ...account,
    planInForce: plan,
    running: count,
    requestsToday: count,
    tokensThisMonth: count,
    tokensHeld: count,
  }),
  CreditedAccount: Type.Object({ ...account, alreadyBooked: Type.Boolean() }),
  Key: Type.Object(key),
  CreatedKey: Type.Object({ ...key, secret: text }),
  Plan: plan,
  Audit: Type.Object({
    accounts: count,
    movements: count,
    reservations: count,
    sum: money,
    paidIn: money,
    available: money,
    held: money,
    spent: money,
    faults: Type.Array(text),
  }),
  Movement: Type.Object({ id: text, kind: text, from: text, to: text, microDollars: money, at: moment }),
  Invoice: Type.Object({
    number: count,
    accountId: text,
    account: text,
    month: text,
    issuedAt: moment,
    issuer: text,
    customer: text,
    lines: Type.Array(
      Type.Object({
        item: text,
        requests: count,
        promptTokens: count,
        completionTokens: count,
        images: count,
        price: money,
      }),
    ),
    refunded: money,
    total: money,
    previous: text,
    digest: text,
    isRepeat: Type.Boolean(),
  }),
  Faults: Type.Object({ faults: Type.Array(text) }),
  Draining: Type.Object({ draining: Type.Literal(true) }),
  Node: Type.Object({
    node: text,
    address: text,
    isSelf: Type.Boolean(),
    load: Type.Integer({ minimum: 0, maximum: 15 }),
    draining: Type.Boolean(),
    models: Type.Array(text),
    policyDigest: Type.Optional(text),
    announcedAt: moment,
  }),
  LoadedModel: Type.Object({
    id: text,
    kind: Type.Unsafe<string>({ enum: ['chat', 'embedding', 'reranker', 'image'] }),
    aliases: Type.Array(text),
    status: Type.Unsafe<string>({ enum: ['ready', 'loading', 'draining', 'failed', 'unloading', 'unloaded'] }),
    loadedPercent: maybeCount,
    expiresSeconds: maybeCount,
    device: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    memoryBytes: count,
    running: count,
    waiting: count,
    sequences: maybeCount,
    loadedAt: maybeCount,
    idleSeconds: maybeCount,
    stalledMs: count,
    losses: count,
  }),
} as const;
