/** Who owns intellectual property or data under a contract. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { type Actor, type Actors, actorsOf, eachParty, subjectBefore } from './actors.ts';
import { relevant } from './statements.ts';

export interface IpOwnership extends Range {
  /** Examples: "deliverables", "background-ip", "software", "improvements", "feedback", "customer-data", "trade-marks". */
  readonly subject: string;
  /** Name in the contract; "each party" if each keeps its own. */
  readonly owner: string;
}

/** Kinds of property and the words for them in contracts. If two match at one position, the earlier line wins. */
const subjects: readonly (readonly [string, string])[] = [
  ['feedback', 'feedback|suggestions?'],
  [
    'customer-data',
    "(?:customer|client|subscriber|licensee|controller|user|your|company)(?:'s)? (?:data|content|materials)|kundendaten|daten des (?:kunden|auftraggebers)",
  ],
  [
    'background-ip',
    'background (?:ip|intellectual property(?: rights)?|technology|materials?)|pre-?existing (?:ip|intellectual property|materials?|works?|rights|tools|technology|software)|prior (?:inventions?|works)|existing intellectual property|(?:its|their|our|your) (?:own )?(?:respective )?(?:pre-existing )?(?:intellectual property(?: rights)?|confidential information|tools|know-how|methods)|provider tools|(?:consultant|supplier|contractor|provider) (?:tools|materials)|confidential information|vorbestehende\\w*(?: \\p{L}+)?|bestehende schutzrechte|altschutzrechte',
  ],
  [
    'improvements',
    'improvements?|enhancements?|modifications?|derivative works?|weiterentwicklungen|verbesserungen|bearbeitungen',
  ],
  ['trade-marks', 'trade ?marks?|logos?|brand(?:s| features)?|(?<!waren)marken(?:rechte)?'],
  [
    'deliverables',
    'deliverables?|work products?|works? made for hire|results(?: of the (?:work|services))?|foreground (?:ip|intellectual property(?: rights)?)|developed materials|project (?:ip|materials|results)|work results?|arbeitsergebnisse?n?|leistungsergebnisse?n?|ergebnisse?n?|inventions?|reports|materials|works?',
  ],
  [
    'software',
    'software|services?|platform|licensed (?:software|materials?|technology|products?|program)|programs?|application|documentation|technology|licensed works?|system|lizenzgegenstand|vertragssoftware|produkte?|products?',
  ],
];
const subjectPattern = new RegExp(
  subjects.map(([, words], index) => `(?<![\\p{L}])(?<s${index}>${words})(?![\\p{L}])`).join('|'),
  'giu',
);

const ownership =
  /(?<!\b(?:its|their|his|her|your|our|my) )\bown(?:s|ed|ership|er|ers)?\b|\bretain|\bkeeps?\b|\breserve|\bvest|\bbelongs?\b|\bproperty of\b|\bassign|\btitle\b|\bright, title\b|\büberträgt\b|\bübertragen\b|\bbleib|\bverbleib|\bsteh(?:t|en)\b|\bgehör|\beigentum|\binhaber|\beinräum|\bräumt\b/i;
const denial =
  /\b(?:shall|will|do(?:es)?|may) not (?:retain|own|acquire|have|claim|assign|obtain)|\bno (?:right|title|licen|ownership|transfer)|\bnothing\b|\bnicht\b[^.]{0,40}\bübertragen|\bneither party (?:acquires|obtains)|\bacquires? no\b/i;

/** Each subject once, where it first appears. */
export function findIpOwnership(document: Document): IpOwnership[] {
  const actors = actorsOf(document);
  const found = new Map<string, IpOwnership>();
  for (const statement of relevant(document, ownership)) {
    for (const part of statement.text.split(/; | , and | and (?=by sending|the |all )/)) {
      if (denial.test(part) || !ownership.test(part)) continue;
      for (const { subject, owner } of ownersIn(actors, part, statement.titles)) {
        if (!found.has(subject)) found.set(subject, { start: statement.start, end: statement.end, subject, owner });
      }
    }
    if (found.size >= 7) break;
  }
  return [...found.values()];
}

const isRights =
  /\b(?:rights?|title|interest|ownership|own(?:s|ed)?|copyright|intellectual|property|assign|nutzungsrecht|rechte?\b|eigentum|urheber|schutzrecht|bleib|steh|vest)/i;

function ownersIn(actors: Actors, part: string, titles: string): { subject: string; owner: string }[] {
  const isIp =
    /intellectual|propriet|ownership|\bip\b|licen|data|title|trade ?marks?|work product|feedback|nutzungsrecht|urheber|eigentum|schutzrecht|geistig/i.test(
      titles,
    ) || isRights.test(part);
  if (
    !isIp ||
    /\bgoods\b.{0,60}\btitle\b|\btitle to the (?:goods|products|equipment)|retention of title|assign (?:this|the) (?:agreement|contract|terms|lease)|\bassign (?:or|any|its rights)/i.test(
      part,
    )
  )
    return [];
  const named = [...part.matchAll(subjectPattern)].slice(0, 12).map((match) => {
    const key = Object.entries(match.groups!).find(([, value]) => value !== undefined)![0];
    return { subject: subjects[Number(key.slice(1))]![0], at: match.index, until: match.index + match[0].length };
  });
  const [first] = named;
  if (first === undefined) return [];
  const owner = ownerIn(actors, part, first);
  return owner === undefined
    ? []
    : coordinated(part, named, owner.verbAt).map((subject) => ({ subject, owner: owner.name }));
}

/** Subjects in one list: "the Software, its Documentation and all improvements". Descriptive words are omitted. */
function coordinated(
  part: string,
  named: readonly { subject: string; at: number; until: number }[],
  verbAt: number,
): string[] {
  const [first] = named;
  const isBefore = first!.until <= verbAt;
  const list = named.filter(({ at, until }) => (isBefore ? until <= verbAt : at >= verbAt));
  const kept: string[] = [];
  let end = -1;
  for (const { subject, at, until } of list) {
    const gap = end === -1 ? '' : part.slice(end, at);
    const isListed = end === -1 || /^(?:,| and| or| und| oder|, including| sowie|\/)[\s\w,']{0,40}$/i.test(gap);
    if (end !== -1 && (!isListed || /\b(?:of|from|in|with|arising|under|made|using|through)\b/i.test(gap))) continue;
    if (!kept.includes(subject)) kept.push(subject);
    end = until;
  }
  return kept;
}

function ownerIn(
  actors: Actors,
  part: string,
  subject: { at: number; until: number },
): { name: string; verbAt: number } | undefined {
  const all = actors.findIn(part);
  const after = (at: number, max = 60): Actor | undefined =>
    all.find((actor) => actor.at >= at && actor.at - at <= max);
  // "The Deliverables vest in / belong to / are the property of the Customer."
  const passive =
    /\b(?:vests?(?: \w+)? in|belongs? (?:\w+ ){0,2}to|(?:property|ownership) of|owned (?:\w+ ){0,3}by|remains? with|vested in|bleib(?:t|en) (?:\w+ )?(?:beim|bei der|bei|eigentum de[rs])|verbleib(?:t|en) (?:\w+ )?(?:beim|bei der|bei)|eigentum de[rs]|gehör(?:t|en) de[rm])(?=\W)/i.exec(
      part,
    );
  if (passive !== null) {
    const owner = after(passive.index + passive[0].length);
    if (owner !== undefined) return { name: owner.name, verbAt: passive.index };
  }
  const standing = /\bsteh(?:t|en) (?:\w+ ){0,4}?(?:dem|der)\b/i.exec(part);
  if (standing !== null) {
    const owner = after(standing.index);
    if (owner !== undefined) return { name: owner.name, verbAt: standing.index };
  }
  const assigns = /\b(?:assigns?|transfers?|überträgt|räumt|tritt)\b/i.exec(part);
  if (assigns !== null) {
    const to = /\b(?:to|unto|dem|der)\s/i.exec(part.slice(assigns.index));
    const direct = /^\w+ (?:it|them) to /i.test(part.slice(assigns.index));
    const owner =
      to === null
        ? undefined
        : (after(assigns.index + to.index, 12) ?? all.filter(({ at }) => at > assigns.index).at(-1));
    const subjectOfVerb = subjectBefore(actors, part, assigns.index);
    const isLicence = /\bräumt\b/i.test(assigns[0]) && !/ausschließliche|exclusive/i.test(part);
    if (owner !== undefined && owner.name !== subjectOfVerb?.name && !isLicence) {
      return { name: owner.name, verbAt: direct || subject.at < assigns.index ? assigns.index + 1_000 : assigns.index };
    }
    return undefined;
  }
  const active =
    /(?<!\b(?:its|their|his|her|your|our|my) )\b(?:owns?|retains?|keeps?|reserves?|(?:is|remains?|shall be|shall remain|bleibt) (?:the )?(?:sole |exclusive |and )*(?:owner|inhaber))\b/i.exec(
      part,
    );
  if (active === null || /^to retain\b/i.test(part.slice(active.index - 3))) return undefined;
  if (
    !/^own|owner|inhaber/i.test(active[0]) &&
    !/\b(?:right|title|ownership|interest|copyright)/i.test(part.slice(active.index, active.index + 120))
  )
    return undefined;
  const owner = subjectBefore(actors, part, active.index);
  return owner === undefined
    ? undefined
    : { name: owner.name === eachParty ? eachParty : owner.name, verbAt: active.index };
}
