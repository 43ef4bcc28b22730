/** Fuzz target for directory entries of a fleet: only the meaning that the node signed may be accepted. */
import {
  formatFleetEntry,
  formatFleetList,
  parseFleetEntry,
  parseFleetList,
  verifyFleetEntry,
} from '../../../attestation/fleet/entry.ts';
import { fleetNodeKeys, fleetNowMs } from '../../support/attestation/fleet-entry.ts';
import { bytesOf, type EvidenceParser, jsonWords, latin1 } from './parser.ts';

export async function fleetParser(): Promise<EvidenceParser> {
  const { keyset, text } = await fleetNodeKeys();
  const keys = JSON.stringify(keyset);
  const time = { nowMs: fleetNowMs, clockSkewMs: 0 };
  return {
    ...{ name: 'fleet-entry', good: bytesOf(await text()), words: jsonWords },
    parse(bytes) {
      // A list of entries never fails because of one of them, except where its text is no JSON.
      if (isJson(latin1(bytes))) parseFleetList(formatFleetList([latin1(bytes)]), time);
      return parseFleetEntry(bytes);
    },
    async accepts(bytes) {
      const entry = parseFleetEntry(bytes);
      // Anyone can sign an entry for a keyset of their own.
      if (JSON.stringify(entry.keyset) !== keys) return undefined;
      await verifyFleetEntry(entry, time);
      return formatFleetEntry(entry);
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
