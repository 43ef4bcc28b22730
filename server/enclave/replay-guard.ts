/**
 * Records the sealed requests that were opened during the lifetime of one sealing key, so that each is opened at most once. A request
 * is identified by its encapsulated key, which is random. The table is exact and bounded: entries are kept for the lifetime of the
 * key, and if it is full, requests are refused or the key is replaced.
 */
import { createHash, randomBytes } from 'node:crypto';

export interface ReplayLimits {
  /** Maximum requests per key. Each needs two slots of 16 bytes. */
  readonly requestsMax: number;
  /** Maximum requests of one account, so that others find room. */
  readonly accountRequestsMax: number;
}

export type Admission = 'fresh' | 'replayed' | 'full';

const fingerprintBytes = 16;

export class ReplayGuard {
  readonly #limits: ReplayLimits;
  readonly #slots: number;
  /** Fingerprints with linear probing; zeros mark a free slot. Allocated for the first request. */
  #table: Uint8Array | undefined;
  /** A secret, so that senders cannot choose keys that collide. */
  readonly #salt = randomBytes(fingerprintBytes);
  readonly #byAccount = new Map<string, number>();
  #requests = 0;

  constructor(limits: ReplayLimits) {
    this.#limits = limits;
    this.#slots = 2 ** Math.ceil(Math.log2(2 * limits.requestsMax));
  }

  /** @param encapsulatedKey of a request whose first frame is authentic; other requests need no slot */
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

  /** @returns a free slot; undefined if the table has the fingerprint */
  #slotOf(fingerprint: Buffer, table: Uint8Array): number | undefined {
    const last = this.#slots - 1;
    let slot = fingerprint.readUInt32LE(0) & last;
    // At most half of the slots are in use, so there is a free one.
    for (;;) {
      const at = slot * fingerprintBytes;
      const taken = table.subarray(at, at + fingerprintBytes);
      if (taken[fingerprintBytes - 1] === 0) return slot;
      if (fingerprint.equals(taken)) return undefined;
      slot = (slot + 1) & last;
    }
  }
}
