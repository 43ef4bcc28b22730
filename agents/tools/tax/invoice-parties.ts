/** Seller and buyer of an invoice: by a label, else by the order of the addresses. */
import type { Range } from '../text/span.ts';
import { beginsWithForm, cleanName, companyIn, endsWithForm, isAddressLine, isTownLine } from './companies.ts';
import { findIssuer, type InvoiceIssuer } from './invoice-issuers.ts';
import type { InvoicePart } from './invoice-parts.ts';
import { isTitle } from './invoice-parts.ts';
import { isSame, labelAt, looksLikeName } from './invoice-party-words.ts';
import { type Layout, leftOf, rightOf, type Segment, verticalOf } from './layout.ts';

export interface InvoiceParty extends Range {
  readonly name: string;
  /** Whether an address is next to the name. */
  readonly hasAddress: boolean;
  /** Whether a label names it, as opposed to its position. */
  readonly isLabelled: boolean;
}

export interface InvoiceParties {
  readonly seller?: InvoiceParty;
  readonly buyer?: InvoiceParty;
}

export function findParties(layout: Layout, part: InvoicePart): InvoiceParties {
  const labelled = labelledParties(layout, part);
  if (labelled.seller !== undefined && labelled.buyer !== undefined) return labelled;
  const names = namesByPlace(layout, part).filter(
    ({ name }) => !isSame(name, labelled.seller?.name) && !isSame(name, labelled.buyer?.name),
  );
  if (labelled.seller !== undefined) return { ...labelled, ...(names[0] === undefined ? {} : { buyer: names[0] }) };
  const issuer = findIssuer(layout, part, labelled.buyer?.name);
  if (issuer === undefined) {
    const [first, second] = names;
    const [seller, buyer] = labelled.buyer === undefined ? [first, second] : [first, labelled.buyer];
    return { ...(seller === undefined ? {} : { seller }), ...(buyer === undefined ? {} : { buyer }) };
  }
  const buyer = labelled.buyer ?? names.find(({ name }) => !isOfIssuer(name, issuer.name));
  return { seller: sellerFrom(issuer, names), ...(buyer === undefined ? {} : { buyer }) };
}

/** The issuer's name in the letterhead, else in its registration. */
function sellerFrom({ name, start, end }: InvoiceIssuer, names: readonly InvoiceParty[]): InvoiceParty {
  const placed = names.find((each) => isSame(each.name, name));
  return placed ?? { name, start, end, hasAddress: true, isLabelled: false };
}

/** "Alder Kundenservice" in the letterhead of Alder GmbH. */
function isOfIssuer(name: string, issuer: string): boolean {
  const first = (words: string) => /^[\p{L}\p{N}]{3,}/u.exec(words.toLowerCase())?.[0];
  return isSame(name, issuer) || (first(name) !== undefined && first(name) === first(issuer));
}

function labelledParties(layout: Layout, { from, to }: InvoicePart): InvoiceParties {
  const found: { seller?: InvoiceParty; buyer?: InvoiceParty } = {};
  for (const line of layout.lines.slice(from, to)) {
    if (isMailHeader(layout, line.index)) continue;
    for (const segment of line.segments) {
      const label = labelAt(segment);
      if (label === undefined || label.side === 'other' || found[label.side] !== undefined) continue;
      const party = partyBehind(layout, segment, label.length);
      if (party !== undefined) found[label.side] = party;
    }
  }
  return found;
}

/** "To: AP inbox" between the sender and the subject of an e-mail names no party of an invoice. */
function isMailHeader({ lines }: Layout, index: number): boolean {
  const near = lines.slice(Math.max(0, index - 4), index + 5).map(({ segments }) => segments[0]!.folded);
  return mailField.test(lines[index]!.segments[0]!.folded) && near.some((folded) => mailSubject.test(folded));
}

const mailSubject =
  /^[>\s]{0,6}(?:subject|betreff|objet|asunto|oggetto|onderwerp|emne|amne|temat|predmet|assunto|aihe)\s?:/;
const mailField =
  /^[>\s]{0,6}(?:from|to|cc|sent|date|von|an|gesendet|de|a|para|envoye|enviado|fecha|da|inviato|van|aan|verzonden|fra|til|sendt|fran|till|skickat|od|do|wyslano|komu)\s?:/;

/** The value directly after the label, in the cell on the right, or below it. */
function partyBehind(layout: Layout, segment: Segment, length: number): InvoiceParty | undefined {
  const rest = segment.text.slice(length).trim();
  if (rest !== '') return partyFrom(layout, segment, length);
  const right = rightOf(layout, segment);
  if (right !== undefined && labelAt(right) === undefined && looksLikeName(right.text)) {
    const below = verticalOf(layout, segment, 1);
    const isColumn =
      below !== undefined &&
      layout.lines[below.line]!.follows === 'line' &&
      !isTownLine(right.text) &&
      looksLikeName(below.text) &&
      (companyIn(below.text) !== undefined || companyIn(right.text) === undefined) &&
      !isTitle(right) &&
      companyIn(right.text) === undefined;
    if (!isColumn) return partyFrom(layout, right, 0);
  }
  for (const by of [1, 2]) {
    const below = belowOf(layout, segment, by);
    if (below === undefined) continue;
    if (labelAt(below) !== undefined || !looksLikeName(below.text)) return undefined;
    return partyFrom(layout, below, 0);
  }
  return undefined;
}

/** In the same columns; a line with one segment at the left belongs only to the left column. */
function belowOf(layout: Layout, segment: Segment, by: number): Segment | undefined {
  const exact = verticalOf(layout, segment, by);
  if (exact !== undefined) return exact;
  const line = layout.lines[segment.line + by];
  const [only] = line?.segments ?? [];
  return line?.segments.length === 1 && only !== undefined && Math.abs(only.from - segment.from) <= 8
    ? only
    : undefined;
}

function partyFrom(layout: Layout, segment: Segment, offset: number): InvoiceParty | undefined {
  const shown = segment.text.slice(offset);
  const start = segment.start + offset + (shown.length - shown.trimStart().length);
  const text = shown.trim();
  // "Alder s.c., ul. Długa 4, NIP 123": what stands behind the name says nothing against it.
  if (!looksLikeName(text.split(/[,;·|]\s/)[0]!)) return undefined;
  const next = belowOf(layout, segment, 1);
  let name = companyIn(text);
  if (name === undefined) {
    const first = cleanName(text.split(/\s[–—|·]\s|,\s|;|\s\(/)[0]!);
    const joins =
      next !== undefined &&
      !isAddressLine(next.text) &&
      layout.lines[next.line]!.follows === 'line' &&
      (beginsWithForm(next.text) ||
        (/^\p{Ll}|^i |^& |^und |^et |^e /u.test(next.text) &&
          companyIn(next.text.replace(/^./u, (c) => c.toUpperCase())) !== undefined) ||
        (endsWithForm(next.text) && next.text.split(' ').length <= 3 && first.split(' ').length <= 4));
    name = joins ? cleanName(`${first} ${companyIn(next.text) ?? next.text}`) : first;
  }
  if (name.length < 3) return undefined;
  const own = text.slice(Math.max(0, text.indexOf(name) + name.length));
  const hasAddress =
    isAddressLine(own) ||
    namesPlace(own) ||
    [1, 2, 3, 4, 5].some((by) => {
      const line = layout.lines[segment.line + by];
      const below = belowOf(layout, segment, by);
      if (
        line === undefined ||
        below === undefined ||
        layout.lines.slice(segment.line + 1, segment.line + by + 1).some(({ follows }) => follows !== 'line')
      )
        return false;
      return isAddressLine(below.text);
    });
  return { name, start, end: Math.min(segment.end, start + Math.max(name.length, 1)), hasAddress, isLabelled: true };
}

/** "…, Dock Road, Felixstowe": words behind the name that are no registration. */
function namesPlace(own: string): boolean {
  return own
    .split(/[,;·|]|\s[–-]\s/)
    .slice(1)
    .some((part) => /^\s*\p{Lu}\p{Ll}{2,}/u.test(part) && !/\d{5}/.test(part.replace(/\b\d{5}\b/, '')));
}

/** A letterhead may name its company twice before the buyer. */
const namesMax = 3;

/** Names above an address or with a legal form, without duplicates, in text order; excludes delivery addresses and banks. */
function namesByPlace(layout: Layout, { from, to }: InvoicePart): InvoiceParty[] {
  const found: InvoiceParty[] = [];
  const add = (party: InvoiceParty | undefined) => {
    if (party !== undefined && !found.some(({ name }) => isSame(name, party.name)))
      found.push({ ...party, isLabelled: false });
  };
  const bodyEnd = Math.min(to, from + 400);
  for (const line of layout.lines.slice(from, bodyEnd)) {
    for (const segment of line.segments) {
      if (isOfOther(layout, segment) || isProse(segment) || isLabelAlone(segment)) continue;
      const company = companyIn(segment.text);
      if (
        company !== undefined &&
        segment.text.length <= 160 &&
        looksLikeName(company) &&
        !isSentence(segment.text, company)
      )
        add(partyFrom(layout, segment, segment.text.indexOf(company)));
      else if (isNameOverTown(layout, segment, from)) add(partyFrom(layout, segment, 0));
    }
    if (found.length >= namesMax) break;
  }
  return found;
}

/** Sentences name companies that are not parties of the invoice: "… are sold by Alder Ltd". */
function isProse({ text }: Segment): boolean {
  return (text.match(/(?<!\p{L})\p{Ll}{2,}(?!\p{L})/gu) ?? []).length >= 6;
}

function isLabelAlone(segment: Segment): boolean {
  const label = labelAt(segment);
  return label !== undefined && label.length >= segment.text.trimEnd().length;
}

function isSentence(text: string, company: string): boolean {
  const rest = text.slice(text.indexOf(company) + company.length);
  return text.indexOf(company) > 30 || (rest.split(' ').length > 12 && /\.$/.test(text));
}

/** "Bakker & Zoon, Dorpsweg 14, 4735 AB Oudenbosch" in one line. */
function isNameBeforeTown(segment: Segment): boolean {
  const parts = segment.text.split(/,\s|\s[·|]\s/);
  const [name = ''] = parts;
  if (parts.length < 2 || parts.length > 5 || segment.text.length > 140 || /[:\d]/.test(name) || isTitle(segment))
    return false;
  return looksLikeName(name) && name.split(' ').length <= 7 && parts.slice(1).some((part) => isTownLine(part));
}

/** The first line of a block that ends with a town. */
function isNameOverTown(layout: Layout, segment: Segment, from: number): boolean {
  if (isNameBeforeTown(segment)) return true;
  if (!looksLikeName(segment.text) || isAddressLine(segment.text) || segment.text.includes(':') || isTitle(segment))
    return false;
  const above = verticalOf(layout, segment, -1);
  const isFirst =
    segment.line === from ||
    above === undefined ||
    layout.lines[segment.line]!.follows !== 'line' ||
    labelAt(above) !== undefined;
  if (!isFirst) return false;
  for (let by = 1; by <= 4; by += 1) {
    const line = layout.lines[segment.line + by];
    if (line === undefined || (line.follows !== 'line' && by > 1)) return false;
    const below = belowOf(layout, segment, by);
    if (below === undefined) return false;
    if (isTownLine(below.text)) return true;
  }
  return false;
}

/** Below or after a label for a delivery, a carrier or a bank. */
function isOfOther(layout: Layout, segment: Segment): boolean {
  const left = leftOf(layout, segment);
  if (labelAt(segment)?.side === 'other' || (left !== undefined && labelAt(left)?.side === 'other')) return true;
  if (/\b(?:sparkasse|bank|iban|bic|swift)\b/i.test(segment.text)) return true;
  for (const by of [-1, -2]) {
    const above = verticalOf(layout, segment, by);
    if (above !== undefined && labelAt(above)?.side === 'other') return true;
  }
  return false;
}
