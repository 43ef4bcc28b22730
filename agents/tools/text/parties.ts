/** Finds the parties to a contract: names to which its opening assigns a role. */
import { findDefinitions } from './definitions.ts';
import { trimRange } from './lines.ts';
import type { Range } from './span.ts';

export interface Party extends Range {
  /** As written; the range is that of the name. */
  readonly name: string;
  /** "Supplier", if one is given. */
  readonly role?: string;
  /** Legal form such as "GmbH", if the name ends with a known one. */
  readonly legalForm?: string;
}

/** Maximum number of parties: a text with more is a list. */
const partiesMax = 40;

/** Maximum distance between a party and its role, with address and registration between them. */
const lookBackCharacters = 500;

/**
 * Two forms: `Acme GmbH, a company …, (the "Supplier")`, and lines `Supplier: Acme GmbH` whose label is a known role. A name
 * counts if it has a legal form or a known role. Ordered by position in the text, each role once.
 */
export function findParties(text: string): Party[] {
  const parties: Party[] = [];
  let floor = 0;
  for (const definition of findDefinitions(text)) {
    if (parties.length >= partiesMax) break;
    if (definition.kind !== 'inline') continue;
    const opened = text.lastIndexOf('(', definition.start);
    const name = nameBefore(text, Math.max(floor, opened - lookBackCharacters), opened, floor > 0);
    if (name === undefined) continue;
    const party = partyOf(text, name, definition.term);
    if (party === undefined || parties.some(({ role }) => role === party.role)) continue;
    parties.push(party);
    floor = definition.end;
  }
  for (const party of labelledParties(text)) {
    if (!parties.some(({ role, name }) => role === party.role || name === party.name)) parties.push(party);
  }
  return parties.sort((a, b) => a.start - b.start);
}

const roles = new Set(
  (
    'supplier customer client buyer seller purchaser vendor company licensor licensee provider contractor subcontractor employer ' +
    'employee landlord tenant lessor lessee lender borrower guarantor consultant agency agent principal distributor ' +
    'manufacturer disclosing receiving recipient discloser controller processor investor investors founder founders ' +
    'shareholder partner reseller publisher author service franchisor franchisee insurer insured owner operator ' +
    'auftraggeber auftragnehmer kunde lieferant verkäufer käufer arbeitgeber arbeitnehmer vermieter mieter ' +
    'prestataire fournisseur vendeur acheteur objednatel dodavatel zhotovitel kupující prodávající zaměstnavatel zaměstnanec'
  ).split(' '),
);

const legalForm =
  /(?:^|[ ,\u00a0])(Ltd\.?|Limited|LLC|L\.L\.C\.|LLP|Inc\.?|Incorporated|Corp\.?|Corporation|plc|PLC|GmbH(?: & Co\. KG(?:aA)?)?|AG|SE|KG|OHG|UG|e\.V\.|S\.A\.S?\.?|SA|SAS|SARL|S\.à r\.l\.|S\.r\.l\.|S\.p\.A\.|SpA|Srl|B\.V\.|BV|N\.V\.|NV|s\.r\.o\.|a\.s\.|k\.s\.|sp\. z o\.o\.|S\.L\.|Lda\.?|Oy|Oyj|AB|A\/S|ApS|AS|d\.o\.o\.|Kft\.?|Zrt\.?|Pty Ltd\.?|Foundation|University)$/u;

function nameBefore(text: string, from: number, opened: number, follows: boolean): Range | undefined {
  const before = text.slice(from, opened);
  let start = 0;
  for (const match of before.matchAll(
    /\b(?:between|among|zwischen|entre|mezi)\b:?|\n[ \t]{0,8}(?:\(?[\dA-Za-z]{1,2}[.)]|\n)[ \t]{0,4}/gu,
  )) {
    start = match.index + match[0].length;
  }
  const connected = /^[\s,;."”)]{0,6}(?:and|und|et|a|y|e)[ \n]/u.exec(before);
  if (start === 0 && follows && connected !== null) start = connected[0].length;
  const lead =
    /^\s{0,8}(?:(?:and|und|et)\s{1,4})?(?:\(?[\dA-Za-z]{1,2}[.)]\s{1,4})?(?:(?:by and )?between\s{1,4})?/u.exec(
      before.slice(start),
    );
  start += lead?.[0].length ?? 0;
  const rest = before.slice(start);
  const stop =
    /,(?! (?:Inc|Ltd|LLC|S\.A|s\.r\.o|a\.s|L\.P|LP|GmbH|Limited)\b)|;|\n\n| [–—] |\(| a (?:company|limited|corporation|private|public|natural) | with (?:its |a )?(?:registered|seat)| registered | born /u.exec(
      rest,
    );
  const name = withoutMarks(text, { start: from + start, end: from + start + (stop?.index ?? rest.length) });
  const length = name.end - name.start;
  const isSentence = /\b(?:Agreement|Contract|This)\b/.test(text.slice(name.start, name.end));
  return !isSentence && length >= 2 && length <= 120 && /^[\p{Lu}\d]/u.test(text.slice(name.start, name.start + 2))
    ? name
    : undefined;
}

/** Removes blanks and Markdown's asterisks and backticks at both ends. */
function withoutMarks(text: string, range: Range): Range {
  let { start, end } = trimRange(text, range);
  while (start < end && '*_`'.includes(text[start]!)) start += 1;
  while (end > start && '*_`'.includes(text[end - 1]!)) end -= 1;
  return { start, end };
}

function partyOf(text: string, range: Range, role: string): Party | undefined {
  const name = text.slice(range.start, range.end).replace(/\s{1,40}/g, ' ');
  const form = legalForm.exec(name)?.[1];
  const known = role
    .toLowerCase()
    .split(/[ -]/)
    .some((word) => roles.has(word));
  if (form === undefined && !known) return undefined;
  return { ...range, name, role, ...(form === undefined ? {} : { legalForm: form }) };
}

function labelledParties(text: string): Party[] {
  const found: Party[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)[ \t>*|-]{0,8}(?:The )?(\p{L}{3,20}(?: \p{L}{3,12})?)[*]{0,2}:[*]{0,2}[ \t]{1,8}([\p{Lu}\d][^\n,;|]{1,119})/gu,
  )) {
    if (found.length >= partiesMax) break;
    const role = match[1]!;
    if (
      !role
        .toLowerCase()
        .split(' ')
        .some((word) => roles.has(word))
    )
      continue;
    const end = match.index + match[0].length;
    const name = trimRange(text, { start: end - match[2]!.length, end });
    const party = partyOf(text, name, role);
    if (party !== undefined && !found.some((other) => other.role === role)) found.push(party);
  }
  return found;
}
