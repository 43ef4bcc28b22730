/** Which part named organisations have in the processing: controllers, processors, sub-processors, and where they process. */

import { oncePer } from '../text/once-per.ts';
import type { Range } from '../text/span.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { countryOfAddress, countryOfAuthorities, countryOfForm, findCountries } from './countries.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import { isOrganisation, nameIn, withoutMarks } from './organisation-names.ts';
import { partiesOfRow, type RoleOfParty } from './party-rows.ts';
import type { Clause, Reading } from './reading.ts';
import { isEmptyCell } from './register-rows.ts';
import { type ProcessingRole, roleOf, roleShapes } from './role-words.ts';
import { hasCue, isAside } from './sense.ts';

/** In the order of the text, each organisation once. */
export const findRoles = oncePer((reading: Reading): readonly RoleOfParty[] => {
  const type = documentTypeOf(reading)?.type;
  if (
    type === 'certificate' ||
    type === 'soc-2-report' ||
    type === 'audit-report' ||
    type === 'statement-of-applicability'
  )
    return [];
  const found: RoleOfParty[] = [];
  const add = (party: RoleOfParty | undefined) => {
    if (party === undefined || isPlaceholder(party.name)) return;
    const known = found.findIndex(({ name }) => isSameName(name, party.name));
    if (known === -1) found.push(party);
    else if (found[known]!.place === undefined && party.place !== undefined && found[known]!.role === party.role)
      found[known] = { ...found[known]!, place: party.place };
  };
  if (type === 'risk-register') {
    for (const party of statedParties(reading, found)) add(party);
    if (found.length > 0) add(coveredEntity(reading, found));
    return found;
  }
  for (const row of reading.rows) for (const party of partiesOfRow(row, type, reading)) add(party);
  for (const party of definedParties(reading, type)) add(party);
  for (const party of labelledParties(reading, type)) add(party);
  for (const party of lettersParties(reading, type)) add(party);
  for (const party of statedParties(reading, found)) add(party);
  add(coveredEntity(reading, found));
  return found
    .map((party) =>
      party.place === undefined && party.hasUnreadPlace !== true ? withPlace(party, reading, type) : party,
    )
    .sort((a, b) => a.range.start - b.range.start);
});

/** Who names "our" business associate is the covered entity: the first organisation at the top. */
function coveredEntity({ clauses, document }: Reading, found: readonly RoleOfParty[]): RoleOfParty | undefined {
  const isNamed = (role: ProcessingRole) => found.some((party) => party.role === role);
  if (!isNamed('business-associate') || isNamed('covered-entity')) return undefined;
  for (const { start, end, text } of clauses.slice(0, 10)) {
    const defined = /^(\p{Lu}[^("“,]{4,70}?) \(["“]/u.exec(text)?.[1];
    const name = defined ?? nameIn(text);
    if (name === undefined || found.some((party) => isSameName(party.name, name))) continue;
    const place = countryOfForm(name) ?? countryOfAuthorities(document.text);
    return { name, role: 'covered-entity', ...(place === undefined ? {} : { place }), range: { start, end } };
  }
  return undefined;
}

function isPlaceholder(name: string): boolean {
  return isEmptyCell(name) || /[_[\]<>]{1,}|\.{3}/.test(name) || name.length < 3;
}

function isSameName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) =>
    name
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  ) as [string, string];
  return a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
}

/** For controllers and processors, a country whose authority is the only one that the document names. */
function withPlace(party: RoleOfParty, { document }: Reading, type: DocumentType | undefined): RoleOfParty {
  // A register prints the places of recipients next to their names; one that was not read is not that of the authority.
  const isRecipient = party.role === 'sub-processor' || (type === 'processing-record' && party.role === 'processor');
  const place =
    countryOfForm(party.name) ??
    (isRecipient ? undefined : (countryOfAuthorities(document.text) ?? germanSeat(party, document.text)));
  return place === undefined ? party : { ...party, place };
}

/** A GmbH in a document under the DSGVO that names no other country with this form. */
function germanSeat({ name }: RoleOfParty, text: string): string | undefined {
  const hasForm = /(?<!\p{L})(?:g?GmbH|KG|eG|e\.V\.|AöR)(?!\p{L})/u.test(name);
  return hasForm &&
    /DS-?GVO/u.test(text) &&
    !/Österreich|Schweiz|Wien(?!\p{L})|(?<!\p{L})(?:DSG|revDSG)(?!\p{L})|UID CHE/u.test(text)
    ? 'Germany'
    : undefined;
}

/** "Acme Ltd, a company …, ("Controller")", and a role in quotes on the line below the name. */
function definedParties(reading: Reading, type: DocumentType | undefined): RoleOfParty[] {
  if (type !== 'data-processing-agreement' && type !== 'business-associate-agreement' && type !== undefined) return [];
  const found: RoleOfParty[] = [];
  const { clauses } = reading;
  for (const [index, clause] of clauses.slice(0, 60).entries()) {
    let from = 0;
    const definitions = [
      ...clause.text.matchAll(roleShapes.defined),
      ...clause.text.matchAll(roleShapes.definedWithName),
      ...clause.text.matchAll(roleShapes.bracketed),
    ];
    for (const match of definitions.sort((a, b) => a.index - b.index)) {
      const role = roleOf(match[1]!, type);
      if (role === undefined) continue;
      const before = afterBetween(clause.text.slice(from, match.index).replace(/^["”“»'’),.\s]{1,8}/u, ''));
      from = match.index + match[0].length;
      const own = nameIn(before) ?? nameIn(afterJoining(before));
      const above =
        own === undefined
          ? [...clauses.slice(Math.max(0, index - 3), index)].reverse().find(({ text }) => nameIn(text) !== undefined)
          : undefined;
      const source = own === undefined ? above?.text : before;
      const name = own ?? (above === undefined ? undefined : nameIn(above.text));
      if (name === undefined || source === undefined || found.some(({ role: known }) => known === role)) continue;
      const place = countryOfAddress(source);
      found.push({
        name,
        role,
        ...(place === undefined ? {} : { place }),
        range: { start: clause.start, end: clause.end },
      });
    }
  }
  return found;
}

/** What follows the last "and" before a name: "…, Norrtälje, and Acme AB". */
function afterJoining(text: string): string {
  return text.split(/,? (?:and|und|et|y|e|en|och|og|oraz|a) (?=\p{Lu})/u).at(-1)!;
}

/** What follows the last "between" of an opening. */
function afterBetween(text: string): string {
  const found = [
    ...text.matchAll(
      /(?<!\p{L})(?:between|among|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|pomiędzy|między)\s{1,8}/giu,
    ),
  ].at(-1);
  return found === undefined ? text : text.slice(found.index + found[0].length);
}

/** "Controller: Acme SA, Lyon", also with the name in the next cell, and the supplier of a questionnaire. */
function labelledParties(reading: Reading, type: DocumentType | undefined): RoleOfParty[] {
  const found: RoleOfParty[] = [];
  const isQuestionnaire = type === 'vendor-questionnaire';
  const add = (label: string, value: string, range: Range) => {
    const role = isQuestionnaire
      ? roleShapes.supplier.test(label)
        ? 'processor'
        : undefined
      : roleShapes.label.test(label)
        ? roleOf(label, type)
        : undefined;
    const name = role === undefined ? undefined : nameIn(value, !isQuestionnaire);
    const isSeveral = type === 'processing-record' && role === 'processor';
    if (role === undefined || name === undefined || (!isSeveral && found.some((each) => each.role === role))) return;
    const place = countryOfAddress(value) ?? findCountries(/\(([^)]{2,80})\)/u.exec(value)?.[1] ?? '').at(-1)?.country;
    found.push({ name, role, ...(place === undefined ? {} : { place }), range });
  };
  const isPrivacy = [
    'data-processing-agreement',
    'business-associate-agreement',
    'dpia',
    'processing-record',
    'breach-notice',
    'vendor-questionnaire',
    undefined,
  ].includes(type);
  if (!isPrivacy) return found;
  for (const [index, clause] of reading.clauses.entries()) {
    if (clause.label === undefined || isPair(clause) || isAside(clause)) continue;
    const below = reading.clauses[index + 1];
    const stated = roleLine.test(below?.label ?? '')
      ? below!.text.slice(below!.text.indexOf(':') + 1).trim()
      : undefined;
    add(
      stated !== undefined && roleShapes.label.test(clause.label) && roleOf(stated) !== undefined
        ? stated
        : clause.label,
      clause.text.slice(clause.text.indexOf(':') + 1),
      { start: clause.start, end: clause.end },
    );
  }
  // "1. Controller", and beneath it "Name" with the name, or the name alone.
  for (const [index, { label, heading, text, start, end, row }] of reading.clauses.entries()) {
    if (
      row !== undefined ||
      heading === '' ||
      heading.split(' ').length > headingWordsMax ||
      roleOf(heading) === undefined
    )
      continue;
    const isName = label === undefined ? nameIn(text) !== undefined : nameLabel.test(label);
    const role = roleOf(heading)!;
    const name = isName ? nameIn(text, label !== undefined) : undefined;
    // A list of sub-processors names several.
    if (name === undefined || (role !== 'sub-processor' && found.some((each) => each.role === role))) continue;
    const place = countryOfAddress(text) ?? (role === 'sub-processor' ? placeBelow(reading, index) : undefined);
    found.push({ name, role, ...(place === undefined ? {} : { place }), range: { start, end } });
  }
  for (const row of reading.rows) {
    const [label, value] = row.cells;
    if (row.cells.length === 2 && label !== undefined && value !== undefined && row.columns.length === 0)
      add(label.text.replace(/\s?:$/, ''), value.text, value);
  }
  return found;
}

/** The country at the end of the lines below a name, up to the next name. */
function placeBelow({ clauses }: Reading, index: number): string | undefined {
  for (const { text } of clauses.slice(index + 1, index + 1 + linesBelowMax)) {
    if (nameIn(text) !== undefined) return undefined;
    const place = findCountries(/,([^,]{2,40})$/u.exec(text.trim())?.[1] ?? '').at(-1)?.country;
    if (place !== undefined) return place;
  }
  return undefined;
}

const linesBelowMax = 4;
const headingWordsMax = 4;
const nameLabel =
  /^(?:name|firma|bezeichnung|name der (?:stelle|firma)|unternehmen|organisation|nom|raison sociale|dénomination|nombre|denominación|razón social|denominazione|ragione sociale|naam|nome|designação|nazwa|namn|company|entity|legal name)$/iu;

/** Rows of a label and a value are read as rows. */
function isPair({ row }: Clause): boolean {
  return row !== undefined && row.columns.length === 0 && row.cells.length === 2;
}

/** "Role: processor", below the name of a party. */
const roleLine = /^(?:role|rolle|rôle|rol|ruolo|qualité|papel|hoedanigheid|role \(controller\/processor\))$/iu;

/** In a notice: "As your processor we …" gives the sender and the addressee their parts. */
function lettersParties({ clauses }: Reading, type: DocumentType | undefined): RoleOfParty[] {
  if (type !== 'breach-notice') return [];
  const said = (shape: RegExp) => clauses.some(({ text }) => shape.test(text.replaceAll('´', "'")));
  const ownRole = said(roleShapes.asYourProcessor)
    ? 'processor'
    : said(roleShapes.asController)
      ? 'controller'
      : undefined;
  if (ownRole === undefined) return [];
  const top = clauses.slice(0, 12);
  const sender = top.find(
    ({ text, label }) =>
      label === undefined &&
      nameIn(text, ownRole === 'controller' && text.trim().split(' ').length > 1) !== undefined &&
      text.trim().length < 120,
  );
  const addressee = top.find(({ label }) => label !== undefined && roleShapes.addressee.test(label));
  const found: RoleOfParty[] = [];
  if (sender !== undefined) {
    const address = top
      .slice(top.indexOf(sender), top.indexOf(sender) + 3)
      .map(({ text }) => text)
      .join(', ');
    const place = countryOfAddress(address);
    found.push({
      name: nameIn(sender.text, true)!,
      role: ownRole,
      ...(place === undefined ? {} : { place }),
      range: { start: sender.start, end: sender.end },
    });
  }
  if (addressee !== undefined && ownRole === 'processor') {
    const value = addressee.text.slice(addressee.text.indexOf(':') + 1);
    const name = nameIn(value);
    if (name !== undefined)
      found.push({ name, role: 'controller', range: { start: addressee.start, end: addressee.end } });
  }
  return found;
}

/** "Acme, which is the controller", "our sub-processor Acme B.V. (Netherlands)", "Acme acts as processor for Beta, the controller". */
function statedParties({ clauses, language }: Reading, known: readonly RoleOfParty[]): RoleOfParty[] {
  const found: RoleOfParty[] = [];
  const fullName = (short: string) =>
    known.find(({ name }) => isSameName(name, short))?.name ?? organisationNamed(clauses, short) ?? short;
  for (const clause of clauses) {
    const isAnswer = clause.row?.cells.find(({ start }) => start === clause.start)?.part === 'answer';
    if (isAside(clause) || (clause.row?.columns.includes('question') === true && !isAnswer)) continue;
    if (!roleHint.test(clause.text)) continue;
    const text = clause.text.replaceAll('´', "'").replace(/\s{2,200}/g, ' ');
    for (const shape of roleShapes.stated) {
      for (const match of text.matchAll(shape)) {
        const { name, role: word } = match.groups ?? {};
        const role = word === undefined ? undefined : roleOf(word);
        if (name === undefined || role === undefined || !isOrganisation(name, true)) continue;
        if (hasCue(clause, language, { start: 0, end: Math.min(clause.text.length, 40) }, 'conditional')) continue;
        const after = text.slice(match.index, match.index + match[0].length + 60);
        const place = findCountries(/\(([^)]{2,40})\)/u.exec(after)?.[1] ?? '')[0]?.country;
        found.push({
          name: withoutMarks(fullName(name)),
          role,
          ...(place === undefined ? {} : { place }),
          range: { start: clause.start, end: clause.end },
        });
      }
    }
  }
  return found;
}

/** Parts of the words for roles, without which no shape matches. */
const roleHint =
  /processor|controller|entit|associate|subcontract|verantwortlich|auftrag|nehmer|traitant|responsa|encargad|titolar|verwerk|aannemer/iu;

/** The full name at the beginning of which a short one stands, with a legal form. */
function organisationNamed(clauses: readonly Clause[], short: string): string | undefined {
  for (const clause of clauses.slice(0, 40)) {
    const at = clause.text.indexOf(short);
    const name = at === -1 ? undefined : nameIn(clause.text.slice(at, at + 120));
    if (name !== undefined && name.length > short.length && name.startsWith(short)) return name;
  }
  return undefined;
}

/** Laws of personal data that the document applies. */
export function privacyLaws(reading: Reading): readonly string[] {
  return frameworkMentions(reading)
    .filter(({ id, status }) => status === 'applied' && (id === 'gdpr' || id === 'uk_gdpr' || id === 'swiss_fadp'))
    .map(({ id }) => id);
}
