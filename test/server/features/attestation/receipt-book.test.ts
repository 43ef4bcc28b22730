import { describe, expect, it, vi } from 'vitest';
import type { Receipt } from '../../../../attestation/aci/receipt.ts';
import { parseReceipt, receiptBytes } from '../../../../attestation/aci/receipt.ts';
import { ReceiptBook } from '../../../../server/enclave/receipts.ts';

const digest = `sha256:${'00'.repeat(32)}`;
const receipt = (id: number): Receipt => ({
  receiptId: `rcpt-${String(id).padStart(6, '0')}`,
  chatId: `chatcmpl-${String(id).padStart(6, '0')}`,
  model: undefined,
  keysetDigest: digest,
  endpoint: '/v1/chat/completions',
  method: 'POST',
  servedAt: 1_800_000_000,
  events: [
    { type: 'request.received', body_hash: digest },
    { type: 'response.returned', body_hash: digest },
  ],
  keyId: 'receipt-1',
});
const receiptLength = receiptBytes(receipt(0)).length;
const sign = () => new Uint8Array(64).fill(7);

function openBook(limits: { receiptsMax?: number; bytesMax?: number } = {}) {
  let time = 0;
  const book = new ReceiptBook({ receiptsMax: 3, bytesMax: 1_000_000, lifetimeMs: 1000, now: () => time, ...limits });
  const at = (ms: number) => {
    time = ms;
  };
  const has = (id: number) => book.find(receipt(id).receiptId, 'me', sign) !== undefined;
  return { book, at, has };
}

describe('the book of receipts', () => {
  it('returns a receipt unchanged, signed over its canonical bytes when fetched', () => {
    const { book } = openBook();
    book.add('me', receipt(1));
    const signed: Uint8Array[] = [];
    const text = book.find('rcpt-000001', 'me', (bytes) => {
      signed.push(bytes);
      return sign();
    });
    expect(parseReceipt(text!)).toEqual({ ...receipt(1), signature: '07'.repeat(64) });
    expect(Buffer.from(signed[0]!)).toEqual(Buffer.from(receiptBytes(receipt(1))));
  });

  it('evicts the oldest receipt beyond its maximum count', () => {
    const { book, has } = openBook();
    for (const id of [1, 2, 3, 4]) book.add('me', receipt(id));
    expect([has(1), has(2), has(4), book.count]).toEqual([false, true, true, 3]);
    expect(book.find('chatcmpl-000001', 'me', sign)).toBeUndefined();
  });

  it('evicts the oldest receipt beyond its maximum size', () => {
    const { book, has } = openBook({ bytesMax: 2 * receiptLength });
    for (const id of [1, 2, 3]) book.add('me', receipt(id));
    expect([has(1), has(2), has(3)]).toEqual([false, true, true]);
  });

  it('does not store a receipt larger than the whole book', () => {
    const { book } = openBook({ bytesMax: receiptLength - 1 });
    book.add('me', receipt(1));
    expect(book.count).toBe(0);
  });

  it('evicts expired receipts on every access', () => {
    const { book, at, has } = openBook();
    book.add('me', receipt(1));
    at(500);
    book.add('me', receipt(2));
    at(1000);
    expect([has(1), has(2), book.count]).toEqual([false, true, 1]);
    at(1500);
    book.add('me', receipt(3));
    expect(book.count).toBe(1);
  });

  it('evicts expired receipts within a second without any access', () => {
    vi.useFakeTimers();
    try {
      const book = new ReceiptBook({ receiptsMax: 9, bytesMax: 1_000_000, lifetimeMs: 5_000, now: () => Date.now() });
      book.add('me', receipt(1));
      vi.advanceTimersByTime(100);
      book.add('me', receipt(2));
      vi.advanceTimersByTime(4_000);
      book.add('me', receipt(3));
      vi.advanceTimersByTime(900);
      expect([book.count, vi.getTimerCount()]).toEqual([2, 1]);
      vi.advanceTimersByTime(1_000);
      expect(book.count).toBe(1);
      vi.advanceTimersByTime(4_000);
      expect([book.count, vi.getTimerCount()]).toEqual([0, 0]);
      book.add('me', receipt(4));
      vi.advanceTimersByTime(6_000);
      expect([book.count, vi.getTimerCount()]).toEqual([0, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not keep the process alive for eviction', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    openBook().book.add('me', receipt(1));
    expect(timers()).toBe(before);
  });

  it('returns a receipt only to its owner', () => {
    const { book } = openBook();
    book.add('you', receipt(1));
    expect(book.find('rcpt-000001', 'me', sign)).toBeUndefined();
    expect(book.find('chatcmpl-000001', 'me', sign)).toBeUndefined();
    expect(book.find('', 'me', sign)).toBeUndefined();
  });
});
