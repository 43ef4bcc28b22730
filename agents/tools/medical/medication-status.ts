/** What a record says of a medicine that it names: taken now, stopped, planned, given once, or only mentioned. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { clinicalDates, dayIn } from './clinical-dates.ts';
import { isAboutPatient, isDenied } from './clinical-status.ts';
import { medicationSections } from './drug-mentions.ts';
import { administrationIn, hasEnded } from './ended-rows.ts';
import { isFormer } from './former-medicines.ts';
import { recordDay } from './record-day.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import { conditionStart } from './status-cues.ts';
import { rowAt } from './table-titles.ts';

export type MedicationStatus = 'current' | 'stopped' | 'planned' | 'given' | 'mentioned' | 'allergy';

export interface StatusCues {
  readonly hasDose: boolean;
  readonly hasFrequency: boolean;
  /** "x1", "stat". */
  readonly isOnce: boolean;
  /** What follows the name up to the next medicine. */
  readonly after: string;
}

const words = (list: string, flags = 'iu') => new RegExp(String.raw`(?<!\p{L})(?:${list})(?!\p{L})`, flags);

const stopVerb = String.raw`stop(?:ped|s|ping)?|discontinu(?:e|ed|ing)|d\/c'?d|d\/c|dc'd|dc|ceased?|withdrawn|withdrew|taken off|came off|weaned off|off|vysazen\p{L}{0,2}|abgesetzt|absetzen|beendet|arrêt(?:er|ée?s?)?|suspendue?s?|ex|stopping|suspender|suspendid[oa]s?|retirad[oa]s?|dejó de tomar|sospes[oaie]|sospendere|interrott[oaie]|gestopt|gestaakt|staken|suspens[oa]s?|odstawi\p{L}{1,5}|zakończon\p{L}{1,2}|utsatt|sätts ut|sattes ut|utsättes|seponer\p{L}{1,4}|stoppet|stoppad|ophør\p{L}{0,2}|si sospende|se suspende|suspende-se|interrompe|interrotto`;
const stopBefore = words(
  String.raw`(?:${stopVerb}|(?:held|withheld|paused|pausiert)(?! ?:)|hold(?:ing)?(?! ?:|[^.;\n]{0,60}(?<!\p{L})(?:if|for)(?!\p{L})))`,
  'giu',
);
const stopAfter =
  /^[^.;\n]{0,70}?(?<!\p{L})(?:(?:was|were|is|are|has been|have been|been|wurden?|werden|ist|sollte|est|sont|a été|ont été)(?:\s\p{L}{2,14}){0,3}?\s(?:stopped|discontinued|ceased|withdrawn|withheld|held|paused|suspended|replaced|switched|abgesetzt|pausiert|beendet|arrêtée?s?|suspendue?s?|remplacée?s?)|stopped|discontinued|ceased|d\/?c'?d|withdrawn|ended|instructed to stop|advised to stop|told to stop|to stop|ran out|not taking|no longer (?:taking|takes|on)|completed|finished|course completed|changed to|switched to|replaced (?:by|with)|abgesetzt|absetzen|beendet|pausieren|pausiert|ersetzt durch|umgestellt auf|vysazen\p{L}{0,2}|arrêtée?|stoppée?|suspendue?|remplacée? par|suspendid[oa]|suspender|retirad[oa]|terminad[oa]|finalizad[oa]|hasta nueva orden|sospes[oaie]|sospendere|terminat[oaie]|interrott[oaie]|gestopt|gestaakt|afgerond|zakończon\p{L}{1,2}|suspens[oa]|odstawi\p{L}{1,5}|not tolerated|on hold|HOLD|held|withheld)(?!\p{L})/iu;
/** Between a stop and the name these begin the medicine that takes its place. */
const replacement = words(
  'in favou?r of|replaced|switched|changed|change|instead|started|start|begun|on|continue[ds]?|and (?:started|begin|begun)|au profit|ersetzt|gegen|auf|zugunsten|takes?|taking|because of|due to|wegen|for|per|a causa|på grund|pga|vanwege|z powodu|por|debido|en raison|à cause',
);
const resumed = words(
  `resumed?|restarted?|re-started|reintroduced?|wieder (?:angesetzt|aufgenommen|begonnen)|repris|réintroduite?`,
);
const toResume = words(
  `(?:to be|be|if|until|once|when|before|not) (?:resumed?|restarted?|re-started|reintroduced?)|to (?:resume|restart)`,
);
/** "Held on admission; restarted 3/3", and not "to be restarted". */
const wasResumed =
  /^[^.\n]{0,120}?(?<!(?<!\p{L})(?:be|not|if|until|once|when|nicht|pas|être|ser|essere|no|non) )(?<!\p{L})(?:resumed|restarted|re-started|reintroduced|reinitiated|wieder (?:angesetzt|aufgenommen|begonnen)|repris|réintroduite?|reiniciad[oa]|reintroducid[oa]|ripres[oa]|hervat|återinsatt|genoptaget|gjenopptatt|ponownie włączon\p{L}{1,2})(?!\p{L}|\s(?:if|when|once|wenn|si|se)(?!\p{L}))/iu;

const neverTaken =
  /^[^.;\n]{0,60}?(?<!\p{L})(?:never (?:started|given|taken|filled)|not (?:started|given|taken|filled|to be (?:started|restarted|given))|was not (?:started|given)|is not to be|not to restart|contraindicated|nicht (?:begonnen|gegeben|eingenommen)|non débutée?|declined|refused|not prescribed|not charted|nicht verordnet|non prescrite?|non (?:somministrat[oaie]|assunt[oaie]|prescritt[oaie]|iniziat[oaie]|avviat[oaie])|no (?:administrad[oa]|iniciad[oa]|pautad[oa]|tomad[oa])|não (?:administrad[oa]|iniciad[oa])|niet (?:gegeven|gestart|toegediend)|nie (?:podano|włączono|przyjmuje)|(?:inte|ej) (?:given|givet|insatt|påbörjad)|ikke (?:givet|gitt|startet|påbegyndt))(?!\p{L})/iu;
const avoided = words(
  String.raw`avoid(?:ed|ing)?|do not (?:use|take)|evitar|evitare|vermijd(?:en)?|nie przyjmować|nie stosować|no need for|not on|never (?:used|took|taken|started)|not (?:taken|take|taking|to take|started|use|used)|instead of|in place of|rather than|refused|declined|allergi[ce] to|meiden|vermeiden|éviter|contraindicated|interact\p{L}* with|discussed|risks? of|tolerates?|tolerated|toleriert|verträgt|without|when to omit|withhold`,
);

/** The medicine after these takes the place of the one before them. */
const substitute =
  /(?<!\p{L})(?:replaced (?:by|with)|in favou?r of|switched to|changed to|ersetzt durch|umgestellt auf|umstellung (?:von )?\S{3,24} auf|remplacée? par|relais par)\s*$/iu;

const planOf = (kind: string, { hasDose, hasFrequency }: StatusCues): MedicationStatus | undefined =>
  kind === 'proposed' && (hasDose || hasFrequency) ? 'planned' : undefined;

const planVerb = words(
  `start|begin|initiate|commence|consider|recommend(?:ed|s)?|suggest(?:ed|s)?|plan(?:ned|s)?(?: to)?|change(?:d)? to|switch(?: to)?|increase|decrease|reduce|titrate|uptitrate|add|trial of|prescribe|to start|will start|should (?:start|be started|receive)|advise|propose|prescribed|erhöhen|beginn(?:en)?|ansetzen|empfehlen(?: wir)?|empfohlen|umstellung|geplant|reduzieren|steigern|débuter|introduire|instaurer|prévue?|envisager|augmenter|diminuer|rozpocząć|zahájit|nasadit|navýšit|iniciar|comenzar|aumentar|reducir|pautar|iniziare|avviare|aumentare|ridurre|starten|verhogen|verlagen|introduzir|zwiększyć|włączyć|insätts|insättes|påbörja[rs]?|opstart(?:es)?|startes?|øges|ökas|höjs|beginnen wir mit|wir beginnen mit`,
  'giu',
);
/** "Start taking sacubitril/valsartan 24/26 mg twice a day": the strength of two ingredients is no dose. */
const startsTaking = /(?<!\p{L})(?:start|begin)(?: taking| using)? $/iu;
/** "Torasemid erhöhen auf 20 mg": the verb follows the name. */
const planAfter =
  /^[\s:,-]{0,3}(?:erhöhen|steigern|reduzieren|ansetzen|beginnen|à (?:débuter|introduire|augmenter)|to (?:start|begin)|(?:will|should) be (?:started|increased|added))(?!\p{L})/iu;
const goesOn = words(
  String.raw`continue[ds]?|cont\.?|keep|maintain(?:ed)?|remains? on|carry on|resume[ds]?|unverändert|weiter(?:hin)?|fortführen|fortgeführt|poursuivre|poursuite|maintien|unchanged|ongoing|same|continuar|mantener|seguir con|proseguire|continuare|voortzetten|doorgaan met|manter|kontynuować|fortsätt(?:er)?|fortsæt(?:ter)?|fortsett(?:er)?|oförändrat|uændret|uforandret|invariat[oa]`,
  'giu',
);
const giving = words(
  String.raw`given|gave|administered|received|receives|rec'd|bolus|loading dose|load|infus\p{L}*|at induction|at closure|infiltrated|stat|x ?1(?!\d)|PCA|erhielt|verabreicht|Gabe|reçu|administrée?|se administra|administrad[oa]s?|somministrat[oaie]|trattat[oaie] con|toegediend|kreeg|podano|otrzymał\p{L}?|fick|får|gavs|givet|givits|gitt|fik|gegeven|gekregen|recibió|recebeu|ricevuto|somministra|se pautó|injected|treated with|took|required|started on|contrast|injection`,
  'giu',
);

/** @returns undefined for a medicine of somebody else */
export function medicationStatus(document: Document, range: Range, cues: StatusCues): MedicationStatus | undefined {
  if (!isAboutPatient(document, range)) return undefined;
  const status = statusOf(document, range, cues) ?? 'mentioned';
  return status === 'current' && beginsLater(document, range, cues.after) ? 'planned' : status;
}

const beginsOn =
  /(?<!\p{L})(?:ab(?: dem)?|from|starting(?: on)?|à partir du|dès le|a partir del?|desde el|dal|vanaf|od|från|fra)\s(\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d{2,4}|\d{1,2}\.? \p{L}{3,9}(?: \d{4})?)/iu;

/** "Eliquis 2,5 mg  ab 24.02.2026" in a letter of 12.02.2026. */
function beginsLater(document: Document, { start, end }: Range, after: string): boolean {
  const lineEnd = document.text.indexOf('\n', end);
  const line = document.text.slice(end, Math.min(lineEnd === -1 ? end + 160 : lineEnd, end + 160));
  const written = beginsOn.exec(after)?.[1] ?? beginsOn.exec(line)?.[1];
  if (written === undefined) return false;
  const year = /\d{4}/.test(document.text.slice(Math.max(0, start - 2_000), start + 2_000))
    ? writingDay(document)?.slice(0, 4)
    : undefined;
  const day = dayIn(document, /\d{4}|[./-]\d{2}$/.test(written) ? written : `${written} ${year ?? ''}`);
  const today = writingDay(document);
  return day !== undefined && today !== undefined && day > today;
}

const writtenOn =
  /(?<!\p{L})(?:druckdatum|gedruckt|druck|datum|date|printed|typed|written|signed|clinic|visit|bis|entlassen|discharged?|validé|validation|édité|impreso|fecha|stampato|data|datum)(?!\p{L})[^\p{L}\d\n]{0,8}(?:(?:am|on|le|el|il|of|consult|service)\s)?[^\p{L}\d\n]{0,4}$/iu;
const writingDays = new WeakMap<Document, { readonly day: string | undefined }>();

/** The day of the record, else the latest day that a label of the paper or of the stay gives. */
function writingDay(document: Document): string | undefined {
  const known = writingDays.get(document);
  if (known !== undefined) return known.day;
  const labelled = clinicalDates(document).flatMap(({ iso, start }) =>
    iso.length === 10 && writtenOn.test(document.text.slice(Math.max(0, start - 40), start)) ? [iso] : [],
  );
  const day = recordDay(document) ?? labelled.toSorted().at(-1);
  writingDays.set(document, { day });
  return day;
}

/** @returns undefined where the record does not say that the patient takes, took, was given or is to take it */
function statusOf(document: Document, range: Range, cues: StatusCues): MedicationStatus | undefined {
  const { text } = document;
  const { kind, title } = sectionAt(document, range.start);
  const isPlan = !/^(?:\p{L}+ )?diagnos\p{L}*$/iu.test(title.trim());
  const statement = statementAt(document, range.start);
  const before = text.slice(Math.max(statement.start, range.start - 200), range.start).replace(/\s/g, ' ');
  const { hasDose, hasFrequency } = cues;
  // "t.i.d. - instructed to stop": the points of abbreviations end no sentence.
  const after = cues.after
    .replace(/(?<!\p{L})(?:\p{L}\.){2,4}/gu, (word) => word.replaceAll('.', ''))
    .replace(/(?<=\d)\.(?=\d)/g, ',')
    // A statement runs on across wrapped lines: "lisinopril 20 mg" / "daily, stopped in May".
    .replace(/\n[ \t]{0,40}(?=[\p{Ll}(])/gu, ' ');
  if (invalidBefore.test(before) || usualDose.test(before)) return undefined;
  const isListed = isListPlace(text, range.start, statement.start);
  if (substitute.test(before))
    return kind === 'stopped' || kind === 'proposed'
      ? planOf(kind, cues)
      : statusOfProse(kind, { ...cues, before, after, isListed, isPlan });
  if (endedTitle.test(title)) return 'stopped';
  if (kind === 'stopped' && isConditional(before, after)) return undefined;
  const inRow = rowStatus(document, range);
  if (inRow !== undefined) return inRow;
  const former = isFormer(before, after);
  if (former === 'dose') return undefined;
  if (isStopped(kind, before, after)) return 'stopped';
  if (wasResumed.test(after)) return 'current';
  if (former) return 'stopped';
  if (neverTaken.test(after)) return undefined;
  if (kind === 'held') return /given|meds/i.test(previousTitle(document, range.start)) ? undefined : 'stopped';
  const clause = before.slice(clauseStart(before));
  if (isDenied(before, after) || (avoided.test(clause.slice(-60)) && !isListed)) return undefined;
  const isStart = hasFrequency && startsTaking.test(clause);
  if (kind === 'instructions' && !(hasDose && hasFrequency) && !isStart) return undefined;
  const condition = isConditional(before, after);
  const verb = lastMatch(planVerb, clause);
  const goingOn = lastMatch(goesOn, clause);
  if (condition && kind !== 'proposed' && (verb === undefined || /(?<!\p{L})would(?!\p{L})/iu.test(before)))
    return undefined;
  if (kind === 'proposed') return hasDose || hasFrequency ? 'planned' : undefined;
  if (goingOn !== undefined && goingOn > (verb ?? -1)) return 'current';
  if (verb !== undefined || planAfter.test(after)) {
    const isChange =
      planAfter.test(after) ||
      /^(?:increase|decrease|reduce|titrate|uptitrate|augmenter|diminuer)/iu.test(clause.slice(verb ?? 0));
    return hasDose || hasFrequency || isChange ? 'planned' : undefined;
  }
  if (medicationSections.has(kind)) {
    if (kind === 'given') return hasDose || hasFrequency || isListed ? 'given' : undefined;
    if (cues.isOnce) return 'given';
    return hasDose || hasFrequency || isListed || isEnumerated(before, after) ? 'current' : undefined;
  }
  return statusOfProse(kind, { ...cues, before: clause, after, isListed, isPlan });
}

/** A former version, a form, or a leaflet. */
const invalidBefore =
  /(?<!\p{L})(?:ungültig\p{L}*|vorversion|invalid|superseded|obsolete|no longer valid|template text|standard text|pre-?printed|leaflet|patient information|vordruck|musterlauf|texte type|pré-imprimé|périmée?|caducad\p{L}|plantilla|modulo prestampato|předtištěno|neplatn\p{L}+|nieważn\p{L}+|voorbeeldtekst|for patients on|patienten unter)(?!\p{L})[^.\n]{0,80}$/iu;
/** "The usual maximum dose of quetiapine is 300 mg daily". */
const usualDose =
  /(?<!\p{L})(?:(?:usual|maximum|max\.?|maximal|recommended|highest|licensed|standard)\s(?:maximum\s|daily\s|adult\s){0,3}(?:doses?|amount)|exceeds? the (?:\p{L}+\s){0,3}limit(?:\s(?:with|of|for))?|höchstdosis|maximaldosis|maximale (?:tages)?dosis|tageshöchstdosis|dose (?:quotidienne )?maximale|dosis máxima|dose massima|maximální (?:denní )?dávka|dawka maksymalna|maximale dosering)(?!\p{L})[^.\n]{0,30}$/iu;

/** "Medicines before admission that are no longer taken". */
const endedTitle =
  /(?<!\p{L})(?:no longer|not to be (?:taken|continued|resumed)|do not (?:take|continue)|nicht mehr|ne plus (?:prendre|poursuivre))(?!\p{L})/iu;

const statusTitle =
  /^(?:status|action|actions?|change|changes|disposition|decision|medication status|plan|statut|conduite|décision|maßnahme|änderung|veränderung|vorgehen|estado|acción|stato|azione|actie|stan|stav)$/iu;
const rowStatuses: readonly (readonly [MedicationStatus, RegExp])[] = [
  [
    'stopped',
    /(?<!\p{L})(?:stop(?:ped|s)?|discontinue[ds]?|d\/c|dc|cease[ds]?|end(?:ed)?|complete[ds]?|finished|held|hold|on hold|withheld|suspend(?:ed)?|paused?|withdrawn|removed?|abgesetzt|absetzen|beendet|pausiert|pausieren|arrêt(?:é|ée|er)?|suspendue?|stoppée?|suspendido|retirado|sospeso|interrotto|gestopt|gestaakt|odstawion\p{L}|vysazen\p{L}?|inactive|inaktiv|expired)(?!\p{L})/iu,
  ],
  [
    'planned',
    /(?<!\p{L})(?:planned|to start|to be started|proposed|pending|awaiting|from tomorrow|geplant|prévue?|à débuter|planificado|pianificato|gepland)(?!\p{L})/iu,
  ],
  [
    'current',
    /(?<!\p{L})(?:continue[ds]?|continuing|cont\.?|unchanged|no change|same|active|current|taking|new|start(?:ed)?|begin|begun|added?|change[ds]?|increase[ds]?|decrease[ds]?|reduce[ds]?|adjusted|resume[ds]?|restart(?:ed)?|ongoing|keep|neu|unverändert|weiter|erhöht|reduziert|aktiv|laufend|angesetzt|poursuivre|poursuivi|inchangée?|nouveau|nouvelle|débutée?|augmentée?|diminuée?|continuar|nuevo|activo|continuare|nuovo|attivo|doorgaan|nieuw|gewijzigd)(?!\p{L})/iu,
  ],
];

/**
 * What a column for it says of the medicine of a row; words that are not known leave it open.
 * @returns undefined if the row has no such cell, or if it says that the medicine is taken, which the list says too
 */
function rowStatus(document: Document, { start, end }: Range): MedicationStatus | undefined {
  const row = rowAt(document, start);
  if (row !== undefined && hasEnded(document, row, end)) return 'stopped';
  const administration = row === undefined ? undefined : administrationIn(row, end);
  if (administration !== undefined) return administration === 'given' ? 'given' : 'mentioned';
  const column = row?.titles.findIndex((title) => statusTitle.test(title)) ?? -1;
  const cell = column === -1 ? undefined : row!.cells[column];
  if (cell === undefined || !/\p{L}{2}/u.test(cell.text) || cell.start < end || row!.titles[column] === cell.text)
    return undefined;
  const found = rowStatuses.find(([, shape]) => shape.test(cell.text))?.[0];
  return found === 'current' ? undefined : (found ?? 'mentioned');
}

interface Prose extends StatusCues {
  /** Whether the heading above is one of an assessment, which medicines follow as a plan. */
  readonly isPlan: boolean;
  readonly before: string;
  readonly isListed: boolean;
}

function statusOfProse(
  kind: string,
  { before, after, hasDose, hasFrequency, isListed, isPlan }: Prose,
): MedicationStatus | undefined {
  const isGiven =
    lastMatch(giving, before) !== undefined ||
    /^[^.;]{0,60}?(?<!\p{L})(?:given|administered|bolus|load|infusion|drip|perfusion|at induction|at closure|was placed|infiltrated|stat|x ?1(?!\d)|IV at|at \d{1,2}:\d\d)(?!\p{L})/iu.test(
      after,
    );
  const isTaken =
    /(?<!\p{L})(?:takes?|taking|on|uses?|using|home|nimmt|prend|sous|unter|discharged|only drug|current\p{L}*|regular\p{L}*)(?!\p{L})[^.;]{0,40}$/iu.test(
      before,
    ) ||
    (hasFrequency && takenList.test(before)) ||
    /^[^.;]{0,60}(?<!\p{L})(?:is now taken|now taken|\(home\)|was begun|started)(?!\p{L})/iu.test(after);
  if (!hasDose && !hasFrequency) {
    if (takesAlone.test(before) && !/^\s(?:\d|\p{L}+ (?:in the past|before))/u.test(after)) return 'current';
    if (/(?<!\p{L})(?:drips?|infusions?|gtts?|perfusoren)\s?:/iu.test(before)) return 'given';
    if (
      isGiven &&
      /(?<!\p{L})(?:infus\p{L}*|drip|PCA|received|rec'd|given|treated with|replaced by|was given)(?!\p{L})/iu.test(
        before.slice(-40) + after.slice(0, 30),
      )
    )
      return 'given';
    if (/(?<!\p{L})(?:replaced (?:by|with)|then|switched to|anticoagulation (?:by|with|par))\s*$/iu.test(before))
      return 'given';
    return isListed && /^\s*$/.test(after) ? 'current' : 'mentioned';
  }
  if (kind === 'plan' && !isGiven) return 'planned';
  if (isListed && !isGiven && kind !== 'procedures' && (hasFrequency || kind === 'other')) return 'current';
  if (kind === 'diagnoses' && isPlan && hasDose && hasFrequency && !isTaken && !isGiven) return 'planned';
  if (isTaken && !isGiven) return 'current';
  if (/(?:^|[,;]\s|(?<!\p{L})then )$/iu.test(before.slice(-6)) && /(?<!\p{L})(?:from|ab|à partir du) \d/iu.test(after))
    return 'planned';
  return 'given';
}

/** "She takes Pepcid", "still on her metformin", "sous hydrocortisone": a medicine directly behind the verb of the present. */
const takesAlone =
  /(?<!\p{L})(?:(?:he|she|patient|and|still|currently|now|also|regularly|who) (?:takes|uses)|(?:is|remains|still|currently) (?:taking|using|on)|is maintained on|nimmt(?: derzeit| aktuell| regelmäßig)?|prend(?: actuellement)?|sous(?: traitement(?: par| de)?)?|(?:está )?en tratamiento con|in (?:terapia|trattamento) con|gebruikt(?: momenteel)?) (?:(?:his|her|their|the|daily|oral) )?$/iu;

/** "She is on baclofen 10 mg TID, …": the verb at the beginning is of the whole list. */
const takenList =
  /^\s*(?:\p{L}+ ){0,4}?(?:on|takes|taking|uses|nimmt|prend|toma|assume|maintained on|treated at home with)(?!\p{L})[^.;:]{0,190}[,(]\s*(?:and |und |et |y )?$/iu;

/** Alone in its line, cell or item, after its number or mark. */
function isListPlace(text: string, at: number, statementStart: number): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 60);
  const line = text.slice(Math.max(lineStart, Math.min(statementStart, lineStart)), at);
  return /^(?:[^\t]{0,20}\t)?[\s\d.)(*•|–#-]{0,12}(?:(?:NEW|SAME|CHANGED|CONTINUE|CONTINUED|NEU)[\s:]{1,12})?$/u.test(
    line,
  );
}

/** "Celecoxib, warfarin, and niacin" in a list of medicines: names with nothing but commas between them. */
function isEnumerated(before: string, after: string): boolean {
  return (
    /(?:^|[:;,(]|(?<!\p{L})(?:and|plus|include[ds]?|includes|und|sowie|et|y|e|en)) *$/iu.test(before) &&
    /^ *(?:\([^()]{0,24}\))? *(?:[,;.)]|$|(?:and|plus|und|sowie|et|y|e|en)(?!\p{L}))/iu.test(after)
  );
}

/** "Until December he took …", "Hasta diciembre tomó …": not any more. */
const takenUntil =
  /(?<!\p{L})(?:until|till|up to|bis|jusqu'(?:à|en)|hasta|fino a|tot|até|do)\s[^.;]{2,24}?\s(?:took|was on|was taking|used|nahm|prenait|tomó|tomaba|prendeva|assumeva|gebruikte|nam|tomava|tomou|przyjmował\p{L}?)\s[^.;]{0,16}$/iu;

function isStopped(kind: string, before: string, after: string): boolean {
  if (resumed.test(after.slice(0, 140)) && !toResume.test(after.slice(0, 140))) return false;
  if (takenUntil.test(before)) return true;
  // "Bei Fieber bitte Methotrexat pausieren".
  if (kind !== 'stopped' && conditionStart.test(before)) return false;
  if (kind === 'stopped' || stopAfter.test(after)) return true;
  const clause = before.slice(clauseStart(before));
  const last = lastMatchEnd(stopBefore, clause);
  if (last === undefined) return false;
  const between = clause.slice(last);
  // "Quinidine was withdrawn, and …" speaks of what stands before it.
  const isPassive = /(?:was|were|is|are|been|be|wurden?|ist|sind|est|sont|été)\s+(?:\p{L}+\s+)?\S+$/iu.test(
    clause.slice(0, last),
  );
  return (
    !isPassive &&
    between.length < 60 &&
    !replacement.test(between) &&
    !/(?:not|never|nicht) $/i.test(clause.slice(0, last).replace(/\S+$/, ''))
  );
}

const conditionBefore =
  /(?<!\p{L})(?:if|should|were|unless|wenn|falls|bei|sollte|si|en cas|pokud|in case of|were a patient|would)(?!\p{L})[^.;]{0,140}$/iu;

/** "If she seizes, lorazepam 4 mg IV": only supposed, unless a verb of a plan follows. */
function isConditional(before: string, after: string): boolean {
  const isBedarf = /(?<!\p{L})bei bedarf/iu.test(before);
  return (
    (!isBedarf && conditionBefore.test(before.slice(-150))) || /^[^.;\n]{0,40}(?<!\p{L})only if(?!\p{L})/iu.test(after)
  );
}

function previousTitle(document: Document, at: number): string {
  const before = sectionAt(document, Math.max(0, sectionAt(document, at).start - 1));
  return `${before.kind} ${before.title}`;
}

function clauseStart(before: string): number {
  let start = 0;
  for (const match of before.matchAll(/[;]|\.\s|\s[-–]\s|(?<!\p{L})(?:but|however|aber|mais)(?!\p{L})/giu))
    start = match.index + match[0].length;
  return start;
}

function lastMatch(shape: RegExp, text: string): number | undefined {
  return [...text.matchAll(shape)].at(-1)?.index;
}

function lastMatchEnd(shape: RegExp, text: string): number | undefined {
  const last = [...text.matchAll(shape)].at(-1);
  return last && last.index + last[0].length;
}
