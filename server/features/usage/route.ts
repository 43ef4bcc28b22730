/** `GET /v1/usage`: the usage of the caller's account as sums, as a statement per day, and per request with its proof. */
import { csvLine } from '@cloister/accounts/base/csv';
import { AccountError } from '@cloister/accounts/base/errors';
import { formatDollars } from '@cloister/accounts/base/money';
import type { UsageSum } from '@cloister/accounts/ledger/usage';
import type { Accounts } from '@cloister/accounts/store';
import { canonicalBytes } from '@cloister/attestation/aci/jcs';
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { toHex } from '@cloister/attestation/base/bytes';
import type { FastifyInstance } from 'fastify';
import type { Enclave } from '../../enclave/enclave.ts';
import { requireCallerScope } from '../../serving/admission.ts';
import { readUsageCall } from './schema.ts';

export interface UsageDependencies {
  readonly accounts: Pick<Accounts, 'sumUsage' | 'readStatement' | 'proveUsage'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The enclave whose receipt key signs statements; without one they are not signed. */
  readonly enclave?: (() => Enclave | undefined) | undefined;
}

export function usageRoutes(app: FastifyInstance, { accounts, now, enclave }: UsageDependencies): void {
  app.get('/usage', async (request, reply) => {
    const { accountId } = requireCallerScope(request, 'balance');
    const { query, format } = readUsageCall(request.query, { now: now() });
    const sums = await accounts.sumUsage({ ...query, accountId });
    if (format === 'csv') return reply.type('text/csv; charset=utf-8').send(usageCsv(sums));
    return { object: 'list', from: query.from, to: query.to, currency: 'USD', data: sums.map(usageItem) };
  });

  app.get<{ Params: { day: string } }>('/usage/statements/:day', async (request) => {
    const { accountId } = requireCallerScope(request, 'balance');
    const statement = await accounts.readStatement({ accountId, day: request.params.day });
    const document = {
      object: 'usage.statement',
      account_id: statement.accountId,
      day: statement.day,
      requests: statement.rows,
      prompt_tokens: statement.promptTokens,
      completion_tokens: statement.completionTokens,
      images: statement.images,
      steps: statement.steps,
      price_micro_dollars: statement.price,
      root: statement.root,
    };
    const signer = enclave?.();
    return signer === undefined ? document : signed(document, { signer, now: now() });
  });

  app.get<{ Params: { id: string } }>('/usage/requests/:id', async (request) => {
    const { accountId } = requireCallerScope(request, 'balance');
    const found = await accounts.proveUsage({ accountId, requestId: request.params.id });
    if (found === undefined) throw new AccountError('ERR_USAGE_UNKNOWN', 'this account has no request with this id');
    const { row, day, index, size, proof, root } = found;
    return {
      object: 'usage.request',
      id: row.id,
      request_id: row.requestId,
      key_id: row.keyId,
      model: row.model,
      created: row.at,
      prompt_tokens: row.promptTokens,
      completion_tokens: row.completionTokens,
      images: row.images,
      steps: row.steps,
      price_micro_dollars: row.price,
      finish_reason: row.finishReason,
      statement: { day, index, size, proof, root },
    };
  });
}

/** Signs the canonical form (RFC 8785) of all other members. Receipts have different members, so the signatures cannot be confused. */
function signed(document: JsonObject, { signer, now }: { signer: Enclave; now: number }): JsonObject {
  const whole = {
    ...document,
    signed_at: Math.floor(now / 1000),
    workload_keyset_digest: signer.identity.digest,
    key_id: signer.receiptKeyId,
  };
  return { ...whole, signature: toHex(signer.signReceipt(canonicalBytes(whole))) };
}

function usageItem({ day, model, key, agent, ...sum }: UsageSum) {
  return {
    ...(day === undefined ? {} : { day }),
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key_id: key }),
    ...(agent === undefined ? {} : { agent }),
    requests: sum.requests,
    prompt_tokens: sum.promptTokens,
    completion_tokens: sum.completionTokens,
    images: sum.images,
    steps: sum.steps,
    price_micro_dollars: sum.price,
    price: formatDollars(sum.price),
  };
}

const csvColumns = [
  'day',
  'model',
  'key_id',
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'images',
  'steps',
  'price_micro_dollars',
  'price',
  // Last: clients of version 0.1 may read columns by position.
  'agent',
] as const;

/** RFC 4180; columns that were not requested are empty. */
function usageCsv(sums: readonly UsageSum[]): string {
  const rows = sums.map((sum) => {
    const item: Partial<Record<string, string | number | null>> = usageItem(sum);
    return csvLine(csvColumns.map((column) => item[column]));
  });
  return [csvLine(csvColumns), ...rows].join('');
}
