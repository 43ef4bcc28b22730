/** The actors that a statement mentions: "Either party", "the Supplier", "we"; and which of them is the subject of a verb. */
import type { Document } from '../../document/document.ts';
import { partiesOf } from './contract-parties.ts';
import { type RoleCode, roleWords } from './role-words.ts';

/** Refers to both sides; rights are then reported for "either party". */
export const eachParty = 'each party';

export interface Actors {
  /** The party to which the matched words refer, by its name in the contract. */
  resolve(words: string): string;
  /** Ordered by position in the text. */
  findIn(text: string): readonly Actor[];
}

export interface Actor {
  readonly at: number;
  readonly until: number;
  readonly name: string;
  /** "Supplier's", "des Auftragnehmers". */
  readonly isPossessive: boolean;
}

/** Role words that are also ordinary words, or parts of names, even if capitalised: they count only if a party has that name. */
const ordinaryWords = new Set(
  'user bank authority creditor partner member host label studio venue agency author artist institution university hospital warehouse commissioner preneur garant prestatario sponsor insured shareholder investor investors founder founders gesellschaft carrier'.split(
    ' ',
  ),
);

const mutual =
  "(?:either|neither|each|any|both|no|an?|one|every) (?:of (?:the |them|us)?)? ?(?:part(?:y|ies)|sides?)\\b|(?:either|neither|each|both|none|any|one) of (?:us|you and us|them)\\b|(?:the |both )(?:parties|sides)\\b|(?:the |a )(?:affected|unaffected|defaulting|non-defaulting|non-breaching|breaching|innocent|terminating|aggrieved|injured|indemnifying) party\\b|the party (?:not|giving|in (?:breach|default))\\b|(?:jede|beide|keine|eine|die|beider|einer|jeder)[rns]? (?:der )?(?:beiden )?(?:vertrags)?(?:partei(?:en)?|partner[sn]?|seiten?)\\b|you (?:or|and) we\\b|we (?:or|and) you\\b|beiderseits|die (?:vertrags)?parteien\\b|(?:chacune|l['’]une|aucune) (?:ou l['’]autre )?des parties\\b|les (?:deux )?parties\\b|chaque partie\\b|(?:cualquiera|cada una|ninguna) de las partes\\b|(?:ambas|las) partes\\b|ciascuna (?:delle )?part[ei]\\b|le parti\\b|(?:elk(?:e)?|iedere) (?:der )?partij(?:en)?\\b|partijen\\b";

/** Roles that a contract may use without defining them as a party. */
const commonRoles: readonly string[] = [
  'service provider',
  'receiving party',
  'disclosing party',
  'company',
  'employer',
  'employee',
  'owner',
  'franchisor',
  'franchisee',
  ...roleWords.filter((word) => !ordinaryWords.has(word)),
];

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

const cache = new WeakMap<Document, Actors>();

/** The parties of the document, the roles that contracts commonly use, and those that have duties in this text. */
export function actorsOf(document: Document): Actors {
  const known = cache.get(document);
  if (known !== undefined) return known;
  const actors = buildActors(document);
  cache.set(document, actors);
  return actors;
}

function buildActors(document: Document): Actors {
  const parties = partiesOf(document);
  const canonical = new Map<string, string>();
  for (const { aliases, name } of parties) {
    const main = aliases.find((alias) => pronouns[alias.toLowerCase()] === undefined) ?? name;
    for (const alias of aliases) canonical.set(alias.toLowerCase(), main);
    if (name !== '') canonical.set(name.toLowerCase(), main);
  }
  for (const [pronoun, sides] of speakers) {
    const speaking = parties.filter(({ function: code }) => code !== undefined && sides.has(code));
    const [only] = speaking;
    if (speaking.length === 1 && !canonical.has(pronoun)) {
      const main = canonical.get(only!.aliases[0]?.toLowerCase() ?? '') ?? only!.name;
      if (main !== '') canonical.set(pronoun, main);
    }
  }
  for (const role of dutifulRoles(document.text))
    if (!canonical.has(role.toLowerCase())) canonical.set(role.toLowerCase(), role);
  const hasPronouns = [...canonical.keys()].some((alias) => pronouns[alias] !== undefined);
  const named = [...canonical.keys()].filter(
    (alias) => pronouns[alias] === undefined && alias.length <= 60 && alias.length > 1,
  );
  const known = new Set(named);
  const names = [...named, ...commonRoles.filter((role) => !known.has(role))]
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
    return /^\p{Lu}{3,}/u.test(words) ? key.replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase()) : words;
  };
  // Several rules examine the same statements.
  const foundIn = new Map<string, readonly Actor[]>();
  const findIn = (text: string): readonly Actor[] => {
    const before = foundIn.get(text);
    if (before !== undefined) return before;
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
    foundIn.set(text, found);
    return found;
  };
  return { resolve, findIn };
}

/** Who speaks in terms that define no "we": the side that sells; "you" is then the other side. */
const speakers: readonly (readonly [string, ReadonlySet<RoleCode>])[] = [
  ['we', new Set<RoleCode>(['supplier', 'licensor', 'contractor', 'landlord', 'lender', 'principal', 'processor'])],
  ['you', new Set<RoleCode>(['customer', 'licensee', 'tenant', 'borrower', 'distributor', 'controller'])],
];

const duty =
  /(?<![\p{L}])[Tt]he (\p{Lu}\p{Ll}[\p{L}-]{2,20}(?: \p{Lu}\p{Ll}{2,20})?)\s{1,4}(?:shall|must|will|may|agrees? to|undertakes? to)(?:\s{1,4}(?:not|also|promptly|only|at all times))?\s{1,4}(?:pay|provide|deliver|supply|perform|notify|terminate|indemnify|keep|use|maintain|procure|ensure|purchase|order|assign|disclose|appoint|invoice|hold|grant|give|comply|make|inform|return|retain|appeal|engage|cooperate|co-operate)\b/gu;
/** Subjects of such verbs that are not parties. */
const notRoles =
  /^(?:Agreement|Contract|Part(?:y|ies)|Services?|Software|Fees?|Platform|System|Products?|Board|Arbitrators?|Tribunal|Expert|Court|Committee|Steering|Managers?|Contract Managers?|Project|Representatives?|Affiliates?|Insurers?|Auditors?|Personnel|Staff|Users?|Term)\b/;

/** Capitalised subjects of at least two duties: a party whose definition was not recognised. */
function dutifulRoles(text: string): string[] {
  const counts = new Map<string, number>();
  for (const [, role] of text.slice(0, 200_000).matchAll(duty)) {
    if (!notRoles.test(role!) && counts.size < 200) counts.set(role!, (counts.get(role!) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= 2)
    .map(([role]) => role)
    .slice(0, 10);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', ' {1,2}');
}

const modal =
  /\b(?:shall|will|may|must|can|cannot|agrees?|undertakes?|promises?|covenants?|(?:is|are) (?:entitled|free|allowed|permitted|obliged|required|bound)|(?:has|have) the right|hereby|waives?|kann|können|darf|dürfen|wird|werden|ist|sind|hat|haben|verpflichtet|verpflichten|peut|peuvent|pourra|pourront|doit|doivent|s'engage(?:nt)?|s'interdit|s'interdisent|podrá|podrán|puede|pueden|deberá|deberán|se obliga|mag|mogen|kan|kunnen|zal|zullen)(?!\p{L})/giu;

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
