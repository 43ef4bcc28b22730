/** Determines what a party does under a contract, from the contract's word for it and from the type of the contract. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';
import { type RoleCode, roleWordOf } from './role-words.ts';

export interface ContractParty extends Range {
  /** As written; empty for a party without a name ("the entity that accepts these terms"). The range is that of the name. */
  readonly name: string;
  /** "Supplier", if one is given. */
  readonly role?: string;
  /** The party's function under the contract, possibly inferred from the role of the other side. */
  readonly function?: RoleCode;
  readonly legalForm?: string;
  /** The contract's words for the party, the defined one first. */
  readonly aliases: readonly string[];
}

const otherSide: Readonly<Partial<Record<RoleCode, RoleCode>>> = {
  customer: 'supplier',
  supplier: 'customer',
  discloser: 'recipient',
  recipient: 'discloser',
  landlord: 'tenant',
  tenant: 'landlord',
  lender: 'borrower',
  borrower: 'lender',
  licensor: 'licensee',
  licensee: 'licensor',
  principal: 'distributor',
  distributor: 'principal',
  controller: 'processor',
  processor: 'controller',
  contractor: 'customer',
};

/** "F. Oosterling", "Anna Maria Bos". */
const person = /^(?:\p{Lu}\.\s?)+\p{Lu}\p{Ll}+|^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){1,2}$/u;

/** Assigns each party its function; if its role is only a name, the function follows from the other side's role. */
export function completeRoles(parties: readonly ContractParty[], document: Document): readonly ContractParty[] {
  const opening = document.text.slice(0, 1_500);
  const isMutual = documentKind(document) === 'confidentiality agreement';
  const isConsulting = /berater?|beratung|consult|freelanc|freie[rn]? mitarbeit/i.test(opening.slice(0, 300));
  const codes: (RoleCode | undefined)[] = parties.map(({ role, name, legalForm: form, function: known }) => {
    if (known !== undefined) return known;
    const code = role === undefined ? undefined : roleWordOf(role);
    if (code === 'supplier' && isConsulting && /^auftragnehmer|^provider|^service provider/i.test(role!)) {
      return /^auftragnehmer/i.test(role!) ? 'contractor' : code;
    }
    // A person who takes on an assignment renders personal services.
    if (
      code === 'supplier' &&
      form === undefined &&
      /^opdrachtnemer|^zleceniobiorca|^wykonawca/i.test(role!) &&
      person.test(name)
    )
      return 'contractor';
    return code === 'other' ? undefined : code;
  });
  if (!isMutual && parties.length >= 2 && !codes.some((code) => code !== undefined)) {
    const giver = parties.findIndex((party) => givesMore(document, party));
    const [giving, taking] = sidesOf(documentKind(document));
    if (giver !== -1) for (const index of [0, 1]) codes[index] = index === giver ? giving : taking;
  }
  specialise(codes, document);
  return parties.map((party, index) => {
    const other = codes.find((code, at) => at !== index && code !== undefined);
    const isSided = codes.some((code) => code === 'discloser' || code === 'recipient');
    const code =
      codes[index] ?? (isMutual && !isSided ? 'mutual-discloser' : other === undefined ? undefined : otherSide[other]);
    return code === undefined ? party : { ...party, function: code };
  });
}

/** The side that sells is called by the type of the contract: a supplier that appoints a distributor is its principal. */
function specialise(codes: (RoleCode | undefined)[], document: Document): void {
  const sells = codes.indexOf('supplier');
  const buys = codes.indexOf('customer');
  const title = document.text
    .slice(0, 400)
    .trimStart()
    .slice(0, 200)
    .split(/\n\s*\n|\b(?:between|zwischen|entre)\b/i, 1)[0]!;
  const isLicence =
    /\blicen[cs]e\b|lizenz|licencia/i.test(title) && !/\bservices?\b|subscription|saas|order|dienst/i.test(title);
  if (sells !== -1 && codes.includes('distributor')) codes[sells] = 'principal';
  if (sells !== -1 && codes.includes('licensee')) codes[sells] = 'licensor';
  if (buys !== -1 && codes.includes('licensor')) codes[buys] = 'licensee';
  if (isLicence && sells !== -1 && buys !== -1 && codes.length === 2) {
    codes[sells] = 'licensor';
    codes[buys] = 'licensee';
  }
}

/** For each type of contract, the party that performs and the party that receives the performance. */
function sidesOf(kind: DocumentKind): readonly [RoleCode, RoleCode] {
  if (kind === 'lease') return ['landlord', 'tenant'];
  if (kind === 'loan') return ['lender', 'borrower'];
  if (kind === 'distribution') return ['principal', 'distributor'];
  if (kind === 'data processing agreement') return ['processor', 'controller'];
  return kind === 'licence' ? ['licensor', 'licensee'] : ['supplier', 'customer'];
}

const giving =
  '(?:provides?|performs?|builds?|creates?|designs?|advises?|prepares?|carr(?:y|ies) out|transports?|stores?|trains?|installs?|maintains?|manufactures?|cleans?|helps?|supports?|suppl(?:y|ies)|delivers?|sells?|grants?|licenses?|lets?|lends?|appoints?|invoices?|hosts?|develops?|warrants? that the|erbringt|liefert|berät|überlässt|erstellt|stellt|vermietet|gewährt)';
const taking =
  '(?:pays?|purchases?|buys?|orders?|reimburses?|borrows?|repays?|rents?|zahlt|vergütet|schuldet|bezahlt|mietet)';

/** "Acme will provide …" more often than "Acme will pay …". */
function givesMore({ text }: Document, { aliases, name }: ContractParty): boolean {
  const names = [...aliases, name]
    .filter((each) => each.length > 1)
    .map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (names.length === 0) return false;
  const times = (verbs: string) =>
    text
      .slice(0, 60_000)
      .match(
        new RegExp(
          `(?<![\\p{L}])(?:${names.join('|')})\\s{1,8}(?:(?:shall|will|agrees? to|must|may|hereby|undertakes? to)\\s{1,8}){0,2}${verbs}(?![\\p{L}])`,
          'giu',
        ),
      )?.length ?? 0;
  return times(giving) > times(taking);
}
