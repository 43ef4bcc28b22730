/**
 * Which sealed requests were opened during the life of one sealing key, so that none is opened twice. A request is known by
 * its encapsulated key, which its sender draws anew. Exact, and bounded: nothing is ever forgotten while the key lives;
 * where there is no room left, requests are refused, or the key's life ends.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface ReplayLimits {
  /** Requests that one key may open. 16 bytes each, twice as much room. */
  readonly requestsMax: number;
  /** Of one account: what remains is for the others. */
  readonly accountRequestsMax: number;
}

export type Admission = 'fresh' | 'replayed' | 'full';

const fingerprintBytes = 16;

export class ReplayGuard {
  readonly #limits: ReplayLimits;
  readonly #slots: number;
  /** Fingerprints, at the first free slot from their own; all zeros: free. Made for the first request. */
  #table: Uint8Array | undefined;
  /** Nobody can choose keys that crowd one part of the table. */
  readonly #salt = randomBytes(fingerprintBytes);
  readonly #byAccount = new Map<string, number>();
  #requests = 0;

  constructor(limits: ReplayLimits) {
    this.#limits = limits;
    this.#slots = 2 ** Math.ceil(Math.log2(2 * limits.requestsMax));
  }

  /** @param encapsulatedKey of a request whose first frame is authentic: only then it costs room */
  admit(account: string, encapsulatedKey: Uint8Array): Admission {
    const fingerprint = this.#fingerprintOf(encapsulatedKey);
    this.#table ??= new Uint8Array(this.#slots * fingerprintBytes);
    const table = this.#table;
    const slot = this.#slotOf(fingerprint, table);
    if (slot === undefined) return 'replayed';
    const { requestsMax, accountRequestsMax } = this.#limits;
    const own = this.#byAccount.get(account) ?? 0;
    if (this.#requests >= requestsMax || own >= accountRequestsMax) return 'full';
    table.set(fingerprint, slot * fingerprintBytes);
    this.#byAccount.set(account, own + 1);
    this.#requests += 1;
    return 'fresh';
  }

  #fingerprintOf(encapsulatedKey: Uint8Array): Buffer {
    const digest = createHash('sha256').update(this.#salt).update(encapsulatedKey).digest();
    const fingerprint = digest.subarray(0, fingerprintBytes);
    // Zeros mean a free slot.
    fingerprint[fingerprintBytes - 1]! |= 1;
    return fingerprint;
  }

  /** @returns a free slot; undefined where the fingerprint is there */
  #slotOf(fingerprint: Buffer, table: Uint8Array): number | undefined {
    const last = this.#slots - 1;
    let slot = fingerprint.readUInt32LE(0) & last;
    // At most half of the slots are taken, so there is a free one.
    for (;;) {
      const at = slot * fingerprintBytes;
      const taken = table.subarray(at, at + fingerprintBytes);
      if (taken[fingerprintBytes - 1] === 0) return slot;
      if (fingerprint.equals(taken)) return undefined;
      slot = (slot + 1) & last;
    }
  }
}
