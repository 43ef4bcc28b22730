/**
 * An invoice as PDF. The same invoice gives the same bytes on every machine: dates come from the invoice, streams are not
 * compressed because compressors differ, and fonts are embedded. Pure, except that it reads the fonts.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type PDFDocument from 'pdfkit';
import { AccountError } from '../base/errors.ts';
import { formatDollars } from '../base/money.ts';
import type { IssuedInvoice } from './invoices.ts';

type Page = InstanceType<typeof PDFDocument>;

interface Cell {
  readonly text: string;
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

/** Points: an A4 page with margins of 20 mm. */
const [left, right, top, bottom] = [57, 538, 57, 755];
const gap = 6;
const titles = ['Item', 'Requests', 'Prompt tokens', 'Completion tokens', 'Images', 'USD'] as const;
const widths = [139, 54, 70, 70, 44, 104] as const;
const soft = '#555555';

/** @throws {AccountError} ERR_NAME_INVALID if the fonts lack a character of the names and addresses */
export async function invoicePdf(invoice: IssuedInvoice): Promise<Buffer> {
  // Loaded for the first PDF: the server needs neither library nor fonts otherwise.
  const { default: Document } = await import('pdfkit');
  const { number, account, issuer, issuedAt } = invoice;
  const page = new Document({
    ...{ size: 'A4', margin: 0, compress: false, autoFirstPage: false, lang: 'en' },
    info: { Title: `Invoice ${number}`, Author: issuer.split('\n')[0] ?? '', CreationDate: new Date(issuedAt) },
  });
  page.registerFont('text', fontFile('DejaVuSans.ttf'));
  page.registerFont('bold', fontFile('DejaVuSans-Bold.ttf'));
  requireGlyphs(page, [account, issuer, invoice.customer, ...invoice.lines.map(({ item }) => item)]);
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(page, 'end');
  page.addPage();
  drawFacts(page, invoice, drawParties(page, invoice));
  drawTable(page, invoice);
  page.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawParties(page: Page, { number, issuer, customer }: IssuedInvoice): number {
  page.font('bold').fontSize(20).fillColor('black').text(`Invoice ${number}`, left, top);
  const half = (right - left - 24) / 2;
  const y = top + 44;
  const party = (title: string, text: string, x: number): number => {
    if (text === '') return y;
    page.font('text').fontSize(8).fillColor(soft).text(title, x, y, { width: half });
    page
      .fontSize(10)
      .fillColor('black')
      .text(text, x, y + 13, { width: half, lineGap: 2 });
    return page.y;
  };
  return Math.max(party('From', issuer, left), party('To', customer, left + half + 24)) + 18;
}

function drawFacts(page: Page, { account, month, issuedAt, digest }: IssuedInvoice, from: number): void {
  const facts = [
    ['Account', account],
    ['Period', `${month}, UTC`],
    ['Issued', new Date(issuedAt).toISOString().slice(0, 10)],
    ['Payment', 'Paid from the prepaid balance'],
    ['SHA-256', digest],
  ] as const;
  let y = from > bottom - 200 ? newPage(page) : from;
  for (const [name, value] of facts) {
    page.font('text').fontSize(9).fillColor(soft).text(name, left, y);
    page
      .fontSize(name === 'SHA-256' ? 8 : 9)
      .fillColor('black')
      .text(value, left + 70, y, { width: right - left - 70 });
    y = page.y + 3;
  }
  page.y = y + 18;
}

function drawTable(page: Page, { lines, refunded, total }: IssuedInvoice): void {
  const count = (value: number) => value.toLocaleString('en-US');
  let y = drawRow(page, titles, { y: page.y, font: 'bold' });
  const row = (values: readonly string[], font: 'text' | 'bold' = 'text') => {
    if (y > bottom - 30) y = drawRow(page, titles, { y: newPage(page), font: 'bold' });
    y = drawRow(page, values, { y, font });
  };
  for (const { item, requests, promptTokens, completionTokens, images, price } of lines) {
    row([item, ...[requests, promptTokens, completionTokens, images].map(count), formatDollars(price)]);
  }
  if (refunded > 0) row(['Refunds', '', '', '', '', formatDollars(-refunded)]);
  row(['Total, USD', '', '', '', '', formatDollars(total)], 'bold');
}

/** @returns the y of the next row */
function drawRow(page: Page, values: readonly string[], { y, font }: { y: number; font: 'text' | 'bold' }): number {
  page.font(font).fontSize(8).fillColor('black');
  const cells = cellsOf(values);
  const height = Math.max(...cells.map(({ text, width }) => page.heightOfString(text, { width })));
  for (const { text, x, width, align } of cells) page.text(text, x, y + 4, { width, align });
  const next = y + height + 9;
  page
    .moveTo(left, next)
    .lineTo(right, next)
    .lineWidth(0.5)
    .strokeColor(font === 'bold' ? 'black' : '#bbbbbb')
    .stroke();
  return next + 1;
}

function cellsOf(values: readonly string[]): Cell[] {
  let x = left;
  return values.map((text, index) => {
    const width = widths[index]!;
    const cell = { text, x, width: width - gap, align: index === 0 ? ('left' as const) : ('right' as const) };
    x += width;
    return index === 0 ? cell : { ...cell, x: cell.x + gap };
  });
}

function newPage(page: Page): number {
  page.addPage();
  return top;
}

function fontFile(name: string): Buffer {
  return readFileSync(fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}`)));
}

/** The fonts have Latin, Greek, Cyrillic, Arabic and Hebrew letters, among others. */
function requireGlyphs(page: Page, texts: readonly string[]): void {
  page.font('text');
  const { font } = (page as unknown as { _font: { font: { hasGlyphForCodePoint(code: number): boolean } } })._font;
  for (const character of new Set(texts.join(''))) {
    const code = character.codePointAt(0)!;
    if (character === '\n' || font.hasGlyphForCodePoint(code)) continue;
    const name = code.toString(16).toUpperCase().padStart(4, '0');
    throw new AccountError(
      'ERR_NAME_INVALID',
      `the PDF's font has no glyph for the character U+${name}: write the invoice as a page (--html) and print it in a browser`,
    );
  }
}
