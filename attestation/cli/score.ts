/** `cloister score`: fetches or reads evidence, verifies it, and prints the factors that auditors score. */
import { parsedOrUndefined } from '../base/parsed.ts';
import { reportDataOf } from '../base/report-data.ts';
import { attestedFetch } from '../client/attested-fetch.ts';
import { probeSealing } from '../client/sealed-probe.ts';
import { intelRootCa } from '../collateral/intel-root.ts';
import { startEventNames } from '../eventlog/start-log.ts';
import { policyChecks } from '../policy/policy.ts';
import type { CheckId } from '../score/factors.ts';
import { readForeign } from '../score/foreign.ts';
import { type ScoreHeader, scoreJson, scoreText } from '../score/report.ts';
import { type Found, type ScoreInput, scoreEvidence } from '../score/score.ts';
import { scoreForeign, unread } from '../score/score-foreign.ts';
import { printable } from './check-table.ts';
import { exitCodeOf, exitCodesHelp, readText, runCommand, type VerifierIo } from './command-line.ts';
import type { Finding } from './finding.ts';
import { readTrust, trustFlags, trustHelp } from './options.ts';
import { collateralOf, type SubjectOptions, verifySubject } from './subject.ts';
import { subjectOf } from './verify.ts';

const help = (name: string) => `Usage: ${name} <https://host[:port]> [options]
       ${name} <file> [options]
       ${name} --offline <bundle> [options]

Verifies a server's evidence like cloister verify, and prints one line per factor that auditors of confidential inference score:
PASS, FAIL, SKIP (not checked) or N/A (does not apply), with the finding. Factor names and the JSON format are those of teep. For
evidence of other providers (an ACI report, or dstack's format with a TDX quote), unsupported factors are skipped.

  --nonce <hex>        nonce of the request, 64 lowercase hexadecimal digits; for a report file, its nonce [random]
  --offline <bundle>   score a saved bundle without a network, at the time when it was collected
  --key-file <file>    API key for a sealed test request (factor e2ee_usable), which is free of charge and sent only to a
                       server that the policy accepts [the factor is skipped]
${trustHelp}
${exitCodesHelp}
`;

const texts = ['offline', 'key-file', ...trustFlags];

/** @param name the command's name in messages · @returns the exit code; expected errors become one */
export async function runScore(args: readonly string[], io: VerifierIo, name = 'cloister score'): Promise<number> {
  return runCommand({ name, help: help(name), texts }, args, io, async (call) => {
    const keyFile = call.values['key-file'];
    const apiKey = keyFile === undefined ? undefined : readText(keyFile, io).trim();
    const options = { ...readTrust(call.values, io), io };
    const subject = subjectOf(call);
    const finding = await verifySubject(subject, options);
    const input = await scoreInput(finding, options);
    const origin = subject.kind === 'server' ? subject.origin : undefined;
    const sealedExchange = await probe(finding, origin, { ...options, apiKey });
    const factors = scoreEvidence({ ...input, sealedExchange });
    const header = headerOf(finding, input);
    const text = call.flags.has('json')
      ? `${JSON.stringify(scoreJson(header, factors), null, 2)}\n`
      : printableLines(scoreText(header, factors));
    io.stdout.write(text);
    return exitCodeOf(finding.verdict, finding.checks);
  });
}

/** Details quote untrusted text of servers. */
function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

async function scoreInput(finding: Finding, options: SubjectOptions): Promise<Omit<ScoreInput, 'sealedExchange'>> {
  const { checks, evidence, bundle, parsed, tcbStatus } = finding;
  const { policy } = options;
  const report = parsed && parsedOrUndefined(parsed.report);
  const shown = parsed && parsedOrUndefined(parsed.evidence);
  const gpuCount = shown?.gpus.length;
  const measurements = finding.measurements as ScoreInput['measurements'];
  const common = {
    ...{ checks, policy, measurements, tcbStatus, gpuCount },
    startLog: evidence?.startLog ?? [],
    switchCount: shown?.switches.length ?? 0,
    hasComposition: shown?.composition !== undefined,
    hasSealingKey: (report?.keyset.e2eePublicKeys.length ?? 0) > 0,
    serving: report?.serving,
  };
  if (bundle === undefined) {
    const waived: readonly CheckId[] = policy === undefined ? ['platform', ...policyIds] : ['platform'];
    return { ...common, waived, known: unread('not part of a bare quote') };
  }
  if (gpuCount !== undefined) return common;
  const foreign = readForeign(bundle.report);
  if (foreign === undefined) return { ...common, known: unread('the evidence is malformed') };
  const isBound = checks.some(({ id, outcome }) => id === 'nonce' && outcome === 'pass');
  const keysetDigest = evidence!.keysetDigest?.slice('sha256:'.length);
  const scored = await scoreForeign(foreign, checks, {
    collateral: await collateralOf(options, foreign.quote, false),
    roots: options.roots ?? [intelRootCa],
    policy,
    reportData: isBound ? await reportDataOf({ keysetDigest: keysetDigest!, nonce: bundle.nonce }) : undefined,
    nowMs: finding.atMs,
  });
  const sealing = common.hasSealingKey
    ? { e2ee_capable: { status: 'pass', detail: 'the keyset has a key for sealed bodies' } }
    : {};
  return {
    ...common,
    ...scored,
    waived: ['platform'],
    known: { ...scored.known, ...(sealing as ScoreInput['known']) },
  };
}

/** The checks that do not run on a bare quote without a policy. */
const policyIds = Object.keys(policyChecks) as (keyof typeof policyChecks)[];

/** Sends the API key only over connections that the policy accepts. */
async function probe(
  { evidence, bundle }: Finding,
  origin: string | undefined,
  { apiKey, policy, roots, gpuRoots, nowMs }: SubjectOptions & { apiKey: string | undefined },
): Promise<Found> {
  if (origin === undefined) return { status: 'skip', detail: 'no server to send a sealed request to' };
  if (apiKey === undefined) return { status: 'skip', detail: 'no request was sent: pass an API key with --key-file' };
  if (evidence?.acceptable !== true) {
    return { status: 'skip', detail: 'API keys are sent only to servers that the policy accepts' };
  }
  const { sealingKey } = evidence;
  if (sealingKey === undefined) return { status: 'fail', detail: 'the keyset has no key to seal bodies to' };
  const send = attestedFetch(policy!, {
    ...(roots === undefined ? {} : { roots }),
    ...(gpuRoots === undefined ? {} : { gpuRoots }),
    ...(bundle?.gpuReference === undefined ? {} : { gpuReference: bundle.gpuReference }),
    ...(nowMs === undefined ? {} : { now: () => nowMs }),
  });
  return probeSealing(origin, { send, sealingKey, apiKey });
}

function headerOf(
  { source, atMs, verdict, simulated, evidence, bundle }: Finding,
  input: Omit<ScoreInput, 'sealedExchange'>,
): ScoreHeader {
  return {
    ...{ source, atMs, verdict, simulated },
    models: input.startLog
      .filter(({ name }) => name === startEventNames.model)
      .map(({ content }) => modelIdOf(content)),
    nonce: bundle?.nonce,
    measurements: input.measurements,
    keysetDigest: evidence?.keysetDigest,
  };
}

function modelIdOf(content: string): string {
  try {
    const { id } = JSON.parse(content) as { id?: unknown };
    return typeof id === 'string' ? id : 'unnamed';
  } catch {
    return 'unnamed';
  }
}
