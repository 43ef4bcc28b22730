/** Citations of acts by number and by name, in five languages, with the CELEX number of each. */
import type { Range } from '../text/span.ts';
import { actNamePattern, namedActs, needsArticle } from './act-names.ts';

export type ActType = 'regulation' | 'directive' | 'decision' | 'recommendation' | 'framework decision' | 'treaty';

export interface ActCitation extends Range {
  readonly celex: string;
  readonly type: ActType;
  /** In the form of the Interinstitutional Style Guide: `Regulation (EU) 2016/679`. For a short name, the name itself. */
  readonly normalised: string;
  /** Commission acts under Articles 290 and 291 TFEU. */
  readonly rank?: 'delegated' | 'implementing';
}

/** Ordered by position in the text. */
export function findActs(text: string): ActCitation[] {
  const found: ActCitation[] = [];
  for (const match of text.matchAll(numberedShape)) {
    const citation = readNumbered(match);
    if (citation !== undefined) found.push({ ...citation, start: match.index, end: match.index + match[0].length });
  }
  for (const match of text.matchAll(namedShape)) {
    const act = namedActs.get(match[0]);
    if (act === undefined || (needsArticle(match[0]) && !followsArticle(text, match.index))) continue;
    const place = { start: match.index, end: match.index + match[0].length };
    found.push({ celex: act.celex, type: typeOf(act.celex), normalised: act.name, ...place });
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Whether an article, a paragraph or a recital is cited directly before. */
function followsArticle(text: string, at: number): boolean {
  return /\b(?:art(?:icles?|ikel|\.)|recitals?|erwägungsgrund|considérant|paras?|abs)|(?:čl\.|článek|článku)/iu.test(
    text.slice(Math.max(0, at - 60), at),
  );
}

/** The act's type word, "(EU)", "No", two numbers and an ending "/EC"; only the word and the numbers are required. */
const numberedShape =
  /(?<![\p{L}\d])((?:Council|Commission|Delegated|Implementing|Framework|Delegierte|Durchführungs|Rahmen)[ \u00a0\n]?(?:(?:Delegated|Implementing|Framework)[ \u00a0\n])?)?(Regulations?|Directives?|Decisions?|Recommendations?|[Vv]erordnung(?:en)?|Richtlinien?|Beschl(?:uss|üsse)|Entscheidung|Empfehlung|[Rr]èglements?|[Dd]irectives?|[Dd]écisions?|[Nn]ařízení|[Ss]měrnice|[Rr]ozhodnutí|[Rr]egolamento|[Dd]irettiva|[Rr]eglamento|[Dd]irectiva)((?: délégué| d’exécution| d'exécution| v přenesené pravomoci| delegato| di esecuzione| delegado| de ejecución)?)(?: (?:Evropského parlamentu a Rady|Rady|Komise))?[ \u00a0\n]{0,2}(?:\(([A-Z][A-Za-z, ]{1,20})\)[ \u00a0\n]?)?(No|Nr\.?|n°|nº|n\.o?|č\.|núm\.)?[ \u00a0\n]?(\d{1,4})\/(\d{1,4})(?:\/(EU|EC|EEC|EG|EWG|CE|CEE|UE|ES|EHS|Euratom|JHA|JI|CFSP|ECSC))?(?!\d|\/\d)/gu;

const namedShape = new RegExp(String.raw`(?<![\p{L}\d])(?:${actNamePattern})(?![\p{L}\d])`, 'gu');

function readNumbered(match: RegExpMatchArray): Omit<ActCitation, 'start' | 'end'> | undefined {
  const [, before = '', word = '', after = '', community, numberSign, first = '', second = '', ending] = match;
  const framework = /Framework|Rahmen/.test(before);
  const type = framework && /^(?:Decision|Beschl)/.test(word) ? 'framework decision' : typeOfWord(word);
  // Boards, courts and authorities number their decisions in the same form, but decisions of the Union name their institution.
  if (!/^(?:regulation|directive)$/.test(type) && community === undefined && ending === undefined) return undefined;
  const order = yearAndNumber(type, first, second, numberSign !== undefined);
  if (order === undefined) return undefined;
  const { year, number, yearFirst } = order;
  const letter = {
    regulation: 'R',
    directive: 'L',
    decision: 'D',
    recommendation: 'H',
    'framework decision': 'F',
    treaty: '',
  }[type];
  const delegated = /[Dd]elegat|[Dd]elegier|délégué|přenesené|delegad/.test(before + after);
  const implementing = /[Ii]mplement|[Dd]urchführ|exécution|esecuzione|ejecución/.test(before + after);
  return {
    celex: `3${year}${letter}${String(number).padStart(4, '0')}`,
    type,
    normalised: normalise({
      type,
      number,
      yearFirst,
      writtenYear: yearFirst ? first : second,
      community,
      ending,
      delegated,
      implementing,
    }),
    ...(delegated ? { rank: 'delegated' as const } : implementing ? { rank: 'implementing' as const } : {}),
  };
}

interface Parts {
  readonly type: ActType;
  readonly number: number;
  readonly yearFirst: boolean;
  /** Two digits or four, as in the citation. */
  readonly writtenYear: string;
  readonly community: string | undefined;
  readonly ending: string | undefined;
  readonly delegated: boolean;
  readonly implementing: boolean;
}

function normalise(parts: Parts): string {
  const name = parts.type
    .split(' ')
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');
  const rank = parts.delegated ? 'Delegated ' : parts.implementing ? 'Implementing ' : '';
  const community =
    parts.community === undefined ? '' : ` (${parts.community.split(/,\s?/).map(englishCommunity).join(', ')})`;
  const ending = parts.ending === undefined ? '' : `/${englishCommunity(parts.ending)}`;
  const numbers = parts.yearFirst ? `${parts.writtenYear}/${parts.number}` : `No ${parts.number}/${parts.writtenYear}`;
  return `${rank}${name}${community} ${numbers}${ending}`;
}

/** The abbreviations of other languages in English. */
function englishCommunity(abbreviation: string): string {
  const english: Readonly<Record<string, string>> = {
    UE: 'EU',
    EG: 'EC',
    CE: 'EC',
    ES: 'EC',
    EWG: 'EEC',
    CEE: 'EEC',
    EHS: 'EEC',
    JI: 'JHA',
    GASP: 'CFSP',
  };
  return english[abbreviation] ?? abbreviation;
}

function typeOfWord(word: string): ActType {
  const lower = word.toLowerCase();
  if (/^(?:regulation|verordnung|règlement|nařízení|regolamento|reglamento)/.test(lower)) return 'regulation';
  if (/^(?:directi|richtlinie|směrnice|direttiva)/.test(lower)) return 'directive';
  return /^(?:recommendation|empfehlung)/.test(lower) ? 'recommendation' : 'decision';
}

function typeOf(celex: string): ActType {
  if (celex.startsWith('1')) return 'treaty';
  return celex[5] === 'R' ? 'regulation' : celex[5] === 'L' ? 'directive' : 'decision';
}

/**
 * Determines which of the two numbers is the year. Directives and most decisions have the year first, regulations before 2015
 * and every number after "No" have it last, and since 2015 it is always first. @see Interinstitutional Style Guide §1.2.2
 */
function yearAndNumber(
  type: ActType,
  first: string,
  second: string,
  hasNumberSign: boolean,
): { readonly year: number; readonly number: number; readonly yearFirst: boolean } | undefined {
  const asFirst = yearOf(first);
  const asSecond = yearOf(second);
  const firstIsYear =
    asFirst !== undefined &&
    (asSecond === undefined || (!hasNumberSign && (type !== 'regulation' || asFirst >= 2015 || asSecond < 1958)));
  const year = firstIsYear ? asFirst : asSecond;
  const number = Number(firstIsYear ? second : first);
  return year === undefined || number === 0 ? undefined : { year, number, yearFirst: firstIsYear };
}

function yearOf(digits: string): number | undefined {
  const value = Number(digits);
  if (digits.length === 2) return value >= 52 ? 1900 + value : undefined;
  return digits.length === 4 && value >= 1952 && value <= 2099 ? value : undefined;
}
