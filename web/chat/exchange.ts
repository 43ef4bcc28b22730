/** What was sent and received for one answer, to prove it later. */

export interface Exchange {
  readonly request: Uint8Array<ArrayBuffer>;
  readonly response: Uint8Array<ArrayBuffer>;
  /** Undefined if the server signs no receipts. */
  readonly receiptId: string | undefined;
  readonly isSealed: boolean;
}
