/** Board seats: the number of directors, and who elects or appoints how many of them. */
import type { Range } from '../text/span.ts';
import { type Cue, cueReader } from './cues.ts';
import type { Flow, Sentence } from './flow.ts';

export interface Seats extends Range {
  readonly elected_by: 'total' | 'common' | 'preferred' | 'independent' | 'chief-executive' | 'observer';
  readonly seats: number;
}

type Group = Exclude<Seats['elected_by'], 'total'>;
type Label = Group | 'board' | 'member' | 'consists' | 'elects' | 'agreed' | 'size' | 'contingent';

const cues = cueReader<Label>({
  board: `board; directors; director; supervisory board; advisory board; beirat*; aufsichtsrat*; verwaltungsrat*; conseil; comité stratégique|surveillance; administrateur*; consejo; consejero*; bestuur; raad van commissarissen|bestuur|toezicht; commissaris*; bestuurder*; observer*; beobachter*; censeur*; observateur*; observador*; waarnemer*`,
  member: `director*; individual; individuals; member*; seat; seats; person; persons; observer*; representative*; nominee*; designee*; appointee*; mitglied; mitglieder*; mitgliedern; beiratsmitglied*; aufsichtsratsmitglied*; sitz; sitze; vertreter; beobachter*; administrateur*; membre*; siège*; représentant*; censeur*; observateur*; consejero*; miembro*; vocal; vocales; puesto*; representante*; observador*; bestuurder*; commissaris*; leden; lid; zetel*; vertegenwoordiger*; waarnemer*`,
  consists: `consist*; compris*; compos*; made up; constituted; have; has; be set; set at; remain at; remains at; fixed at; formed; limited to; number of directors; besteht; bestehen; bestehend; umfasst; zählt; gebildet aus; setzt; hat; mit; sera composé*; est composé*; compte; comprend; comprendra; compuesto; integrado; integrada; formado; constará; consta; contará; tendrá; bestaat; bestaan; zal uit; telt`,
  elects: `elect*; appoint*; designat*; nominat*; select*; choose*; remove; entsand*; entsend*; entsendungsrecht*; benenn*; benannt*; benennungsrecht*; nominier*; bestell*; bestimm*; gewählt; wählen; ernenn*; ernannt*; stellen; stellt; désign*; nomm*; proposition; élu*; propos*; designa*; designar*; nombra*; elegid*; elegir; propuest*; benoem*; voordra*; voorgedragen; aangewezen; aanwijz*; aanstell*; right to send; send; entitled to`,
  agreed: `agreed; by agreement; vereinbart; convenu; acordado; overeengekomen`,
  size: `board size; size of the board; number of directors|members|seats; total directors|seats|members; board seats total; größe des beirats; anzahl der ~2 mitglieder|beiratsmitglieder; nombre ~2 administrateurs|membres|sièges; número de ~1 consejeros|miembros; aantal ~1 bestuurders|leden|commissarissen`,
  contingent: `fail* to elect; quorum; vacancies; vacancy ~3 filled; fill* ~3 vacancy; resigned; one vote; casting vote; beschlussfähig*; quórum; voting right of each; meets; meetings per`,
  observer: `observer*; beobachter*; observateur*; censeur*; observador*; waarnemer*`,
  independent: `independent*; chosen|elected|appointed by ~1 other; by the other ~1 directors|members; not ~1 employed|employee*|affiliated; not otherwise ~2 affiliate*; jointly ~2 other*; unabhängig*; indépendant*; independiente*; onafhankelijk*; mutual*; industry expert; mutually agreed; einvernehmlich*; gemeinsam; commun accord; de común acuerdo; gezamenlijk; outside director`,
  'chief-executive': `chief executive; ceo; vorsitzende* ~1 geschäftsführung; directeur général; consejero delegado; director general; algemeen directeur`,
  preferred: `preferred; preference; series|serie|série a|b|c|d|seed|a1; hauptinvestor*; co investor*; investor*; lead; lead investor*; investor director*; preferred director*; anleger*; vorzugs*; finanzinvestor*; investisseur*; actions|titulaires ~2 p|adp; inversor*; inversionista*; investeerder*; participant; fund; purchaser*; noteholder*`,
  common: `common; founder*; ordinary; gründer*; gründungsgesellschafter*; stamm*; fondateur*; fundador*; oprichter*; management; key holder*; existing shareholder*; altgesellschafter*; managers`,
});

const counts: ReadonlyMap<string, number> = new Map(
  'a:1 an:1 one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ein:1 eine:1 einen:1 einem:1 eines:1 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 acht:8 neun:9 un:1 une:1 deux:2 trois:3 quatre:4 cinq:5 sept:7 huit:8 neuf:9 uno:1 una:1 dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 ocho:8 nueve:9 een:1 één:1 twee:2 drie:3 vijf:5 zes:6 zeven:7 acht:8 negen:9 fifth:1'
    .split(' ')
    .map((pair) => {
      const [word, count] = pair.split(':') as [string, string];
      return [word, Number(count)] as const;
    }),
);
/** "The person who serves as chief executive officer is elected by …": a seat that goes with the office. */
const officer =
  /(?<!\p{L})(?:the person (?:who (?:then )?serves|(?:then )?serving) as|the (?:then|then-current|incumbent) )[^.;,]{0,40}(?:chief executive|ceo)(?!\p{L})/iu;
const jointly =
  /^\s(?:einvernehmlich|gemeinsam|unabhängig|independent|jointly|by mutual|by agreement|d[’']un commun|de común|in onderling|gezamenlijk|indépendant|independiente|onafhankelijk)/iu;
/** A chair that is independent is one seat, whether or not it is counted. */
const chair =
  /(?<!\p{L})(?:the|an?|der|die|le|la|el|de|een|ein) (?:independent |unabhängige[rn]? |onafhankelijke )?(?:non-executive )?(?:chair(?:man|woman|person)?|vorsitzende[rn]?|président|presidente|voorzitter)(?!\p{L})/iu;
const articles = new Set('a an ein eine einen einem eines un une una een'.split(' '));
const countShape = new RegExp(
  `(?<![\\p{L}\\d.,§%€$£(])(\\d{1,2}|${[...counts.keys()].join('|')})(?:\\s\\((?:\\d{1,2}|\\p{L}{3,6})\\))?(?![\\p{L}\\d%’']|[.,]\\d|\\s?%|\\s(?:votes?|months?|years?|times|shares|anteile|stimmen|voix|voto|days)\\b)`,
  'giu',
);
/** Words that introduce a part of the directors without naming them again: "three by the founders", "two of whom". */
const elliptic =
  /^\s(?:(?:\(\d\)\s)?(?:shall be |will be |to be |are |is |being |dont )?(?:elected|appointed|designated|nominated|selected|chosen|of whom|of which|by|from|for|von|durch|vom|davon|par|sur|por|a propuesta|door|op|désigné|élu|nommé|elegid|designad|nombrad|propuest|benoemd|aangewezen|voorgedragen|werden|wird|independent|unabhängig|indépendant|independiente|onafhankelijk|mutual\p{L}*|founders?|investors?|common|preferred|series|gründer|fondateur|fundador|oprichter|ceo|chief))/iu;

interface Count {
  readonly word: string;
  readonly at: number;
  readonly to: number;
}

export function findSeats(flow: Flow): Seats[] {
  const found = new Map<string, Seats>();
  // Sentences below a heading about the board, and those that follow one about it in its paragraph, are about the board.
  let boardUntil = -1;
  for (const sentence of flow.sentences) {
    const own = cues.in(flow, sentence);
    const labelled = cues.of(sentence.label);
    const isOnBoard = [...own, ...labelled].some(({ label }) => label === 'board');
    if (isOnBoard)
      boardUntil = Math.max(boardUntil, sentence.paragraph + (/[:,]$|\belected\b/.test(sentence.text) ? 6 : 0));
    else if (!(sentence.paragraph === boardUntil || (sentence.isItem && sentence.paragraph <= boardUntil))) continue;
    if (own.some(({ label }) => label === 'contingent') || former.test(sentence.text)) continue;
    if (isOfficeAlone(sentence, own) && !found.has('chief-executive'))
      found.set('chief-executive', {
        elected_by: 'chief-executive',
        seats: 1,
        start: sentence.start,
        end: sentence.end,
      });
    if (/\b(?:in|for) the event\b|\bif\b.{0,30}\b(?:fails?|below|ceases)\b/i.test(sentence.text)) continue;
    readSeats(sentence, own, labelled, found);
    if (officer.test(sentence.text) && !found.has('chief-executive') && own.some(({ label }) => label === 'elects'))
      found.set('chief-executive', {
        elected_by: 'chief-executive',
        seats: 1,
        start: sentence.start,
        end: sentence.end,
      });
    const isChair = chair.test(sentence.text) && own.some(({ label }) => label === 'independent');
    if (isChair && !found.has('independent') && own.some(({ label }) => label === 'elects' || label === 'agreed'))
      found.set('independent', { elected_by: 'independent', seats: 1, start: sentence.start, end: sentence.end });
  }
  return [...found.values()];
}

/** The board under an agreement that holds no longer. */
const former =
  /(?<!\p{L})(?:prior agreement|previous(?:ly)?|formerly|before the round|consisted of|bisher|zuvor|bestand aus|auparavant|était composé|avant (?:la levée|l[’']opération)|antes de la|anteriormente|eran|bestond uit|voorheen|in precedenza|era composto)(?!\p{L})/iu;

/** "(c) The Company's Chief Executive Officer": an item of the list of those to be elected. */
function isOfficeAlone({ isItem }: Sentence, own: readonly Cue<Label>[]): boolean {
  const first = own.find(isGroup);
  return isItem && first?.label === 'chief-executive' && first.at < 30 && !own.some(({ label }) => label === 'elects');
}

function readSeats(
  sentence: Sentence,
  own: readonly Cue<Label>[],
  labelled: readonly Cue<Label>[],
  found: Map<string, Seats>,
) {
  const { text, start, end } = sentence;
  const take = (by: Seats['elected_by'], seats: number) => {
    if (seats > 0 && seats < 20 && !found.has(by)) found.set(by, { elected_by: by, seats, start, end });
  };
  const all: Count[] = [...text.matchAll(countShape)]
    // "Series A Directors".
    .filter((match) => match.index === 0 || match[1] !== 'A')
    // "8. Board": the number of the item.
    .filter((match) => !(match.index <= 1 && /^\(?\d{1,2}[.)]\s/.test(text)))
    .map((match) => ({ word: match[1]!.toLowerCase(), at: match.index, to: match.index + match[0].length }));
  const body = text.startsWith(sentence.label) ? sentence.label.length : 0;
  const alone =
    /^[\s:]*(?:\S+\s){0,2}$/u.test(text.slice(body, all[0]?.at ?? 0)) && all.length === 1 && text.length - body < 40;
  if (alone && labelled.length > 0) {
    const by = groupOf(labelled);
    const isSize =
      labelled.some(({ label }) => label === 'size') ||
      /^(?:board|beirat|conseil|consejo|bestuur)\b/i.test(sentence.label);
    if (by !== undefined && labelled.some(({ label }) => label === 'member' || label === 'board'))
      return take(by, countOf(all[0]!.word));
    if (isSize && own.every(({ label }) => label !== 'elects')) return take('total', countOf(all[0]!.word));
  }
  const size = boardSize(text.slice(body), sentence.label, labelled);
  if (size !== undefined) take('total', size);
  const counted = all.filter((each) => isSeatCount(each, text, own));
  counted.forEach((each, index) => {
    const from = index === 0 ? 0 : counted[index - 1]!.to;
    const until = counted[index + 1]?.at ?? text.length;
    const seats = countOf(each.word);
    if (isTotal(each, from, until, own, labelled, text)) {
      if (seats > 1) take('total', seats);
      return;
    }
    const by =
      electorOf(each, from, until, own, text) ?? (index === 0 || counted.length === 1 ? groupOf(labelled) : undefined);
    if (by !== undefined) take(by, seats);
  });
}

/** "Board: 5 – 2 Common, 1 Series A, 2 independent": the number that opens the line counts them all. */
function boardSize(body: string, label: string, labelled: readonly Cue<Label>[]): number | undefined {
  if (!labelled.some(({ label: name }) => name === 'board') || label.length > 40) return undefined;
  const parts = /^[\s:]*(\d{1,2})\s?[—–:(-]\s?\d{1,2}\s\p{L}/u.exec(body);
  return parts === null ? undefined : Number(parts[1]);
}

/** A number before a word for directors, or one that refers to directors named before. */
function isSeatCount({ word, at, to }: Count, text: string, own: readonly Cue<Label>[]): boolean {
  const next = own.find(({ label, at }) => label === 'member' && at >= to);
  const gap = next === undefined ? undefined : text.slice(to, next.at);
  if (gap !== undefined && gap.length < 60 && /^[\s(\d)-]*(?:[\p{L}’'.-]+[\s/-]){0,4}$/u.test(gap)) return true;
  const fixed = own.findLast(({ label, to: end }) => label === 'consists' && end <= at);
  if (
    !articles.has(word) &&
    fixed !== undefined &&
    /^\s$/.test(text.slice(fixed.to, at)) &&
    /^\s{0,2}(?:[.;,]|$)/.test(text.slice(to))
  )
    return true;
  // "The Common Stock elects two.", "The founders may appoint two;"
  const elects = own.findLast(({ label, to: end }) => label === 'elects' && end <= at);
  const isObject =
    elects !== undefined && /^\s(?:up to |bis zu |jusqu'à |hasta |maximaal )?$/.test(text.slice(elects.to, at));
  if (!articles.has(word) && isObject && /^\s{0,2}(?:\(\d\))?(?:[.;,]|$)/.test(text.slice(to))) return true;
  // "…, eines einvernehmlich": an article counts where it stands for a member.
  if (articles.has(word) && /,\s(?:\p{L}{1,3}\s)?$/u.test(text.slice(0, at)) && jointly.test(text.slice(to, to + 24)))
    return true;
  return (
    directElector({ word, at, to }, text, own) !== undefined ||
    (!articles.has(word) && elliptic.test(text.slice(to, to + 30)))
  );
}

/** "The founders appoint two, the investors one;": the elector of a number that ends its clause stands before it. */
function directElector({ at, to }: Count, text: string, own: readonly Cue<Label>[]): Group | undefined {
  if (
    !/^(?:\s\(\d\))?\s?[.;,]/.test(text.slice(to)) ||
    !own.some(({ label, at: place }) => label === 'elects' && place < at)
  )
    return undefined;
  const elector = own.findLast((cue) => isGroup(cue) && cue.to <= at);
  const isNext = elector !== undefined && at - elector.to <= 14 && !/[,;.]/.test(text.slice(elector.to, at));
  return isNext && elector.label !== 'observer' ? (elector.label as Group) : undefined;
}

function isTotal(
  { at, to }: Count,
  from: number,
  until: number,
  own: readonly Cue<Label>[],
  labelled: readonly Cue<Label>[],
  text: string,
): boolean {
  const inGroup = own.some(
    (cue) => isGroup(cue) && cue.at >= to && cue.at - to < 26 && !/[,;:.]/.test(text.slice(to, cue.at)),
  );
  if (inGroup) return false;
  if (/^-(?:member|person|seat|director|köpfig|membres)\b/i.test(text.slice(to, to + 12))) return true;
  const before = own.filter((cue) => cue.at >= from && cue.to <= at);
  const hasSubject = before.some(({ label, at: place }) => label === 'board' && at - place < 140);
  const verb = before.findLast(({ label }) => label === 'consists' || label === 'size');
  const subject = before.findLast(({ label }) => label === 'board');
  if (verb === undefined && subject !== undefined && /^[\s:–-]{1,4}$/.test(text.slice(subject.to, at))) return true;
  const isShared = own.some((cue) => isGroup(cue) && cue.at >= to && cue.at < until);
  if (
    verb === undefined &&
    !isShared &&
    labelled.some(({ label }) => label === 'board') &&
    /^[\s(]*$/.test(text.slice(0, at))
  )
    return true;
  if (!hasSubject && verb?.label !== 'size') return false;
  const isWeak = verb !== undefined && /^(?:have|has|hat|mit|setzt)$/i.test(text.slice(verb.at, verb.to));
  if (verb === undefined || at - verb.to > (isWeak ? 14 : 40)) return false;
  // "The Board shall have two directors elected by …" describes a part of the board.
  const after = own.filter((cue) => cue.at >= to && cue.at < Math.min(until, to + 40));
  const electing = after.find(({ label }) => label === 'elects');
  const own2 = after.find(
    ({ label }) => label !== 'member' && label !== 'board' && label !== 'elects' && label !== 'consists',
  );
  return electing === undefined || /[,;:.]/.test(text.slice(to, electing.at)) || own2 === undefined;
}

const groupNames: readonly Group[] = ['observer', 'independent', 'chief-executive', 'preferred', 'common'];

function isGroup({ label }: Cue<Label>): boolean {
  return groupNames.some((name) => name === label);
}

function groupOf(list: readonly Cue<Label>[]): Group | undefined {
  return groupNames.find((name) => list.some(({ label }) => label === name));
}

/** The electors: named with the directors, or after "elected by"; before the number if the elector is the subject. */
function electorOf(
  { at, to }: Count,
  from: number,
  until: number,
  own: readonly Cue<Label>[],
  text: string,
): Group | undefined {
  const direct = directElector({ word: '', at, to }, text, own);
  if (direct !== undefined) return direct;
  const stop = text
    .slice(to, until)
    .search(/[;]|\.\s|,\s(?:und |and |et |y |en )?(?:eine?[rsn]?|one|an?|une?|una?|uno|een|één)\s/i);
  const end = stop < 0 ? until : to + stop;
  const start = Math.max(from, text.lastIndexOf(';', at) + 1);
  const after = own.filter((cue) => cue.at >= to && cue.at < end);
  const before = own.filter((cue) => cue.at >= start && cue.to <= at);
  const close = groupOf(after.filter((cue) => isGroup(cue) && cue.at - to < 26));
  if (close === 'observer') return close;
  const elects = before.findLast(({ label }) => label === 'elects');
  const isActive = elects !== undefined && at - elects.to < 45;
  const subjects = before.filter((cue) => isGroup(cue) && cue.label !== 'observer');
  if (close === 'independent' || close === 'chief-executive') return close;
  if (
    isActive &&
    subjects.length > 0 &&
    !/\b(?:by|von|par|por|door|sur|op|propuesta|durch|for|from|elected|designated|désign\p{L}*)\s/iu.test(
      text.slice(to, to + 30),
    )
  )
    return subjects.at(-1)!.label as Group;
  // The nearest name after the number is the elector; a mutual agreement may be farther away.
  const mutual = after.find(({ label, at: place }) => label === 'independent' && place - to < 120);
  const nearest = after.find(isGroup);
  if (nearest !== undefined) {
    const isJoint =
      mutual !== undefined &&
      (nearest === mutual ||
        /mutual|einvernehm|gemeinsam|commun|común|gezamen/i.test(text.slice(mutual.at, mutual.to)));
    return isJoint ? 'independent' : (nearest.label as Group);
  }
  return (subjects.at(-1)?.label as Group | undefined) ?? undefined;
}

function countOf(word: string): number {
  return counts.get(word) ?? Number(word);
}
