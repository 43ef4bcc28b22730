/**
 * The identity checks of ACI §9.1 as a verifier of its dstack policy makes them, from the specification and independent of
 * `attestation/`: the quote with @phala/dcap-qvl, everything else with Node's own hashes. For reports of simulated platforms.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { type Collateral, formatCollateral } from '../../../attestation/collateral/collateral.ts';

interface TdReport {
  reportData: Uint8Array;
  rtMr3: Uint8Array;
}
interface QuoteLibrary {
  QuoteVerifier: new (
    root: Buffer,
  ) => { verify(quote: Buffer, collateral: unknown, nowSeconds: number): { report: { asTd10(): TdReport | null } } };
}
const { QuoteVerifier } = createRequire(import.meta.url)('@phala/dcap-qvl') as QuoteLibrary;

export interface ObservedReport {
  readonly text: string;
  readonly nonce: string;
  readonly nowSeconds: number;
  /** Hexadecimal. */
  readonly spkiSha256: string;
  readonly trust: { readonly rootCa: Uint8Array; readonly collateral: Collateral };
}

interface RuntimeEvent {
  imr: number;
  event_type: number;
  digest: string;
  event: string;
  event_payload: string;
}

interface Attestation {
  source_provenance: Record<'repo_url' | 'repo_commit' | 'image_digest', string | null>;
  evidence: Record<string, unknown>;
}

type Check = 'quote' | 'binding' | 'expiry' | 'provenance' | 'channel';

/** @returns what is wrong, by check; nothing if all pass */
export function failedIdentityChecks(observed: ObservedReport): Partial<Record<Check, string>> {
  const failed: Partial<Record<Check, string>> = {};
  const run = (id: Check, work: () => void) => {
    try {
      work();
    } catch (error) {
      failed[id] = (error as Error).message;
    }
  };
  const report = JSON.parse(observed.text);
  const { workload_keyset: keyset, report_data: reportData, evidence } = report.attestation;
  let td: TdReport | undefined;
  run('quote', () => {
    td = verifiedTd(evidence.quote, observed);
    const slot = `${reportData}${'00'.repeat(32)}`;
    if (hexOf(td.reportData) !== slot) throw new Error('the quote does not bind report_data');
  });
  run('binding', () => requireBinding(report, keyset, observed.nonce));
  run('expiry', () => {
    if (!(observed.nowSeconds < keyset.not_after)) throw new Error('the keyset has expired');
  });
  run('provenance', () => {
    if (td === undefined) throw new Error('no verified quote');
    requireProvenance(report.attestation, hexOf(td.rtMr3));
  });
  run('channel', () => {
    const listed = keyset.tls_public_keys.map((key: { spki_sha256: string }) => key.spki_sha256);
    if (!listed.includes(observed.spkiSha256)) throw new Error('the TLS key is not listed');
  });
  return failed;
}

function verifiedTd(quote: unknown, { trust, nowSeconds }: ObservedReport): TdReport {
  if (typeof quote !== 'string' || !/^(?:[0-9a-f]{2})+$/.test(quote)) throw new Error('the quote is not hexadecimal');
  const collateral = JSON.parse(formatCollateral(trust.collateral)) as unknown;
  const verifier = new QuoteVerifier(Buffer.from(trust.rootCa));
  const td = verifier.verify(Buffer.from(quote, 'hex'), collateral, nowSeconds).report.asTd10();
  if (td === null) throw new Error('it is no TD');
  return td;
}

function requireBinding(report: Record<string, unknown>, keyset: unknown, nonce: string): void {
  const digest = `sha256:${sha256(canonical(keyset))}`;
  if (digest !== report.workload_keyset_digest) throw new Error('another keyset digest');
  const statement = `{"keyset_digest":"${digest}","nonce":"${nonce}","purpose":"aci.report_data.v1"}`;
  const { report_data: stated } = report.attestation as { report_data: string };
  if (sha256(statement) !== stated) throw new Error('another report_data');
}

/** A declared source, an event log that gives RTMR3, and one composition whose hash it measured. */
function requireProvenance(attestation: Attestation, rtmr3: string): void {
  const { source_provenance: source, evidence } = attestation;
  const isDeclared = (source.repo_url !== null && source.repo_commit !== null) || source.image_digest !== null;
  if (!isDeclared) throw new Error('no source is declared');
  if (typeof evidence.app_compose !== 'string') throw new Error('no app_compose');
  if (typeof evidence.event_log !== 'string') throw new Error('no event_log');
  const events = (JSON.parse(evidence.event_log) as RuntimeEvent[]).filter(({ imr }) => imr === 3);
  let register: Uint8Array = new Uint8Array(48);
  for (const event of events) register = sha384(register, digestOf(event));
  if (hexOf(register) !== rtmr3) throw new Error('event_log does not give RTMR3');
  const found = events.filter((event) => event.event_type === runtimeType && event.event === 'compose-hash');
  if (found.length !== 1) throw new Error(`${found.length} compose-hash events`);
  if (found[0]!.event_payload !== sha256(evidence.app_compose)) throw new Error('app_compose was not measured');
}

const runtimeType = 0x08000001;

function digestOf({ event_type: type, event, digest, event_payload: payload }: RuntimeEvent): Uint8Array {
  if (type !== runtimeType) return Buffer.from(digest, 'hex');
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32LE(type);
  return sha384(prefix, Buffer.from(`:${event}:`), Buffer.from(payload, 'hex'));
}

/** RFC 8785 for keysets: ASCII names, whole numbers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  return createHash('sha384').update(Buffer.concat(parts)).digest();
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
