/** `cloister proxy`: serves programs in any language on loopback, and forwards their requests to a verified server only. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { CollateralChoice } from '../client/attest-server.ts';
import { attestedFetch } from '../client/attested-fetch.ts';
import { isListAddress } from '../client/fleet-list.ts';
import type { EvidenceVerification } from '../client/verification.ts';
import { createLocalProxy } from '../proxy/local-proxy.ts';
import { ReceiptFolder } from '../proxy/receipt-folder.ts';
import { type Flags, runCommand, UsageError, type VerifierIo, verifierExitCodes } from './command-line.ts';
import { readTrust, type TrustOptions } from './options.ts';

const help = (name: string) => `Usage: ${name} <https://host[:port]>... --policy <file> [options]

Serves plain HTTP on loopback and forwards every request to the server, after it has verified the server's evidence; bodies are
encrypted to the attested key. Set the printed address as the base URL of any program that speaks an API of the server.
A server that does not satisfy the policy receives nothing, and the program gets 502 with the reason. Of several addresses, each
request goes to one that is verified. With --fleet, the address only lists the nodes of a fleet: it may be a node or any other https
server, or an http server of this machine.

  --policy <file>      acceptable servers and software (required)
  --port <number>      port on 127.0.0.1; 0 for any free one [8444]
  --serve-as <name>    listen on all addresses, for programs that call this name, such as those in other containers
  --key-file <file>    API key to send in place of the programs' own
  --receipts <folder>  keep the receipt of each answer, checked, with the evidence of the server
  --session-age <s>    seconds after which the server is verified again [600]
  --fleet              use the nodes that /v1/fleet of the address lists, each verified before it is used
  --no-seal            do not encrypt bodies to the attested key; TLS to the attested machine remains
  --root <pem>         trusted root of quotes, for a simulation [Intel's]
  --collateral <from>  "intel", the address of a mirror, or "none" to use only the server's [from the evidence, else Intel]
  --gpu-root <pem>     trusted root of GPU reports and manifests [NVIDIA's]
  --json               print one JSON object per line

Ends on SIGINT or SIGTERM. Exit codes: 0 ended, 20 failed, 64 wrong usage.
`;

const texts = ['policy', 'port', 'serve-as', 'key-file', 'receipts', 'session-age', 'root', 'collateral', 'gpu-root'];

/** @param stopped ends the command; default: SIGINT or SIGTERM · @returns the exit code */
export async function runProxy(
  args: readonly string[],
  io: VerifierIo,
  { name = 'cloister proxy', stopped = untilSignal }: { name?: string; stopped?: () => Promise<unknown> } = {},
): Promise<number> {
  return runCommand({ name, help: help(name), texts, booleans: ['no-seal', 'fleet'] }, args, io, async (call) => {
    const origins = originsOf(call);
    const origin = origins[0]!;
    const trust = readTrust(call.values, io);
    if (trust.policy === undefined) throw new UsageError('--policy is required: it says which servers are acceptable');
    const { fetch, folder } = clients(origins, { call, trust, io });
    const served = nameOf(call.values['serve-as']);
    const proxy = createLocalProxy({
      origin,
      fetch,
      apiKey: keyOf(call.values['key-file'], io),
      name: served,
      onExchange: folder === undefined ? undefined : (exchange) => void folder.keepReceipt(exchange),
      onFailure: ({ message }) => report(io, call, { event: 'refused', message }, `refused: ${message}`),
    });
    const port = await listening(proxy, portOf(call.values.port), served === undefined ? '127.0.0.1' : undefined);
    const address = `http://${served ?? '127.0.0.1'}:${port}`;
    report(
      io,
      call,
      { event: 'listening', address, origin, ...(origins.length > 1 ? { origins } : {}) },
      `OpenAI's clients: base URL ${address}/openai/v1\nAnthropic's clients: base URL ${address}\nforwarding to ${origins.join(', ')}`,
    );
    await stopped();
    proxy.closeAllConnections();
    await new Promise((closed) => proxy.close(closed));
    return verifierExitCodes.verified;
  });
}

interface Wiring {
  readonly call: Flags;
  readonly trust: TrustOptions;
  readonly io: VerifierIo;
}

function clients(origins: readonly string[], { call, trust, io }: Wiring) {
  const { receipts } = call.values;
  const options = {
    ...(trust.roots === undefined ? {} : { roots: trust.roots }),
    ...(trust.gpuRoots === undefined ? {} : { gpuRoots: trust.gpuRoots }),
    ...(trust.collateral === undefined ? {} : { collateral: collateralOf(trust.collateral) }),
    ...(io.now === undefined ? {} : { now: io.now }),
    ...(call.flags.has('fleet') ? { fleet: 'announced' as const } : origins.length > 1 ? { fleet: origins } : {}),
    seal: !call.flags.has('no-seal'),
    sessionAgeMaxMs: sessionAgeOf(call.values['session-age']),
  };
  let folder: ReceiptFolder | undefined;
  const fetch = attestedFetch(trust.policy!, {
    ...options,
    onVerification: (_, verification) => reportVerdict(io, call, verification),
    onAttested: (server) => folder?.keepEvidence(server),
  });
  if (receipts !== undefined) {
    folder = new ReceiptFolder({
      folder: resolve(io.cwd, receipts),
      ...{ origin: origins[0]!, fetch },
      onReceipt(id, problem) {
        if (problem === undefined) return;
        report(io, call, { event: 'receipt', id, problem }, `receipt ${id}: ${problem}`);
      },
    });
  }
  return { fetch, folder };
}

function reportVerdict(io: VerifierIo, call: Flags, { verdict, simulated, checks }: EvidenceVerification): void {
  const failed = checks.find(({ outcome, required }) => required && outcome !== 'pass');
  const reason = verdict === 'verified' ? undefined : `${failed?.title}: ${failed?.reason}`;
  const note = simulated ? ' (SIMULATED: proves nothing about hardware)' : '';
  report(io, call, { event: 'verdict', verdict, simulated, reason }, `${verdict}${note}${reason ? `: ${reason}` : ''}`);
}

function report(io: VerifierIo, { flags }: Flags, json: object, text: string): void {
  io.stdout.write(flags.has('json') ? `${JSON.stringify(json)}\n` : `${text}\n`);
}

function originsOf({ positionals, flags }: Flags): string[] {
  const isFleet = flags.has('fleet');
  const urls = positionals.map((text) => URL.parse(text)).filter((url) => url !== null);
  const isUsable = (url: URL) => url.protocol === 'https:' || (isFleet && isListAddress(url));
  if (urls.length === 0 || urls.length < positionals.length || !urls.every(isUsable)) {
    throw new UsageError(`expected https addresses${isFleet ? ', or http on a loopback address' : ''}`);
  }
  if (isFleet && urls.length > 1) throw new UsageError('--fleet takes one address; without it, give all of them');
  return urls.map(({ origin }) => origin);
}

function collateralOf(from: string): CollateralChoice {
  return from === 'intel' || from === 'none' ? from : { url: from };
}

function keyOf(path: string | undefined, { cwd }: VerifierIo): string | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(resolve(cwd, path), 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown reason'}`);
  }
}

function portOf(text = '8444'): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--port must be a number from 0 to 65535');
  return port;
}

function sessionAgeOf(text = '600'): number {
  const seconds = Number(text);
  if (!/^\d{1,5}$/.test(text) || seconds < 1 || seconds > 86_400) {
    throw new UsageError('--session-age must be a number of seconds from 1 to 86400');
  }
  return seconds * 1000;
}

/** @throws {UsageError} if it is no host name */
function nameOf(text: string | undefined): string | undefined {
  if (text === undefined || /^[a-z\d]([a-z\d.-]{0,250}[a-z\d])?$/i.test(text)) return text;
  throw new UsageError('--serve-as takes the name of a host, without a port');
}

/** @param host undefined: all addresses */
function listening(
  proxy: ReturnType<typeof createLocalProxy>,
  port: number,
  host: string | undefined,
): Promise<number> {
  return new Promise((resolvePort, reject) => {
    proxy.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`cannot listen on port ${port}: ${error.code}; choose another --port`)),
    );
    proxy.listen({ port, ...(host !== undefined && { host }) }, () =>
      resolvePort((proxy.address() as AddressInfo).port),
    );
  });
}

function untilSignal(): Promise<unknown> {
  return new Promise((ended) => {
    process.once('SIGINT', ended);
    process.once('SIGTERM', ended);
  });
}
