/** Determines what a party does under a contract, from the contract's word for it and from the type of the contract. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type DocumentKind, documentKind } from './document-kind.ts';

export type RoleCode =
  | 'customer'
  | 'supplier'
  | 'mutual-discloser'
  | 'discloser'
  | 'recipient'
  | 'landlord'
  | 'tenant'
  | 'lender'
  | 'borrower'
  | 'guarantor'
  | 'licensor'
  | 'licensee'
  | 'principal'
  | 'distributor'
  | 'controller'
  | 'processor'
  | 'contractor';

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

const words: Readonly<Record<RoleCode | 'other', string>> = {
  customer:
    'customer client purchaser buyer subscriber auftraggeber auftraggeberin kunde kundin käufer käuferin besteller bestellerin',
  supplier:
    'supplier provider vendor seller service hosting anbieter anbieterin lieferant lieferantin dienstleister dienstleisterin verkäufer verkäuferin auftragnehmer auftragnehmerin manufacturer hersteller subcontractor',
  'mutual-discloser': '',
  discloser: 'discloser disclosing informationsgeber offenlegende',
  recipient: 'recipient receiving informationsempfänger empfänger empfangende',
  landlord: 'landlord lessor vermieter vermieterin',
  tenant: 'tenant lessee mieter mieterin',
  lender: 'lender darlehensgeber darlehensgeberin bank creditor',
  borrower: 'borrower darlehensnehmer darlehensnehmerin debtor',
  guarantor: 'guarantor bürge bürgin',
  licensor: 'licensor lizenzgeber lizenzgeberin',
  licensee: 'licensee lizenznehmer lizenznehmerin',
  principal: 'principal unternehmer',
  distributor: 'distributor reseller dealer händler vertragshändler agent',
  controller: 'controller verantwortlicher',
  processor: 'processor auftragsverarbeiter',
  contractor: 'contractor consultant freelancer advisor berater beraterin',
  other:
    'company employer employee agency investor investors founder founders shareholder partner publisher author franchisor franchisee insurer insured owner operator institution sponsor arbeitgeber arbeitnehmer prestataire fournisseur vendeur acheteur objednatel dodavatel zhotovitel kupující prodávající',
};

const codeOfWord: ReadonlyMap<string, RoleCode | 'other'> = new Map(
  Object.entries(words).flatMap(([code, list]) =>
    list
      .split(' ')
      .filter(Boolean)
      .map((word) => [word, code as RoleCode | 'other'] as const),
  ),
);

/** @returns undefined if none of its words names a role */
export function roleWordOf(role: string): RoleCode | 'other' | undefined {
  const parts = role.toLowerCase().split(/[\s/-]+/);
  for (const part of parts) if (codeOfWord.get(part) === 'contractor' && parts.length === 1) return 'contractor';
  for (const part of [...parts].reverse()) {
    const code = codeOfWord.get(part);
    if (code !== undefined) return code;
  }
  return undefined;
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

/** Assigns each party its function; if its role is only a name, the function follows from the other side's role. */
export function completeRoles(parties: readonly ContractParty[], document: Document): readonly ContractParty[] {
  const opening = document.text.slice(0, 1_500);
  const isMutual = documentKind(document) === 'confidentiality agreement';
  const isConsulting = /berater?|beratung|consult|freelanc|freie[rn]? mitarbeit/i.test(opening.slice(0, 300));
  const codes: (RoleCode | undefined)[] = parties.map(({ role }) => {
    const code = role === undefined ? undefined : roleWordOf(role);
    if (code === 'supplier' && isConsulting && /^auftragnehmer|^provider|^service provider/i.test(role!)) {
      return /^auftragnehmer/i.test(role!) ? 'contractor' : code;
    }
    return code === 'other' ? undefined : code;
  });
  if (!isMutual && parties.length >= 2 && !codes.some((code) => code !== undefined)) {
    const giver = parties.findIndex((party) => givesMore(document, party));
    const [giving, taking] = sidesOf(documentKind(document));
    if (giver !== -1) for (const index of [0, 1]) codes[index] = index === giver ? giving : taking;
  }
  return parties.map((party, index) => {
    const other = codes.find((code, at) => at !== index && code !== undefined);
    const isSided = codes.some((code) => code === 'discloser' || code === 'recipient');
    const code =
      codes[index] ?? (isMutual && !isSided ? 'mutual-discloser' : other === undefined ? undefined : otherSide[other]);
    return code === undefined ? party : { ...party, function: code };
  });
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
  '(?:provides?|performs?|suppl(?:y|ies)|delivers?|sells?|grants?|licenses?|lets?|lends?|appoints?|invoices?|hosts?|develops?|warrants? that the|erbringt|liefert|berät|überlässt|erstellt|stellt|vermietet|gewährt)';
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
