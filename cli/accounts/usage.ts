/** `cloister accounts usage` and `check-statement`: the usage of a month, and a statement compared with the books. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { csvLine } from '@cloister/accounts/base/csv';
import { formatDollars } from '@cloister/accounts/base/money';
import { type MonthGroup, type MonthUsage, monthGroups, sumMonth } from '@cloister/accounts/ledger/usage-month';
import { canonicalBytes } from '@cloister/attestation/aci/jcs';
import { receiptKey } from '@cloister/attestation/aci/keyset';
import { parseReport, reportCharactersMax, requireKeysetDigest } from '@cloister/attestation/aci/report';
import { anyObjectOf, type JsonObject, parseStrictJson } from '@cloister/attestation/aci/strict-json';
import { fromHex } from '@cloister/attestation/base/bytes';
import { AttestationError } from '@cloister/attestation/base/errors';
import { table, usageError } from '@cloister/server/program/command';
import { type AccountSubcommand, noArgument, onlyArgument } from './account-command.ts';

const command = 'accounts';

/** Prints the usage of a month of all accounts, or of one. */
export const usage: AccountSubcommand = async (accounts, call, { stdout }, { db }) => {
  noArgument(call, { name: 'usage', command });
  const {
    month = new Date().toISOString().slice(0, 7),
    account,
    by,
    format = call.json ? 'json' : 'table',
  } = call.values;
  if (account !== undefined) await accounts.findAccount(account);
  const groups = readGroups(by);
  const rows = await sumMonth(db, { month, account, groups });
  switch (format) {
    case 'csv':
      stdout.write([csvColumns, ...rows.map((row) => cellsOf(row, month))].map(csvLine).join(''));
      break;
    case 'json':
      stdout.write(`${JSON.stringify({ month, currency: 'USD', usage: rows.map(toJson) }, null, 2)}\n`);
      break;
    case 'table':
      stdout.write(usageTable(rows, groups));
      break;
    default:
      throw usageError(`--format is table, csv or json, got ${format}`, command);
  }
};

/** Compares a statement with the books and, with `--report`, its signature with the keys of a server's report. */
export const checkStatement =
  (onFault: () => void): AccountSubcommand =>
  async (accounts, call, io) => {
    const file = onlyArgument(call, { takes: 'check-statement takes the file of a statement', command });
    const read = (name: string) => readFileSync(resolve(io.cwd, name));
    const statement = readStatement(read(file));
    const { accountId, day } = { accountId: String(statement.account_id), day: String(statement.day) };
    const found = await accounts.readStatement({ accountId, day });
    const expected: JsonObject = {
      requests: found.rows,
      prompt_tokens: found.promptTokens,
      completion_tokens: found.completionTokens,
      images: found.images,
      steps: found.steps,
      price_micro_dollars: found.price,
      root: found.root,
    };
    const faults = Object.entries(expected)
      .filter(([member, value]) => statement[member] !== value)
      .map(([member, value]) => `${member} differs from the books, which have ${value}`);
    const { report } = call.values;
    if (report !== undefined) faults.push(...(await signatureFaults(statement, read(report))));
    if (faults.length > 0) onFault();
    if (call.json) io.stdout.write(`${JSON.stringify({ accountId, day, signature: report !== undefined, faults })}\n`);
    else if (faults.length > 0) io.stdout.write(`${faults.join('\n')}\n`);
    else {
      const signature =
        report === undefined ? 'its signature was not checked (--report)' : 'it is signed by the server of the report';
      io.stdout.write(`the statement of ${day} agrees with the books; ${signature}\n`);
    }
  };

const defaultGroups: readonly MonthGroup[] = ['account', 'model', 'key'];

function readGroups(by: string | undefined): readonly MonthGroup[] {
  const names = by === undefined ? defaultGroups : by.split(',');
  const groups = monthGroups.filter((group) => names.includes(group));
  if (groups.length === new Set(names).size) return groups;
  throw usageError(`--by is one or more of ${monthGroups.join(', ')}, separated by commas`, command);
}

const csvColumns = [
  ...[
    'month',
    'account',
    'model',
    'key_id',
    'agent',
    'requests',
    'prompt_tokens',
    'completion_tokens',
    'images',
    'steps',
  ],
  ...['price_micro_dollars', 'price'],
];

function cellsOf(row: MonthUsage, month: string) {
  const { account, model, key, agent, requests, promptTokens, completionTokens, images, steps, price } = row;
  const counts = [requests, promptTokens, completionTokens, images, steps, price, formatDollars(price)];
  return [month, account, model, key, agent, ...counts];
}

function toJson({ account, model, key, agent, ...sum }: MonthUsage) {
  return {
    ...(account === undefined ? {} : { account }),
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

function usageTable(rows: readonly MonthUsage[], groups: readonly MonthGroup[]): string {
  const heading = [
    ...groups.map((group) => group.toUpperCase()),
    'REQUESTS',
    'PROMPT',
    'COMPLETION',
    'IMAGES',
    'PRICE',
  ];
  const lines = rows.map((row) => {
    const counts = [row.requests, row.promptTokens, row.completionTokens, row.images].map(String);
    return [...groups.map((group) => row[group] ?? ''), ...counts, formatDollars(row.price)];
  });
  return table([heading, ...lines]);
}

const statementCharactersMax = 64 * 1024;

function readStatement(text: Uint8Array): JsonObject {
  try {
    const json = parseStrictJson(text, { what: 'the statement', charactersMax: statementCharactersMax });
    return anyObjectOf(json, 'the statement');
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error;
    throw usageError(`the file is no statement: ${error.message}`, command);
  }
}

/** A tenant verifies the report itself with `cloister verify`; here it only says which keys are the server's. */
async function signatureFaults({ signature, ...rest }: JsonObject, text: Uint8Array): Promise<string[]> {
  if (text.length > reportCharactersMax) return ['the report is too long'];
  const report = parseReport(text);
  await requireKeysetDigest(report);
  if (rest.workload_keyset_digest !== report.keysetDigest)
    return ['the statement names another keyset than the report'];
  const raw = receiptKey(report.keyset, String(rest.key_id));
  const bytes = typeof signature === 'string' ? fromHex(signature) : undefined;
  if (raw === undefined || bytes === undefined) return ['the statement has no signature by a key of the report'];
  const key = await crypto.subtle.importKey('raw', new Uint8Array(raw), 'Ed25519', false, ['verify']);
  const isValid = await crypto.subtle.verify('Ed25519', key, new Uint8Array(bytes), canonicalBytes(rest));
  return isValid ? [] : ['the signature does not belong to the statement'];
}
