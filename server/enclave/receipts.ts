/**
 * Stores the receipts of ended requests in memory, bounded in number, bytes and time. Only the key of the request can fetch them.
 * They contain digests and counts, no prompts or completions. They are signed when they are fetched, so that receipts that are not
 * fetched cost no signature.
 */
import { canonicalJson } from '@cloister/attestation/aci/jcs';
import { type Receipt, receiptBytes } from '@cloister/attestation/aci/receipt';
import { toHex } from '@cloister/attestation/base/bytes';

export interface ReceiptBookOptions {
  readonly receiptsMax: number;
  /** Maximum bytes of all receipts in signed form. */
  readonly bytesMax: number;
  readonly lifetimeMs: number;
  /** Monotonic milliseconds: changing the clock must not keep a receipt longer. */
  readonly now: () => number;
}

/** @returns 64 bytes of Ed25519 */
export type SignReceipt = (bytes: Uint8Array) => Uint8Array;

interface Entry {
  readonly owner: string;
  /** The signed bytes. */
  readonly bytes: Uint8Array;
  readonly chatId: string | undefined;
  readonly expiresAt: number;
}

/** Receipts that expire within this time are removed together, so that a busy server needs few timers. */
const forgettingMs = 1_000;

export class ReceiptBook {
  readonly #options: ReceiptBookOptions;
  /** By receipt id, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** Receipt ids by the ids of the answers. */
  readonly #byChatId = new Map<string, string>();
  #bytes = 0;
  /** Set while there are receipts. */
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReceiptBookOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** Removes the oldest receipts if necessary. @param owner of the receipt, who may fetch it */
  add(owner: string, receipt: Receipt): void {
    const { receiptsMax, bytesMax, lifetimeMs, now } = this.#options;
    const bytes = receiptBytes(receipt);
    const { receiptId, chatId } = receipt;
    this.#forgetExpired();
    this.#entries.set(receiptId, { owner, bytes, chatId, expiresAt: now() + lifetimeMs });
    this.#bytes += bytes.length;
    if (chatId !== undefined) this.#byChatId.set(chatId, receiptId);
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= receiptsMax && this.#bytes <= bytesMax) break;
      this.#forget(id);
    }
    this.#forgetInTime();
  }

  /**
   * @param id of the receipt, or of the answer
   * @returns the signed receipt as JSON; undefined if there is none with this id and owner
   */
  find(id: string, owner: string, sign: SignReceipt): string | undefined {
    this.#forgetExpired();
    const entry = this.#entries.get(id) ?? this.#entries.get(this.#byChatId.get(id) ?? '');
    if (entry === undefined || entry.owner !== owner) return undefined;
    const signature = toHex(sign(entry.bytes));
    return canonicalJson({ ...JSON.parse(Buffer.from(entry.bytes).toString()), signature });
  }

  #forgetExpired(): void {
    const now = this.#options.now();
    for (const [id, { expiresAt }] of this.#entries) {
      if (expiresAt > now) break;
      this.#forget(id);
    }
  }

  /** Removes expired receipts, by a timer even without requests. */
  #forgetInTime(): void {
    const [oldest] = this.#entries.values();
    if (oldest === undefined || this.#timer !== undefined) return;
    const waitMs = Math.max(forgettingMs, oldest.expiresAt - this.#options.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#forgetExpired();
      this.#forgetInTime();
    }, waitMs);
    this.#timer.unref();
  }

  #forget(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes.length;
    if (entry.chatId !== undefined) this.#byChatId.delete(entry.chatId);
  }
}
