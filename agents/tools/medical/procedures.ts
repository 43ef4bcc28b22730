/** Operations, interventions, endoscopies and imaging of the patient: whether done, planned or not done, and when. */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range, Span } from '../text/span.ts';
import type { Word } from '../text/words.ts';
import { clinicalDates, dayIn, orderOf } from './clinical-dates.ts';
import { isAboutPatient } from './clinical-status.ts';
import { isForeign } from './foreign.ts';
import { plainWords } from './problems.ts';
import { noProcedure, procedureEnding, procedurePhrases, procedureQualifiers } from './procedure-terms.ts';
import { recordDay } from './record-day.ts';
import { isRegurgitation } from './regurgitation.ts';
import { clinicalSections, sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';

export interface Procedure {
  /** The words of the record. */
  readonly name: string;
  readonly status: 'done' | 'planned' | 'not-done';
  /** ISO: a year, a month or a day. */
  readonly date?: string;
  readonly span: Span;
}

interface Term {
  readonly words: readonly string[];
  readonly isCapital: boolean;
}

const terms = new Map<string, Term[]>();
for (const phrase of procedurePhrases.split(/[;\n]/)) {
  const words = phrase.toLowerCase().match(/[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|\d+/gu);
  if (words === null) continue;
  const list = terms.get(words[0]!) ?? [];
  list.push({ words, isCapital: /^\p{Lu}{2,5}$/u.test(phrase.trim()) });
  terms.set(words[0]!, list);
}
for (const list of terms.values()) list.sort((one, other) => other.words.length - one.words.length);

/** A record of 200,000 characters names fewer. */
const mentionsMax = 1_500;

/** In the order of the text; one per name, status and day. */
export function findProcedures(document: Document): Procedure[] {
  const found = new Map<string, Procedure>();
  const mentions = procedureMentions(document);
  const order = orderOf(document);
  // Where nothing in the record tells day from month, an ambiguous day is none.
  const dates = clinicalDates(document).filter(({ ambiguous }) => !ambiguous || order !== undefined);
  const own = ownDate(document, mentions);
  for (const [index, mention] of mentions.entries()) {
    const read = statusOf(document, mention);
    if (read === undefined || isForeign(document, mention.start)) continue;
    const around = { before: mentions[index - 1], after: mentions[index + 1] };
    const date =
      read === 'not-done'
        ? undefined
        : (dateOf(document, dates, mention, around) ?? (own?.at === mention.start ? own.date : undefined));
    // A record cannot report what happens after the day on which it was written.
    const status = read === 'done' && isLater(date, recordDay(document)) ? 'planned' : read;
    const name = document.text.slice(mention.start, mention.end).replace(/\s+/g, ' ');
    const key = `${name.toLowerCase()} ${status} ${date ?? ''}`;
    if (found.has(key)) continue;
    found.set(key, { name, status, ...(date === undefined ? {} : { date }), span: document.spanOf(mention) });
  }
  return withoutRepeats([...found.values()]);
}

function isLater(date: string | undefined, day: string | undefined): boolean {
  return date?.length === 10 && day !== undefined && date > day;
}

/** Without the same examination again that has no date. */
function withoutRepeats(list: readonly Procedure[]): Procedure[] {
  const cancelled = new Set(list.flatMap(({ name, status }) => (status === 'not-done' ? [name.toLowerCase()] : [])));
  const dated = new Set(
    list.flatMap(({ name, status, date }) => (date === undefined ? [] : [`${name.toLowerCase()} ${status}`])),
  );
  return list.filter(
    ({ name, status, date }) =>
      date !== undefined ||
      // Offered in one place and declined in another.
      (!dated.has(`${name.toLowerCase()} ${status}`) && (status !== 'planned' || !cancelled.has(name.toLowerCase()))),
  );
}

function procedureMentions(document: Document): Range[] {
  const { text } = document;
  const words = plainWords(document.words);
  const found: Range[] = notPerformed(document);
  let lastEnd = 0;
  for (let index = 0; index < words.length && found.length < mentionsMax; index += 1) {
    const count = lengthAt(text, words, index);
    if (count === 0) continue;
    const start = withQualifiers(text, words, index, lastEnd);
    const last = index + count - 1;
    const { end } = words[last]!;
    if (!isPart(text, words[index]!.start, end) && !isRegurgitation(text, words[index]!.start, end))
      found.push({ start, end: withRegion(text, end) });
    lastEnd = end;
    index = last;
  }
  return found
    .sort((one, other) => one.start - other.start)
    .filter(({ start }, index, all) => index === 0 || all[index - 1]!.end <= start);
}

/** Under "Procedures not performed" each item is one, whatever its name. */
function notPerformed(document: Document): Range[] {
  const { text } = document;
  return clinicalSections(document).flatMap((section) => {
    if (section.kind !== 'not performed') return [];
    const from = text.indexOf(section.title, section.start) + section.title.length;
    const found: Range[] = [];
    for (const match of text.slice(from, Math.min(section.end, from + 600)).matchAll(/\p{L}[^.;\n]{3,60}/gu))
      found.push({ start: from + match.index, end: from + match.index + match[0].trimEnd().length });
    return found;
  });
}

/** "CT-guided", "echo time", "ICD-10", "MR imaging is", "OP-Termin", "US-amerikanisch": no examination. */
function isPart(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end);
  const after = text.slice(end, end + 24);
  // Italian "sono" is "they are".
  if (word === 'sono') return true;
  if (/^(?:-guided|[ -]10(?!\d)|-code|-compatible| time| number| no\.|-\p{Ll}{3,}isch)/iu.test(after)) return true;
  // "Lungs CTA": clear to auscultation.
  if (
    word === 'CTA' &&
    (/(?<!\p{L})(?:lungs?|chest|resp\p{L}*|pulm\p{L}*|fields)[\s:]{1,3}(?:are |is )?$/iu.test(
      text.slice(Math.max(0, start - 16), start),
    ) ||
      /^ ?(?:b\/?l|bilat)/i.test(after))
  )
    return true;
  // "Laparotomy with resection": a part of the operation before.
  if (
    /^resection|^resektion|^drainage|^anastomosis/i.test(word) &&
    /(?<!\p{L})(?:with|mit|avec|and|purulent|nasal|ear|wound|sinus|venous|lymphatic)\s$/iu.test(
      text.slice(Math.max(0, start - 12), start),
    )
  )
    return true;
  if (/^(?:US|MR|PET|ICD|TEP|SPECT|TEE|TC|RM)$/.test(word))
    return /^[.:]?\s?(?:\d{2,}|\$|citizen|dollar)/.test(after) && !/^\s\d{1,2}[./]/.test(after);
  return false;
}

function lengthAt(text: string, words: readonly Word[], index: number): number {
  const word = words[index]!;
  // "Meningeom-OP".
  if (
    word.text === 'op' &&
    text[word.start - 1] === '-' &&
    /^OP/.test(text.slice(word.start, word.end)) &&
    /\p{L}/u.test(text[word.start - 2] ?? '')
  )
    return 1;
  const known = terms.get(word.text)?.find(({ words: all, isCapital }) => {
    if (isCapital && !/^\p{Lu}{2}/u.test(text.slice(word.start, word.end))) return false;
    return all.every((part, at) => {
      const here = words[index + at];
      return here !== undefined && here.text === part && (at === 0 || !here.opens);
    });
  });
  if (known !== undefined) return known.words.length;
  return word.text.length >= 8 && procedureEnding.test(word.text) && !noProcedure.has(word.text) ? 1 : 0;
}

function withQualifiers(text: string, words: readonly Word[], index: number, from: number): number {
  let first = index;
  while (first > 0 && index - first < 4) {
    const before = words[first - 1]!;
    const isJoined = /^[-]$/.test(text.slice(before.end, words[first]!.start));
    if (words[first]!.opens || before.start < from || words[first]!.start - before.end > 2) break;
    if (!procedureQualifiers.has(before.text) && !isJoined) break;
    first -= 1;
  }
  return words[first]!.start;
}

const region =
  /^(?:[ -](?:thorax|schädel|abdomen|chest|head|brain|pelvis|neck|spine|knee|hip|shoulder|thoracique|cérébrale?|abdominale?|transthoracique|abdomino-pelvien|hws|lws|bws|becken|kopf|hals|links|rechts|left|right|of (?:the )?(?:both )?(?:left |right )?(?:shoulders?|knees?|hips?|chest|head|brain|abdomen|spine|hands?|feet|foot)))(?:[ ](?:and|und|et|left|right|links|rechts|hip|knee|shoulder|pelvis|scan|angiogram))?(?!\p{L})/iu;

function withRegion(text: string, end: number): number {
  return end + (region.exec(text.slice(end, end + 50))?.[0].length ?? 0);
}

const notDoneAfter =
  /^[^.;\n]{0,50}?(?<!\p{L})(?:not (?:performed|done|obtained|needed|required|recommended|advised|attempted|carried out|indicated|undertaken|possible|pursued|necessary|given|available)|unnecessary|declined|refused|cancelled|canceled|deferred|aborted|non (?:réalisée?|faite?|indiquée?|effectuée?)|n'a pas été|nicht (?:durchgeführt|erfolgt|erforderlich|notwendig|möglich)|no (?:se )?(?:realizad[oa]s?|realizó|precisa|precisó|indicad[oa]s?|procede)|desestimad[oa]s?|rechazad[oa]s?|anulad[oa]s?|non (?:eseguit[oaie]|effettuat[oaie]|indicat[oaie]|necessari[oaie])|rifiutat[oaie]|annullat[oaie]|não (?:realizad[oa]|efetuad[oa])|abgelehnt|abgesagt|odmítn\p{L}*|neproveden\p{L}*|(?:utförs|utfördes|gjordes|utfört|genomförs|genomfördes) (?:inte|ej)|(?:inte|ej|ikke) (?:utförts?|gjorts?|udført|utført|foretaget|gjennomført|aktuellt?|indiceret)|avstår|avböjt?|afslået|avslått|inställd\p{L}?|aflyst|avlyst|niet (?:verricht|uitgevoerd|gedaan|geïndiceerd|nodig)|geweigerd|geannuleerd|afgezegd|nie (?:wykonano|przeprowadzono|zakwalifikowano)|odmówi\p{L}{1,3}|refusée?|annulée?|récusée?|não (?:foi )?(?:realizad[oa]|efetuad[oa]|feit[oa])|recusad[oa]|cancelad[oa]|rifiuta|verschoben|storniert)(?!\p{L})/iu;
const notDoneBefore =
  /(?<!\p{L})(?:(?:se )?desestima(?:n|da)?|not (?:a candidate|suitable|eligible) for|no (?:es )?candidat[oa] (?:a|para)|non (?:è )?candidat[oa] (?:a|alla?)|non candidate? à|kein\p{L}* (?:kandidat\p{L}*|indikation) (?:für|zur)|verzicht\p{L}* auf|récuse|renonce à|rinuncia a|renuncia a|afgezien van|zrezygnowano z|kontraindikation (?:für|gegen)|avstår från|avböjer|afslår|ønsker ikke|weigert|wenst geen|odmawia|nie wykonano|refuse|declined|declines|refused|refuses|cancelled|deferred|(?:do|does|did) not (?:want|wish)|(?:don|doesn|didn)['’]t want|did not undergo|not undergo(?:ne)?|abgelehnt|lehnt|refuse|no se (?:realiza|realizó|ha realizado|hizo|practicó|indica|considera)|rechaza|rifiuta|recusa|non (?:è stat[oa]|si) (?:eseguit[oa]|esegue|effettua\p{L}*))(?!\p{L})[^.;]{0,40}$/iu;
const plannedAfter =
  /^[^.;\n]{0,44}?(?<!\p{L})(?:planned|scheduled|booked|ordered|arranged|requested|recommended|suggested|due|pending|awaited|referred|to be (?:done|performed|arranged|booked|scheduled)|is advised|advised|will be|at \d{1,2} (?:weeks|months)|in \d{1,2}(?:-\d{1,2})? (?:weeks|months)|age \d\d|pendientes?|programad[oa]s?|solicitad[oa]s?|previst[oa]s?|programmat[oaie]|richiest[oaie]|da (?:eseguire|programmare|ripetere)|agendad[oa]s?|geplant|empfohlen|vorgesehen|terminiert|vereinbart|prévue?|programmée?|à prévoir|à discuter|sera|souhaitée?|naplánován\p{L}*|doporučen\p{L}*|planera[ts]?|planerad|planlagt|planlægges|bestilt|bestilles|bokad|bokas|beställd|henvist|remiss|remitteras|afventer|avvaktar|väntar|gepland|aangevraagd|afgesproken|volgt|planowan\p{L}{1,2}|zaplanowan\p{L}{1,2}|zlecon\p{L}{1,2}|zalecan\p{L}{1,2}|w terminie|marcad[oa]s?|agendad[oa]s?|pedid[oa]s?|prenotat[oaie]|citad[oa]|in programma|prévues?|programmées?|demandée?s?|à réaliser|à faire)(?!\p{L})/iu;
const plannedBefore =
  /(?<!\p{L})(?:plan(?:ned|s)?(?: for)?|(?:over)?due for|schedule[ds]?(?: for)?|book(?:ed)?(?: for)?|order(?:ed)?|arrange[d]?|request(?:ed|ing)?|recommend(?:ed|s)?|suggest(?:ed|s)?|refer(?:red)? for|await(?:s|ing)?|pending|will (?:have|undergo|need|require)|(?<!did )require(?=\s)|to (?:undergo|have)|for (?:elective|urgent|outpatient|straight-to-test)|fit for|needs?|requires|consider|obtain|proceed (?:to|with)|listed for|wir empfehlen|empfehlen|empfohlen|geplante?[rn]?|vorgesehen|zur|prévoir|programmer|demande d[e']|pendientes?(?: de)?|programad[oa]s? para|propone|se (?:programa|solicita|indica|recomienda|ofrece|cita para)|indicación de|indicazione a|candidat[oa] (?:a|para)|propuesta de|proposta di|solicitamos|recomendamos|valorar|in (?:programma|attesa)(?: di)?|si (?:programma|richiede|consiglia|raccomanda)|aguarda|solicita-se|planeras|planerad|planlagt|planlægges|bokas|remiss (?:för|till)|henvises til|remitteras (?:för|till)|gepland|plannen|afspraak voor|verwezen voor|planowan\p{L}{1,2}|skierowan\p{L}{1,2} na|zalecan\p{L}{1,2}|kontrolln[aey]|do wykonania|agendar|pedir|marcar|prenotare|eseguire|richiedere|solicitar|pedimos|adressée? pour|rdv (?:de|pour))(?!\p{L})[^.;]{0,40}$/iu;
/** "Repeat DEXA in March 2027", an order at the beginning of a statement. */
const ordered = /^\s*(?:\d{1,2}[.)]\s)?(?:repeat|recheck|arrange|book|wiederholung|kontroll-?)(?!\p{L})/iu;
const supposed =
  /(?<!\p{L})(?:if|should|unless|in case of|wenn|falls|sollte|bei persistierend\p{L}*|si|en cas de|would|could|may (?:need|require)|might|optional|risks?(?: of)?)(?!\p{L})[^.;]{0,120}$/iu;
const denied =
  /(?<!\p{L})(?:no|never (?:had|underwent)|without|has not had|kein\p{L}{0,2}|ohne|nie|pas de|pas eu de|aucune?|sans|ni|nor|žádn\p{L}*|bez|sin|senza|sem|nessun[oa]?|ningun[oa]|ingen|inga|utan|uden|uten|geen|zonder|bez|nunca|mai|pas d['’](?=\p{L}))(?:\s|$)(?:(?:previous|prior|history of|further|vorherige\p{L}?|any|une?|an?)\s)?(?:\p{L}+\s)?$/iu;
/** The negation before belongs to what the examination showed: "no fracture on X-ray", "Ausschluss einer Blutung im CCT". */
const foundBy =
  /(?<!\p{L})(?:on|by|at|in|per|via|im|in der|mittels|laut|à la|à l'|au|par|the|seen on|of)\s(?:the |a |an |der |dem |einer |la |le )?$/iu;

const hasResult =
  /(?<!\p{L})(?:showed|shows|revealed|demonstrated|performed|eseguit[oaie]|effettuat[oaie]|realizad[oa]s?|practicad[oa]s?|utförde?s?|udført|gjorts|uitgevoerd|verricht|wykonan[oaey]|réalisée?s?|pratiquée?s?|durchgeführt|(?<!be )obtained|underwent|s\/p|status post|z\.? ?n\.?|zeigte|montre|retrouve|unauffällig|o\. ?B|normal|normale|negativ|négatif|unremarkable|clear|without evidence|ohne Nachweis|sans anomalie)(?!\p{L})/iu;

function statusOf(document: Document, mention: Range): Procedure['status'] | undefined {
  const { text } = document;
  const { kind } = sectionAt(document, mention.start);
  if (kind === 'instructions' || kind === 'limits' || kind === 'risks' || !isAboutPatient(document, mention))
    return undefined;
  const statement = statementAt(document, mention.start);
  const before = text.slice(Math.max(statement.start, mention.start - 160), mention.start).replace(/\s/g, ' ');
  const after = text
    .slice(mention.end, Math.max(mention.end, Math.min(statement.end, mention.end + 120)))
    .replace(/\s/g, ' ')
    .replace(/(?<=\d)\.(?=\d)/g, '/');
  if (kind === 'not performed') return 'not-done';
  // "Pacemaker / ICD ............. N": a question of a form.
  if (
    /^[ \p{L}/]{0,24}[ .…_]{3,60}(?:N|No|Nein|Non|Nee|Nej|Nie|Não)(?!\p{L})/u.test(
      text.slice(mention.end, mention.end + 90),
    )
  )
    return undefined;
  // "CXR  [ ] done  [x] not required".
  const unticked =
    /^[ \t:]{0,8}\[[ ]?\] ?(?:\p{L}+[ \t]{1,8}){1,3}(\[[xX]\] ?(?:not|nicht|non|no|niet|nie)(?!\p{L}))?/u.exec(
      text.slice(mention.end, mention.end + 80),
    );
  if (unticked !== null) return unticked[1] === undefined ? undefined : 'not-done';
  const clause = before.slice(
    Math.max(before.lastIndexOf(';'), before.lastIndexOf(' - '), before.lastIndexOf('. ')) + 1,
  );
  if (notDoneAfter.test(untilOther(after)) || notDoneBefore.test(clause)) return 'not-done';
  if (denied.test(clause) && !foundBy.test(before)) return 'not-done';
  if (supposed.test(clause)) return undefined;
  if (hasResult.test(before.slice(-60) + after.slice(0, 40))) return 'done';
  if (
    plannedAfter.test(untilOther(after)) ||
    plannedBefore.test(clause) ||
    ordered.test(before + text.slice(mention.start, mention.start + 8))
  )
    return 'planned';
  return kind === 'plan' || kind === 'proposed' ? 'planned' : 'done';
}

/** A comma with a finite verb or a date begins another statement. */
function untilOther(after: string): string {
  const end = /[;]|,\s(?=[^,]{0,40}(?<!\p{L})(?:is|was|are|were|then|with|he|she)(?!\p{L}))/iu.exec(after);
  return end === null ? after : after.slice(0, end.index);
}

interface Neighbours {
  readonly before: Range | undefined;
  readonly after: Range | undefined;
}

/** The day directly after the name in its clause, else directly before it; of a row its first cell. */
function dateOf(
  document: Document,
  dates: readonly FoundDate[],
  mention: Range,
  around: Neighbours,
): string | undefined {
  const { text } = document;
  const statement = statementAt(document, mention.start);
  const lineStart = text.lastIndexOf('\n', mention.start - 1) + 1;
  const lineEnd = text.indexOf('\n', mention.end);
  const row = text.slice(
    Math.max(lineStart, mention.start - 300),
    lineEnd === -1 ? text.length : Math.min(lineEnd, mention.end + 300),
  );
  const end = Math.min(statement.end, mention.end + 70, around.after?.start ?? text.length);
  const next = allWithin(dates, { start: mention.end, end: Math.max(end, mention.end) })[0];
  if (
    next !== undefined &&
    /^[^.;]{0,60}$/.test(text.slice(mention.end, next.start)) &&
    !leadsElsewhere.test(text.slice(mention.end, next.start))
  )
    return next.iso;
  const from = Math.max(statement.start, mention.start - 60, around.before?.end ?? 0);
  const previous = allWithin(dates, { start: from, end: mention.start }).at(-1);
  if (previous !== undefined) {
    const between = text.slice(previous.end, mention.start);
    const isLed = /(?<!\p{L})(?:on|am|vom|le|du|in|en|im|dne)\s$/iu.test(
      text.slice(Math.max(from, previous.start - 6), previous.start),
    );
    if (
      /^[():,.\s]{0,4}(?:\s?\p{L}+\s?:\s?)?$/u.test(between) ||
      (isLed && !/[.;,]/.test(between)) ||
      /^\s?:/.test(between)
    )
      return previous.iso;
  }
  if (!row.includes('\t')) return undefined;
  const cells = row.split('\t');
  // "Hysterectomy | 04/02/2003", and the day of a chart's row.
  const inRow =
    dayIn(document, cells[0]!.slice(0, 40)) ??
    allWithin(dates, { start: mention.end, end: mention.end + 90 }).find(({ start }) =>
      /^\s{0,60}$/.test(text.slice(mention.end, start)),
    )?.iso;
  return inRow ?? rowDayAbove(document, lineStart);
}

/** What follows dates something else: "CT in 2020 for", "scan; since 03/2025". */
const leadsElsewhere =
  /(?<!\p{L})(?:since|until|born|dob|seit|bis|depuis|jusqu|admitted|discharged|then|and|und|et)(?!\p{L})|[,;]\s*(?!geplant|planned|scheduled|booked|prévue?|termin)\p{L}{4,}/iu;

/** Rows of a chart that give the day in a cell of its own. */
function rowDayAbove(document: Document, lineStart: number): string | undefined {
  const line = document.text.slice(lineStart, lineStart + 60);
  return dayIn(document, line.split('\t', 1)[0]!.slice(0, 24));
}

const dateLabel =
  /(?<!\p{L})(?:date of (?:operation|surgery|procedure|exam(?:ination)?|study|service)|(?:operation|surgery|procedure|exam|study|scan) date|(?:op|operations|untersuchungs)datum|date (?:de l'|d')(?:examen|intervention|opération))[ :]{1,3}([^\n\t]{6,24})/iu;
const procedureLabel =
  /(?:^|[\n\t ])(?:procedures?(?: performed)?|operations?(?: performed)?|exam(?:ination)?|study|intervention|eingriff|operation|untersuchung|examen|acte|surgery)[ ]?:\s{0,4}$/iu;

/** A report of one operation or examination dates it in its head. */
function ownDate(document: Document, mentions: readonly Range[]): { at: number; date: string } | undefined {
  const { text } = document;
  const match = dateLabel.exec(text.slice(0, 3_000));
  const date = match === null ? undefined : dayIn(document, match[1]!.split(/ {2}/)[0]!);
  if (date === undefined) return undefined;
  const named = mentions.find(
    ({ start }) =>
      start < 3_000 &&
      procedureLabel.test(text.slice(Math.max(0, start - 40), start).replace(/(?:\p{L}+ ){0,2}$/u, '')),
  );
  return named === undefined ? undefined : { at: named.start, date };
}
