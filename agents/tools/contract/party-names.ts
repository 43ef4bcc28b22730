/** Names of parties: where a name begins and ends, and whether it is the name of a company. */
import { trimRange } from '../text/lines.ts';
import type { Range } from '../text/span.ts';
import type { ContractParty } from './party-roles.ts';
import { roleWordOf } from './role-words.ts';

const lead =
  /^(?:[\s,;.:"”)*_–—-]|\(?[\dA-Za-z]{1,3}[.)]\s|(?:and|und|et|between|among|zwischen|by|the|der|die|dem|den|firma|herrn?|frau|mr\.?|ms\.?|mrs\.?|mevrouw|de heer|don|doña|dña\.|monsieur|madame|señora?|signora?|il sig\.|fru|herrn|mellem|mellom|mellan|og|och|sowie|la société|société|d['’](?:une|autre) part|de (?:una|otra)(?: parte)?|enerzijds|anderzijds|la empresa|la compañía|for value received|(?:company|vendor|legal|full) name:|party [a-d12]:?|(?:of|on) the (?:one|other|first|second) (?:part|hand)|the société|(?:primeir[oa]|segund[oa]|terceir[oa]|primer[oa]|prim[oa]|second[oa]|first|second)(?: (?:outorgante|contraente|contratante|part[ey]))?:)(?!\p{L}))+/iu;
const nameEnd =
  /,(?! ?\s?(?:Inc|Ltd|LLC|LLP|L\.L\.C|S\.A|S\.L|S\.R\.L|S\.r\.l|S\.p\.A|SpA|Srl|Lda|B\.V|N\.V|AB\b|Oy|A\/S|ApS|[Ss]p\. z|s\.r\.o|a\.s|L\.P|LP|GmbH|Limited|Corp|PLC|N\.A)\b)|;|\n\s*\n| [–—-] (?!\p{Lu}[\p{Lu}\p{L} ]{2,30}, ?(?:S\.A\.|S\.p\.A\.|S\.r\.l\.|Lda|S\.L\.|Ltd|GmbH|B\.V\.))|\(| an? (?:\p{L}{2,20} ){0,3}(?:company|limited|corporation|private|public|natural|individual|partnership|entity|trust) | whose | having | incorporated | organi[sz]ed | registered | with (?:its |a |offices? |registered )| mit Sitz|,? au capital|,? dont le siège|,? con domicilio|,? inmatriculée| vertreten | born | of \d|\|/iu;

/** The party's name at the beginning of the last paragraph before its role. */
export function nameIn(text: string, from: number, to: number): Range | undefined {
  const segment = text.slice(from, to);
  let start = 0;
  for (const match of segment.matchAll(
    /\b(?:between|among|BETWEEN|zwischen|mellem|mellom|[Ll]essor|parties are|[Pp]arties(?=:)|soussignée?s|SOUSSIGNÉE?S|REUNIDOS|Reunidos|PARTIJEN|Partijen|[Oo]ndergetekenden|(?:made|entered into|concluded)\b[^()]{0,90}?\bby)(?![\p{L}]) ?:?/gu,
  ))
    start = match.index + match[0].length;
  const pieces = segment.slice(start).split(/(\n[ \t]*\n|\n[ \t]*(?=\(?\d{1,2}[.)]\s))/);
  let at = from + start;
  let found: Range | undefined;
  for (const piece of pieces) {
    const name = nameAt(text, at, at + piece.length);
    at += piece.length;
    if (name !== undefined) found = name;
  }
  return found;
}

/** "… on which Acme Advisory Ltd ("we") will provide": a company's name in the middle of a sentence. */
export function companyBefore(text: string, from: number, to: number): Range | undefined {
  const segment = text.slice(Math.max(from, to - 140), to).replace(/\s+$/, '');
  const match = /(?:\p{Lu}[\p{L}\d&.'-]*,?\s){1,7}(?:\p{Lu}[\p{L}.&]*|plc)$/u.exec(segment);
  if (match === null || !legalForm.test(match[0])) return undefined;
  const start = Math.max(from, to - 140) + match.index;
  return { start, end: start + match[0].length };
}

const initials =
  /(?<!\p{L})(?:mevrouw|de heer|herrn?|frau|monsieur|madame|mr\.?|mrs\.?|ms\.?|señora?|signora?)\s((?:\p{L}\.\s?)+)$/iu;

/** "between J. Orville Hask and …": an initial in a line is part of a person's name; at the start of a line it is a mark. */
function firstInitial(text: string, from: number, opened: string, piece: string): number {
  const initial = /(?:^|[^\p{L}\n])(\p{Lu}\.[ \u00a0]{1,2})$/u.exec(opened)?.[1];
  if (initial === undefined || !/^\p{Lu}\p{Ll}/u.test(piece.slice(opened.length))) return 0;
  const before = text.slice(
    Math.max(0, from + opened.length - initial.length - 40),
    from + opened.length - initial.length,
  );
  return /(?:^|\n)[ \t]*$/.test(before) ? 0 : initial.length;
}

export function nameAt(text: string, from: number, to: number): Range | undefined {
  const piece = text.slice(from, to);
  const opened = lead.exec(piece)?.[0] ?? '';
  // "Mevrouw F. Oosterling": the initial is part of the name.
  const begin = opened.length - (initials.exec(opened)?.[1]?.length ?? firstInitial(text, from, opened, piece));
  const rest = piece.slice(begin);
  const stop = nameEnd.exec(rest)?.index ?? rest.length;
  // "NORTH FEN COUNCIL of Town Hall": the address begins at the lower-case word.
  const capitals = /^[\p{Lu}\d &.,'’()-]{6,100}(?= (?:of|at) \p{Lu}\p{Ll})/u.exec(
    rest.slice(0, stop).replace(/\s/g, ' '),
  );
  const range = withoutMarks(text, { start: from + begin, end: from + begin + (capitals?.[0].length ?? stop) });
  const name = text.slice(range.start, range.end);
  // An address on the lines below the name.
  const firstLine = name.split('\n', 1)[0]!.trimEnd();
  if (firstLine.length < name.length && legalForm.test(firstLine))
    return { start: range.start, end: range.start + firstLine.length };
  const isName =
    name.length >= 2 &&
    name.length <= 120 &&
    /^[\p{Lu}\d[]/u.test(name) &&
    !/\b(?:Agreement|Contract|This|THIS|Terms|Vertrag|vertreten|represented|Background|Summary)\b/.test(name) &&
    !/\p{Ll}{3}[.?!] \p{Lu}\p{Ll}{3}/u.test(name) &&
    !dated.test(name);
  return isName ? range : undefined;
}

/** "Circulated 4 May 2026 by Alder LLP", "USD 400". */
const dated = /\p{L} (?:19|20)\d\d(?!\d)|^(?:USD|EUR|GBP|CHF|PLN) ?\d/u;

export function withoutMarks(text: string, range: Range): Range {
  let { start, end } = trimRange(text, range);
  while (start < end && '*_`"“'.includes(text[start]!)) start += 1;
  while (end > start && '*_`"”,'.includes(text[end - 1]!)) end -= 1;
  return { start, end };
}

export const legalForm =
  /(?:^|[ ,\u00a0])(Ltd\.?|Limited|LIMITED|LTD\.?|LLC|L\.L\.C\.|LLP|L\.P\.|LP|Inc\.?|INC\.?|Incorporated|INCORPORATED|Corp\.?|Corporation|CORPORATION|plc|PLC|GmbH(?: & Co\. (?:KG(?:aA)?|OHG))?|gGmbH|mbH|AG|SE|KG|KGaA|OHG|UG(?: \(haftungsbeschränkt\))?|eG|e\.V\.|e\.K\.|GbR|S\.A\.S?\.?|SA|SAS|SARL|S\.à r\.l\.|S\.r\.l\.|S\.p\.A\.|SpA|Srl|B\.V\.|BV|N\.V\.|NV|N\.A\.|s\.r\.o\.|a\.s\.|k\.s\.|sp\. z o\.o\.|S\.L\.|Lda\.?|Oy|Oyj|AB|A\/S|ApS|AS|d\.o\.o\.|Kft\.?|Zrt\.?|Pty Ltd\.?|Foundation|University|Trust|Society|Council|Bank|Association)$/u;
/** Those who administer an arbitration are no party. */
const institution = /(?<!\p{L})(?:arbitrat|arbitral|schieds|arbitraż|mediation)\p{L}*/iu;

const entity =
  /\b(?:compan(?:y|ies)|corporation|incorporated|organi[sz]ed|registered|partnership|individual|sole trader|trust|association|university|Handelsregister|vertreten|Geschäftsführer|HRB|residing|wohnhaft|offices?|principal place)\b|,/i;

export function partyAt(
  text: string,
  range: Range,
  aliases: readonly string[],
  { described = '', isBare = false }: { readonly described?: string; readonly isBare?: boolean } = {},
): ContractParty | undefined {
  const name = text.slice(range.start, range.end).replace(/\s{1,40}/g, ' ');
  const form = legalForm.exec(name.replace(/[.,]$/, (mark) => (mark === '.' ? '.' : '')))?.[1];
  const [role] = aliases;
  if (/^(?:If|When|Unless|Where|Because|As|In|On|For|With|These|Such|You|We)[ '’]/.test(name)) return undefined;
  if (/ (?:may|shall|will|must|is|are|has|have|can|agrees?) ?/.test(`${name} `)) return undefined;
  if (institution.test(name)) return undefined;
  if (/^(?:annexe?|anexo|allegato|anlage|appendix|bijlage|exhibit|schedule)\b/i.test(name)) return undefined;
  const isKnown = role !== undefined && roleWordOf(role) !== undefined;
  // A bare bracket defines a party only if the name or its description is that of a company.
  const isCompany = form !== undefined || (name === name.toUpperCase() && name.length > 5);
  if (!isCompany && !(isKnown && /\p{Lu}\p{Ll}/u.test(name)) && (isBare || (!isKnown && !entity.test(described))))
    return undefined;
  return {
    ...range,
    name,
    ...(role === undefined ? {} : { role }),
    ...(form === undefined ? {} : { legalForm: form }),
    aliases,
  };
}

/** "Beta GmbH is made on …": the name ends with its legal form. */
export function cutAtForm(text: string, { start, end }: Range): number {
  const words = text.slice(start, end).split(/(?<=\s)/);
  let at = start;
  for (const word of words) {
    at += word.trimEnd().length;
    if (legalForm.test(text.slice(start, at)) && at > start + 3) return at;
    at += word.length - word.trimEnd().length;
  }
  return end;
}
