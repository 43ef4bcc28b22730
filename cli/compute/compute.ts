/** `cloister compute`: serves the compute API, checks its file and audits its ledger. */
import { resolve } from 'node:path';
import { parseTemplates } from '@cloister/compute/inventory/templates';
import { readServiceFile, readTemplates } from '@cloister/compute/start/service-file';
import { findFaults } from '@cloister/compute/store/invariants';
import { openComputeStore } from '@cloister/compute/store/store';
import { type CommandIo, exitCodes, usageError } from '@cloister/server/program/command';
import { type Config, readCommandConfig } from '@cloister/server/program/config';
import { suggestion } from '@cloister/server/program/suggestion';
import { withAccounts } from '../accounts/open-accounts.ts';
import { announceNews } from './compute-announce.ts';

const help = `Usage: cloister compute serve <file> [options]
       cloister compute check <file>
       cloister compute audit [options]
       cloister compute announce <kind> <text> [--starts <time>] [--ends <time>] [options]

serve rents out the machines listed in the file and uses the same accounts as \`cloister serve\`; several instances may
share one PostgreSQL database.
check validates the file and reports the first error.
audit compares pods, reservations and charges with the ledger and exits with 1 if they disagree.
announce sends system news (kind: notice, maintenance, incident or resolved) to every open account, as events and
webhooks.
docs/reference/compute.md describes the file. SIGHUP reloads its templates, the log level and the files of --tls-cert.

  --state-dir <folder>    the state folder [CLOISTER_STATE_DIR, .cloister]
  --database-url <url>    shared PostgreSQL database, instead of SQLite in the state folder [CLOISTER_DATABASE_URL]
  --tls-cert <file>       PEM certificate chain [issued by a certificate authority in the state folder]
  --tls-key <file>        PEM private key of --tls-cert
  --start-key <on|off>    create and print a development key; never created on a shared database [on]
  --log-level <level>     lowest level of log lines on stderr [info]
  --starts, --ends <time> start and end of the announced period, for example 2026-12-01T22:00:00Z [none]
  --json                  print JSON
`;

const subcommands = ['serve', 'check', 'audit', 'announce'];

const settings = ['stateDir', 'databaseUrl', 'tlsCert', 'tlsKey', 'startKey', 'logLevel'] as const;

/** @throws {ServerError} ERR_USAGE, ERR_CONFIG, ERR_START · @throws {AccountError} */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const [name = '', ...rest] = args;
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  if (name === 'announce') return await announceNews(rest, io);
  const { config, flags, positionals } = readCommandConfig(rest, io, { extra: ['json'], only: settings });
  const json = flags.has('json');
  if (name === 'audit') {
    if (positionals.length > 0) throw usageError(`audit takes no argument, got ${positionals[0]}`, 'compute');
    return await audit(config, io, { json });
  }
  if (name !== 'serve' && name !== 'check') {
    throw usageError(
      `compute takes serve, check, audit or announce, got ${name || 'nothing'}${suggestion(name, subcommands)}`,
      'compute',
    );
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw usageError(`${name} takes one argument: the service's file`, 'compute');
  const path = resolve(io.cwd, file);
  if (name === 'check') return await check(path, io, { json });
  // Load the service's modules only after the command line is validated.
  const { serveCompute } = await import('@cloister/compute/start/main');
  const rereadConfig = () => readCommandConfig(rest, io, { extra: ['json'], only: settings }).config;
  return await serveCompute(config, io, { path, json, rereadConfig });
}

async function check(path: string, { stdout }: CommandIo, { json }: { json: boolean }): Promise<number> {
  const { inventory } = readServiceFile(path);
  const templates = parseTemplates(await readTemplates(path));
  const counts = {
    engines: inventory.engines.length,
    machines: inventory.machines.length,
    tiers: inventory.tiers.length,
    templates: templates.standard.length + templates.confidential.length,
  };
  const words = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  stdout.write(json ? `${JSON.stringify(counts)}\n` : `the file is valid: ${words.join(', ')}\n`);
  return exitCodes.ok;
}

async function audit(config: Config, { stdout }: CommandIo, { json }: { json: boolean }): Promise<number> {
  return await withAccounts(config, async ({ accounts, database }) => {
    const store = await openComputeStore(database);
    const books = await accounts.audit();
    const faults = [...books.faults, ...(await findFaults(store))];
    const isConsistent = faults.length === 0 && books.sum === 0;
    if (json) stdout.write(`${JSON.stringify({ ...books, faults }, null, 2)}\n`);
    else
      stdout.write(isConsistent ? `pods and ledger of ${books.accounts} accounts agree\n` : `${faults.join('\n')}\n`);
    return isConsistent ? exitCodes.ok : exitCodes.failure;
  });
}
