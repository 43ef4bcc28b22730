/** Whether acts are in force on a day, as a document states it in sentences and tables. */
import { findDates } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { documentDate, namedDay, statedToday } from './document-date.ts';
import type { LawText } from './read-law.ts';
import type { Relation } from './relation-words.ts';
import { isRejected, isSupposed, isTemplate } from './statements.ts';
import { nextSentence, subjectAt } from './subjects.ts';

export type ForceStatus = 'in-force' | 'not-yet-in-force' | 'not-yet-applicable' | 'no-longer-in-force';

export interface ActState extends Range {
  /** CELEX number. */
  readonly act: string;
  readonly status: ForceStatus;
  /** ISO day that the document names, or its own date for "today". */
  readonly on?: string;
}

/** Words of each status; the first that a text contains decides. */
const statuses: readonly (readonly [ForceStatus, RegExp])[] = [
  [
    'not-yet-applicable',
    /(?<![A-Za-zÀ-ž])(?:in force,? (?:but )?not (?:yet )?applicable|not (?:yet )?(?:be )?applicable(?: yet)?|does not (?:yet )?apply yet|noch nicht (?:anwendbar|anzuwenden)|gilt noch nicht|pas encore applicables?|aún no (?:es )?aplicables?|todavía no (?:es )?aplicables?|no es aplicable todavía|non (?:è )?ancora applicabil[ei]|nog niet van toepassing|jeszcze nie (?:jest )?stosowan[A-Za-zÀ-ž]|nie ma jeszcze zastosowania|dosud se nepoužije)(?![A-Za-zÀ-ž])/iu,
  ],
  [
    'not-yet-in-force',
    /(?<![A-Za-zÀ-ž])(?:not (?:yet )?in force(?: yet)|not yet in force|has not (?:yet )?entered into force|noch nicht in kraft|pas encore (?:entrée? )?en vigueur|aún no (?:está|ha entrado) en vigor|todavía no (?:está|ha entrado) en vigor|non (?:è )?ancora (?:entrat[oa] )?in vigore|nog niet (?:in werking|van kracht)|jeszcze nie (?:weszł[A-Za-zÀ-ž]|wszedł|obowiązuje)|dosud nevstoupil[A-Za-zÀ-ž]?|ještě není v platnosti)(?![A-Za-zÀ-ž])/iu,
  ],
  [
    'no-longer-in-force',
    /(?<![A-Za-zÀ-ž])(?:no longer (?:in force|applicable|applies)|ceased to (?:be in force|apply|have effect)|nicht mehr in kraft|gilt nicht mehr|außer kraft(?: getreten)?|n'est plus en vigueur|plus en vigueur|ya no está en vigor|no está (?:ya )?en vigor|dejó de estar en vigor|non è più in vigore|non più in vigore|niet (?:meer|langer) (?:van kracht|in werking|geldig)|is vervallen|(?:już )?nie (?:już )?obowiązuje|przestał[A-Za-zÀ-ž] obowiązywać|straciła moc|již není v platnosti|již neplatí|pozbyl[A-Za-zÀ-ž]? platnosti)(?![A-Za-zÀ-ž])/iu,
  ],
  [
    'in-force',
    /(?<![A-Za-zÀ-ž])(?:(?:is|remains|still|continues to be|are|remain) in force|^in force|in kraft(?! treten| tritt| trat| getreten)|gilt (?:weiterhin|fort|unverändert)|(?:est|reste|demeure|toujours|sont) en vigueur|(?:sigue|está|continúa|permanece) en vigor|(?:resta|è|rimane|ancora) in vigore|(?:is|blijft|nog) van kracht|(?:nadal |wciąż )?obowiązuje|pozostaje w mocy|zůstává v platnosti|je v platnosti)(?![A-Za-zÀ-ž])/iu,
  ],
];

/** Ordered by position. @param relations as `findRelations` gives them for the same document */
export function findStates(law: LawText, relations: readonly Relation[]): ActState[] {
  const own = documentDate(law);
  return [...inSentences(law, own), ...inTables(law, own), ...byRepeal(law, relations, own)].sort(
    (a, b) => a.start - b.start,
  );
}

function statusOf(text: string): { status: ForceStatus; at: number } | undefined {
  for (const [status, shape] of statuses) {
    const match = shape.exec(text);
    if (match !== null) return { status, at: match.index };
  }
  return undefined;
}

const today =
  /(?<![A-Za-zÀ-ž])(?:today|at present|currently|as we write|now|on the date of this|heute|derzeit|gegenwärtig|zurzeit|aujourd'hui|à ce jour|actuellement|à la date d[eu]|hoy|actualmente|a fecha de hoy|oggi|attualmente|alla data del presente|vandaag|thans|momenteel|dziś|dzisiaj|obecnie|dnes|nyní)(?![A-Za-zÀ-ž])/iu;

function inSentences(law: LawText, own: string | undefined): ActState[] {
  const { flat } = law;
  return flat.sentences.flatMap((sentence): ActState[] => {
    const wording = flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_500));
    const found = statusOf(wording);
    // "Tritt in Kraft" is a beginning, no state.
    if (
      found?.status === 'in-force' &&
      /(?<![A-Za-zÀ-ž])(?:tritt|treten|trat|traten|getreten)(?![A-Za-zÀ-ž])/iu.test(wording)
    )
      return [];
    if (found === undefined || wording.endsWith('?') || flat.blockAt(sentence.start)?.kind === 'row') return [];
    if (isSupposed(wording) || isTemplate(wording) || isRejected(wording, nextSentence(law, sentence))) return [];
    const act = subjectAt(law, sentence, sentence.start + found.at);
    if (act === undefined) return [];
    const on = dayOf(law, wording, own);
    return [
      {
        act,
        status: found.status,
        ...(on === undefined ? {} : { on }),
        start: sentence.start + found.at,
        end: sentence.end,
      },
    ];
  });
}

const onWords =
  /(?<![A-Za-zÀ-ž])(?:on|as of|at|as at|zum|am|mit stand vom|à la date du|au|le|en fecha de|a fecha de|el|alla data del|al|il|op|per|na dzień|w dniu|dne|ke dni)(?: the date of [^,.;]{1,30},)? ?$/iu;

/** The day that the sentence names, that its words stand for, or the document's date for "today" and for no day at all. */
function dayOf(law: LawText, wording: string, own: string | undefined): string | undefined {
  const days = findDates(wording).filter(({ iso }) => iso.length === 10);
  const named = days.find(({ start }) => onWords.test(wording.slice(Math.max(0, start - 50), start)));
  if (named !== undefined) return named.iso;
  const meant = namedDay(law, wording);
  if (meant !== undefined) return meant;
  // "On the date of the facts, 9 September 2024": the day stands in apposition.
  const apposed = days.find(({ start }) =>
    /(?:date|datum|fecha|data|tag|jour|dag|dzień) [^,.;]{1,40}, $/iu.test(
      wording.slice(Math.max(0, start - 60), start),
    ),
  );
  if (apposed !== undefined) return apposed.iso;
  return today.test(wording) || days.length === 0 || own !== undefined ? own : undefined;
}

const statusHeader =
  /(?<![A-Za-zÀ-ž])(?:status|stand|statut|état|estado|stato|situazione|stav|in force|in kraft|en vigueur|en vigor|in vigore|van kracht|obowiązuje)(?![A-Za-zÀ-ž])/iu;

function inTables(law: LawText, own: string | undefined): ActState[] {
  const { flat, mentions } = law;
  const found: ActState[] = [];
  let day: string | undefined;
  for (const block of flat.blocks) {
    if (block.kind !== 'row') {
      day = undefined;
      continue;
    }
    const header = block.cells.find(
      ({ start, end }) =>
        end - start < 60 &&
        statusHeader.test(flat.text.slice(start, end)) &&
        statusOf(flat.text.slice(start, end)) === undefined,
    );
    if (header !== undefined) day = findDates(flat.text.slice(header.start, header.end))[0]?.iso ?? own;
    const [first] = block.cells;
    const acts = new Set(first === undefined ? [] : allWithin(mentions, first).map(({ celex }) => celex));
    const [act] = acts;
    if (act === undefined || acts.size > 1) continue;
    for (const { start, end } of block.cells.slice(1)) {
      const status = end - start < 80 ? statusOf(flat.text.slice(start, end)) : undefined;
      if (status !== undefined)
        found.push({ act, status: status.status, ...(day === undefined ? {} : { on: day }), start, end });
    }
  }
  return found;
}

/** "On today's date, only the new one is in force": what was repealed before a day that the document calls today is no longer in force. */
function byRepeal(law: LawText, relations: readonly Relation[], own: string | undefined): ActState[] {
  if (own === undefined || own !== statedToday(law)) return [];
  return relations.flatMap(({ relation, from, to, date, start, end }): ActState[] => {
    if (relation !== 'repeals' || date === undefined || date > own) return [];
    const only =
      /(?<![A-Za-zÀ-ž])only the new|nur (?:noch )?(?:die|der|das) neue|seule? l[ea] nouve|solo (?:el|la) nuev|solo (?:il|la) nuov|alleen (?:de|het) nieuwe|tylko now/iu;
    const isOnly = only.test(law.flat.text.slice(end, end + 300));
    const gone: ActState = { act: to, status: 'no-longer-in-force', on: own, start, end };
    return isOnly && from !== undefined ? [gone, { act: from, status: 'in-force', on: own, start, end }] : [gone];
  });
}
