/** Determines which invoices a text contains and which lines belong to each, by their numbers and titles. */
import type { Range } from '../text/span.ts';
import {
  bareNumber,
  type InvoiceType,
  invoiceTypeOf,
  numberLabels,
  otherInvoice,
  titledNumber,
  titleShape,
} from './invoice-words.ts';
import { type Layout, type Line, leftOf, rightOf, type Segment, verticalOf } from './layout.ts';

export interface InvoiceNumber extends Range {
  readonly value: string;
}

export interface InvoicePart {
  readonly number?: InvoiceNumber;
  readonly type: InvoiceType;
  /** Line indices in the layout: the first line, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

interface Anchor {
  readonly number?: InvoiceNumber;
  readonly line: number;
  readonly type: InvoiceType | undefined;
}

/** Maximum number of invoices per text. */
const partsMax = 60;

export function findParts(layout: Layout): InvoicePart[] {
  const anchors = findAnchors(layout);
  const parts: InvoicePart[] = [];
  // What stands above the first separator, such as a covering e-mail, belongs to no invoice.
  let from =
    layout.lines
      .slice(0, (anchors[0]?.line ?? 0) + 1)
      .findLast((line) => isDivider(line) && !pageWord.test(line.segments[0]!.folded))?.index ?? 0;
  for (const [index, anchor] of anchors.entries()) {
    const next = anchors[index + 1];
    const to = next === undefined ? layout.lines.length : boundaryBetween(layout, anchor.line, next.line);
    const type =
      anchor.type === undefined || anchor.type === 'invoice'
        ? (titleIn(layout, from, anchor.line + 3) ?? anchor.type)
        : anchor.type;
    parts.push({
      ...(anchor.number === undefined ? {} : { number: anchor.number }),
      type: type ?? 'invoice',
      from,
      to,
    });
    from = to;
  }
  return parts.slice(0, partsMax);
}

/** One per number, in text order; if no number is labelled, one for a separate title. */
function findAnchors(layout: Layout): Anchor[] {
  const anchors: Anchor[] = [];
  const seen = new Set<string>();
  for (const line of layout.lines) {
    for (const segment of line.segments) {
      const anchor = anchorAt(layout, segment);
      const key = anchor?.number?.value.toLowerCase();
      if (anchor === undefined || key === undefined || seen.has(key)) continue;
      seen.add(key);
      // A second number below the same title belongs to the same invoice.
      if (anchors.length === 0 || startsAnew(layout, anchors.at(-1)!, anchor)) anchors.push(anchor);
    }
  }
  if (anchors.length > 0) return anchors;
  const title = layout.lines.slice(0, 60).find(({ segments }) => segments.some(isTitle));
  return title === undefined ? [] : [{ line: title.index, type: invoiceTypeOf(title.segments.find(isTitle)!.folded) }];
}

/** Two invoices are separated by a title, a rule or a page mark. */
function startsAnew({ lines }: Layout, before: Anchor, after: Anchor): boolean {
  if (before.line === after.line) return false;
  if (before.type !== after.type && after.type !== undefined) return true;
  return lines
    .slice(before.line + 1, after.line + 1)
    .some((line) => line.segments.some(isTitle) || line.follows === 'rule' || isDivider(line));
}

export function isTitle({ folded }: Segment): boolean {
  if (folded.length > 90) return false;
  const plain = spacedOut.test(folded) ? folded.replace(/ /g, '') : folded;
  const match = titleShape.exec(plain);
  if (match === null || match.index > 12) return false;
  const rest = plain.slice(match.index + match[0].length);
  return (
    !/[a-z]{2}.*[a-z]{3}.*[a-z]{3}/.test(rest) ||
    (titledNumber.test(plain) && /^[ ]?[:–—-]?[ ]?(?:n|\d|[a-z]{1,4}[-/ ]?\d)/.test(rest))
  );
}

/** "R E C H N U N G" */
const spacedOut = /^(?:[a-z] ){4,20}[a-z]$/;

function titleIn({ lines }: Layout, from: number, to: number): InvoiceType | undefined {
  const types = lines
    .slice(from, to)
    .flatMap(({ segments }) =>
      segments
        .filter(isTitle)
        .map(({ folded }) => invoiceTypeOf(spacedOut.test(folded) ? folded.replace(/ /g, '') : folded)),
    );
  return types.find((type) => type !== undefined && type !== 'invoice') ?? types[0];
}

const numberShape = /^((?:[A-Za-z]{1,4}[ ])?(?=[^\s]{0,30}\d)[\p{L}\d][\p{L}\d/._\-–#]{0,30})(?=$|[\s,;:|)—–(])/u;

function anchorAt(layout: Layout, segment: Segment): Anchor | undefined {
  if (segment.folded.length > 400) return undefined;
  const starts = [
    0,
    ...[...segment.folded.matchAll(/[|—–,;:(]\s{0,3}|\s(?=(?:no|nr|n°)\.? )/g)]
      .slice(0, 8)
      .map((match) => match.index + match[0].length),
  ];
  for (const start of starts) {
    const folded = segment.folded.slice(start);
    const isBehindDash = /[|—–]\s{0,3}$/.test(segment.folded.slice(0, start));
    const reach = isBehindDash ? 18 : 40;
    const lead = segment.folded.slice(0, start);
    // The first word may be cut.
    const near = lead.length > reach ? lead.slice(-reach).replace(/^[a-z]+/, '') : lead;
    if (start > 0 && otherInvoice.test(near)) continue;
    const label = numberLabels.map((shape) => shape.exec(folded)?.[0]).find((found) => found !== undefined);
    if (label !== undefined && otherInvoice.test(label)) continue;
    const type = invoiceTypeOf(label ?? folded.slice(0, 60));
    if (label !== undefined) {
      const number = numberFor(layout, segment, start + label.length);
      if (number !== undefined && !isReference(layout, segment, start)) return { number, line: segment.line, type };
      if (number !== undefined || !titleShape.test(label)) continue;
    }
    // "Your tax is due — SELF-BILLED INVOICE 77": a title behind a dash begins with a capital.
    const isTitled = start === 0 || (isBehindDash && /^\p{Lu}/u.test(segment.text.slice(start)));
    const title = isTitled ? titledNumber.exec(folded)?.[0] : undefined;
    const titled =
      (title === undefined ? undefined : numberIn(segment, start + title.length, true)) ??
      (start === 0 ? besideTitle(layout, segment) : undefined);
    if (titled !== undefined) return { number: titled, line: segment.line, type };
    const bare = bareNumber.exec(folded)?.[0];
    if (bare !== undefined && isUnderTitle(layout, segment, start)) {
      const number = numberIn(segment, start + bare.length, true);
      if (number !== undefined) return { number, line: segment.line, type: undefined };
    }
  }
  return undefined;
}

/** "FAKTURA      KOR/14/2026": a number in the next column of a title that stands alone. */
function besideTitle(layout: Layout, segment: Segment): InvoiceNumber | undefined {
  const rest = segment.folded.replace(titleShape, '').replace(/[^a-z0-9]/g, '');
  const right = rightOf(layout, segment);
  if (rest !== '' || !titleShape.test(segment.folded) || right === undefined) return undefined;
  const found = numberIn(right, 0, true);
  return found !== undefined && found.value.length >= right.text.length - 3 ? found : undefined;
}

/** "Our ref: invoice no. 12" and "in respect of our invoice no. 12" name another invoice. */
function isReference(layout: Layout, segment: Segment, start: number): boolean {
  const before = start > 0 ? segment.folded.slice(0, start) : (leftOf(layout, segment)?.folded ?? '');
  return /[a-z]/.test(before) && otherInvoice.test(before.slice(-40)) && !titleShape.test(before);
}

function isUnderTitle(layout: Layout, segment: Segment, start: number): boolean {
  if (start > 0) return titleShape.test(segment.folded.slice(0, start)) && start < 40;
  const left = leftOf(layout, segment);
  if (left !== undefined && isTitle(left)) return true;
  return [1, 2].some((by) => layout.lines[segment.line - by]?.segments.some(isTitle) ?? false);
}

/** The number directly after the label, in the cell on the right, or below it. */
function numberFor(layout: Layout, segment: Segment, offset: number): InvoiceNumber | undefined {
  const rest = segment.text.slice(offset).trim();
  if (rest !== '' && rest !== ':') return numberIn(segment, offset, false);
  const right = rightOf(layout, segment);
  const isHeader = right !== undefined && !/\d/.test(right.text);
  if (right !== undefined && !isHeader) {
    const found = numberIn(right, 0, false);
    if (found !== undefined) return found;
  }
  const below = verticalOf(layout, segment, 1);
  return below === undefined || (right === undefined && below.text.length > 40) ? undefined : numberIn(below, 0, false);
}

/** @param strict the words before it are not a label for a number, so it must not look like a date, a page or an amount */
function numberIn({ text, start }: Segment, offset: number, strict: boolean): InvoiceNumber | undefined {
  const shown = text.slice(offset);
  const lead = /^[\s:#.*°º]{0,6}/.exec(shown)![0].length;
  const match = numberShape.exec(shown.slice(lead));
  if (match === null) return undefined;
  let value = match[1]!.replace(/[.,–-]+$/, '');
  // "2026 0415" and "FT A/12" are one number; "12 vom" is not.
  const follows = /^ (\d{2,8})(?=$|[\s,;|])/.exec(shown.slice(lead + value.length));
  if (follows !== null && /^\d{2,6}$/.test(value)) value += follows[0];
  // Some issuers number by month and year: "nr 17/05/2026".
  if (/^\d{1,2}[.-]\d{1,2}[.-]\d{2,4}$|^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  if ((strict || offset === 0) && /^\d{1,2}\/\d{1,2}\/\d{2,4}$/.test(value)) return undefined;
  if (strict && (/^(?:19|20)\d\d$|^\d{1,2}$|^\d{1,2}\/\d{1,2}$|^\d+[.,]\d\d$/.test(value) || !/\d/.test(value)))
    return undefined;
  if (/^[a-z]+ /.test(value) && !/^[A-Z]/.test(value)) value = value.replace(/^[a-z]+ /, '');
  return { value, start: start + offset + lead, end: start + offset + lead + value.length };
}

const dividerShape =
  /^[=#*\s-]{0,40}(?:scan|attachment|anlage|anhang|beleg|document|dokument|doc|invoice|page|seite|annex|piece|allegato|allegato|bijlage|bilaga|vedlegg|zalacznik|priloha|file|image|bild)[ #_-]{0,2}(?:n[ro°]\.? ?)?\d{1,4}(?:[ ,:/|-].{0,50})?$/;

const pageWord = /(?:page|seite|doc|document|dokument|piece|file)[ #_-]/;

function isDivider({ segments }: Line): boolean {
  return (
    segments.length === 1 && dividerShape.test(segments[0]!.folded) && !/(?:seite|page) [2-9]/.test(segments[0]!.folded)
  );
}

/** "======== page 2 of 3": between two invoices, the second begins behind the last of them. */
function isPageRule({ segments }: Line): boolean {
  return segments.length === 1 && pageRule.test(segments[0]!.folded);
}

const pageRule =
  /^[=#*_~-]{3,160}\s{0,3}(?:page|seite|blatt|pagina|pag\.|side|sida|sidan|strona|str\.|strana|scan|sheet)\s?\d{1,4}(?!\d).{0,30}$/;

/** The line that begins the second invoice: after a separator, else after the last rule, else at its title. */
function boundaryBetween({ lines }: Layout, before: number, after: number): number {
  const between = lines.slice(before + 1, after + 1);
  const divider = between.findLast((line) => isDivider(line) || isPageRule(line));
  if (divider !== undefined) return divider.index;
  const rule = between.findLast(
    ({ follows, segments, index }) =>
      follows === 'rule' && after - index < 14 && !/^\W*(?:total|sum|gesamt)/.test(segments[0]!.folded),
  );
  if (rule !== undefined) return rule.index;
  const title = between.findLast(({ segments }) => segments.some(isTitle));
  const start = title?.index ?? after;
  // The letterhead above a title belongs to it.
  let head = start;
  for (let at = start; at > before + 1 && start - at < 8; at -= 1) if (lines[at]!.follows === 'gap') head = at;
  return head;
}
