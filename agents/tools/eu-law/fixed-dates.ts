/** Finds days by which something is to be done: dates, not periods. @see Regulation (EEC, Euratom) No 1182/71, Article 5(2) */
import type { Certain } from '../left-out.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { findActDates } from './act-dates.ts';
import { formatDay, parseDay, weekday, weekdayNames } from './calendar.ts';
import { type Doubt, untilDoubt } from './certainty.ts';
import { isClaimed } from './claims.ts';
import { lawRows } from './law-tables.ts';
import { lasts } from './limit-words.ts';
import { isWorkingDay } from './periods.ts';
import type { LawText } from './read-law.ts';
import { byWordBefore, isRejected, isSupposed, isTemplate } from './statements.ts';
import { nextSentence } from './subjects.ts';

export interface FixedDate extends Range {
  readonly date: string;
  readonly weekday: (typeof weekdayNames)[number];
  /** The deadline ends when this hour begins: `2026-04-15T00:00` is the end of 14 April. */
  readonly ends: string;
  readonly rule: string;
  /** Neither a Saturday, a Sunday nor a holiday of the list. */
  readonly workingDay: boolean;
}

/** "Before 1 May" ends with 30 April. */
const excluding =
  /(?<![A-Za-zÀ-ž])(?:before|prior to|vor dem|avant le|antes del|prima del|vóór|voor|przed(?: dniem)?|před) ?(?:the )?$/iu;
/** Goods filled, permits granted or acts committed before a day: a condition, no limit. */
const condition =
  /(?<![A-Za-zÀ-ž])(?:(?<!(?:be|is|are|been) )(?:filled|placed|issued|granted|manufactured|concluded|adopted|made|marked|born|published|installed|produced|initiated|pending|submitted|lodged|entered into|acquired|registered|begun|commenced)(?: on the market)?(?: (?:by|between|with|in|under|at|within) [^.;,]{1,60})?|erteilt[A-Za-zÀ-ž]{0,2}|geschlossen[A-Za-zÀ-ž]{0,2}|hergestellt[A-Za-zÀ-ž]{0,2}|in verkehr gebracht[A-Za-zÀ-ž]{0,2}|délivrée?s?|conclus?e?s?|adoptée?s?|concedid[oa]s?|celebrad[oa]s?|rilasciat[oaie]|conclus[oaie]|die|kabels|udzielon[A-Za-zÀ-ž]{1,2}|wydan[A-Za-zÀ-ž]{1,2}|zawart[A-Za-zÀ-ž]{1,2}|uděle[A-Za-zÀ-ž]{1,4})$/iu;
/** Days until which a rule applies or something is valid are no limits for an act. */
const ofRule =
  /(?<![A-Za-zÀ-ž])(?:appl(?:y|ies|ied|icable)|valid|in force|remain(?:s|ed)?|anwendbar|gilt|gelten|gültig|in kraft|s'appliquent?|applicables?|valables?|en vigueur|expires?|expired|runs?|läuft|expire(?:nt|r)?|may adopt [^.;,]{1,60}|aplicables?|se aplicarán?|válid[oa]s?|en vigor|si applica(?:no)?|applicabil[ei]|valid[oaie]|in vigore|van toepassing|geldig|van kracht|stosuje się|obowiązuje|ważn[A-Za-zÀ-ž]{1,3}|platn[A-Za-zÀ-ž]{1,3}|použije se)(?![A-Za-zÀ-ž])[^.;,]{0,30} ?$/iu;
/** "It applies until", also with the verb next to the word of the last day. */
const untilOfRule =
  /(?<![A-Za-zÀ-ž])(?:applies|apply|applicable|expires?|in force|gilt|gelten|s'appliquent?|applicables?|en vigueur|aplicables?|se aplica|en vigor|si applica(?:no)?|applicabil[ei]|in vigore|van toepassing) (?:until|till|bis(?: zum)?|jusqu'au|hasta el|fino al|tot(?: en met)?) ?$/iu;
/** "The measures are extended until 22 March": no limit for an act, unless a time limit is extended. */
const prolonged =
  /(?<![A-Za-zÀ-ž])(?:extend(?:ed|ing|s)?|prolong(?:ed|ing|s)?|renew(?:ed|ing|s)?|verlänger[a-z]{1,4}|prorog[a-zà-ž]{1,4}|prorrog[a-zà-ž]{1,4}|verleng[a-z]{1,3}|przedłuż[a-zà-ž]{1,5}|prodlouž[a-zà-ž]{1,5})(?![A-Za-zÀ-ž])[^.;]{0,80}$/iu;
/** "Werden bis zum 22. März 2028 verlängert": the verb follows. */
const prolongedAfter =
  /^ (?:[a-zà-ž]+ ){0,2}(?:verlängert|verlengd|przedłużon[a-zà-ž]{1,2}|prodloužen[a-zà-ž]{0,2})(?![A-Za-zÀ-ž])/iu;
const ofLimit =
  /(?<![A-Za-zÀ-ž])(?:deadlines?|time[- ]limits?|periods?|(?:[a-zä-ü]+)?frist(?:en)?|délais?|plazos?|termin[ei]|termijn(?:en)?|termin[a-zà-ž]{0,3}|lhůt[a-zà-ž]{1,2})(?![A-Za-zÀ-ž])/iu;
/** "The time limit expired on", "Il termine è pertanto scaduto il": the last day, stated as a result. Not of a period that merely lasts. */
const expiry =
  /(?<!\p{L})(?:time[- ]limits?|deadline|(?:period|time) (?:for|allowed|within which|to)|\p{L}*frist|délai|plazo|termine|termijn|termin|lhůta|prazo)(?!\p{L})(?:[^.;]{0,80}[ ,])?(?:expired|expires|ended|ends|lief|läuft|endete|endet|(?:a |est )?expiré|expire|expirait|expiró|expira|expiraba|venció|vence|vencía|(?:è )?(?:pertanto |quindi |dunque )?scaduto|scade|scadeva|verstreek|verstrijkt|eindigde|eindigt|upłynął|upływa|uplynula|uplyne|terminou|termina)(?: (?:on|am|le|el|il|op|w dniu|dnia|dne|den|em|a))?(?: (?:\p{L}{5,12}),?)? $/iu;
const binds = /(?<![A-Za-zÀ-ž])(?:shall|must|(?:is|are|be) (?:to be )?[A-Za-zÀ-ž]+ed|due|may)(?![A-Za-zÀ-ž])/iu;

/** "Le délai de quatorze jours a expiré le": the day is found with the period. */
const spanLength =
  /(?:[dD]e|of|von|di|van|wynoszący) [\p{L}\d]{1,12} (?:\p{L}{1,12} )?(?:days?|tagen?|monaten?|wochen|months?|weeks?|jours?|mois|semaines|días|meses|semanas|giorni|mesi|settimane|dagen|maanden|weken|dni|miesięcy|dnů|měsíců)(?!\p{L})[^,;]{0,60}$/iu;

/** Ordered by position. @param holidays as `holidayNumbers` gives them */
export function findFixedDates(law: LawText, holidays: ReadonlySet<number>): Certain<FixedDate, Doubt> {
  const { text } = law.flat;
  const { dates } = law;
  const doubts: Doubt[] = [];
  const stated = law.flat.sentences.flatMap((sentence): FixedDate[] => {
    const here = allWithin(dates, sentence);
    if (here.length === 0) return [];
    const wording = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 3_000));
    if (isSupposed(wording) || isTemplate(wording) || isRejected(wording, nextSentence(law, sentence))) return [];
    return here.flatMap((date, index): FixedDate[] => {
      const before = text.slice(Math.max(sentence.start, date.start - 100), date.start);
      if (prolongedAfter.test(text.slice(date.end, date.end + 60)) && !ofLimit.test(before)) return [];
      const isExpiry = expiry.test(before) && !lasts(before, '') && !spanLength.test(before);
      const day = isExpiry
        ? 'included'
        : isLimit(before, here[index - 1]?.end === undefined ? 99 : date.start - here[index - 1]!.end, wording);
      const doubt =
        day === 'included' && !isExpiry
          ? untilDoubt(
              byWordBefore(before)!,
              text.slice(Math.max(sentence.start, date.start - 300), date.start),
              text.slice(date.end, Math.min(sentence.end, date.end + 100)),
            )
          : undefined;
      if (day !== undefined && isClaimed(law, sentence, date)) return [];
      if (doubt !== undefined) doubts.push(doubt);
      return day === undefined || doubt !== undefined ? [] : fixedDate(date.iso, day === 'excluded', date, holidays);
    });
  });
  const transpositions = findActDates(law).flatMap(({ step, date, start, end }) =>
    step === 'transpose' && date !== undefined ? fixedDate(date, false, { start, end }, holidays) : [],
  );
  const inSentences = new Set(stated.map(({ start }) => start));
  const listed = dueDates(law, holidays);
  const known = new Set([...stated, ...listed].map(({ start }) => start));
  const facts = [
    ...stated,
    ...listed.filter(({ start }) => !inSentences.has(start)),
    ...transpositions.filter(({ start }) => !known.has(start)),
  ];
  return { facts: facts.sort((a, b) => a.start - b.start), doubts };
}

/** Alone in a column of due days. */
function dueDates(law: LawText, holidays: ReadonlySet<number>): FixedDate[] {
  return lawRows(law).flatMap(({ isProposal, cells }) =>
    cells.flatMap((cell): FixedDate[] => {
      if (isProposal || cell.column !== 'due') return [];
      const [date, ...others] = allWithin(law.dates, cell);
      if (date === undefined || others.length > 0 || date.end - date.start < cell.end - cell.start - 3) return [];
      return fixedDate(date.iso, false, date, holidays);
    }),
  );
}

function isLimit(before: string, distance: number, sentence: string): 'included' | 'excluded' | undefined {
  const excluded = excluding.exec(before);
  const word = excluded ?? (byWordBefore(before) === undefined ? null : before);
  if (word === null) return undefined;
  const lead =
    excluded === null
      ? before.replace(/ ?[A-Za-zÀ-ž]+(?:[ '][A-Za-zÀ-ž]+){0,2} ?$/u, '')
      : before.slice(0, excluded.index).trimEnd();
  if (lasts(lead, '') || ofRule.test(lead) || untilOfRule.test(before)) return undefined;
  if (prolonged.test(before) && !ofLimit.test(before)) return undefined;
  // "24 December to 1 January": the end of a span.
  if (excluded === null && distance < 8) return undefined;
  if (excluded === null) return 'included';
  // "10 days before 16 March" is found with the period.
  if (/\d\s?(?:[A-Za-zÀ-ž]{3,8} )?[A-Za-zÀ-ž]{3,8}$/u.test(lead) || condition.test(lead) || !binds.test(sentence))
    return undefined;
  return 'excluded';
}

function fixedDate(iso: string, excluded: boolean, place: Range, holidays: ReadonlySet<number>): FixedDate[] {
  const day = parseDay(iso);
  if (day === undefined) return [];
  const last = excluded ? day - 1 : day;
  const workingDay = isWorkingDay(last, holidays);
  const moved = workingDay
    ? ''
    : `; it falls on a ${holidays.has(last) ? 'public holiday' : weekdayNames[weekday(last)]}, and whether that moves a fixed date must be checked`;
  return [
    {
      date: formatDay(last),
      weekday: weekdayNames[weekday(last)]!,
      ends: `${formatDay(last + 1)}T00:00`,
      rule: `Art. 5(2): until the expiry of the last hour of that day${moved}`,
      workingDay,
      start: place.start,
      end: place.end,
    },
  ];
}
