/**
 * The header of a forwarded request: a statement, signed by the node that forwards, for whom it asks. The other node counts the
 * request against the limits of that caller's network, not of the node. Without a valid statement the header only prevents a second
 * hop.
 */
import { createPublicKey, verify } from 'node:crypto';
import { receiptKey } from '@cloister/attestation/aci/keyset';
import { fromHex, toHex } from '@cloister/attestation/base/bytes';
import { fleetVersion } from '@cloister/attestation/fleet/entry';
import type { FleetNode, NodeDirectory } from './directory.ts';

/** Marks a request that another node forwarded, which is never forwarded again. */
export const forwardedHeader = 'x-cloister-forwarded';

export interface ForwardStatement {
  /** The node that forwards. */
  readonly from: string;
  /** The node that is asked. */
  readonly to: string;
  /** The network of the caller: see `clientNetwork`. */
  readonly client: string;
  /** Unix seconds. */
  readonly at: number;
}

/** Age of a statement, and difference between the clocks of two nodes. */
const statementSecondsMax = 30;
const statementPattern = /^([0-9a-f]{16}) (\d{1,12}) ([0-9a-f.:/]{1,64}) ([0-9a-f]{128})$/;

/** @param sign with the receipt key of the node `from` · @returns the value of the header */
export function formatForwarded(statement: ForwardStatement, sign: (bytes: Uint8Array) => Uint8Array): string {
  const { from, at, client } = statement;
  return `${from} ${at} ${client} ${toHex(sign(signedBytes(statement)))}`;
}

/** What a node of the directory, which may not be verified, states. */
export interface Forwarded {
  readonly from: FleetNode;
  /** The network of the caller. */
  readonly client: string;
}

/**
 * @param options.own ids of this process, one of which was asked · `now` milliseconds since 1970
 * @returns undefined if no node of the directory has signed the header for this one
 */
export function readForwarded(
  header: string | string[] | undefined,
  { directory, own, now }: { directory: NodeDirectory; own: readonly string[]; now: number },
): Forwarded | undefined {
  const [, sender = '', seconds = '', client = '', signature = ''] =
    typeof header === 'string' ? (statementPattern.exec(header) ?? []) : [];
  const at = Number(seconds);
  const from = directory.find(sender);
  if (from === undefined || Math.abs(now / 1000 - at) > statementSecondsMax) return undefined;
  const key = receiptKey(from.entry.keyset, from.entry.keyId);
  if (key === undefined) return undefined;
  const isSigned = own.some((to) =>
    isSignedBy(key, signedBytes({ from: sender, to, client, at }), fromHex(signature)!),
  );
  return isSigned ? { from, client } : undefined;
}

/** A line that neither a receipt nor a directory entry can begin with. */
function signedBytes({ from, to, client, at }: ForwardStatement): Uint8Array {
  return new TextEncoder().encode(`${fleetVersion} forward\n${from} ${to} ${at} ${client}`);
}

function isSignedBy(raw: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  const key = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') };
  try {
    return verify(null, bytes, createPublicKey({ key, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}
