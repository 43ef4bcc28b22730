/**
 * Terms that burden only one side, with the points that each adds to the risk score. A term that binds both sides adds nothing.
 */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { actorsOf, eachParty } from './actors.ts';
import { severityWeights } from './clause-spec.ts';
import { partiesOf } from './contract-parties.ts';
import { findCovenants } from './covenants.ts';
import { isOrderUnder } from './document-kind.ts';
import { findIndemnities } from './indemnities.ts';
import { findLiabilityCaps } from './liability-caps.ts';
import { relevant } from './statements.ts';
import { findTerminationRights } from './termination-rights.ts';

export interface Imbalance {
  readonly what: string;
  readonly points: number;
  readonly span: { readonly message: number; readonly start: number; readonly end: number };
}

/** The weights of the clauses, and a smaller one for terms that are usual. */
const termWeights = { ...severityWeights, low: 3 } as const;

/** Wording that gives one side a power or takes a right from the other. */
const harshTerms: readonly (readonly [string, number, RegExp])[] = [
  [
    'liability without limit',
    termWeights.critical,
    /\bliability\b[^.;]{0,80}\b(?:is|shall be|remains) unlimited\b|\bbears? unlimited liability\b|\bliable without limit\w*|\bno (?:limit|limitation|cap) (?:on|to|of) (?:the |its |their )?liability of\b|\bliability of the (?:\w+ ){1,3}(?:is|shall be) not limited\b/i,
  ],
  [
    'losses caused by the indemnified side are included',
    termWeights.high,
    /\bwhether or not caused by\b[^.;]{0,40}\bnegligen|\beven if caused by\b[^.;]{0,60}\b(?:indemnit|negligen)/i,
  ],
  [
    'terms may be changed by one side',
    termWeights.high,
    /\b(?:may|reserves the right to)\b[^.;]{0,40}\b(?:amend|modify|change|vary) (?:these|this|the) (?:terms|agreement|contract|conditions)\b[^.;]{0,80}\b(?:at any time|without notice|sole discretion)/i,
  ],
  [
    'prices may be raised at any time',
    termWeights.medium,
    /\b(?:may|can|entitled to)\b[^.;]{0,30}\b(?:increase|raise|change|adjust)\b[^.;]{0,40}\b(?:fees|prices|charges|rates?)\b[^.;]{0,40}\b(?:at any time|sole discretion|without notice)/i,
  ],
  [
    'claims are waived after a short time',
    termWeights.medium,
    /\b(?:invoices?|claims?)\b[^.;]{0,160}\b(?:are|is|shall be|deemed) (?:waived|forfeited|time-barred)\b/i,
  ],
  ['set-off by one side', termWeights.medium, /\b(?!neither|no\b)\w+ may (?:set off|set-off|deduct|withhold)\b/i],
  ['no interest on late payment', termWeights.medium, /\bno interest (?:accrues|is payable|shall)/i],
  ['fees are never refunded', termWeights.low, /\bnon-?refundable\b|\bno refunds?\b/i],
  ['sole discretion of one side', termWeights.low, /\b(?:sole|absolute) (?:and absolute )?discretion\b/i],
  [
    'rights that one side had before the contract are transferred too',
    termWeights.high,
    /\bshall not retain any right\b|\bwhether developed before\b|\bincluding (?:all )?pre-?existing\b/i,
  ],
  ['one side gives no warranty', termWeights.medium, /\bmakes? no warrant(?:y|ies)\b|\bprovided "?as is\b/i],
  [
    'contractual penalty',
    termWeights.medium,
    /\b(?:shall|must|will) pay\b[^.;]{0,60}\b(?:penalty|liquidated damages)\b|\bvertragsstrafe (?:von|in höhe)/i,
  ],
  [
    'personal guarantee or security from one side',
    termWeights.medium,
    /\bpersonally guarantees?\b|\bjointly and severally\b/i,
  ],
];

/** Lists each kind once. */
export function findImbalances(document: Document): Imbalance[] {
  const found = new Map<string, Imbalance>();
  const add = (what: string, points: number, range: Range) => {
    if (!found.has(what)) found.set(what, { what, points, span: { ...document.spanOf(range) } });
  };
  const actors = actorsOf(document);
  for (const [what, points, pattern] of harshTerms) {
    const statement = relevant(document, pattern, 1)[0];
    if (statement === undefined) continue;
    const isMutual = actors.findIn(statement.text).some(({ name }) => name === eachParty);
    if (!isMutual) add(what, points, statement);
  }
  // "The company that accepts these terms" is a side without a name.
  if (partiesOf(document).length >= 2 && !isOrderUnder(document)) {
    for (const [what, points, range] of oneSided(document)) add(what, points, range);
  }
  return [...found.values()];
}

/** Rights and duties that only one side has. */
function oneSided(document: Document): [string, number, Range][] {
  const list: [string, number, Range][] = [];
  const sidesOf = (entries: readonly (Range & { readonly by?: string })[]) => new Set(entries.map(({ by }) => by));
  const single = <Entry extends Range & { readonly by?: string }>(entries: readonly Entry[]): Entry | undefined => {
    const sides = sidesOf(entries);
    const [only] = entries;
    return sides.size === 1 && only?.by !== undefined && only.by !== eachParty && only.by !== 'either party'
      ? only
      : undefined;
  };
  const rights = findTerminationRights(document);
  const convenience = single(rights.filter(({ ground }) => ground === 'convenience'));
  if (convenience !== undefined)
    list.push(['only one side may terminate without a reason', termWeights.medium, convenience]);
  const breach = single(rights.filter(({ ground }) => ground === 'material-breach'));
  if (breach !== undefined) list.push(['only one side may terminate for breach', termWeights.medium, breach]);
  const indemnities = findIndemnities(document);
  const indemnity = single(indemnities);
  if (indemnity !== undefined)
    list.push(['only one side indemnifies', indemnity.isBroad ? termWeights.high : termWeights.low, indemnity]);
  const caps = findLiabilityCaps(document)
    .filter(({ kind }) => kind !== 'unlimited')
    .map(({ of, ...cap }) => ({ ...cap, ...(of === undefined ? {} : { by: of }) }));
  const cap = single(caps);
  if (cap !== undefined) list.push(['only one side has a cap on its liability', termWeights.high, cap]);
  for (const [type, points] of [
    ['non-compete', termWeights.high],
    ['non-solicitation', termWeights.medium],
    ['no-assignment', termWeights.low],
    ['confidentiality', termWeights.low],
  ] as const) {
    const covenant = single(findCovenants(document).filter((each) => each.type === type));
    if (covenant !== undefined) list.push([`${type} binds one side alone`, points, covenant]);
  }
  return list;
}
