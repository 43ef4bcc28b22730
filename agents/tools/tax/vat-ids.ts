/** Finds VAT identification numbers in a text and checks their format and check digits. */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { phraseShape } from './fold.ts';
import { labelsOf } from './labels.ts';
import type { Layout, Segment } from './layout.ts';
import { byPrefix, type CompiledCountry, checkVatId, prefixShape, type VatVerdict } from './vat-forms.ts';
import { nationalNumbers } from './vat-national.ts';

export { checkVatId } from './vat-forms.ts';

export interface FoundVatId extends Range {
  readonly country: string;
  /** Prefix and number without separators. */
  readonly number: string;
  /** A valid number may still be unregistered: only VIES knows. */
  readonly verdict: VatVerdict;
}

/**
 * In text order: numbers with the prefix of their country (`DE 136 695 976`, `ATU13585627`, `CHE-123.456.788 MWST`), and
 * national formats after a label that names them (`NIP 856-734-62-15`, `Org.nr. 974 760 673 MVA`). Bank accounts, EORI numbers,
 * order numbers and samples are excluded. An invalid number is reported only after a label such as "VAT" or in a column of that
 * name.
 */
export function findVatIds(layout: Layout): FoundVatId[] {
  const { text } = layout.document;
  const segments = layout.lines.flatMap((line) => line.segments);
  const others = otherNumbers(text);
  const found: FoundVatId[] = [];
  for (const match of text.matchAll(prefixShape)) {
    const start = match.index;
    if (start < (found.at(-1)?.end ?? 0)) continue;
    const at = start + match[0].length;
    if (!mayFollow(text, at)) continue;
    if (others.some((range) => range.start <= start && start < range.end)) continue;
    const index = indexAt(segments, start);
    const segment = index === undefined ? undefined : segments[index];
    if (segment === undefined) continue;
    const label = labelKind(layout, segment, start, found.at(-1)?.end);
    if (label === 'other') continue;
    const country = byPrefix.get(match[0])!;
    const id =
      withForm(text, start, at, country, label) ??
      (label === 'vat' ? withoutForm(text, start, at, country) : undefined);
    if (id !== undefined && !isSample(id.number, segment)) found.push(id);
  }
  for (const { country, range, body } of nationalNumbers(layout)) {
    if (found.some(({ start, end }) => start < range.end && range.start < end)) continue;
    if (others.some(({ start, end }) => start < range.end && range.start < end)) continue;
    const number = country + body;
    found.push({ ...range, country, number, verdict: checkVatId(number) ?? 'wrong_form' });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** A cheap test: a digit within the first characters after the prefix. */
function mayFollow(text: string, at: number): boolean {
  for (let index = at; index < at + 6; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0x30 && code <= 0x39) return true;
  }
  return false;
}

const vatLabel = phraseShape(
  'vat*|v a t|p lva|ust id*|ustid*|ust nr|umsatzsteuer id*|umsatzsteueridentifikationsnummer|uid*|tva|iva|p iva|piva|nif|nif iva|cif|btw*|mva|moms*|mwst*|dic|ic dph|nip|alv*|arvonlisavero*|afm|αφμ|oib|pdv*|ddv*|id za ddv|pvm*|kmkr*|kmk|pvn*|zdds|зддс|cui|nipc|contribuinte|adoszam|kozossegi adoszam|tax id|gst',
);
const otherLabel = phraseShape(
  'iban|bic|konto|account|account no|acct|eori*|order*|po|p o|purchase order|bestell*|auftrag*|commande|ordine|ordre*|pedido|encomenda|bestelling|zamowieni*|objednavk*|customer no|customer number|customer id|kundennummer|kundennr|kunden nr|nr klienta|client no|n client|debiteurnr|debitor*|kreditor*|lieferantennummer|lieferanten nr|supplier no|supplier number|vendor no|vendor number|n fournisseur|codice fornitore|codigo proveedor|leveranciersnummer|contract*|vertrag*|contrat|contratto|contrato|umow*|overeenkomst|kenmerk|referenz|referenz nr|ihre referenz|your ref|our ref|ref|reference|aktenzeichen|matter*|file no|project*|projekt*|serial*|s n|lot|batch|charge|lieferschein*|delivery note|tracking|sendung*|register*|reg no|company no|co no|hrb|hra|kvk|siren|siret|rcs|rea|krs|regon|ico|fn|steuernummer|st nr|steuer nr|codice fiscale|c f|gläubiger id|glaubiger id|glaubiger identifikationsnummer|creditor id*|sepa|mandat*|duns|lei|excise|verbrauchsteuer*|accijns|seed|kid|gln|ean|gtin|phone|tel|fax|ticket|policy|police|licence|passport|invoice no|invoice number|rechnungsnummer|rechnung nr|quote|patent',
);

/** "VAT reg. no." names a VAT number and not a register. */
const registration =
  /(?<![a-z])(?:vat|v\.a\.t\.|moms|mva|gst|tva|iva|btw|ust|mwst|dph|alv|pdv)[ .-]{0,3}(?:reg[a-z]*|id[a-z-]*)[ .-]{0,3}(?:no|nr|number|nummer|code)?/g;

/** The kind of number according to the nearest words. @param since the end of the previous number */
function labelKind(layout: Layout, segment: Segment, start: number, since = 0): 'vat' | 'other' | 'none' {
  for (const { folded, place } of labelsOf(
    layout,
    segment,
    { start, end: start + 2 },
    Math.max(since, segment.start),
  )) {
    const named = folded.replace(registration, 'vat ');
    const clause =
      place === 'own'
        ? named.split(/[|;·()]|,(?= )|\s[—–]\s/).findLast((part) => /[a-z\u0370-\u04ff]/.test(part))!
        : named;
    const vat = lastEnd(vatLabel, clause ?? '');
    const other = lastEnd(otherLabel, clause ?? '');
    if (place === 'own' && vat === -1 && other === -1) {
      // "VAT numbers: ATU…, DE…": the label precedes the first of them.
      if (lastEnd(vatLabel, folded) > lastEnd(otherLabel, folded)) return 'vat';
      if (place === 'own' && /[a-z]/.test(clause ?? '')) break;
      continue;
    }
    if (vat === -1 && other === -1) continue;
    return vat >= other ? 'vat' : 'other';
  }
  if (since > segment.start && since <= start) {
    const before = segment.folded.slice(Math.max(0, since - segment.start - 240), since - segment.start);
    return lastEnd(vatLabel, before) > lastEnd(otherLabel, before) ? 'vat' : 'none';
  }
  return 'none';
}

function lastEnd(shape: RegExp, folded: string): number {
  let end = -1;
  for (const match of folded.slice(-240).matchAll(new RegExp(shape.source, 'g'))) end = match.index + match[0].length;
  return end;
}

function withForm(
  text: string,
  start: number,
  at: number,
  { country, shapes }: CompiledCountry,
  label: 'vat' | 'none',
): FoundVatId | undefined {
  let wrong: FoundVatId | undefined;
  for (const shape of shapes) {
    shape.lastIndex = at;
    const match = shape.exec(text);
    if (match === null) continue;
    const body = match[0].replace(/[ \u00a0.:/-]/g, '');
    const suffix = suffixShape.exec(text.slice(at + match[0].length, at + match[0].length + 8))?.[0].length ?? 0;
    const isNamed = label === 'vat' || suffix > 0;
    // So short that it may be any number or one of a register: only adjacent words make it a VAT id.
    if (!isNamed && (body.length < 8 || country.prefix === 'CHE' || country.prefix === 'NO')) continue;
    const verdict = country.hasCheckDigits(body) ? 'valid' : 'wrong_check_digits';
    const id: FoundVatId = {
      start,
      end: at + match[0].length,
      country: nameOf(country.prefix),
      number: country.prefix + body,
      verdict,
    };
    if (verdict === 'valid') return id;
    if (isNamed) wrong ??= id;
  }
  return wrong;
}

const suffixShape = /^[ \u00a0-]?(?:MWST|MwSt|TVA|IVA|MVA)(?![A-Za-z])/;
const nameOf = (prefix: string) => (prefix === 'CHE' ? 'CH' : prefix);
const anyNumber = /[ \u00a0.:-]?(?=[A-Z]{0,3}\d)[A-Z\d](?:[ \u00a0./-]?[A-Z\d]){3,15}(?![A-Za-z\d])/y;

function withoutForm(text: string, start: number, at: number, { country }: CompiledCountry): FoundVatId | undefined {
  anyNumber.lastIndex = at;
  const match = anyNumber.exec(text);
  if (match === null) return undefined;
  const body = match[0].replace(/[ \u00a0.:/-]/g, '');
  if (body.replace(/\D/g, '').length < 4) return undefined;
  return {
    start,
    end: at + match[0].length,
    country: nameOf(country.prefix),
    number: country.prefix + body,
    verdict: 'wrong_form',
  };
}

const sampleWord = phraseShape(
  'specimen|example|e g|eg|such as|z b|zb|beispiel|muster|format|formats|mask|masks|template|sample|exemple|p ex|esempio|ejemplo|voorbeeld|przyklad|vzor|eingabemaske|placeholder|platzhalter|dummy',
);

/** Input masks and the examples in manuals: one repeated digit, or ascending digits next to such words. */
function isSample(number: string, { folded }: Segment): boolean {
  const digits = number.replace(/\D/g, '');
  if (/^(\d)\1{5,}$/.test(digits) || digits === '') return true;
  return ('01234567890123'.includes(digits) || /^12345678?9?/.test(digits)) && sampleWord.test(folded);
}

/** Lengths of IBANs by country (ISO 13616 registry). */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  'AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GR27 HR21 HU28 IE22 IT27 LT20 LU20 LV21 MT31 NL18 NO15 PL28 PT25 RO24 SE24 SI19 SK24'
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

/** Ranges of bank accounts, creditor identifiers and EORI numbers. */
function otherNumbers(text: string): Range[] {
  const ranges: Range[] = [];
  for (const match of text.matchAll(/(?<![A-Za-z0-9])([A-Z]{2})\d\d(?=[ \u00a0]?[A-Z\d])/g)) {
    const length = ibanLengths.get(match[1]!);
    if (length === undefined) continue;
    const end = endOfSigns(text, match.index, length);
    if (end !== undefined) ranges.push({ start: match.index, end });
  }
  for (const match of text.matchAll(/EORI[^A-Z\d\n]{0,16}(?:[A-Za-z.:]{1,10}[ :]{1,3})?[A-Z]{2}[ ]?[A-Z\d]{5,15}/g))
    ranges.push({ start: match.index, end: match.index + match[0].length });
  for (const match of text.matchAll(/(?<![A-Za-z0-9])[A-Z]{2}\d\d[A-Z]{3}\d{6,14}/g))
    ranges.push({ start: match.index, end: match.index + match[0].length });
  return ranges;
}

/** @returns the end of this many letters and digits, with single blanks between; undefined if they do not end there */
function endOfSigns(text: string, start: number, count: number): number | undefined {
  let signs = 0;
  let at = start;
  for (; at < text.length && signs < count; at += 1) {
    if (/[A-Z\d]/.test(text[at]!)) signs += 1;
    else if (!/[ \u00a0]/.test(text[at]!) || !/[A-Z\d]/.test(text[at + 1] ?? '')) return undefined;
  }
  return signs === count && !/[A-Za-z\d]/.test(text[at] ?? '') ? at : undefined;
}
