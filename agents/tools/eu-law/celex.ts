/** CELEX numbers, the identifiers of EUR-Lex, and the meaning of their parts. Pure. */
import type { Range } from '../text/span.ts';

export interface Celex extends Range {
  /** The number as EUR-Lex writes it. */
  readonly celex: string;
  readonly sector: string;
  readonly sectorName: string;
  readonly year: number;
  readonly type: string;
  readonly typeName: string;
  readonly number: string;
  /** For example `R(01)`: a corrigendum; `(01)`: one of several documents of a day. */
  readonly suffix?: string;
  /** Day of a consolidated version, ISO. */
  readonly consolidated?: string;
}

/** Every CELEX number in a text, in its order. @see EUR-Lex, "CELEX infographic" and "How CELEX numbers are composed" */
export function findCelex(text: string): Celex[] {
  const found: Celex[] = [];
  for (const match of text.matchAll(celexShape)) {
    const celex = readMatch(match);
    if (celex !== undefined) found.push({ ...celex, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

const celexShape =
  /(?<![\w/])(?:([0-9CE])((?:19|20)\d{2})([A-Z]{1,2})(\d{4})(R\(\d{2}\)|\(\d{2}\))?(?:-(\d{8}))?|(1)((?:19|20)\d{2})([A-Z]{1,2})(?:\/(TXT|AFI\/DCL\/\d{1,2}|PRO\/\d{1,2})|(\d{3}))?)(?![\w/(-])/g;

function readMatch(match: RegExpMatchArray): Omit<Celex, 'start' | 'end'> | undefined {
  if (match[7] !== undefined) return readTreaty(match);
  const [celex = '', sector = '', year = '', type = '', number = '', suffix, version] = match;
  const typeName = typesOf(sector)?.get(type);
  if (typeName === undefined) return undefined;
  const consolidated =
    version === undefined ? undefined : `${version.slice(0, 4)}-${version.slice(4, 6)}-${version.slice(6)}`;
  if (consolidated !== undefined && sector !== '0') return undefined;
  return {
    celex,
    sector,
    sectorName: sectorNames.get(sector)!,
    year: Number(year),
    type,
    typeName,
    number,
    ...(suffix === undefined ? {} : { suffix }),
    ...(consolidated === undefined ? {} : { consolidated }),
  };
}

/** `12016E101`: Article 101 TFEU in the version of 2016. */
function readTreaty(match: RegExpMatchArray): Omit<Celex, 'start' | 'end'> | undefined {
  const typeName = treatyTypes.get(match[9]!);
  if (typeName === undefined) return undefined;
  return {
    celex: match[0],
    sector: '1',
    sectorName: sectorNames.get('1')!,
    year: Number(match[8]),
    type: match[9]!,
    typeName,
    number: match[11] ?? match[10] ?? '',
  };
}

const sectorNames = new Map([
  ['0', 'consolidated texts'],
  ['1', 'treaties'],
  ['2', 'international agreements'],
  ['3', 'legal acts'],
  ['4', 'complementary legislation'],
  ['5', 'preparatory documents'],
  ['6', 'EU case-law'],
  ['7', 'national transposition measures'],
  ['8', 'national case-law on EU law'],
  ['9', 'parliamentary questions'],
  ['C', 'other documents of the OJ, C series'],
  ['E', 'EFTA documents'],
]);

const treatyTypes = new Map([
  ['E', 'Treaty on the Functioning of the European Union (EC Treaty before 2009)'],
  ['M', 'Treaty on European Union'],
  ['P', 'Charter of Fundamental Rights'],
  ['A', 'Euratom Treaty'],
  ['L', 'Treaty of Lisbon'],
  ['ME', 'consolidated treaties'],
]);

const legalActs = new Map([
  ['R', 'regulation'],
  ['L', 'directive'],
  ['D', 'decision'],
  ['F', 'framework decision (JHA)'],
  ['E', 'common position or action (CFSP)'],
  ['H', 'recommendation'],
  ['A', 'opinion'],
  ['G', 'resolution'],
  ['C', 'declaration'],
  ['J', 'decision not to oppose a notified joint venture'],
  ['M', 'decision not to oppose a concentration'],
  ['O', 'guideline of the ECB'],
  ['Q', 'rules of an institution'],
  ['S', 'decision of general interest (ECSC)'],
  ['K', 'recommendation (ECSC)'],
  ['B', 'budget'],
  ['X', 'other document'],
  ['Y', 'other document, C series'],
]);

const caseLaw = new Map([
  ['CJ', 'judgment of the Court of Justice'],
  ['CO', 'order of the Court of Justice'],
  ['CC', 'opinion of the Advocate General'],
  ['CV', 'opinion of the Court of Justice'],
  ['CA', 'judgment of the Court of Justice, information in the OJ'],
  ['CN', 'case before the Court of Justice, information in the OJ'],
  ['TJ', 'judgment of the General Court'],
  ['TO', 'order of the General Court'],
  ['TN', 'case before the General Court, information in the OJ'],
  ['TA', 'judgment of the General Court, information in the OJ'],
  ['FJ', 'judgment of the Civil Service Tribunal'],
  ['FO', 'order of the Civil Service Tribunal'],
]);

const preparatory = new Map([
  ['PC', 'proposal of the Commission (COM)'],
  ['DC', 'other document of the Commission (COM)'],
  ['SC', 'staff working document (SWD, SEC)'],
  ['JC', 'joint document (JOIN)'],
  ['AP', 'legislative resolution of the Parliament'],
  ['AG', 'position of the Council'],
  ['AE', 'opinion of the Economic and Social Committee'],
  ['AR', 'opinion of the Committee of the Regions'],
  ['XC', 'document of the Commission, C series'],
  ['XG', 'document of the Council, C series'],
]);

const agreements = new Map([
  ['A', 'agreement with non-member states'],
  ['D', 'act of a body created by an agreement'],
  ['P', 'act of a parliamentary body created by an agreement'],
  ['X', 'other act'],
]);

function typesOf(sector: string): ReadonlyMap<string, string> | undefined {
  if (sector === '0' || sector === '3') return legalActs;
  if (sector === '2') return agreements;
  if (sector === '5') return preparatory;
  if (sector === '6') return caseLaw;
  if (sector === '7') return new Map([...legalActs].map(([type, name]) => [type, `national measure for a ${name}`]));
  return undefined;
}
