/** Who owns intellectual property or data under a contract. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type Actor, type Actors, actorsOf, eachParty, subjectBefore } from './actors.ts';
import { genericRights, madeUnder, ownBefore, subjects } from './ip-words.ts';
import { relevant } from './statements.ts';

export interface IpOwnership extends Range {
  /** Examples: "deliverables", "background-ip", "software", "improvements", "feedback", "customer-data", "trade-marks". */
  readonly subject: string;
  /** Name in the contract; "each party" if each keeps its own. */
  readonly owner: string;
}

const subjectPattern = new RegExp(
  [
    ...subjects.map(([, words], index) => `(?<![\\p{L}])(?<s${index}>${words})(?![\\p{L}])`),
    `(?<![\\p{L}])(?<generic>${genericRights})(?![\\p{L}])`,
  ].join('|'),
  'giu',
);

const ownership =
  /\bown(?:s|ed|ership|er|ers)?\b|\bretain|\bkeeps?\b|\breserve|\bvest|\bbelongs?\b|\bproperty\b|\bassign|\btitle\b|\bright, title\b|\byours\b|\bours\b|\bpass(?:es)? to\b|\b(?:stays?|remains?)\b|überträgt|übertragen|\bbleib|\bverbleib|\bsteh(?:t|en)\b|\bgehör|\beigentum|\binhaber|\beinräum|\bräumt\b|\bgeh(?:t|en)\b[^.;]{0,120} über|\bpropriété\b|\bappart|\bpropiedad\b|\bpertenec/i;
const denial =
  /\b(?:shall|will|do(?:es)?|may) not (?:retain|own|acquire|have|claim|assign|obtain|get)|\bno (?:right|title|licen|ownership|transfer)|\bnothing\b|\bnicht\b[^.]{0,40}übertragen|\bneither (?:party|side) (?:acquires|obtains)|\bacquires? no\b|\bgets? no\b/i;
const otherTitle =
  /\bgoods\b.{0,60}\btitle\b|\btitle (?:to|in) the (?:goods|products|equipment)|retention of title|\bassign\w* (?:this|the|its|any|all|such) (?:of its )?(?:agreement|contract|terms|lease|licence|rights (?:and|or|under)|obligations)|\bassign (?:or|any|its rights)|\b(?:risk|title) (?:in|to)\b[^.;]{0,40}\bpass|\brights? (?:and remedies|to terminate|of termination|under (?:this|clause|section))\b/i;

/** Each subject once, where it first appears. */
export function findIpOwnership(document: Document): IpOwnership[] {
  const actors = actorsOf(document);
  const found = new Map<string, IpOwnership>();
  for (const statement of relevant(document, ownership)) {
    let before = '';
    for (const part of statement.text.split(
      /;[ ]|, (?=(?:and )?(?:which|die|der|das) )| , and | and (?=by sending|the |all )/,
    )) {
      const isOpen =
        /^(?:and )?which\b/.test(part) ||
        part.slice(0, Math.max(0, part.search(ownership))).search(subjectPattern) === -1;
      const own = isOpen ? `${before} ${part}` : part;
      before = part;
      if (denial.test(part) || !ownership.test(part) || otherTitle.test(part)) continue;
      for (const { subject, owner } of ownersIn(actors, own, (term) => kindOfTerm(document.text, term))) {
        if (!found.has(subject)) found.set(subject, { start: statement.start, end: statement.end, subject, owner });
      }
    }
    if (found.size >= 7) break;
  }
  return [...found.values()];
}

/** A verb of owning with its owner; the property is before it or after it. */
interface Claim {
  readonly owner: string;
  readonly at: number;
  readonly until: number;
  readonly isAfter: boolean;
}

const passive =
  /\b(?:vests?(?: \w+)? in|vested in|belongs? (?:\w+ ){0,2}to|(?:property|ownership) of|owned (?:\w+ ){0,3}by|(?:remains?|stays?|rests?|lies|lie) with|pass(?:es)? (?:\w+ ){0,3}to|(?:assigned|transferred) to|bleib(?:t|en) (?:\w+ )?(?:beim|bei der|bei|eigentum de[rs])|verbleib(?:t|en) (?:\w+ )?(?:beim|bei der|bei)|eigentum de[rs]|gehör(?:t|en) de[rm]|steh(?:t|en) (?:\w+ ){0,4}?(?:dem|der)|auf (?:den|die)|appartien(?:t|nent) (?:au|à la|à)|propriété (?:exclusive )?(?:du|de la|de)|propiedad (?:exclusiva )?(?:del|de la)|pertenec(?:e|en|erán) al?)(?![\p{L}])/giu;
/** "remain the Supplier's property", "stay ours". */
const possessive =
  /\b(?:remains?|stays?|is|are|be|become|becomes)\s(?=(?:the |solely )?[\p{L}' ]{2,40}(?:'s?|er|e?s) (?:sole |exclusive |own )*(?:property|eigentum)\b)|\b(?:remains?|stays?|is|are)\s(?=(?:yours|ours)\b)/giu;
const active =
  /\b(?:owns?|retains?|keeps?|reserves?|has (?:\w+ )?title to|(?:is|are|remains?|shall be|shall remain|is and remains|bleibt|ist) (?:the |de[rn] )?(?:sole |exclusive |alleinige |and )*(?:owners?|inhaber(?:in)?) (?:of|der|des|an))\b/giu;
const assigning = /(?<!\p{L})(?:assigns?|transfers?|conveys?|cedes?|überträgt|räumt|tritt|cède|cede)(?!\p{L})/iu;
/** "The party that contributed it", "der jeweiligen Partei": everybody keeps what is theirs. */
const ownParty =
  /^[ ]?(?:the |its |their |that |each |whichever )?(?:party (?:that|which|who|from|contributing|supplying|disclosing|owning|introducing)|respective (?:owner|party|parties)|originating party|disclosing party|(?:(?:de[rn] )?jeweils |der )?(?:jeweilige|offenlegende)[nr]? \p{L}+)/iu;

function ownersIn(
  actors: Actors,
  part: string,
  kindOf: (term: string) => string | undefined,
): { subject: string; owner: string }[] {
  const found: { subject: string; owner: string }[] = [];
  const claims = claimsIn(actors, part);
  for (const [index, claim] of claims.entries()) {
    const next = claims[index + 1];
    // "You own your data, we own the product": the second owner begins after the comma.
    const stop = next?.isAfter === true ? part.lastIndexOf(',', next.at) : part.length;
    const named = subjectsOf(part, claim, stop > claim.until ? stop : part.length);
    const [, term] =
      claim.isAfter || named.length > 0
        ? []
        : (/(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)[ ,]{1,3}$/u.exec(part.slice(0, claim.at)) ?? []);
    const kind = term === undefined ? undefined : kindOf(term.replace(/^(?:The|All|Any|Each|Its) /, ''));
    for (const subject of kind === undefined ? named : [kind]) {
      // "The Supplier owns its pre-existing materials" and "each party owns what it had" differ only in the owner.
      if (!found.some((other) => other.subject === subject)) found.push({ subject, owner: claim.owner });
    }
  }
  return found;
}

function claimsIn(actors: Actors, part: string): Claim[] {
  const all = actors.findIn(part);
  const claims: Claim[] = [];
  /** A one-way agreement has one disclosing party. */
  const parties = new Set(['Disclosing Party', 'Discloser'].filter((name) => actors.resolve(name) !== eachParty));
  const add = (owner: string | undefined, match: RegExpExecArray | RegExpMatchArray, isAfter: boolean) => {
    if (owner !== undefined) claims.push({ owner, at: match.index!, until: match.index! + match[0].length, isAfter });
  };
  const transfer = assigning.exec(part);
  if (transfer !== null) {
    add(receiverOf(actors, all, part, transfer), transfer, isSubjectAfter(part, transfer));
    if (claims.length > 0) return claims;
  }
  for (const match of part.matchAll(passive)) {
    const end = match.index + match[0].length;
    const isMoved = /^auf /i.test(match[0]);
    if (isMoved && !/\bgeh(?:t|en)\b/i.test(part.slice(0, match.index))) continue;
    const named = nextActor(all, end, 30)?.name;
    const owner = ownParty.test(part.slice(end)) && !parties.has(named ?? '') ? eachParty : named;
    add(owner, match, false);
  }
  for (const match of part.matchAll(possessive)) {
    const end = match.index + match[0].length;
    const pronoun = /^(yours|ours)\b/i.exec(part.slice(end))?.[1]?.toLowerCase();
    const owner =
      pronoun === undefined ? nextActor(all, end, 16)?.name : actors.resolve(pronoun === 'ours' ? 'we' : 'you');
    add(owner, match, false);
  }
  for (const match of part.matchAll(active)) {
    const before = part.slice(Math.max(0, match.index - 12), match.index);
    if (
      /\b(?:its|their|his|her|your|our|my|to|each|that it|which it|that) $/i.test(before) &&
      /^(?:own|retain|keep)/i.test(match[0])
    )
      continue;
    const rest = part.slice(match.index, match.index + 140);
    if (
      !/^own|owner|inhaber|title/i.test(match[0]) &&
      !/\b(?:rights?|title|ownership|interest|copyrights?|property|ip)\b/i.test(rest)
    )
      continue;
    const owner = subjectBefore(actors, part, match.index);
    add(owner?.name, match, !/^\w+ (?:it|them)\b/i.test(rest));
  }
  return claims;
}

function nextActor(all: readonly Actor[], at: number, max: number): Actor | undefined {
  return all.find((actor) => actor.at >= at - 1 && actor.at - at <= max);
}

/** Who receives the rights; undefined for a licence and for a transfer to oneself. */
function receiverOf(
  actors: Actors,
  all: readonly Actor[],
  part: string,
  { index, 0: verb }: RegExpExecArray,
): string | undefined {
  const isLicence = /räumt/i.test(verb) && !/ausschließliche|exclusive/i.test(part);
  const to = /\b(?:to|unto|dem|der|au|al|à la)\s/i.exec(part.slice(index));
  if (isLicence || to === null) return undefined;
  const owner = nextActor(all, index + to.index, 14) ?? all.filter(({ at }) => at > index).at(-1);
  const giver = subjectBefore(actors, part, index);
  return owner === undefined || owner.name === giver?.name ? undefined : owner.name;
}

/** "If feedback is given, the Customer assigns it to the Supplier": the property is before the verb. */
function isSubjectAfter(part: string, { index }: RegExpExecArray): boolean {
  return !/^\w+ (?:it|them|these|those) to /i.test(part.slice(index));
}

/** Subjects in one list: "the Software, its Documentation and all improvements". Descriptive words are omitted. */
function subjectsOf(part: string, claim: Claim, stop: number): string[] {
  const from = claim.isAfter ? claim.until : 0;
  const to = claim.isAfter ? stop : claim.at;
  const side = part.slice(from, to);
  const named = [...side.matchAll(subjectPattern)].slice(0, 16).flatMap((match) => {
    const key = Object.entries(match.groups!).find(([, value]) => value !== undefined)![0];
    const subject = key === 'generic' ? 'generic' : subjects[Number(key.slice(1))]![0];
    const lead = side.slice(Math.max(0, match.index - 40), match.index);
    return isDescription(subject, lead) ? [] : [{ subject, at: match.index, until: match.index + match[0].length }];
  });
  const listed = coordinated(side, named);
  const [first] = listed;
  const described = `${side.slice(Math.max(0, (first?.at ?? 0) - 40), (first?.at ?? 0) + 200)} ${claim.isAfter ? '' : part.slice(claim.until, claim.until + 80)}`;
  if (
    first !== undefined &&
    ownBefore.test(described) &&
    (first.subject === 'generic' || first.subject === 'deliverables')
  )
    return ['background-ip'];
  if (listed.length > 0 && listed.every(({ subject }) => subject === 'generic')) {
    if (madeUnder.test(described)) return ['deliverables'];
    // "All rights in the Deliverables": the property follows the rights.
    const lead = side.slice(Math.max(0, first!.at - 50), first!.at);
    if (
      /(?:'s?|\b(?:its|their|our|your|own)) (?:\w+ (?:and |or )?){0,3}$/i.test(lead) &&
      !/\bassign|transfer/i.test(part.slice(claim.at, claim.until))
    )
      return ['background-ip'];
    const inside = named.find(({ subject }) => subject !== 'generic');
    return inside === undefined ? (claim.owner === eachParty ? ['background-ip'] : []) : [inside.subject];
  }
  const kinds = [...new Set(listed.map(({ subject }) => subject))].filter((subject) => subject !== 'generic');
  // Only what a party brought along can stay with each of them.
  return claim.owner === eachParty && kinds.some((kind) => kind === 'deliverables' || kind === 'software') ? [] : kinds;
}

const kinds: readonly (readonly [string, RegExp])[] = [
  [
    'customer-data',
    /\b(?:uploads?|enters?|submits?|stores?|inputs?)\b|\bdata\b[^.]{0,40}\b(?:customer|subscriber|client|user|you)\b/i,
  ],
  ['background-ip', /\b(?:before|pre-?existing|prior to)\b/i],
  ['deliverables', /\b(?:creates?|makes?|produces?|prepares?|delivers?|results?|created|produced|prepared)\b/i],
  ['software', /\b(?:software|platform|application|system|programs?|website|service)\b/i],
];

/** What a defined term stands for, by the words of its definition: `"Records": everything that the Subscriber uploads`. */
function kindOfTerm(text: string, term: string): string | undefined {
  const at = /["“„]/.test(text) ? text.search(new RegExp(`["“„]${term.replace(/\s/g, '\\s')}["”“]`, 'u')) : -1;
  if (at === -1) return undefined;
  const definition = text
    .slice(at + term.length + 2, at + term.length + 200)
    .split(/[.;](?:\s|$)|\n\s*\n|\n["“„]/, 1)[0]!;
  return kinds.find(([, pattern]) => pattern.test(definition))?.[0];
}

/** "in performing the services", "a claim of the Patents": not the property itself. */
function isDescription(subject: string, lead: string): boolean {
  if (subject === 'software' || subject === 'deliverables')
    return /\b(?:performing|providing|supplying|using|use of|under|through|during|for|in connection with|course of|performance of|by means of|part of|access to)\s(?:the |its |any |our |these )?(?:\w+ )?$/i.test(
      lead,
    );
  return false;
}

function coordinated<Named extends { readonly subject: string; readonly at: number; readonly until: number }>(
  side: string,
  named: readonly Named[],
): Named[] {
  const kept: Named[] = [];
  let end = -1;
  for (const each of named) {
    const gap = end === -1 ? '' : side.slice(end, each.at);
    const isListed = end === -1 || /^(?:,| and| or| und| oder| et| y|, including| sowie|\/)[\s\w,']{0,40}$/i.test(gap);
    const isInside =
      /^(?:'s)? ?(?:in|to|of|an|on|de[rnsm]?|aux?|sur) /i.test(gap) &&
      kept.length > 0 &&
      kept.every(({ subject }) => subject === 'generic');
    if (
      end !== -1 &&
      !isInside &&
      (!isListed || /\b(?:of|from|in|with|arising|under|made|using|through|for)\b/i.test(gap))
    )
      continue;
    kept.push(each);
    end = each.until;
  }
  const specific = kept.filter(({ subject }) => subject !== 'generic');
  return specific.length > 0 ? specific : kept;
}
