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

Requests a server's evidence with a fresh nonce, verifies it, and prints every check and one verdict. A file may be a bundle
(--save), a report, or a bare TDX quote, for which only the checks of the quote run. Sends nothing but the nonce.

  --nonce <hex>        nonce of the request, 64 lowercase hexadecimal digits; for a report file, its nonce [random]
  --offline <bundle>   verify a saved bundle without a network, at the time when it was collected
  --save <file>        save all inputs of the verification as a bundle
${trustHelp}
${exitCodesHelp}
`;

const texts = ['offline', 'save', ...trustFlags];

/** @param name the command's name in messages · @returns the exit code; expected errors become one */
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

/** The subject of a command line. @throws {UsageError} */
export function subjectOf({ values, positionals }: Flags): Subject {
  const [subject, ...more] = positionals;
  const { offline } = values;
  if (offline !== undefined) {
    if (subject !== undefined) throw new UsageError('--offline cannot be combined with an address or a file');
    return { kind: 'bundle', path: offline };
  }
  if (subject === undefined || more.length > 0)
    throw new UsageError(`expected one address or file, got ${positionals.length}`);
  if (!/^[a-z]+:\/\//i.test(subject)) return { kind: 'file', path: subject };
  const url = URL.parse(subject);
  if (url === null || url.protocol !== 'https:') throw new UsageError(`${subject} must be an https address`);
  return { kind: 'server', origin: url.origin };
}

function saveBundle({ bundle }: Finding, path: string, io: VerifierIo): void {
  if (bundle === undefined)
    throw new UsageError('--save requires the evidence of a server or a report, not a bare quote');
  try {
    writeFileSync(resolve(io.cwd, path), formatBundle(bundle));
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
}
