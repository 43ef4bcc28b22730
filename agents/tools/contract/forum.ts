/** Determines which court or arbitral tribunal finally decides the disputes of a contract, and where. */
import type { Document } from '../../document/document.ts';
import { excerpt, type Range } from '../text/span.ts';
import { germanAdjective, jurisdictionOf } from './jurisdictions.ts';
import { findGoverningLaw } from './law-and-forum.ts';
import { roleWordOf } from './role-words.ts';
import { relevant, type Statement } from './statements.ts';

export interface Forum extends Range {
  readonly kind: 'courts' | 'arbitration';
  /** As written: "London", "English". */
  readonly place?: string;
  /** The place, or the state or country of the courts in English: "England and Wales". */
  readonly seat?: string;
  /** Arbitration rules or institution, if named: "ICC". */
  readonly rules?: string;
  readonly exclusive: boolean;
}

const name =
  "\\p{Lu}[\\p{L}.'’-]*[\\p{L}](?:(?: (?:of|and|am|an der|upon|on|the|de|&) | )\\p{Lu}[\\p{L}.'’-]*[\\p{L}]){0,4}";
const placed = `(?:the )?(?:City of |State of |Republic of |Borough of |Province of |Canton of |Commonwealth of )?(${name}(?:, (?:${name}))?)`;
const patterns = (sources: readonly string[]) => sources.map((source) => new RegExp(source, 'u'));
const courtPlaces = patterns([
  `\\b[Cc]ourts? of ${name}, (?:locatie|zittingsplaats|location) ${placed}`,
  `\\b[Cc](?:ourts?|OURTS?) (?:\\w+ ){0,3}?(?:located|situated|sitting|seated|having jurisdiction|based) (?:with)?in ${placed}`,
  `\\b[Cc]ourts? (?:of competent jurisdiction )?(?:of|in|at|for) ${placed}`,
  `\\b[Gg]erichtsstand(?: für [^.;]{0,160}?)?(?:, [^.;]{0,80},)? ist(?: ausschließlich| der Sitz des \\w+,?| daher)? ${placed}`,
  `\\b[Gg]erichtsstand ?[:|] ?${placed}`,
  `\\b[Gg]erichte (?:in|von|am Sitz in) ${placed}`,
  `\\b(?:[Jj]urisdiction|[Vv]enue)(?: \\w+){0,6} (?:in|is|be|of|lies in) ${placed}`,
  `\\b(?:law)?suits?(?: \\w+){0,4}? (?:brought|filed|commenced|instituted|started) (?:only |exclusively )?(?:in|before) (?:the )?(?:courts? (?:of|in) )?${placed}`,
  `\\b[Tt]ribunal(?:es)? (?:de commerce |judiciaire |compétents? )?(?:de |d['’])${placed}`,
  `\\b(?:[Jj]uzgados(?: y [Tt]ribunales)?|[Tt]ribunali|[Ff]oro) (?:de |di )${placed}`,
  `\\b[Ll]andgericht (?:in )?${placed}`,
]);
const seats = patterns([
  `\\b[Ss]eat(?:, or legal place,)?(?: \\w+){0,4}?(?::| (?:shall be|is|will be|being))(?: in)? ${placed}`,
  `\\b[Pp]lace of (?:the )?arbitration(?: \\w+){0,2}?(?::| (?:shall be|is|will be))(?: in)? ${placed}`,
  `\\bseated in ${placed}`,
  `\\b[Ss]eat:? ${placed}`,
  `\\b[Aa]rbitration[^.;]{0,160}?\\b(?:shall (?:be held|take place)|(?:to be )?held|conducted|venue) in ${placed}`,
  `\\b(?:Ort des (?:schiedsrichterlichen Verfahrens|Schiedsverfahrens)|Schiedsort|Sitz des Schiedsgerichts) ist ${placed}`,
  `\\b[Aa]rbitration [^.;]{0,120}?\\b(?:in|at) ${placed}`,
]);

/** Arbitration institutions by their names and acronyms. */
const institutions: readonly (readonly [string, RegExp])[] = [
  ['ICC', /\bICC\b|International Chamber of Commerce/],
  ['LCIA', /\bLCIA\b|London Court of International Arbitration/],
  ['SIAC', /\bSIAC\b|Singapore International Arbitration/],
  [
    'DIS',
    /\bDIS\b|German (?:Arbitration Institute|Institution of Arbitration)|Deutschen? Institution für Schiedsgerichtsbarkeit/,
  ],
  ['VIAC', /\bVIAC\b|Vienna International Arbitral/],
  ['SCC', /\bSCC\b|Stockholm Chamber of Commerce/],
  ['ICDR', /\bICDR\b|International Cent(?:re|er) for Dispute Resolution/],
  ['UNCITRAL', /\bUNCITRAL\b/],
  ['AAA', /\bAAA\b|American Arbitration Association/],
  ['JAMS', /\bJAMS\b/],
  ['CIETAC', /\bCIETAC\b/],
  ['HKIAC', /\bHKIAC\b/],
  ['CAM', /\bCAM\b|Camera Arbitrale di Milano|Corte de Arbitraje de Madrid/],
  ['NAI', /\bNAI\b|Nederlands Arbitrage Instituut/],
  ['CEPANI', /\bCEPANI\b/],
  ['FAI', /\bFAI\b/],
  ['Swiss Rules', /\bSwiss (?:Rules|Arbitration)/],
];

/** Ordered by position in the text; at most one by courts and one by arbitration, unless they name different places. */
export function findForums(document: Document): Forum[] {
  const found: Forum[] = [];
  for (const statement of relevant(
    document,
    /court|jurisdiction|arbitra|gericht|schieds|\bvenue\b|\b(?:law)?suits?\b|tribunal|juzgado|\bforo\b/i,
  )) {
    const forum = arbitrationIn(document, statement) ?? courtsIn(document, statement);
    if (forum === undefined || found.length >= 10) continue;
    const known = found.find(({ kind }) => kind === forum.kind);
    if (known === undefined) found.push(forum);
    else if (known.place === undefined && forum.place !== undefined)
      found[found.indexOf(known)] = {
        ...forum,
        ...known,
        place: forum.place,
        ...(forum.seat === undefined ? {} : { seat: forum.seat }),
      };
  }
  const hasArbitration = found.some(({ kind }) => kind === 'arbitration');
  return hasArbitration
    ? found
        .filter(({ kind, place }) => kind === 'arbitration' || (place === undefined) === false)
        .filter(({ kind }) => kind === 'arbitration')
    : found;
}

function arbitrationIn(document: Document, statement: Statement): Forum | undefined {
  const { text } = statement;
  if (!/arbitra|schieds/i.test(text)) return undefined;
  if (
    /\bnot as (?:an )?arbitrator|\bno arbitration\b|\bnot (?:be )?(?:subject|referred|submitted) to arbitration|\bwaive\b[^.;]{0,60}\barbitration\b|\bkein schieds/i.test(
      text,
    )
  )
    return undefined;
  const isClause =
    /\b(?:settled|resolved|determined|decided|referred|submit\w*|finally|binding|administered|conducted|seat|place of arbitration|rules?|entschieden|schiedsordnung|schiedsort|schiedsgericht)\b/i.test(
      text,
    );
  if (!isClause) return undefined;
  const place = firstMatch(seats, text);
  const rules = institutions.find(([, pattern]) => pattern.test(text))?.[0];
  const next = place === undefined ? seatBehind(document, statement) : undefined;
  const seat = place ?? next;
  return {
    kind: 'arbitration',
    start: statement.start,
    end: statement.end,
    ...(seat === undefined ? {} : { place: seat, seat }),
    ...(rules === undefined ? {} : { rules }),
    exclusive: true,
  };
}

function seatBehind(document: Document, statement: Statement): string | undefined {
  for (const other of relevant(
    document,
    /\bseat|place of (?:the )?arbitration|\bheld in\b|schiedsort|ort des schieds/i,
    20,
  )) {
    if (other.start >= statement.start && other.start - statement.end < 600) {
      const place = firstMatch(seats, other.text);
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

function courtsIn(document: Document, { text, start, end, titles }: Statement): Forum | undefined {
  const isClause =
    /\bjurisdiction\b|\bvenue\b|\bgerichtsstand\b|\bzuständig|\b(?:tribunal|juzgados|foro)\b/i.test(text) ||
    /\b(?:lawsuits?|suits?|actions?)\b[^.;]{0,60}\b(?:brought|filed|commenced)\b/i.test(text) ||
    /\bcourts\b[^.;]{0,60}\b(?:decide|hear|settle|determine|rule on)\b|\bgo(?:es)? to the courts\b|\b(?:attorn|submit)s? to the courts\b/i.test(
      text,
    ) ||
    (/\bcourts?\b/i.test(text) &&
      /\b(?:disputes?|claims?|proceedings?|actions?)\b[^.;]{0,120}\b(?:brought|submitted|settled|resolved|decided|heard|subject)\b/i.test(
        text,
      ));
  if (
    !isClause ||
    !/\bcourts?\b|\bgericht|\bvenue\b|\bplace of jurisdiction\b|\bsuits?\b|lawsuit|tribunal|juzgados|\bforo\b/i.test(
      text,
    )
  )
    return undefined;
  if (
    /\bcourt of competent jurisdiction\b(?! (?:in|of|at))|\bwithout recourse to\b|\b(?:injunct\w*|interim|equitable) (?:\w+ ){0,3}(?:in|from|before) (?:any|a) court|\brequired by\b|\bany court of\b|\bdecision of a court\b|\bsubscription to our\b|\baward\b/i.test(
      text,
    )
  )
    return undefined;
  const written =
    firstMatch(courtPlaces, text) ??
    adjectiveOf(text) ??
    (/\b(?:its|their|those|whose) courts\b/.test(text) ? lawOf(document) : undefined) ??
    (/\bthe courts of (?:that|such) (?:state|country|jurisdiction)/i.test(text) ? lawOf(document) : undefined);
  if (written === undefined && !/jurisdiction|venue|gerichtsstand/i.test(`${titles} ${text}`)) return undefined;
  const isExclusive =
    /\bexclusive\b|\bsole jurisdiction\b|\bausschließlich/i.test(text) &&
    !/\bnon-?exclusive\b|\bnot exclusive\b|\bnicht ausschließlich/i.test(text);
  return {
    kind: 'courts',
    start,
    end,
    ...(written === undefined ? {} : { place: written, seat: jurisdictionOf(written) }),
    exclusive: isExclusive,
  };
}

function lawOf(document: Document): string | undefined {
  return findGoverningLaw(document)[0]?.jurisdiction;
}

/** "English courts", "deutsche Gerichte". */
function adjectiveOf(text: string): string | undefined {
  const english = /\b(\p{Lu}\p{Ll}+) (?:[Cc]ourts|COURTS)\b/u.exec(text);
  if (
    english !== null &&
    jurisdictionOf(english[1]!) !== english[1]! &&
    !/^(?:The|State|Federal|District|Superior|Commercial|High|Any|All|Such|Local)$/.test(english[1]!)
  )
    return english[1]!;
  const german = /\b(deutsche|österreichische|schweizer)\w* Gerichte/.exec(text);
  return german === null ? undefined : germanAdjective(german[1]!);
}

function firstMatch(list: readonly RegExp[], text: string): string | undefined {
  for (const pattern of list) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const place = match[1]!
      .replace(/ (?:and|und|or|The|This|Any|Each|Either|Courts?)$/, '')
      .replace(/,? (?:USA|U\.S\.A\.|United States of America)$/, '');
    if (
      roleWordOf(place) === undefined &&
      !/^(?:The|This|Any|Court|Courts|Federal|State|Party|Parties|Arbitration|Arbitrators?|Commercial|Customer|Supplier|Section|Clause|Rules|Agreement|Chosen|Competent|Parties|Jurisdiction|Venue)\b/.test(
        place,
      )
    )
      return excerpt(place, { start: 0, end: place.length }, 80);
  }
  return undefined;
}
