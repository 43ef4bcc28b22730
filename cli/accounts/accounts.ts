/** `cloister accounts`: creates, lists, credits, refunds, audits and closes accounts, and changes their plan. */
import { formatDollars, parseDollars } from '@cloister/accounts/base/money';
import type { Account } from '@cloister/accounts/store';
import { endPodsOfClosedAccounts } from '@cloister/compute/store/closed-accounts';
import { openComputeStore } from '@cloister/compute/store/store';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import {
  type AccountCall,
  type AccountSubcommand,
  databaseHelp,
  isoTime,
  noArgument,
  onlyArgument,
  runAccountCommand,
} from './account-command.ts';
import { login } from './accounts-login.ts';
import { invoice, invoices } from './invoices.ts';
import { runTransfer, transfers } from './transfers.ts';
import { checkStatement, usage } from './usage.ts';

const command = 'accounts';

const texts = ['plan', 'reference', 'month', 'account', 'by', 'format', 'report', 'issuer', 'customer', 'html', 'pdf'];

const help = `Usage: cloister accounts create <name> [--plan <plan>]
       cloister accounts list
       cloister accounts show <name>
       cloister accounts credit <name> <dollars> [--reference <text>]
       cloister accounts refund <id>
       cloister accounts plan <name> <plan>
       cloister accounts close <name>
       cloister accounts audit
       cloister accounts login <name> [--url <url>] [--compute]
       cloister accounts usage [--month <month>] [--account <name>] [--by <groups>] [--format <format>]
       cloister accounts invoice <name> --month <month> [--issuer <text>] [--customer <text>]
                                       [--pdf <file>] [--html <file>]
       cloister accounts invoices
       cloister accounts check-statement <file> [--report <file>]
       cloister accounts backup <file>
       cloister accounts restore <file> [--replace]
       cloister accounts move --to <database>
       cloister accounts downgrade --to <version>

Commands work while a server runs on the same database; changes apply from the next request. Amounts are US dollars with
up to six decimals; JSON output uses whole micro-dollars.

credit books a payment reference only once: repeating the command changes nothing, prints a notice and exits with 3.
refund takes the request ID of a response (x-request-id), or the ID in the usage list.
close revokes the account's keys and releases its pods; requests in flight finish and are settled.
audit checks the ledger and exits with 1 if it is inconsistent.
usage sums the requests of a month (UTC) by account, model and key.
invoice issues the invoice of a month that is over, with the next number; repeated, it prints the same one. invoices lists all
and exits with 1 if one is missing or was changed. Taxes are not computed.
check-statement compares a statement (GET /v1/usage/statements/<day>) with the books, and its signature with the keys of a
server's report (GET /v1/aci/attestation); it exits with 1 if one differs.
backup writes a consistent copy of all accounts, also while servers run. restore checks and audits the copy before it takes
the place of the database. move copies everything to an empty database (postgres://… or a SQLite file), compares and audits
it; servers must be stopped, and the old database is locked meanwhile and refused afterwards. Repeat an interrupted move.
downgrade takes the database back to the schema of an earlier version, for a rollback; servers must be stopped.
login prints a single-use link for a browser. It signs in to the server's pages, or with --compute to the compute
service, where people manage the account's API keys.

  --plan <plan>         plan of the new account [free]
  --reference <text>    reference of the payment, for example an invoice number [generated]
  --url <url>           address that the browser opens [--public-url, else https://localhost and the port]
  --compute             make a link to the compute service [its URL: https://localhost:8444]
  --month <YYYY-MM>     month of the usage [the current one]
  --account <name>      only this account's usage
  --by <groups>         one or more of account, model, key and agent, separated by commas [account,model,key]
  --format <format>     table, csv or json [table]
  --issuer <text>       name and address of the invoice's issuer
  --customer <text>     name and address of the invoice's recipient
  --pdf <file>          write the invoice as PDF: the same bytes each time
  --html <file>         write the invoice as a page to print
  --report <file>       report of the server that signed the statement
  --replace             restore over accounts that exist; a replaced SQLite file is kept as accounts.sqlite.replaced
  --to <database>       postgres://… or the path of a SQLite file; with downgrade, a version
  --svc <word>          with --compute: path segment of the API, as in the service's file [svc]
${databaseHelp}  --json                print JSON
`;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG · @throws {AccountError} */
export async function run(args: string[], io: CommandIo): Promise<number> {
  if (args[0] === 'login' && !args.includes('--help') && !args.includes('-h')) return await login(args.slice(1), io);
  const [name = '', ...rest] = args;
  const isHelp = args.includes('--help') || args.includes('-h');
  if (!isHelp && Object.hasOwn(transfers, name)) return await runTransfer(name, rest, io);
  let isConsistent = true;
  let isRepeat = false;
  const credit: AccountSubcommand = async (accounts, call, io) => {
    const [account, amount] = twoArguments(call, 'credit takes an account and an amount in US dollars');
    const { reference } = call.values;
    const payment = { account, microDollars: parseDollars(amount), reference, now: Date.now() };
    const { alreadyBooked, ...credited } = await accounts.credit(payment);
    isRepeat = alreadyBooked;
    if (call.json) io.stdout.write(`${JSON.stringify({ ...toJson(credited), alreadyBooked })}\n`);
    else print(credited, call, io);
    if (isRepeat) io.stderr.write(`payment ${reference} is already booked: nothing was added\n`);
  };
  const audit: AccountSubcommand = async (accounts, call, { stdout }) => {
    noArgument(call, { name: 'audit', command });
    const books = await accounts.audit();
    isConsistent = books.faults.length === 0 && books.sum === 0;
    if (call.json) stdout.write(`${JSON.stringify(books, null, 2)}\n`);
    else
      stdout.write(
        isConsistent ? `the ledger of ${books.accounts} accounts is consistent\n` : `${books.faults.join('\n')}\n`,
      );
  };
  const onFault = () => {
    isConsistent = false;
  };
  const reports = { usage, invoice, invoices: invoices(onFault), 'check-statement': checkStatement(onFault) };
  const subcommands = { create, list, show, credit, refund, plan, close, audit, ...reports };
  const code = await runAccountCommand({ name: command, help, subcommands, texts }, args, io);
  if (isRepeat) return exitCodes.alreadyDone;
  return isConsistent ? code : exitCodes.failure;
}

const create: AccountSubcommand = async (accounts, call, io) => {
  const name = onlyArgument(call, { takes: 'create takes the name of the new account', command });
  print(await accounts.createAccount({ name, plan: call.values.plan, now: Date.now() }), call, io);
};

const list: AccountSubcommand = async (accounts, call, io) => {
  noArgument(call, { name: 'list', command });
  const all = await accounts.listAccounts();
  if (call.json) io.stdout.write(`${JSON.stringify(all.map(toJson), null, 2)}\n`);
  else if (all.length === 0) io.stderr.write('No accounts. Create one with: cloister accounts create\n');
  else io.stdout.write(accountTable(all));
};

const show: AccountSubcommand = async (accounts, call, io) => {
  const name = onlyArgument(call, { takes: 'show takes the name of an account', command });
  const account = await accounts.findAccount(name);
  const standing = await accounts.readStanding({ accountId: account.id, now: Date.now() });
  const used = {
    running: standing.running,
    requestsToday: standing.requestsToday,
    tokensThisMonth: standing.tokensThisMonth,
    tokensHeld: standing.tokensHeld,
  };
  if (call.json) {
    io.stdout.write(`${JSON.stringify({ ...toJson(account), ...used, planInForce: standing.planInForce }, null, 2)}\n`);
    return;
  }
  const { requestsPerDay, tokensPerMonth } = standing.planInForce;
  io.stdout.write(accountTable([account]));
  io.stdout.write(
    `${used.running} running, ${used.requestsToday} of ${requestsPerDay ?? 'any number of'} requests today, ` +
      `${used.tokensThisMonth} of ${tokensPerMonth ?? 'any number of'} tokens this month\n`,
  );
};

const refund: AccountSubcommand = async (accounts, call, io) => {
  const requestId = onlyArgument(call, {
    takes: 'refund takes the ID of a request, as in its response (x-request-id) or the usage list',
    command,
  });
  print(await accounts.refund({ requestId, now: Date.now() }), call, io);
};

const plan: AccountSubcommand = async (accounts, call, io) => {
  const [account, planId] = twoArguments(call, 'plan takes an account and the ID of a plan');
  print(await accounts.moveToPlan({ account, plan: planId }), call, io);
};

const close: AccountSubcommand = async (accounts, call, io, database) => {
  const account = onlyArgument(call, { takes: 'close takes the name of an account', command });
  await accounts.closeAccount({ account, now: Date.now() });
  // Release the pods here too, so that billing stops even while the compute service is not running.
  const released = await endPodsOfClosedAccounts(await openComputeStore(database));
  print(await accounts.findAccount(account), call, io);
  if (released > 0 && !call.json) {
    io.stderr.write(
      `${released} ${released === 1 ? 'pod' : 'pods'} released; the compute service removes them from their machines\n`,
    );
  }
};

function twoArguments({ positionals }: AccountCall, takes: string): [string, string] {
  const [first, second, ...more] = positionals;
  if (first === undefined || second === undefined || more.length > 0) throw usageError(takes, command);
  return [first, second];
}

function print(account: Account, { json }: AccountCall, { stdout }: CommandIo): void {
  stdout.write(json ? `${JSON.stringify(toJson(account))}\n` : accountTable([account]));
}

function accountTable(accounts: readonly Account[]): string {
  const rows = accounts.map(({ name, plan, balance, createdAt, closedAt }) => [
    name,
    plan,
    formatDollars(balance.available),
    formatDollars(balance.held),
    formatDollars(balance.spent),
    new Date(createdAt).toISOString(),
    closedAt === undefined ? 'open' : `closed ${isoTime(closedAt)}`,
  ]);
  return table([['ACCOUNT', 'PLAN', 'BALANCE', 'HELD', 'SPENT', 'CREATED', 'STATE'], ...rows]);
}

function toJson({ id, name, plan, balance, createdAt, closedAt }: Account) {
  return { id, name, plan, balance, createdAt: isoTime(createdAt), closedAt: isoTime(closedAt) };
}
