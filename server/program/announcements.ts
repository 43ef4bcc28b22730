/** Prints the server's state on standard output: text to read and paste, or one JSON object per line for programs. */
import { relative } from 'node:path';
import type { CommandIo } from './command.ts';
import { version } from './version.ts';

export interface Listening {
  readonly baseUrl: string;
  readonly metricsUrl: string | undefined;
  /** Undefined if the admin API is off or shares the port of the metrics. */
  readonly adminUrl: string | undefined;
  /** Of payment webhooks. */
  readonly webhookUrl?: string | undefined;
  /** Undefined if the operator's own certificate is in use. */
  readonly certificatePath: string | undefined;
  /** Undefined if this start made no key. */
  readonly apiKey: string | undefined;
  /** The pages; a link that signs in once if this start has a key. */
  readonly pagesUrl: string;
  readonly models: readonly string[];
}

export interface Ready {
  /** Since the program started. */
  readonly ms: number;
  readonly models: readonly { readonly id: string; readonly description: string; readonly device: string }[];
}

/** What the start has proven. */
export interface Attested {
  readonly kind: 'tdx' | 'simulated';
  /** `sha256:…` */
  readonly keysetDigest: string;
  /** Only for a simulation: the root certificate for its verifiers. */
  readonly rootPath: string | undefined;
}

/** A step of a node that gets the secrets of its fleet from a running one. */
export interface Joining {
  /** The running node; undefined if the step concerns all of them. */
  readonly address?: string | undefined;
  readonly state: 'asking' | 'verified' | 'refused' | 'waiting' | 'joined';
  /** What happened and, if it failed, why. Contains no secret. */
  readonly text: string;
}

export interface Announcer {
  /** Not printed without `--join`. */
  joining(facts: Joining): void;
  listening(facts: Listening): void;
  /** @param pem certificate request for an authority, if the operator wants an issued certificate */
  certificateRequest(pem: string): void;
  /** Not printed if nothing can be proven. */
  attested(facts: Attested): void;
  /** @param fraction of all weights, 0…1 */
  loading(fraction: number): void;
  /** Not printed if no prompt was prefilled. */
  prefilled(facts: { model: string; prompts: number; tokens: number; ms: number }): void;
  ready(facts: Ready): void;
  draining(facts: { timeoutS: number }): void;
  stopped(): void;
}

export function announcer(io: CommandIo, { json }: { json: boolean }): Announcer {
  return json ? forPrograms(io) : forPeople(io);
}

function forPrograms({ stdout }: CommandIo): Announcer {
  const say = (event: string, facts: object) => stdout.write(`${JSON.stringify({ event, ...facts })}\n`);
  return {
    joining: (facts) => say('joining', facts),
    listening: (facts) => say('listening', facts),
    certificateRequest: (pem) => say('certificate-request', { pem }),
    attested: (facts) => say('attested', facts),
    loading: () => undefined,
    prefilled: (facts) => say('prefilled', facts),
    ready: (facts) => say('ready', facts),
    draining: (facts) => say('draining', facts),
    stopped: () => say('stopped', {}),
  };
}

function forPeople({ stdout, stderr, cwd }: CommandIo): Announcer {
  let curl = '';
  const clearLine = () => (stderr.isTTY ? stderr.write('\r\u001b[K') : undefined);
  return {
    joining({ address, text }) {
      clearLine();
      stdout.write(`  joining      ${address === undefined ? '' : `${address} `}${text}\n`);
    },
    listening(facts) {
      curl = curlLine(facts, cwd);
      clearLine();
      stdout.write(`Cloister ${version} serves ${facts.models.join(', ')}\n\n`);
      stdout.write(`  base URL     ${facts.baseUrl}\n`);
      if (facts.apiKey !== undefined) stdout.write(`  API key      ${facts.apiKey}\n`);
      if (facts.certificatePath !== undefined) stdout.write(`  certificate  ${facts.certificatePath}\n`);
      stdout.write(`  pages        ${facts.pagesUrl}\n`);
      if (facts.metricsUrl !== undefined) stdout.write(`  metrics      ${facts.metricsUrl}\n`);
      if (facts.adminUrl !== undefined) stdout.write(`  admin API    ${facts.adminUrl}\n`);
      if (facts.webhookUrl !== undefined) stdout.write(`  webhooks     ${facts.webhookUrl}\n`);
      stdout.write('\n');
    },
    certificateRequest(pem) {
      clearLine();
      stdout.write(`${pem}\n`);
    },
    attested({ kind, keysetDigest, rootPath }) {
      clearLine();
      if (kind === 'simulated') {
        const root = rootPath === undefined ? '' : `, root ${shorterPath(rootPath, cwd)}`;
        stdout.write(`  attestation  SIMULATED: this is not a confidential machine and proves nothing${root}\n`);
      } else stdout.write(`  attestation  Intel TDX, keyset ${keysetDigest}\n`);
    },
    loading: (fraction) => stderr.isTTY && stderr.write(`\r\u001b[Kloading ${Math.floor(fraction * 100)} %`),
    prefilled({ model, prompts, tokens, ms }) {
      clearLine();
      const seconds = (ms / 1000).toFixed(1);
      stdout.write(`  ${model}: ${prompts} agents' prompts prefilled, ${tokens} tokens, ${seconds} s\n`);
    },
    ready({ ms, models }) {
      clearLine();
      for (const { id, description, device } of models) stdout.write(`  ${id}: ${description}, on ${device}\n`);
      stdout.write(`ready in ${Math.round(ms)} ms\n\n${curl}\n`);
    },
    draining({ timeoutS }) {
      clearLine();
      stdout.write(`stopping: running requests have ${timeoutS} s to finish; press Ctrl-C again to stop at once\n`);
    },
    stopped: () => stdout.write('stopped\n'),
  };
}

/** A command line that works wherever it is pasted. */
function curlLine({ baseUrl, certificatePath, apiKey, models }: Listening, cwd: string): string {
  const trust = certificatePath === undefined ? '' : `--cacert ${shellWord(shorterPath(certificatePath, cwd))} `;
  const key = apiKey ?? '$CLOISTER_API_KEY';
  const body = JSON.stringify({ model: models[0], messages: [{ role: 'user', content: 'Hello! Who are you?' }] });
  return `curl ${trust}${baseUrl}/chat/completions -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d ${shellWord(body)}\n`;
}

/** Paths below the working directory are printed relative to it. */
function shorterPath(path: string, cwd: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith('..') ? path : fromHere;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
