/**
 * Directory entries of a fleet: each node states its address, keyset, models and load for at most 30 seconds, signed with a key of
 * that keyset. An entry is a claim of its node: only evidence, verified against a policy, shows that a keyset belongs to an enclave.
 * Pure, with WebCrypto. See docs/reference/fleet.md.
 */
import { sha256Digest } from '../aci/digest.ts';
import { canonicalBytes, canonicalJson } from '../aci/jcs.ts';
import { type Keyset, keysetDigest, keysetDocument, parseKeyset, receiptKey } from '../aci/keyset.ts';
import {
  anyObjectOf,
  countOf,
  digestOf,
  flagOf,
  hexOf,
  type Json,
  type JsonObject,
  listOf,
  malformed,
  objectOf,
  parseStrictJson,
  textOf,
} from '../aci/strict-json.ts';
import { concatBytes, fromHex, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/** A model that the node serves. */
export interface FleetModel {
  readonly id: string;
  /** `sha256:…` of the content of the model's start log event, as `started` of a policy lists it. */
  readonly digest: string;
}

export interface FleetEntry {
  /** The first 16 hexadecimal digits of the keyset's digest: another one after each start and each rotation of a key. */
  readonly node: string;
  /** Origin of the node: `https://host:port`, the port omitted if it is 443. */
  readonly address: string;
  readonly keyset: Keyset;
  readonly models: readonly FleetModel[];
  /** `sha256:…` of the policy that the node applies to other nodes; undefined if it asks none. */
  readonly policyDigest: string | undefined;
  /** Used share of the node's capacity in sixteenths, 0 to 15. */
  readonly load: number;
  /** The node is about to stop: do not start new work on it. */
  readonly draining: boolean;
  /** Unix seconds, by the node's clock. */
  readonly issuedAt: number;
  /** Unix seconds, at most 30 seconds after `issuedAt`. */
  readonly expiresAt: number;
  /** Id of the receipt signing key of `keyset` that signs the entry. */
  readonly keyId: string;
}

export interface SignedFleetEntry extends FleetEntry {
  /** 64 bytes as 128 lowercase hexadecimal digits. */
  readonly signature: string;
}

/** When an entry is read. */
export interface FleetEntryTime {
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Tolerated difference between the clocks of the node and of the reader. */
  readonly clockSkewMs: number;
}

export const fleetVersion = 'cloister.fleet/1';
/** Maximum validity of an entry. */
export const fleetEntrySecondsMax = 30;
/** Maximum number of entries of a list. */
export const fleetEntriesMax = 1024;
/** Limit of an entry's text, in UTF-16 code units. */
export const fleetEntryCharactersMax = 16 * 1024;
export const fleetLoadMax = 15;
const fleetListCharactersMax = fleetEntriesMax * fleetEntryCharactersMax;
const modelsMax = 64;
const nodeDigits = 16;
/** Canonical JSON starts with a brace, so no receipt or statement of the same key has bytes that start with this text. */
const signedPrefix = new TextEncoder().encode(`${fleetVersion} entry\n`);

/** The id of the node that has this keyset. @param digest `sha256:…` of the keyset */
export function fleetNodeOf(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + nodeDigits);
}

/** Whether a text has the form of a node id: 16 lowercase hexadecimal digits. */
export function isFleetNode(text: string): boolean {
  return text.length === nodeDigits && /^[0-9a-f]*$/.test(text);
}

/** The digest of a policy file's exact bytes, for `policyDigest`. @returns `sha256:…` */
export function fleetPolicyDigest(policy: Uint8Array<ArrayBuffer>): Promise<string> {
  return sha256Digest(policy);
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseFleetEntry(text: string | Uint8Array): SignedFleetEntry {
  return entryOf(parseStrictJson(text, { what, charactersMax: fleetEntryCharactersMax }));
}

/** Formats an entry for `parseFleetEntry`. @returns canonical JSON */
export function formatFleetEntry(entry: SignedFleetEntry): string {
  return canonicalJson({ ...entryDocument(entry), signature: entry.signature });
}

/** @param sign signs with Ed25519 and the key `entry.keyId` · @returns the entry with its signature */
export async function signFleetEntry(
  entry: FleetEntry,
  sign: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>,
): Promise<SignedFleetEntry> {
  return { ...entry, signature: toHex(await sign(signedBytes(entry))) };
}

/**
 * Verifies that the entry is current, that its node id is that of its keyset, and that a key of the keyset signed it. It does not
 * show that the keyset belongs to an enclave: the node's evidence does.
 * @throws {AttestationError} ERR_NOT_VERIFIED with the failed check
 */
export async function verifyFleetEntry(entry: SignedFleetEntry, time: FleetEntryTime): Promise<void> {
  const late = timeFault(entry, time);
  if (late !== undefined) refuse(late);
  if (fleetNodeOf(await keysetDigest(entry.keyset)) !== entry.node) refuse('the node id is not that of the keyset');
  const publicKey = receiptKey(entry.keyset, entry.keyId);
  if (publicKey === undefined) refuse('the entry is signed by a key that is not in its keyset');
  if (!(await isSignedBy(entry, publicKey))) refuse('the signature of the entry is invalid: the entry was changed');
}

/**
 * Reads the answer of `GET /v1/fleet`: `{"api_version":"cloister.fleet/1","entries":[…]}`. Malformed and stale entries are left out,
 * and of several entries of one node all but the latest. Signatures are not verified: see `verifyFleetEntry`.
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED if the text is not a list of at most 1,024 entries
 */
export function parseFleetList(text: string | Uint8Array, time: FleetEntryTime): readonly SignedFleetEntry[] {
  const latest = new Map<string, SignedFleetEntry>();
  for (const value of listValues(text)) {
    const entry = entryOrUndefined(value);
    if (entry === undefined || timeFault(entry, time) !== undefined) continue;
    const known = latest.get(entry.node);
    if (known === undefined || known.issuedAt <= entry.issuedAt) latest.set(entry.node, entry);
  }
  return [...latest.values()];
}

/** Formats a list for `parseFleetList`. @param entries texts from `formatFleetEntry`, at most 1,024 */
export function formatFleetList(entries: readonly string[]): string {
  return `{"api_version":"${fleetVersion}","entries":[${entries.join(',')}]}`;
}

const what = 'the fleet entry';
const unsignedMembers = [
  ...['api_version', 'node', 'address', 'workload_keyset', 'models', 'policy_digest', 'load', 'draining'],
  ...['issued_at', 'expires_at', 'key_id'],
];

function entryOf(value: Json): SignedFleetEntry {
  const json = objectOf(value, what, { required: [...unsignedMembers, 'signature'] });
  if (json.api_version !== fleetVersion) throw malformed(`api_version of ${what}`, `"${fleetVersion}"`);
  const load = countOf(json.load, 'load');
  if (load > fleetLoadMax) throw malformed('load', `at most ${fleetLoadMax}`);
  const issuedAt = countOf(json.issued_at, 'issued_at');
  const expiresAt = countOf(json.expires_at, 'expires_at');
  if (expiresAt <= issuedAt || expiresAt - issuedAt > fleetEntrySecondsMax) {
    throw malformed('expires_at', `1 to ${fleetEntrySecondsMax} seconds after issued_at`);
  }
  const entry = {
    node: hexOf(json.node, 'node', nodeDigits / 2),
    address: originOf(json.address),
    keyset: parseKeyset(json.workload_keyset),
    models: modelsOf(json.models),
    policyDigest: json.policy_digest === null ? undefined : digestOf(json.policy_digest, 'policy_digest'),
    load,
    draining: flagOf(json.draining, 'draining'),
    issuedAt,
    expiresAt,
    keyId: textOf(json.key_id, `key_id of ${what}`, 256),
    signature: hexOf(json.signature, `signature of ${what}`, 64),
  };
  requireCanonical(entry);
  return entry;
}

/** An unpaired surrogate has no canonical form, so nothing could be signed. */
function requireCanonical(entry: SignedFleetEntry): void {
  let characters: number;
  try {
    characters = formatFleetEntry(entry).length;
  } catch {
    throw malformed(what, 'free of unpaired surrogates');
  }
  if (characters > fleetEntryCharactersMax) throw malformed(what, `of at most ${fleetEntryCharactersMax} characters`);
}

/** An origin in its one spelling, so that no address hides a path, a user or another host. */
function originOf(value: Json | undefined): string {
  const text = textOf(value, 'address', 300);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' || url.origin !== text) throw malformed('address', 'an origin: https://host:port');
  return text;
}

function modelsOf(value: Json | undefined): readonly FleetModel[] {
  const models = listOf(value, 'models', modelsMax).map((item) => {
    const json = objectOf(item, 'a model', { required: ['id', 'digest'] });
    return { id: textOf(json.id, 'id of a model', 256), digest: digestOf(json.digest, 'digest of a model') };
  });
  if (new Set(models.map(({ id }) => id)).size < models.length) throw malformed('models', 'free of repeated ids');
  return models;
}

function entryDocument(entry: FleetEntry): JsonObject {
  return {
    api_version: fleetVersion,
    node: entry.node,
    address: entry.address,
    workload_keyset: keysetDocument(entry.keyset),
    models: entry.models.map(({ id, digest }) => ({ id, digest })),
    policy_digest: entry.policyDigest ?? null,
    load: entry.load,
    draining: entry.draining,
    issued_at: entry.issuedAt,
    expires_at: entry.expiresAt,
    key_id: entry.keyId,
  };
}

function signedBytes(entry: FleetEntry): Uint8Array<ArrayBuffer> {
  return concatBytes(signedPrefix, canonicalBytes(entryDocument(entry)));
}

async function isSignedBy(entry: SignedFleetEntry, publicKey: Uint8Array): Promise<boolean> {
  const signature = new Uint8Array(fromHex(entry.signature) ?? []);
  try {
    const key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, signedBytes(entry));
  } catch {
    // Some engines refuse keys that are no points of the curve.
    return false;
  }
}

/** The reason why an entry is not valid now. */
function timeFault(entry: FleetEntry, { nowMs, clockSkewMs }: FleetEntryTime): string | undefined {
  if (entry.issuedAt * 1000 > nowMs + clockSkewMs) return 'the entry is issued in the future';
  if (entry.expiresAt * 1000 <= nowMs - clockSkewMs) return 'the entry has expired';
  if (entry.keyset.notAfter * 1000 <= nowMs) return 'the keyset of the entry has expired';
  return undefined;
}

/** A duplicate member in one entry must not cost the other entries, so the list is not read strictly; a signature covers one reading. */
function listValues(input: string | Uint8Array): readonly Json[] {
  const name = 'the fleet list';
  if (input.length > fleetListCharactersMax) throw malformed(name, `of at most ${fleetListCharactersMax} characters`);
  let value: Json;
  try {
    const text = typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
    value = JSON.parse(text) as Json;
  } catch {
    // The engine's message would quote the text.
    throw malformed(name, 'JSON in UTF-8');
  }
  const list = anyObjectOf(value, name);
  if (list.api_version !== fleetVersion) throw malformed(`api_version of ${name}`, `"${fleetVersion}"`);
  return listOf(list.entries, `entries of ${name}`, fleetEntriesMax);
}

function entryOrUndefined(value: Json): SignedFleetEntry | undefined {
  try {
    return entryOf(value);
  } catch (error) {
    if (error instanceof AttestationError) return undefined;
    throw error;
  }
}

function refuse(message: string): never {
  throw new AttestationError('ERR_NOT_VERIFIED', message);
}
