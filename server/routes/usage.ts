/** `GET /v1/usage`: what one's own account used, as sums, as a day's statement, and row by row with its proof. */
import type { FastifyInstance } from 'fastify';
import { AccountError } from '../accounts/errors.ts';
import { formatDollars } from '../accounts/money.ts';
import type { Accounts } from '../accounts/store.ts';
import type { UsageSum } from '../accounts/usage.ts';
import { requireCallerScope } from '../plugins/admission.ts';
import { readUsageCall } from '../schemas/usage.ts';

export interface UsageDependencies {
  readonly accounts: Pick<Accounts, 'sumUsage' | 'readStatement' | 'proveUsage'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function usageRoutes(app: FastifyInstance, { accounts, now }: UsageDependencies): void {
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
    return {
      object: 'usage.statement',
      account_id: statement.accountId,
      day: statement.day,
      requests: statement.rows,
      prompt_tokens: statement.promptTokens,
      completion_tokens: statement.completionTokens,
      price_micro_dollars: statement.price,
      root: statement.root,
    };
  });

  app.get<{ Params: { id: string } }>('/usage/requests/:id', async (request) => {
    const { accountId } = requireCallerScope(request, 'balance');
    const found = await accounts.proveUsage({ accountId, requestId: request.params.id });
    if (found === undefined) throw new AccountError('ERR_USAGE_UNKNOWN', 'this account has no request of this id');
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

function usageItem({ day, model, key, ...sum }: UsageSum) {
  return {
    ...(day === undefined ? {} : { day }),
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key_id: key }),
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
] as const;

/** RFC 4180; columns that were not asked for are empty. */
function usageCsv(sums: readonly UsageSum[]): string {
  const rows = sums.map((sum) => {
    const item: Partial<Record<string, string | number>> = usageItem(sum);
    return csvColumns.map((column) => csvCell(String(item[column] ?? '')));
  });
  return [csvColumns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
