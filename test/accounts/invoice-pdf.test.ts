/** The PDF of an invoice, read back with pdf.js. */
import { hash } from 'node:crypto';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { invoicePdf } from '../../accounts/ledger/invoice-pdf.ts';
import type { IssuedInvoice } from '../../accounts/ledger/invoices.ts';

const line = { requests: 1_234, promptTokens: 5_678_901, completionTokens: 42, images: 0, price: 1_500_000 };

function invoice(changes: Partial<IssuedInvoice> = {}): IssuedInvoice {
  return {
    number: 17,
    accountId: '6f5ad682-456f-4751-bc08-27d1dbdc4d54',
    account: 'acme',
    month: '2030-06',
    issuedAt: Date.UTC(2030, 6, 2, 9, 30),
    issuer: 'Example Ltd\n1 Street, Town',
    customer: 'Łódź Søren GmbH\nκαλημέρα 3\nМосква',
    lines: [{ ...line, item: 'small-TEE' }],
    refunded: 250_000,
    total: 1_250_000,
    previous: '0'.repeat(64),
    digest: 'ab'.repeat(32),
    isRepeat: false,
    ...changes,
  };
}

async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  return { text, totalPages, info: (await document.getMetadata()).info as Record<string, unknown> };
}

describe('the PDF of an invoice', () => {
  it('has the parties with letters of several scripts, the lines, the refunds, the total and the digest', async () => {
    const { text, totalPages, info } = await read(await invoicePdf(invoice()));
    expect(totalPages).toBe(1);
    for (const part of [
      ...['Invoice 17', 'Example Ltd', 'Łódź Søren GmbH', 'καλημέρα 3', 'Москва', 'acme', '2030-06, UTC', '2030-07-02'],
      ...['small-TEE', '1,234', '5,678,901', '1.500000', '-0.250000', 'Total, USD', '1.250000', 'ab'.repeat(32)],
    ]) {
      expect(text).toContain(part);
    }
    expect(info).toMatchObject({ Title: 'Invoice 17', Author: 'Example Ltd', CreationDate: 'D:20300702093000Z' });
  });

  it('has the same bytes in every process and on every machine', async () => {
    const bytes = await invoicePdf(invoice());
    expect(hash('sha256', await invoicePdf(invoice({ isRepeat: true })), 'hex')).toBe(hash('sha256', bytes, 'hex'));
    // A change of this digest changes the PDF of issued invoices: decide it knowingly when the library is updated.
    expect(hash('sha256', bytes, 'hex')).toBe('4cf4e02093578952a3e57e389ae15420785331a397c20a785dccf40544029692');
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/FlateDecode|JavaScript|\/URI/);
  });

  it('continues on further pages, each with the titles of the columns', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => ({ ...line, item: `model-${index}-TEE` }));
    const { text, totalPages } = await read(await invoicePdf(invoice({ lines })));
    expect(totalPages).toBe(4);
    expect(text.match(/Prompt\s+tokens/g)).toHaveLength(4);
    for (const { item } of lines) expect(text).toContain(item);
  });

  it('takes parties of the maximum length and sums of the maximum size', async () => {
    const parties = { issuer: 'i\n'.repeat(499), customer: 'W'.repeat(1_000) };
    const { text } = await read(await invoicePdf(invoice({ ...parties, total: Number.MAX_SAFE_INTEGER })));
    expect(text).toContain('9007199254.740991');
  });

  it('is refused for a character that the font lacks, named by its number', async () => {
    await expect(invoicePdf(invoice({ customer: '東京' }))).rejects.toMatchObject({
      code: 'ERR_NAME_INVALID',
      message: expect.stringContaining('no glyph for the character U+6771'),
    });
  });
});
