/**
 * Finds the parties to a contract: names before a defined role (`Acme Ltd (the "Supplier")`, `ACME LIMITED (Acme)`,
 * „nachfolgend Kunde“), in labelled lines and rows (`Landlord: …`), and in tables with a column per side.
 */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { companyBefore, cutAtForm, legalForm, nameAt, nameIn, partyAt, withoutMarks } from './party-names.ts';
import { type ContractParty, completeRoles } from './party-roles.ts';
import { roleWordOf } from './role-words.ts';
import { fromLabel } from './row-labels.ts';

const partiesMax = 40;
/** Maximum offset of the parties, which are named before the first clause. */
const openingCharactersMax = 6_000;
const lookBackCharacters = 700;

const cache = new WeakMap<Document, readonly ContractParty[]>();

/** Ordered by position in the text; includes sides without a name. */
export function partiesOf(document: Document): readonly ContractParty[] {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const found: ContractParty[] = [];
  const add = (party: ContractParty | undefined) => {
    const isKnown = (other: ContractParty) =>
      (party!.name !== '' && sameName(other.name, party!.name)) ||
      (party!.role !== undefined && other.role?.toLowerCase() === party!.role.toLowerCase());
    if (party !== undefined && found.length < partiesMax && !found.some(isKnown)) found.push(party);
  };
  const hasTwo = () => found.filter(({ name }) => name !== '').length >= 2;
  for (const party of [...introduced(document, openingEnd(document)), ...tabled(document), ...labelled(document)])
    add(party);
  // The parties may be named in the first clause, among the definitions, or only above the signatures.
  if (!hasTwo())
    for (const party of [...introduced(document, openingCharactersMax), ...meant(document), ...signing(document)])
      add(party);
  if (!hasTwo()) for (const party of corresponding(document)) add(party);
  if (!hasTwo()) for (const party of joined(document)) add(party);
  const parties = completeRoles(
    found.sort((a, b) => a.start - b.start),
    document,
  );
  cache.set(document, parties);
  return parties;
}

/** The parties that have a name. */
export function namedPartiesOf(document: Document): ContractParty[] {
  return partiesOf(document).filter(({ name }) => name !== '');
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase().replace(/\W/g, '') === other.toLowerCase().replace(/\W/g, '');
}

const quoted = `["“„»«][ \u00a0]?([^"“”„»«()]{1,50}?)[ \u00a0]?["”“«»]`;
/** `("Supplier")`, `(the "Supplier" or "we")`, `(Larkhill)`, `- nachfolgend „Auftraggeber“ -`, `hereinafter called the Lender`. */
const aliasMark = new RegExp(
  `\\(([^()]{0,80}${quoted}[^()]{0,90})\\)|\\(((?:the )?\\p{Lu}[\\p{L}&-]{2,30}(?: \\p{Lu}[\\p{L}&-]{1,20}){0,2})\\)|(?:nachfolgend|nachstehend|im [Ff]olgenden|hereinafter|hereafter|ci-après|en (?:adelante|lo sucesivo)|hierna|di seguito)(?: auch)?(?: kurz)?(?: (?:referred to as|called|als|dénommée?|désignée?|denominad[oa]|denominat[oa]|te noemen))?[,:]?[ \\n]{1,4}(?:the |der |die |les? |la |l['’]|el |de |het |il )?(?:${quoted}|(\\p{Lu}\\p{L}{2,24}))|[–—-][ \\t]{0,3}["“„]?(\\p{Lu}\\p{L}{3,24})["”“]?[ \\t]{0,3}[–—-](?=\\s)|,? (?:as|als) (?:the )?(\\p{Lu}\\p{L}{3,24})(?=[,;. )\\n])`,
  'gu',
);
const noRole =
  /^(?:[\w-]+ date|agreement|contract|lease|deed|terms|effective date|commencement date|date|parties|party|purpose|services?|products?|goods|project|msa|territory|fees|nda|annex|addendum|order|order form|vertrag|parteien|vertragsparteien|partei|software|licen[cs]ed .*|loan|facility|property|premises|england|germany|uk|usa|london)$/i;

/** Names before the role that the opening assigns to them. */
function introduced(document: Document, end: number): ContractParty[] {
  const text = document.text.slice(0, end);
  const parties: ContractParty[] = [];
  let floor = 0;
  for (const match of text.matchAll(aliasMark)) {
    const aliases = [...match[0].matchAll(new RegExp(quoted, 'gu'))].map((each) =>
      each[1]!
        .replace(/[*_]/g, '')
        .replace(/\s{1,40}/g, ' ')
        .replace(/[,.;]$/, '')
        .trim(),
    );
    const bare = match[3] ?? match[5] ?? match[6] ?? match[7];
    // "– Vermieterin –": only words that name a role.
    const marked = match[6] ?? match[7];
    if (marked !== undefined && roleWordOf(marked) === undefined) continue;
    if (aliases.length === 0 && bare !== undefined) aliases.push(bare);
    const clean = aliases
      .map((alias) => alias.replace(/^(?:the|der|die|das|le|la|el|il|de|het|den|det) /i, ''))
      // (the "Supplier", together the "Parties"): the second is no word for this party.
      .filter((alias, index) => alias !== '' && (index === 0 || !noRole.test(alias)));
    const before = Math.max(floor, match.index - lookBackCharacters);
    const opened = nameIn(document.text, before, match.index);
    const addressee = addressed.exec(document.text.slice(before, match.index));
    if (addressee !== null && clean[0] !== undefined && !noRole.test(clean[0])) {
      const nameStart = before + addressee.index + addressee[0].indexOf(addressee[2]!, addressee[1]!.length);
      parties.push({
        start: nameStart,
        end: nameStart + addressee[2]!.length,
        name: addressee[2]!.replace(/\s{1,40}/g, ' '),
        role: clean[0]!,
        aliases: [...clean, addressee[1]!.toLowerCase()],
      });
      floor = match.index + match[0].length;
      continue;
    }
    const isCompany = opened !== undefined && legalForm.test(document.text.slice(opened.start, opened.end));
    const name = isCompany ? opened : (companyBefore(document.text, before, match.index) ?? opened);
    const [role] = clean;
    if (role === undefined) continue;
    if (noRole.test(role)) {
      floor = match.index + match[0].length;
      continue;
    }
    const isBare = match[3] !== undefined;
    // "S.A., with its office in Alboraya (Valencia) (the "Licensor")": a place, since the role follows in the same paragraph.
    if (isBare && roleWordOf(role) === undefined && namesRoleLater(document.text, match.index + match[0].length))
      continue;
    // "(the "Borrower"), which is not a party hereto".
    if (
      /^,?\s{1,4}(?:which|who|that) (?:is|are) not (?:itself )?a party\b/.test(
        document.text.slice(match.index + match[0].length, match.index + match[0].length + 60),
      )
    )
      continue;
    if (/^\s{0,4}:/.test(document.text.slice(match.index + match[0].length, match.index + match[0].length + 5)))
      continue;
    const described = document.text.slice(before, match.index);
    const found = name === undefined ? undefined : partyAt(document.text, name, clean, { described, isBare });
    const party =
      found !== undefined && found.legalForm === undefined && isInHeading(document, found) ? undefined : found;
    if (party !== undefined) parties.push(party);
    else if (!isBare && (roleWordOf(role) !== undefined || /^(?:you|we|us)$/i.test(role))) {
      parties.push({ start: match.index, end: match.index + match[0].length, name: '', role, aliases: clean });
    } else if (isBare) continue;
    floor = match.index + match[0].length;
  }
  return parties;
}

/** "… on which you, Anna Berg of 9 Fell View (the "Consultant"), will provide": the letter addresses a party by a pronoun. */
const addressed =
  /(?<!\p{L})(you|we),\s{1,8}((?:\p{Lu}[\p{L}.'’-]+\s{1,4}){1,4}\p{Lu}[\p{L}.'’-]+)(?=[\s,])[^()]{0,120}$/u;

function namesRoleLater(text: string, from: number): boolean {
  const paragraph = text.slice(from, from + 300).split(/\n[ \t]*\n/, 1)[0]!;
  return /\((?:[^()]{0,40}[ ,])?["“„«]|(?:ci-après|en adelante|hereinafter|nachfolgend|hierna)\b/iu.test(paragraph);
}

/** The title of the document is not a party; a numbered line may begin with one. */
function isInHeading({ blocks }: Document, range: Range): boolean {
  const block = blocks[indexAt(blocks, range.start) ?? 0];
  return block?.kind === 'heading' && block.heading.number === undefined && range.start < block.heading.bodyStart;
}

/** Extends to the first clause after the words that introduce the parties. */
function openingEnd({ text, sections }: Document): number {
  const starts = /\b(?:between|among|parties|zwischen|party|apply to)\b/i.exec(text)?.index ?? 0;
  const clause = sections.find(
    ({ start, number, title }) =>
      start > starts &&
      (/^(?:1(?:\.[01])?|I|A)$/.test(number ?? '') ||
        /definition|interpretation|background|recital|präambel|agreed terms/i.test(title)),
  );
  const end = clause === undefined || /^part/i.test(clause.title) ? openingCharactersMax : clause.start;
  return Math.min(text.length, openingCharactersMax, Math.max(end, Math.min(starts + 200, text.length)));
}

/** Lines and rows whose label is a role: "Landlord : ACME LIMITED (company number …)". */
function labelled(document: Document): ContractParty[] {
  const { text, blocks } = document;
  const found: ContractParty[] = [];
  const add = (label: string, value: Range) => {
    if (found.length >= partiesMax) return;
    const role = label
      .replace(/^(?:the|der|die) /i, '')
      .replace(/[*:]/g, '')
      .trim();
    const shown = text.slice(value.start, value.end);
    // "8 Cap, Customer" names a term of one side.
    if (role.split(' ').length > 3 || role.includes(',') || roleWordOf(role) === undefined) return;
    if (/\b(?:address|contact|email|signature|name|number|no|initials|representative|reference)\b/i.test(role)) return;
    const stop = /,(?! ?(?:Inc|Ltd|LLC|LLP|S\.A|Limited|Corp)\b)|;|\(| [–—-] |\||\n/.exec(shown)?.index ?? shown.length;
    const colon = /^[ \t:]{0,6}/.exec(shown)?.[0].length ?? 0;
    const name = withoutMarks(text, { start: value.start + colon, end: value.start + stop });
    const words = text.slice(name.start, name.end);
    if (!/^[\p{Lu}\d[]/u.test(words) || /^(?:none|n\/a|not applicable|keine?r?|as defined|the\b)/i.test(words)) return;
    if (words.length > 120 || words.split(' ').length > 12) return;
    // A person who signs for a side is not a party: late in the text, the label must be followed by a company.
    const isLate = value.start > text.length * 0.6 && text.length > 1_500;
    // "Sold to" is no word for a party: the contract then calls it by the first word of its name.
    const isWord = !/ (?:by|to|for)$|^from$/i.test(role);
    const called = partyAt(text, name, isWord ? [role] : [words.split(/[ ,]/, 1)[0]!]);
    const party = called === undefined || isWord ? called : { ...called, role };
    if (party === undefined || (isLate && party.legalForm === undefined)) return;
    if (!found.some((other) => other.role === role)) found.push(party);
  };
  for (const block of blocks) {
    if (block.kind === 'field') add(text.slice(block.label.start, block.label.end), block.value);
    else if (block.kind === 'table' && isSmall(block.table) && !isSignatureTable(block.table)) {
      for (const cells of fullRows(block.table)) {
        const [label, value] = fromLabel(cells);
        if (label !== undefined && value !== undefined && value.text !== '') add(label.text, value);
      }
    }
  }
  for (const match of text.matchAll(
    /(?:^|\n)[ \t>*|-]{0,12}(?:The )?(\p{L}{3,20}(?: \p{L}{3,12})?)[*]{0,2}[ \t]{0,24}:[*]{0,2}[ \t]{1,12}([\p{Lu}\d[][^\n;|]{1,160})/gu,
  )) {
    const end = match.index + match[0].length;
    add(match[1]!, { start: end - match[2]!.length, end });
  }
  return found;
}

/** Longer tables list goods or people and not the parties. */
function isSmall({ rows }: Table): boolean {
  return rows.length <= 60;
}

function isSignatureTable(table: Table): boolean {
  return fullRows(table).some(([label]) => /^(?:signed|signature|title|unterschrift|by)\b/i.test(label?.text ?? ''));
}

/** `"Supplier" means Acme Ltd, a company …`. */
function meant({ text }: Document): ContractParty[] {
  const found: ContractParty[] = [];
  for (const match of text.matchAll(
    /["“„]?(\p{Lu}\p{L}{3,20})["”“]?[ \n]{1,4}(?:means|shall mean|is|ist|bezeichnet)[ \n]{1,4}(?:the |die |der )?(?=\p{Lu})/gu,
  )) {
    if (roleWordOf(match[1]!) === undefined || found.length >= partiesMax) continue;
    const start = match.index + match[0].length;
    const name = nameAt(text, start, Math.min(text.length, start + 120));
    const party =
      name === undefined ? undefined : partyAt(text, { start: name.start, end: cutAtForm(text, name) }, [match[1]!]);
    if (party?.legalForm !== undefined) found.push(party);
  }
  return found;
}

/** "LENDER:\nACME CAPITAL, LP" over a signature. */
function signing({ text }: Document): ContractParty[] {
  const found: ContractParty[] = [];
  for (const match of text.matchAll(
    /(?:^|\n)[ \t]{0,12}(?:THE |The )?(\p{Lu}\p{L}{3,20}):?[ \t]*\n\s{0,40}(\p{Lu}[^\n]{2,90})/gu,
  )) {
    if (roleWordOf(match[1]!) === undefined || found.length >= partiesMax) continue;
    const end = match.index + match[0].length;
    const party = partyAt(text, withoutMarks(text, { start: end - match[2]!.length, end }), [match[1]!]);
    if (party?.legalForm !== undefined) found.push(party);
  }
  return found;
}

/** Tables with a column per side and a row of names. */
function tabled(document: Document): ContractParty[] {
  return document.tables.flatMap((table) => {
    if (!isSmall(table) || isSignatureTable(table)) return [];
    const [head, ...rows] = fullRows(table);
    const names = rows.find(([label]) =>
      /^(?:name|company(?: name)?|legal (?:entity|name)|party|full name|registered name|firma|entity)\b/i.test(
        label?.text ?? '',
      ),
    );
    if (head === undefined || names === undefined) return [];
    return head.flatMap((cell, index) => {
      const name = names[index];
      const isRole = index > 0 && roleWordOf(cell.text) !== undefined;
      const party =
        isRole && name !== undefined && name.text !== '' ? partyAt(document.text, name, [cell.text]) : undefined;
      return party === undefined ? [] : [party];
    });
  });
}

/** The sender ("we") and the addressee ("you") of a letter: companies on lines of their own above the salutation. */
function corresponding({ text }: Document): ContractParty[] {
  const salutation = /\n[ \t]*(?:Dear|Sehr geehrte|Madame|Monsieur|Messieurs|Estimad|Muy señores)[^\n]{0,60}/.exec(
    text.slice(0, 3_000),
  );
  if (salutation === null) return [];
  const found: ContractParty[] = [];
  for (const match of text.slice(0, salutation.index).matchAll(/(?:^|\n)[ \t]*([^\n]{3,100})/g)) {
    const end = match.index + match[0].length;
    const range = withoutMarks(text, { start: end - match[1]!.length, end });
    const party = partyAt(text, { start: range.start, end: cutAtForm(text, range) }, [
      found.length === 0 ? 'we' : 'you',
    ]);
    if (party?.legalForm !== undefined && found.length < 2) found.push(party);
  }
  const [sender, addressee] = found;
  if (sender === undefined || addressee === undefined) return [];
  const sells = /\bour (?:total |aggregate )?(?:liability|fees|charges|prices|services|tariff|quotation|offer)\b/i.test(
    text,
  );
  return sells
    ? [
        { ...sender, function: 'supplier' },
        { ...addressee, function: 'customer' },
      ]
    : found;
}

/** "between A Ltd and B GmbH" without roles. */
function joined({ text }: Document): ContractParty[] {
  const match = /\b(?:between|among|zwischen)\b[:\s]{1,12}/i.exec(text.slice(0, openingCharactersMax));
  if (match === null) return [];
  const start = match.index + match[0].length;
  const shown = text.slice(start, start + 600);
  const and = /[\s,](?:and|und|&)\s/.exec(shown.replace(/ & /g, ' + '));
  if (and === null) return [];
  const ranges = [nameAt(text, start, start + and.index), nameAt(text, start + and.index, start + shown.length)];
  return ranges.flatMap((range) => {
    if (range === undefined) return [];
    const end = cutAtForm(text, range);
    const party = partyAt(text, { start: range.start, end }, []);
    return party === undefined ? [] : [{ ...party, aliases: [party.name] }];
  });
}
