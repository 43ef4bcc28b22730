/** Whether acts are in force on a day, as a document states it in sentences and tables. */
import { findDates } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { documentDate, namedDay, statedToday } from './document-date.ts';
import type { FlatBlock } from './flat-text.ts';
import { lawRowAt } from './law-tables.ts';
import type { LawText } from './read-law.ts';
import type { Relation } from './relation-words.ts';
import { isRejected, isSupposed, isTemplate } from './statements.ts';
import { actsBetween, nextSentence, subjectAt } from './subjects.ts';

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
    /(?<![A-Za-zÀ-ž])(?:in force,? (?:but )?not (?:yet )?applicable|not (?:yet )?(?:be )?applicable(?: yet)?|does not (?:yet )?apply yet|(?:does|do|did) not yet apply|noch nicht (?:anwendbar|anzuwenden|anwendung)|ännu inte tilläml\p{L}*|endnu ikke anvendelse|ainda não (?:é |são )?aplicáve(?:l|is)|gilt noch nicht|pas encore applicables?|aún no (?:es )?aplicables?|todavía no (?:es )?aplicables?|no es aplicable todavía|non (?:è )?ancora applicabil[ei]|nog niet (?:van toepassing|toepasselijk)|jeszcze nie (?:jest )?stosowan[A-Za-zÀ-ž]|nie ma jeszcze zastosowania|dosud se nepoužije)(?![A-Za-zÀ-ž])/giu,
  ],
  [
    'not-yet-in-force',
    /(?<![A-Za-zÀ-ž])(?:not in force yet|not yet in force|not yet be in force|has yet to enter into force|(?:has|have|had) not (?:yet )?entered into force|did not yet enter into force|ainda não (?:está|estava|entrou) em vigor|ännu inte (?:i kraft|trätt i kraft)|endnu ikke (?:i kraft|trådt i kraft)|todavía no (?:había|ha) entrado en vigor|aún no (?:estaba|había entrado) en vigor|noch nicht in kraft|pas encore (?:entrée? )?en vigueur|aún no (?:está|ha entrado) en vigor|todavía no (?:está|ha entrado) en vigor|non (?:è )?ancora (?:entrat[oa] )?in vigore|nog niet (?:in werking|van kracht)|jeszcze nie (?:weszł[A-Za-zÀ-ž]|wszedł|obowiązuje)|dosud nevstoupil[A-Za-zÀ-ž]?|ještě není v platnosti)(?![A-Za-zÀ-ž])/giu,
  ],
  [
    'no-longer-in-force',
    /(?<![A-Za-zÀ-ž])(?:no longer (?:in force|applicable|applies|valid)|not in force any ?more|out of force|repealed and no longer applicable|ceased to (?:be in force|apply|have effect)|nicht mehr in kraft|gilt nicht mehr|außer kraft(?: getreten)?|n'(?:est|était) plus en vigueur|plus en vigueur|já não (?:está|estava) em vigor|inte längre i kraft|ikke længere i kraft|już nie obowiązywał\p{L}?|nie obowiązywał\p{L}? już|ya no estaba en vigor|non era più in vigore|upphörde att gälla|ya no está en vigor|no está (?:ya )?en vigor|dejó de estar en vigor|non è più in vigore|non più in vigore|niet (?:meer|langer) (?:van kracht|in werking|geldig)|is vervallen|(?:już )?nie (?:już )?obowiązuje|przestał[A-Za-zÀ-ž] obowiązywać|straciła moc|již není v platnosti|již neplatí|pozbyl[A-Za-zÀ-ž]? platnosti)(?![A-Za-zÀ-ž])/giu,
  ],
  [
    'in-force',
    /(?<![A-Za-zÀ-ž])(?:(?:is|was|were|remains|remained|still|continues to be|are|remain)(?: still| fully| already)? in force|^in force|(?<=[:–—-] )in force|(?:van kracht|in kraft)(?<=\b(?:was|were|war|waren|is|zijn|ist) [^.;,]{0,60}(?<!noch |not )(?:van kracht|in kraft))(?! (?:getreten|tritt|treten|trat))|(?:était|étaient|encore) en vigueur|(?:estaba|estaban) en vigor|era(?:no)? in vigore|(?:está|estava|continua) em vigor|(?:är|var|alltjämt) i kraft|(?:er|var|stadig) i kraft|obowiązywał\p{L}{0,2}|in kraft(?! treten| tritt| trat| getreten)|gilt (?:weiterhin|fort|unverändert)|(?:est|reste|demeure|toujours|sont) en vigueur|(?:sigue|está|continúa|permanece) en vigor|(?:resta|è|rimane|ancora) in vigore|(?:is|zijn|blijft|blijven|nog)(?: nog| steeds)? van kracht|(?:nadal |wciąż )?obowiązuje|pozostaje w mocy|zůstává v platnosti|je v platnosti)(?![A-Za-zÀ-ž])/giu,
  ],
];

/** Ordered by position. @param relations as `findRelations` gives them for the same document */
export function findStates(law: LawText, relations: readonly Relation[]): ActState[] {
  const own = documentDate(law);
  return [...inSentences(law, own), ...inTables(law, own), ...byRepeal(law, relations, own)].sort(
    (a, b) => a.start - b.start,
  );
}

/** Every status of a sentence: "the Directive is still in force and the Regulation not yet applicable". Ordered by position. */
function statusesOf(text: string): { status: ForceStatus; at: number; end: number }[] {
  const found: { status: ForceStatus; at: number; end: number }[] = [];
  for (const [status, shape] of statuses) {
    for (const { index, 0: words } of text.matchAll(shape)) {
      const end = index + words.length;
      if (!found.some((other) => index < other.end && other.at < end)) found.push({ status, at: index, end });
      if (found.length >= statusesMax) break;
    }
  }
  return found.sort((one, other) => one.at - other.at);
}

/** A sentence with more is a list. */
const statusesMax = 6;

function statusOf(text: string): ForceStatus | undefined {
  return statuses.find(([, shape]) => text.search(shape) !== -1)?.[0];
}

const today =
  /(?<![A-Za-zÀ-ž])(?:today|at present|currently|as we write|now|on the date of this|heute|derzeit|gegenwärtig|zurzeit|aujourd'hui|à ce jour|actuellement|à la date d[eu]|hoy|actualmente|a fecha de hoy|oggi|attualmente|alla data del presente|vandaag|thans|momenteel|dziś|dzisiaj|obecnie|dnes|nyní)(?![A-Za-zÀ-ž])/iu;

function inSentences(law: LawText, own: string | undefined): ActState[] {
  const { flat } = law;
  /** Of the clause before a semicolon: "As at 15 March, A is in force; B is no longer in force". */
  let before: { readonly end: number; readonly on: string } | undefined;
  return flat.sentences.flatMap((sentence): ActState[] => {
    const wording = flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_500));
    const found = statusesOf(wording);
    if (found.length === 0 || wording.endsWith('?') || isShortCell(law, sentence)) return [];
    if (isSupposed(wording) || isTemplate(wording) || isRejected(wording, nextSentence(law, sentence))) return [];
    // "Tritt in Kraft" is a beginning, no state.
    const begins = /(?<![A-Za-zÀ-ž])(?:tritt|treten|trat|traten|getreten)(?![A-Za-zÀ-ž])/iu.test(wording);
    const isContinued =
      before !== undefined &&
      before.end >= sentence.start - 2 &&
      (flat.text.slice(sentence.start - 2, sentence.start) === '; ' || onSameDay.test(wording));
    const named = isContinued && findDates(wording).length === 0 ? before?.on : undefined;
    const on = named ?? dayOf(law, wording, own);
    before = on === undefined ? undefined : { end: sentence.end, on };
    return found.flatMap(({ status, at }, index): ActState[] => {
      if (status === 'in-force' && begins) return [];
      // A further status has a subject of its own, after the one before it.
      const clause = { start: sentence.start + (found[index - 1]?.end ?? 0), end: sentence.end };
      const act = subjectAt(law, clause, sentence.start + at);
      const isNamed = index === 0 || actsBetween(law, clause.start, sentence.start + at).length > 0;
      if (act === undefined || !isNamed) return [];
      return [{ act, status, ...(on === undefined ? {} : { on }), start: sentence.start + at, end: sentence.end }];
    });
  });
}

/** The day that the sentence before names. */
const onSameDay =
  /(?<!\p{L})(?:(?:on|at|as at|by) (?:that|the same|this) (?:date|day|time)|(?:an|zu) (?:diesem|demselben|dem genannten) (?:tag|datum|zeitpunkt)|(?:à|a) (?:cette|ladite|la même) date|ce jour-là|(?:en|a) (?:esa|dicha|la misma) fecha|(?:a|in) (?:tale|quella|detta) data|op (?:die|dezelfde) (?:datum|dag)|(?:w|na) (?:tym|ten) (?:dniu|dzień)|nessa data|(?:vid|på) (?:det|den) (?:datumet|dagen)|på (?:denne|den) dato)(?!\p{L})/iu;

/** A cell of a few words is read with its column. */
function isShortCell({ flat }: LawText, sentence: Range): boolean {
  const block = flat.blockAt(sentence.start);
  if (block?.kind !== 'row') return false;
  return block.cells.length > 1 && sentence.end - sentence.start < proseCharactersMin;
}

const proseCharactersMin = 60;

const onWords =
  /(?<![A-Za-zÀ-ž])(?:on|as of|at|as at|zum|am|a|em|den|den dag|pe|mit stand vom|à la date du|au|le|en fecha de|a fecha de|el|alla data del|al|il|op|per|na dzień|w dniu|dne|ke dni)(?: the date of [^,.;]{1,30},)? ?$/iu;

/** The day that the sentence names, that its words stand for, or the document's date for "today" and for no day at all. */
function dayOf(law: LawText, wording: string, own: string | undefined): string | undefined {
  const days = findDates(wording).filter(({ iso }) => iso.length === 10);
  const named = days.find(({ start }) => {
    const before = wording.slice(Math.max(0, start - 50), start);
    return onWords.test(before) && !changed.test(before);
  });
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

/** "Ceased to apply on 31 December 2026": the day of a change. */
const changed =
  /(?<!\p{L})(?:ceased|expired|lapsed|repealed|ended|adopted|published|entered|endete|abgelaufen|aufgehoben|erlosch|expir\p{L}{1,4}|abrog\p{L}{1,4}|cess\p{L}{1,4}|caduc\p{L}{1,4}|derog\p{L}{1,4}|scadut[oa]|verlopen|vervallen|ingetrokken|wygas\p{L}{1,3}|uchylon\p{L}{1,2}|zrušen\p{L}{0,2})(?!\p{L})[^.;,]{0,30}$/iu;

const statusHeader =
  /(?<![A-Za-zÀ-ž])(?:status|position|stand|rechtslage|situation|situación|situatie|statut|état|estado|stato|situazione|stav|in force|in kraft|en vigueur|en vigor|in vigore|van kracht|obowiązuje)(?![A-Za-zÀ-ž])/iu;

function inTables(law: LawText, own: string | undefined): ActState[] {
  const { flat, mentions } = law;
  const found: ActState[] = [];
  let day: string | undefined;
  let days: ReadonlyMap<number, string> = new Map();
  for (const block of flat.blocks) {
    if (block.kind !== 'row') {
      day = undefined;
      days = new Map();
      continue;
    }
    const header = block.cells.find(
      ({ start, end }) =>
        end - start < 60 &&
        statusHeader.test(flat.text.slice(start, end)) &&
        statusOf(flat.text.slice(start, end)) === undefined,
    );
    if (header !== undefined) day = findDates(flat.text.slice(header.start, header.end))[0]?.iso ?? own;
    const dated = datedColumns(law, block);
    if (dated.size > 0) days = dated;
    const [first] = block.cells;
    const acts = new Set(first === undefined ? [] : allWithin(mentions, first).map(({ celex }) => celex));
    const act = acts.size === 0 ? lawRowAt(law, block.start)?.act : [...acts][0];
    if (act === undefined || acts.size > 1) continue;
    for (const { start, end, column } of block.cells.slice(1)) {
      const written = flat.text.slice(start, end);
      const status =
        end - start < 80 ? (statusOf(written) ?? (ended.test(written) ? 'no-longer-in-force' : undefined)) : undefined;
      const on = days.get(column) ?? day;
      if (status !== undefined) found.push({ act, status, ...(on === undefined ? {} : { on }), start, end });
    }
  }
  return found;
}

/** A cell that says only that the act has ended. */
const ended =
  /^(?:repealed|expired|lapsed|aufgehoben|erloschen|abrogée?|caduque|derogad[oa]|abrogat[oa]|ingetrokken|vervallen|uchylon\p{L}{1,2}|wygasł\p{L}?|revogad[oa]|upphävd|ophævet)(?![\p{L}])(?! (?:with effect )?(?:from|ab|à partir|a partir|dal|vanaf|od)\s)/iu;

/** A row of headings in which several columns are each of a day: "Act | 1 March 2026 | 1 March 2027". */
function datedColumns({ flat, mentions }: LawText, { cells, start, end }: FlatBlock): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  if (allWithin(mentions, { start, end }).length > 0) return found;
  for (const cell of cells.slice(1)) {
    const written = flat.text.slice(cell.start, Math.min(cell.end, cell.start + 60));
    const days = findDates(written).filter(({ iso }) => iso.length === 10);
    if (days.length === 1 && cell.end - cell.start < 40) found.set(cell.column, days[0]!.iso);
  }
  return found.size >= 2 ? found : new Map();
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
