/** `cloister verify-receipt`: verifies a server's evidence, and a receipt of that server for given request and response bytes. */
import type { SignedReceipt } from '../aci/receipt.ts';
import { timeText } from '../aci/report.ts';
import { checkReceipt } from '../client/check-receipt.ts';
import { verdictOf } from '../verify/checks.ts';
import { checkTable, explainChecks, printable, verdictLine } from './check-table.ts';
import { exitCodeOf, exitCodesHelp, readInput, runCommand, UsageError, type VerifierIo } from './command-line.ts';
import type { Finding } from './finding.ts';
import { readTrust, trustFlags, trustHelp } from './options.ts';
import { verifySubject } from './subject.ts';

const help = (name: string) => `Usage: ${name} <receipt> (--bundle <file> | --report <file>) [options]

Verifies the evidence of a server, then a receipt: that a key of the attested keyset signed it, and that it is for these bytes.
A bundle of \`verify --save\` is verified at the time when it was collected.

  --bundle <file>      evidence as a bundle
  --report <file>      evidence as a report; --nonce gives its nonce
  --request <file>     the exact request body [not compared]
  --response <file>    the exact response body, for a stream including its framing [not compared]
${trustHelp}
${exitCodesHelp}
`;

const texts = ['bundle', 'report', 'request', 'response', ...trustFlags];

/** @param name the command's name in messages · @returns the exit code; expected errors become one */
export async function runVerifyReceipt(
  args: readonly string[],
  io: VerifierIo,
  name = 'cloister verify-receipt',
): Promise<number> {
  return runCommand({ name, help: help(name), texts }, args, io, async ({ values, positionals, flags }) => {
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0) throw new UsageError(`expected one receipt, got ${positionals.length}`);
    const { bundle, report } = values;
    if (bundle !== undefined && report !== undefined) throw new UsageError('--bundle and --report cannot be combined');
    const input = (file: string | undefined) => (file === undefined ? undefined : readInput(file, io));
    const receiptBytes = readInput(path, io);
    const bodies = { request: input(values.request), response: input(values.response) };
    const evidencePath = bundle ?? report;
    const options = { ...readTrust(values, io), io };
    const kind = bundle === undefined ? ('file' as const) : ('bundle' as const);
    const finding = evidencePath === undefined ? undefined : await verifySubject({ kind, path: evidencePath }, options);
    const { checks, receipt } = await checkReceipt({ receipt: receiptBytes, evidence: finding?.evidence, ...bodies });
    const verdict = verdictOf(checks);
    const simulated = finding?.simulated === true;
    if (flags.has('json')) {
      io.stdout.write(`${JSON.stringify({ verdict, simulated, receipt: receipt ?? null, checks }, null, 2)}\n`);
    } else {
      const note = simulated ? 'SIMULATED: proves nothing about hardware' : '';
      const parts = [
        facts(receipt, finding),
        checkTable(checks),
        explainChecks(checks),
        verdictLine(verdict, checks, note),
      ];
      io.stdout.write(parts.filter((part) => part !== '').join('\n'));
    }
    return exitCodeOf(verdict, finding?.checks ?? []);
  });
}

function facts(receipt: SignedReceipt | undefined, finding: Finding | undefined): string {
  if (receipt === undefined) return '';
  const { receiptId, model, method, endpoint, servedAt, keysetDigest, events } = receipt;
  const rows: [string, string][] = [
    ['receipt', receiptId],
    ['request', `${method} ${endpoint}`],
    ['model', model ?? 'not a served model'],
    ['served at', timeText(servedAt)],
    ['keyset', keysetDigest],
    ['evidence', finding === undefined ? 'none' : `${finding.source}, ${new Date(finding.atMs).toISOString()}`],
    ...events.map(({ type, ...members }): [string, string] => [type, JSON.stringify(members)]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, value]) => `${printable(label).padEnd(width)}  ${printable(value)}\n`).join('');
}
