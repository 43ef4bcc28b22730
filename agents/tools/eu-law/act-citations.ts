/** Citations of acts by their numbers and names, in nine languages, and the CELEX number that each stands for. */
import type { Range } from '../text/span.ts';
import { actNamePattern, namedActs, needsArticle } from './act-names.ts';
import {
  type ActType,
  actNoun,
  communityNames,
  englishCommunity,
  institutions,
  isDelegated,
  isFramework,
  isImplementing,
  numberSign,
  typeOfNoun,
  wordsAfter,
  wordsBefore,
} from './act-words.ts';
import { findPrimaryLaw } from './primary-law.ts';

export type { ActType } from './act-words.ts';

export interface ActCitation extends Range {
  readonly celex: string;
  readonly type: ActType;
  /** In the form of the Interinstitutional Style Guide: `Regulation (EU) 2016/679`. For a short name, the name itself. */
  readonly normalised: string;
  /** As printed, `2016/679`; absent for names. */
  readonly number?: string;
  /** Commission acts under Articles 290 and 291 TFEU. */
  readonly rank?: 'delegated' | 'implementing';
  /** The number alone, of an act that the text names elsewhere. */
  readonly bare?: true;
}

/** Ordered by position in the text, without overlaps. */
export function findActs(text: string): ActCitation[] {
  const sure = findNumbered(text);
  const known = new Map(sure.flatMap((act) => (act.number === undefined ? [] : [[act.number, act] as const])));
  const found = [...sure, ...findRepeated(text, known), ...findNamed(text)];
  for (const { celex, name, start, end } of findPrimaryLaw(text)) {
    found.push({ celex, type: 'treaty', normalised: name, start, end });
  }
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const kept: ActCitation[] = [];
  for (const act of found) if (act.start >= (kept.at(-1)?.end ?? 0)) kept.push(act);
  return kept;
}

const digits = '(\\d{1,4})\\/(\\d{1,5})';
const ending = `(?:\\/(${communityNames})(?![A-Za-zÀ-ž]))?`;
const community = `(?:\\(((?:${communityNames})(?:, ?(?:${communityNames})){0,2})\\) ?)?`;

const numberedShape = new RegExp(
  `(?<![A-Za-zÀ-ž\\d])(${wordsBefore})(${actNoun})(${wordsAfter})${institutions} ?${community}(${numberSign})? ?${digits}${ending}(?!\\d|\\/\\d)`,
  'giu',
);
/** "Regulations (EC) No 1069/2009 and (EC) No 1107/2009": a further number with its community, or with an ending. */
const furtherShape = new RegExp(
  `(?: ?\\(\\d{1,2}\\))?(?:,|;)?(?: (?:and|or|to|und|oder|sowie|et|ou|y|e|o|en|of|i|oraz|lub|a))? (?:\\(((?:${communityNames})(?:, ?(?:${communityNames})){0,2})\\) ?(${numberSign})? ?${digits}|(${numberSign})? ?${digits}\\/(${communityNames})(?![A-Za-zÀ-ž]))(?!\\d|\\/\\d)`,
  'iuy',
);

function findNumbered(text: string): ActCitation[] {
  const found: ActCitation[] = [];
  for (const match of text.matchAll(numberedShape)) {
    const [written, before = '', noun = '', after = '', inBrackets, sign, first = '', second = '', end] = match;
    // "… implementing Regulation (EU) 2021/12": without a capital it is a verb.
    const verb = /(?:^| )(?:implementing|delegated) $/u.exec(before);
    const written_ = { before: verb === null ? before : before.slice(0, verb.index), noun, after };
    const start = match.index + (verb === null ? 0 : before.length);
    const place = { start, end: match.index + written.length };
    const citation = readNumbered({ ...written_, community: inBrackets, sign, first, second, ending: end });
    if (citation === undefined) continue;
    found.push({ ...citation, ...place });
    for (let at = place.end, count = 0; count < 12; count += 1) {
      furtherShape.lastIndex = at;
      const next = furtherShape.exec(text);
      if (next === null) break;
      const [all, area, areaSign, one, two, sign2, three, four, end2] = next;
      const further = readNumbered({
        ...written_,
        community: area,
        sign: areaSign ?? sign2,
        first: one ?? three ?? '',
        second: two ?? four ?? '',
        ending: end2,
      });
      if (further === undefined) break;
      const from = at + all.search(/\([A-Za-zÀ-ž]|[A-Za-zÀ-ž]{1,3}\.? ?\d|\d{1,4}\//u);
      found.push({ ...further, start: from, end: at + all.length });
      at += all.length;
    }
  }
  return found;
}

const repeatedShape = new RegExp(
  `(?<![A-Za-zÀ-ž\\d\\/.,-])(?:(${wordsBefore})(${actNoun})(${wordsAfter})${institutions} ?(?:${numberSign})? ?)?${digits}(?:\\/(?:${communityNames})(?![A-Za-zÀ-ž]))?(?![\\d/]|[-–]\\d)`,
  'giu',
);

/** "Decision 2021/774" and, in tables and brackets, the number alone: only of acts that the text names in full. */
function findRepeated(text: string, known: ReadonlyMap<string, ActCitation>): ActCitation[] {
  if (known.size === 0) return [];
  return [...text.matchAll(repeatedShape)].flatMap((match) => {
    const [written, , noun, , first, second] = match;
    const act = known.get(`${first}/${second}`);
    if (act === undefined || (noun !== undefined && typeOfNoun(noun) !== act.type)) return [];
    const place = { start: match.index, end: match.index + written.length };
    return [noun === undefined ? { ...act, ...place, bare: true as const } : { ...act, ...place }];
  });
}

const namedShape = new RegExp(String.raw`(?<![A-Za-zÀ-ž\d])(?:${actNamePattern})(?![A-Za-zÀ-ž\d])`, 'gu');

function findNamed(text: string): ActCitation[] {
  return [...text.matchAll(namedShape)].flatMap((match) => {
    const act = namedActs.get(match[0]);
    if (act === undefined || (needsArticle(match[0]) && !followsArticle(text, match.index))) return [];
    const place = { start: match.index, end: match.index + match[0].length };
    return [{ celex: act.celex, type: typeOf(act.celex), normalised: act.name, ...place }];
  });
}

/** Whether an article, a paragraph or a recital is cited directly before. */
function followsArticle(text: string, at: number): boolean {
  return /(?<![A-Za-zÀ-ž])(?:art(?:icles?|ikel|ikelen|ículos?|icol[oi]|ykuł[A-Za-zÀ-ž]{0,3}|\.)|recitals?|erwägungsgrund|considérant|considerando|overweging|motyw[A-Za-zÀ-ž]{0,3}|paras?|abs|odst|ust|lid)|(?:čl\.|článek|článku)/iu.test(
    text.slice(Math.max(0, at - 60), at),
  );
}

interface Written {
  readonly before: string;
  readonly noun: string;
  readonly after: string;
  readonly community: string | undefined;
  readonly sign: string | undefined;
  readonly first: string;
  readonly second: string;
  readonly ending: string | undefined;
}

const letters: Readonly<Record<ActType, string>> = {
  regulation: 'R',
  directive: 'L',
  decision: 'D',
  recommendation: 'H',
  'framework decision': 'F',
  treaty: '',
};

function readNumbered(written: Written): Omit<ActCitation, 'start' | 'end'> | undefined {
  const { before, noun, after, community: area, sign, first, second, ending: suffix } = written;
  const named = typeOfNoun(noun);
  if (named === undefined) return undefined;
  const type = named === 'decision' && isFramework.test(before + after) ? 'framework decision' : named;
  // Boards, courts and authorities number their decisions alike: those of the Union say whose they are.
  if (type !== 'regulation' && type !== 'directive' && area === undefined && suffix === undefined) return undefined;
  const order = yearAndNumber(type, first, second, sign !== undefined);
  if (order === undefined) return undefined;
  const { year, number, yearFirst } = order;
  const delegated = isDelegated.test(before + after);
  const implementing = isImplementing.test(before + after);
  const parts = { type, number, yearFirst, writtenYear: yearFirst ? first : second, delegated, implementing };
  return {
    celex: `3${year}${letters[type]}${String(number).padStart(4, '0')}`,
    type,
    number: `${first}/${second}`,
    normalised: normalise({ ...parts, community: area, ending: suffix }),
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
  const area =
    parts.community === undefined ? '' : ` (${parts.community.split(/,\s?/).map(englishCommunity).join(', ')})`;
  const suffix = parts.ending === undefined ? '' : `/${englishCommunity(parts.ending)}`;
  const numbers = parts.yearFirst ? `${parts.writtenYear}/${parts.number}` : `No ${parts.number}/${parts.writtenYear}`;
  return `${rank}${name}${area} ${numbers}${suffix}`;
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
  return year === undefined || number === 0 || number > 9999 ? undefined : { year, number, yearFirst: firstIsYear };
}

function yearOf(written: string): number | undefined {
  const value = Number(written);
  if (written.length === 2) return value >= 52 ? 1900 + value : undefined;
  return written.length === 4 && value >= 1952 && value <= 2099 ? value : undefined;
}
