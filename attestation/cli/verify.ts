/** `cloister verify`: fetches or reads evidence, verifies it, and prints every check and one verdict. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatBundle } from '../client/bundle.ts';
import { exitCodeOf, exitCodesHelp, type Flags, runCommand, UsageError, type VerifierIo } from './command-line.ts';
import { type Finding, findingJson, findingText } from './finding.ts';
import { readTrust, trustFlags, trustHelp } from './options.ts';
import { type Subject, verifySubject } from './subject.ts';

const help = (name: string) => `Usage: ${name} <https://host[:port]> [options]
       ${name} <file> [options]
       ${name} --offline <bundle> [options]

Asks a server for its evidence with a fresh nonce, verifies it, and prints every check and one verdict. A file may be a
bundle (--save), a report, or a bare TDX quote, of which the quote's own checks are made. Nothing else is sent.

  --nonce <hex>        64 lowercase hexadecimal digits instead of random ones; of a report file: what it was asked with
  --offline <bundle>   verify a saved bundle without a network, at the time when it was taken
  --save <file>        save all that was looked at as a bundle
${trustHelp}
${exitCodesHelp}
`;

const texts = ['offline', 'save', ...trustFlags];

/** @param name what the command is called in its texts · @returns the exit code; never throws what it foresees */
export async function runVerify(args: readonly string[], io: VerifierIo, name = 'cloister verify'): Promise<number> {
  return runCommand({ name, help: help(name), texts }, args, io, async (call) => {
    const subject = subjectOf(call);
    const finding = await verifySubject(subject, { ...readTrust(call.values, io), io });
    if (call.values.save !== undefined) saveBundle(finding, call.values.save, io);
    io.stdout.write(
      call.flags.has('json') ? `${JSON.stringify(findingJson(finding), null, 2)}\n` : findingText(finding),
    );
    return exitCodeOf(finding.verdict, finding.checks);
  });
}

/** What the command line names. @throws {UsageError} */
export function subjectOf({ values, positionals }: Flags): Subject {
  const [subject, ...more] = positionals;
  const { offline } = values;
  if (offline !== undefined) {
    if (subject !== undefined) throw new UsageError('--offline takes the bundle; there is nothing else to name');
    return { kind: 'bundle', path: offline };
  }
  if (subject === undefined || more.length > 0) throw new UsageError('one address or file is needed');
  if (!/^[a-z]+:\/\//i.test(subject)) return { kind: 'file', path: subject };
  const url = URL.parse(subject);
  if (url === null || url.protocol !== 'https:') throw new UsageError(`${subject} is not an https address`);
  return { kind: 'server', origin: url.origin };
}

function saveBundle({ bundle }: Finding, path: string, io: VerifierIo): void {
  if (bundle === undefined) throw new UsageError('--save keeps evidence of servers and reports, not a bare quote');
  try {
    writeFileSync(resolve(io.cwd, path), formatBundle(bundle));
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
}
