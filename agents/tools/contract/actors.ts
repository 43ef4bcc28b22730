/** The actors that a statement mentions: "Either party", "the Supplier", "we"; and which of them is the subject of a verb. */
import type { ContractParty } from './party-roles.ts';

/** Refers to both sides; rights are then reported for "either party". */
export const eachParty = 'each party';

export interface Actors {
  /** The party to which the matched words refer, by its name in the contract. */
  resolve(words: string): string;
  /** Ordered by position in the text. */
  findIn(text: string): Actor[];
}

export interface Actor {
  readonly at: number;
  readonly until: number;
  readonly name: string;
  /** "Supplier's", "des Auftragnehmers". */
  readonly isPossessive: boolean;
}

const mutual =
  '(?:either|neither|each|any|both|no|an?|one) (?:of (?:the |them|us)?)? ?(?:part(?:y|ies)\\b)|(?:either|neither|each|both|none) of (?:us|you and us|them)\\b|(?:the |both )parties\\b|the (?:affected|unaffected|non-defaulting|non-breaching|innocent|terminating|aggrieved) party\\b|the party (?:not|giving)\\b|(?:jede|beide|keine|eine|die)[rns]? (?:der )?(?:beiden )?(?:vertrags)?(?:partei(?:en)?|partner[sn]?)\\b|you (?:or|and) we\\b|beiderseits';

/** Roles that a contract may use without defining them as a party. */
const commonRoles =
  'Service Provider;Receiving Party;Disclosing Party;Customer;Client;Supplier;Provider;Vendor;Contractor;Consultant;Company;Landlord;Tenant;Lessor;Lessee;Lender;Borrower;Guarantor;Licensor;Licensee;Principal;Distributor;Reseller;Agent;Controller;Processor;Buyer;Seller;Purchaser;Manufacturer;Employer;Employee;Recipient;Discloser;Auftraggeberin;Auftraggeber;Auftragnehmerin;Auftragnehmer;Kundin;Kunde;Anbieterin;Anbieter;Lieferantin;Lieferant;Verkäufer;Käufer;Vermieterin;Vermieter;Mieterin;Mieter;Lizenzgeberin;Lizenzgeber;Lizenznehmerin;Lizenznehmer;Besteller;Dienstleister;Berater;Darlehensgeberin;Darlehensgeber;Darlehensnehmerin;Darlehensnehmer;Bürge;Hersteller;Vertragshändler;Händler';

const pronouns: Readonly<Record<string, string>> = {
  we: 'we',
  us: 'we',
  our: 'we',
  you: 'you',
  your: 'you',
  wir: 'wir',
  uns: 'wir',
  unsere: 'wir',
  sie: 'sie',
};

/** Sides of an exchange of information that both parties take in turn, unless a party has that name. */
const turns = new Set(['recipient', 'receiving party', 'discloser', 'disclosing party']);

export function actorsOf(parties: readonly ContractParty[]): Actors {
  const canonical = new Map<string, string>();
  for (const { aliases, name } of parties) {
    const main = aliases.find((alias) => pronouns[alias.toLowerCase()] === undefined) ?? name;
    for (const alias of aliases) canonical.set(alias.toLowerCase(), main);
    if (name !== '') canonical.set(name.toLowerCase(), main);
  }
  const hasPronouns = [...canonical.keys()].some((alias) => pronouns[alias] !== undefined);
  const named = [...canonical.keys()].filter((alias) => pronouns[alias] === undefined && alias.length <= 60);
  const known = new Set(named);
  const names = [
    ...named,
    ...commonRoles
      .toLowerCase()
      .split(';')
      .filter((role) => !known.has(role)),
  ]
    .sort((one, other) => other.length - one.length)
    .map(escapePattern)
    .join('|');
  const pattern = new RegExp(
    `(?<![\\p{L}])(?:(?<mutual>${mutual})|(?<named>${names})(?<genitive>(?:'s?|e?[ns])?)${hasPronouns ? '|(?<pronoun>we|us|our|you|your)' : ''})(?![\\p{L}])`,
    'giu',
  );
  const resolve = (words: string): string => {
    const key = words.toLowerCase();
    const pronoun = pronouns[key];
    if (pronoun !== undefined) return canonical.get(pronoun) ?? (pronoun === 'we' ? 'we' : 'you');
    const alias = canonical.get(key);
    if (alias !== undefined) return alias;
    if (turns.has(key)) return eachParty;
    return commonRoles.split(';').find((role) => role.toLowerCase() === key) ?? words;
  };
  const findIn = (text: string): Actor[] => {
    const found: Actor[] = [];
    for (const match of text.matchAll(pattern)) {
      const { mutual: both, named: one, genitive = '', pronoun } = match.groups as Record<string, string | undefined>;
      // "The company" and "an agent" count only if a party has that name.
      if (one !== undefined && !known.has(one.toLowerCase()) && !/^\p{Lu}/u.test(one)) continue;
      found.push({
        at: match.index,
        until: match.index + match[0].length,
        name: both === undefined ? resolve(one ?? pronoun ?? match[0]) : eachParty,
        isPossessive: genitive !== '' || /^(?:our|your)$/i.test(match[0]),
      });
      if (found.length >= 60) break;
    }
    return found;
  };
  return { resolve, findIn };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', ' {1,2}');
}

const modal =
  /\b(?:shall|will|may|must|can|cannot|agrees?|undertakes?|(?:is|are) entitled|(?:has|have) the right|hereby|waives?|kann|können|darf|dürfen|wird|werden|ist|sind|hat|haben|verpflichtet|verpflichten)\b/gi;

/**
 * The subject of a verb: the last actor before its auxiliary; in German word order ("Daneben kann der Kunde kündigen"), the
 * first actor after it.
 */
export function subjectBefore(actors: Actors, text: string, at: number): Actor | undefined {
  const from = Math.max(0, at - 320);
  const before = text.slice(from, at);
  const found = actors.findIn(before).map((actor) => ({ ...actor, at: actor.at + from, until: actor.until + from }));
  const clause = found.filter(({ isPossessive }) => !isPossessive);
  const auxiliary = [...before.matchAll(modal)].at(-1);
  const split = auxiliary === undefined ? at : from + auxiliary.index;
  const subject =
    clause.filter(({ until, at: start }) => until <= split && !isObject(text, start)).at(-1) ??
    clause.filter(({ until }) => until <= split).at(-1) ??
    clause.find(({ at: start }) => start >= split);
  return subject ?? found.at(-1);
}

/** "to the Supplier", "of the Supplier", "by the Supplier": not the subject. */
function isObject(text: string, at: number): boolean {
  return /\b(?:to|of|by|from|with|for|than|against|upon|von|vom|durch|an|des|der anderen) (?:the |dem |den |der )?$/i.test(
    text.slice(Math.max(0, at - 22), at),
  );
}

/** The party to which a title assigns duties: "TENANT'S COVENANTS", "Obligations of the Supplier", "By you". */
export function actorOfTitles(actors: Actors, titles: string): Actor | undefined {
  const last = titles.split(' / ').at(-1) ?? '';
  return /covenant|obligation|dut(?:y|ies)|responsibilit|undertaking|^by\b|pflichten/i.test(last)
    ? actors.findIn(last)[0]
    : undefined;
}
