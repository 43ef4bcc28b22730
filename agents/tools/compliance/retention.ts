/** How long data or records are kept, or within what time they are deleted or returned. */
import type { Certain } from '../left-out.ts';
import { oncePer } from '../text/once-per.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import type { Range } from '../text/span.ts';
import { splitWords } from '../text/words.ts';
import { type Doubt, formerInBrackets, timeDoubt } from './certainty.ts';
import { labelsInTitle, printed } from './flat-text.ts';
import { furtherRetention } from './further-wordings.ts';
import { type FoundPeriod, type Period, periodOf } from './periods.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { findRecurrences } from './recurrence.ts';
import { cellText, type RegisterRow } from './register-rows.ts';
import { isOfSeveral, triggerOf } from './retention-rows.ts';
import { type RetentionTrigger, triggers } from './retention-triggers.ts';
import { cuesAround, hasCue, isAside } from './sense.ts';

export interface Retention {
  /** As printed. */
  readonly subject?: string;
  readonly period: Period;
  readonly trigger?: RetentionTrigger;
  readonly clause: Clause;
}

type Word = 'keep' | 'delete' | 'return' | 'length';

const wordings: readonly (readonly [Word, readonly string[]])[] = [
  [
    'keep',
    phraseList(
      `retained; retain; retains; retention; kept; keep; keeps; stored for; archived; archive; archiving period; archival period; preserved; held for; maintained for; available ~4 for; remain available; aufbewahrt; aufbewahrung*; gespeichert; speicher*; archiviert; vorgehalten; bewahrt; bewahren; speichern; verfügbar ~3 gehalten; conservé*; conservés; conservation; conserve; conserver; archivé*; archivage; conservad*; conservación; conserva; conservan; conservarán; conservará; almacen*; guardan; archivan; conservat*; conservazione; archiviat*; bewaard; bewaar*; opgeslagen ~3 gedurende; gearchiveerd`,
    ),
  ],
  [
    'delete',
    phraseList(
      `deleted; delete; deletes; deletion; erased; erase; erasure; destroyed; destroy; destruction; overwritten; purged; anonymised; anonymized; wiped; disposed; shredded; gelöscht; löscht; löschen; löschung; lösch*; vernichtet; vernichtung; überschrieben; anonymisiert; supprimé*; supprimés; supprime; suppression; effacé*; effacés; efface; effacement; détruit*; détruits; destruction; écrasé*; anonymisé*; suprim*; supresión; elimin*; borr*; destru*; sobrescri*; anonimiz*; cancellat*; cancella; cancellazione; distrutt*; eliminat*; sovrascritt*; anonimizzat*; verwijderd; verwijdert; verwijderen; verwijdering; vernietigd; vernietig*; gewist; wist; gewis*; overschreven; geanonimiseerd`,
    ),
  ],
  [
    'return',
    phraseList(
      `return; returned; returns; hand* back; zurückgegeben; zurück; rückgabe; herausgegeben; restitu*; restitué*; renvoy*; devuelt*; devuelv*; devolución; devolver*; restituit*; restituisce; restituzione; teruggegeven; teruggave; retourneert; geeft ~5 terug; geretourneerd; teruggeven`,
    ),
  ],
  [
    'length',
    phraseList(
      `retention period; storage period; retention; how long; durée de conservation; durées de conservation; conservation; conservación; conservazione; plazo de conservación; plazos de conservación; aufbewahrung*; löschfrist*; speicherdauer; löschkonzept; löschung; bewaartermijn*; bewaring; bewaren; periodo di conservazione; tempi di conservazione; storage limitation; deletion; archivage; speicherfrist*`,
    ),
  ],
];

const words = compilePhrases<Word>(
  wordings.map(([word, phrases]) => [word, [...phrases, ...phraseList(furtherRetention[word])]]),
);

const notRetention =
  /(?<!\p{L})(?:password|passwort|contraseña|wachtwoord|mot de passe|inactiv|session|lock|account|konto|cuenta|compte|utenz|backup frequency|employees? retain|vulnerabilit|schwachstell|vulnérabilit|vulnerabilidad|kwetsbaar|podatno|sårbarhet|patch|konta(?!\p{L})|konton|contas)/iu;

/** What a sentence says of a period that is not kept: a former one, what somebody else may or does keep, a change of versions. */
const notStated = new RegExp(
  [
    String.raw`\b(?:that|this|which) is no longer|\b(?:das|dies) (?:gilt|ist) nicht mehr|ce n.est plus le cas|ya no es así|non è più così|dat is niet (?:meer|langer) zo`,
    String.raw`\b(?:allows?|permits?)\b[^.;]{0,60}\bto (?:be )?(?:kept|keep|retain|stored?)|\b(?:we|which we) do not use (?:this|it)\b|(?:lässt|erlaubt|gestattet)[^.;]{0,60}(?:aufbewahr|speicher)\p{L}*|(?:permet|autorise)[^.;]{0,30}(?:conserver|garder)|permite[^.;]{0,30}(?:conservar|guardar)|consente di conservare|staat toe[^.;]{0,60}bewar`,
    String.raw`\b(?:the (?:supervisory )?authority|the regulator|the commissioner|die (?:aufsichts)?behörde|l.autorité|la autoridad|l.autorità|de (?:toezichthouder|autoriteit)) (?:keeps|retains|stores|bewahrt|speichert|conserve|conserva|guarda|bewaart)`,
    String.raw`(?:compared (?:with|to)|changes? (?:since|from|against)|gegenüber|par rapport à|respecto (?:a|de)|rispetto a(?:lla)?|ten opzichte van) (?:der |la |the |de )?(?:previous |vorigen? |früheren? |vorher\p{L}* )?(?:versions?|fassung|versión|versione|versie|edition|ausgabe)(?!\p{L})`,
  ].join('|'),
  'iu',
);

function sentencesOf({ clauses }: Reading): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { sentence, text } of clauses) {
    const known = found.get(sentence) ?? '';
    if (known.length < 600) found.set(sentence, `${known} ${text}`);
  }
  return found;
}

/** In the order of the text, each subject with each period once. */
export const findRetention = oncePer((reading: Reading): Certain<Retention, Doubt> => {
  const found = new Map<string, Retention>();
  const doubts: Doubt[] = [];
  const sentences = sentencesOf(reading);
  for (const clause of reading.clauses) {
    if (clause.durations.length === 0 || notStated.test(sentences.get(clause.sentence) ?? '')) continue;
    const isHeaded = isRetentionHeading(clause);
    const subjects = new Set<string>();
    for (const { period, ...range } of periodsOf(clause, isHeaded)) {
      if (isExcluded(clause, range, reading)) continue;
      const record = recordOf(clause, reading);
      const subject = record === undefined ? subjectOf(clause, range, isHeaded) : subjectOfRecord(record);
      const doubt =
        (record === undefined ? doubtOf(clause, range, subject) : timeDoubt(clause, range)) ??
        (subjects.has(subject ?? '') ? 'shared' : undefined);
      subjects.add(subject ?? '');
      if (doubt !== undefined) {
        doubts.push(doubt);
        continue;
      }
      const trigger = triggerOf(record === undefined ? clause : { ...clause, row: record });
      const key = `${subject ?? ''} ${period.count} ${period.unit}`;
      if (!found.has(key))
        found.set(key, {
          ...(subject === undefined ? {} : { subject }),
          period,
          ...(trigger === undefined ? {} : { trigger }),
          clause,
        });
    }
  }
  return { facts: [...found.values()], doubts };
});

/** The block of fields that has the period of this clause in its field of retention. */
function recordOf({ start, end, row }: Clause, { records }: Reading): RegisterRow | undefined {
  if (row !== undefined || records.length === 0) return undefined;
  return records.find(({ cells }) =>
    cells.some((cell) => cell.part === 'period' && cell.start >= start && cell.start < end),
  );
}

function subjectOfRecord(record: RegisterRow): string | undefined {
  if (isOfSeveral(record)) return undefined;
  const subject = (['data', 'service', 'name', 'title', 'id'] as const)
    .map((part) => cellText(record, part))
    .find((text) => text !== undefined);
  return subject === undefined ? undefined : printed(subject);
}

function doubtOf(clause: Clause, range: Range, subject: string | undefined): Doubt | undefined {
  const isCell = clause.row !== undefined && (clause.label !== undefined || isAlone(clause, range));
  if (!isCell && (clause.row?.columns.length ?? 0) === 0 && (subject === undefined || !isName(subject)))
    return 'subject';
  return timeDoubt(clause, range);
}

/** A cell that holds nothing but the period: its subject is in another cell. */
function isAlone({ text }: Clause, { start, end }: Range): boolean {
  return !/\p{L}/u.test(text.slice(0, start)) && text.length - end <= 30;
}

/** A subject that contains a mark, a number, the act of keeping or the event that starts the period is part of a sentence. */
function isName(subject: string): boolean {
  return (
    !/[:;,(\d]|\s\p{Ll}{1,3}$/u.test(subject) &&
    labelsInTitle(subject, words).size === 0 &&
    !triggers.some(([, shape]) => shape.test(subject))
  );
}

/** Durations near a word of keeping or deleting; all under a heading or in a column of retention periods. */
function periodsOf(clause: Clause, isHeaded: boolean): FoundPeriod[] {
  if (clause.durations.length === 0) return [];
  const own = phrasesIn(clause, words).map(({ label }) => label);
  const question = questionOf(clause);
  const isAsked =
    question !== undefined &&
    findPhrases(splitWords(question), words).some(
      ({ label }) => label !== 'return' || /data|daten|données|datos|dati|gegevens/i.test(question),
    );
  const inColumn = clause.row?.cells.some((cell) => cell.start === clause.start && cell.part === 'period') === true;
  const counts =
    own.some((label) => label !== 'return' && label !== 'length') || own.includes('return') || inColumn || isAsked;
  if (!counts && !(isHeaded && isItem(clause))) return [];
  if (clause.row?.columns.includes('period') === true && !inColumn) return [];
  if (notRetention.test(clause.text) && !own.includes('keep')) return [];
  // "Deletions are reported within 24 hours", "a refresher every two years".
  if (reported.test(clause.text) && !own.includes('keep')) return [];
  const repeated = findRecurrences(clause);
  return clause.durations
    .filter(({ start }) => !repeated.some((each) => each.start <= start && start < each.end))
    .map((duration) => ({ start: duration.start, end: duration.end, period: periodOf(duration) }));
}

const reported =
  /(?<!\p{L})(?:(?:is|are|be) (?:reported|notified)|zu melden|gemeldet|anzuzeigen|(?:est|sont) (?:signalée?s?|notifiée?s?)|se (?:notifica|comunica)n?|(?:è|sono) (?:segnalat|notificat|comunicat)[aeio]|(?:wordt|worden) gemeld|te melden)(?!\p{L})/iu;

/** Under a heading of retention, "a) Scores: three months" and rows count without a verb. */
function isItem({ text, row }: Clause): boolean {
  return row !== undefined || /^\s{0,6}(?:[-*•–]|\(?[a-z\d]{1,2}[.)])?\s{0,4}[^:]{2,80}\s?:\s/iu.test(text);
}

function isRetentionHeading({ heading, label }: Clause): boolean {
  return labelsInTitle(`${heading}; ${label ?? ''}`, words).has('length');
}

function questionOf({ row, start }: Clause): string | undefined {
  if (row === undefined || row.columns.includes('inherent') || row.columns.includes('residual')) return undefined;
  const answer = row.cells.findIndex((cell) => cell.start === start);
  if (answer <= 0 || (row.cells[answer]!.part !== 'answer' && row.cells[answer]!.part !== undefined)) return undefined;
  return row.cells[answer - 1]?.text;
}

function isExcluded(
  clause: Clause,
  range: { readonly start: number; readonly end: number },
  { language }: Reading,
): boolean {
  if (formerInBrackets.test(clause.text.slice(0, range.start))) return true;
  if (isAside(clause) || hasCue(clause, language, range, 'example', 'conditional')) return true;
  // "Sont supprimées" is the deletion itself; of a rule, it would be a former one.
  const acts = phrasesIn(clause, words);
  const isFormer = cuesAround(clause, language, range).some(
    (cue) => cue.label === 'former' && !acts.some(({ start, end }) => start < cue.end && cue.start < end),
  );
  if (isFormer) return true;
  // "Is not adopted", but not "data that are not selected: 12 months".
  return (
    hasCue(clause, language, range, 'denied') &&
    /(?<!\p{L})(?:not (?:adopted|applied|used|apply)|nicht (?:angewandt|übernommen|anwendbar)|n.?(?:est|a) pas (?:été )?(?:retenue?|appliquée?|adoptée?)|n.est cité|no se (?:ha adoptado|aplica|adopta)|non (?:si applica|è stat\p{L} adottat\p{L})|niet (?:overgenomen|toegepast|van toepassing))(?!\p{L})/iu.test(
      clause.text.replaceAll('´', ' ').replaceAll("'", ' '),
    )
  );
}

const verb =
  /\s(?:(?:are|is|will be|shall be|must be|may be|were)\s|werden\s|wird\s|bleiben\s|sind\s|sont\s|est\s|seront\s|sera\s|se (?:conserva|suprim|elimin|borr|guard|almacen|destru)|son\s|serán\s|sono\s|vengono\s|viene\s|è\s|worden\s|wordt\s|zijn\s|blijven\s|são\s|serão\s|é\s|są\s|jest\s|przechowuje\s|przechowywan\p{L}\s|kasuje\s|usuwa\s|niszczy\s|archiwizuje\s|ska\s|skall\s|sparas\s|bevaras\s|raderas\s|gallras\s|lagras\s|arkiveras\s)/iu;
const before =
  /^\s{0,8}(?:[-*•–]\s{1,4}|[A-Z]{1,4}[.-]\d{1,3}(?:\.\d{1,3}){0,2}\s{1,8}|\(?[a-z\d]{1,2}(?:\.\d{1,2}){0,3}[.)]?\s{1,6})?(?:(?:the|die|der|das|les|le|la|los|las|el|i|gli|il|de|het|os|as|o|a|all|alle|tous les|toutes les|todos los|tutti i)\s{1,3}|l´)?/iu;

/** The label or first cell; else the subject before the verb, or the object of "delete" and "return". */
function subjectOf(clause: Clause, range: { readonly start: number }, isHeaded: boolean): string | undefined {
  const fromRow = clause.row === undefined ? undefined : subjectOfRow(clause);
  if (clause.row !== undefined && (fromRow !== undefined || !isRemark(clause))) return fromRow;
  const text = clause.text.replace(generalOpening, '');
  const elliptic = clause.durations[0]!.start < range.start ? ellipticSubject(text, range) : undefined;
  if (elliptic !== undefined) return elliptic;
  const inverse = keptByUs.exec(text)?.[1];
  if (inverse !== undefined) return printed(inverse);
  const labelled = /^\s{0,6}(?:[-*•–]\s{1,4}|\(?[a-z\d]{1,2}[.)]\s{1,4})?([^:]{2,80}?)\s?:\s/iu.exec(text);
  const isKept = isHeaded || phrasesIn(clause, words).some(({ label }) => label !== 'return');
  if (labelled !== null && isKept && labelled[0].length <= range.start + 2)
    return printed(labelled[1]!.replace(keepingOf, ''));
  const inverted = invertedSubject.exec(text)?.[1];
  if (inverted !== undefined) return printed(inverted);
  const end = verb.exec(text)?.index;
  if (end !== undefined) {
    const from = before.exec(text)![0].length;
    const [first = '', ...rest] = text.slice(from, Math.max(from, end)).split(/[,(]/);
    // "At the end of the contract, the data are …".
    const isEvent = rest.length > 0 && triggers.some(([, shape]) => shape.test(first));
    const own = isEvent ? rest.at(-1)!.replace(before, '').trim() : first;
    const subject = printed(own).replace(keepingOf, '');
    if (subject.length >= 2 && subject.length <= 70 && !/\d/.test(subject) && !notSubject.test(subject)) return subject;
  }
  const kept = keptObject.exec(text.slice(0, range.start))?.[1];
  if (kept !== undefined) return printed(kept);
  const object =
    /(?:delet|eras|destroy|return|lösch|supprim|efface|elimin|suprim|cancell|verwijder|wis)\p{L}*\s{1,3}((?:all |alle |toutes les |todos los |tutti i |the |les |los |die )?(?:\p{L}+\s{1,3}){0,2}(?:data|daten|données|datos|dati|gegevens|uppgifter|oplysninger|dados|dane|information|records|copies|kopien|copias|copie|kopieën))(?!\p{L})/iu.exec(
      text,
    );
  return object === null
    ? undefined
    : printed(object[1]!).replace(/^(?:all|alle|toutes les|todos los|tutti i|the|les|los|die) /i, '');
}

/** "After the end of the contract, …", "Nach Ablauf des Vertrags werden die Daten binnen": the subject follows the verb. */
const invertedSubject =
  /^\s{0,8}(?:nach|bei|mit|na|bij|binnen|innerhalb)\s[^.;]{5,80}?\s(?:werden|wird|sind|worden|wordt|zijn)\s(?:(?:alle|sämtliche|die|der|das|de|het)\s){0,2}((?:\p{L}[\p{L}-]{1,40}\s){1,4}?)(?:innerhalb|binnen|spätestens|nach|für|uiterlijk|gedurende|na)\s/iu;

/** "Protokolldaten bewahren wir 90 Tage auf": the object before the verb. */
const keptByUs =
  /^\s{0,8}(\p{Lu}[\p{L}-]{2,40}(?: [\p{L}-]{2,30}){0,3}) (?:bewahren|speichern|archivieren|löschen|vernichten|bewaren|verwijderen|wissen|sparar|raderar) (?:wir|wij|we|vi)(?!\p{L})/u;

/** "Shall keep the documentation of disclosures for", "return or destroy all PHI within". */
const keptObject =
  /(?<!\p{L})(?:keeps?|retains?|maintains?|stores?|archives?|destroys?|deletes?|erases?|returns?|conserve|conserver|archive|supprime|efface|conserva|guarda|elimina|cancella|bewaart|verwijdert|wist)\s(?:(?:all|any|the|its|their|such|le|la|les|tous les|toutes les|los|las|todos los|i|gli|tutti i|de|het|alle)\s){0,2}((?!or\s|and\s|it\s|them\s)[\p{L}][\p{L}’'-]{1,30}(?:\s(?!for\s|within\s)[\p{L}’'-]{1,30}){0,4}?)\s(?:for|within|for a period of|no later than|pendant|dans|durante|en|per|entro|gedurende|binnen)\s[^.,;]{0,12}$/iu;

/** "How long do you keep recordings after the end of the contract?" */
const askedObject =
  /(?:how long|wie lange|combien de temps|cuánto tiempo|per quanto tempo|hoe lang)[^?]{0,30}?(?:keep|retain|store|hold|bewahren|speichern|conservez|conservan|conservate|bewaart|bewaren)\s(?:sie |vous |u )?(?:the |our |die |les |los |le |de )?((?:\p{L}{2,30}\s){0,2}\p{L}{2,30})\s(?:after|once|following|nach|après|tras|después|dopo|na)(?!\p{L})/iu;

/** "By default, …" opens a sentence before its subject. */
const generalOpening =
  /^\s{0,8}(?:[a-z]{1,3}\.\s{1,4})?(?:by default|in general|generally|normally|as a (?:rule|guideline)),\s/iu;

/** "Files are kept for five years, logs twelve months": what the comma divides off is the subject of the later period. */
function ellipticSubject(text: string, { start }: { readonly start: number }): string | undefined {
  const part =
    /,\s{1,4}(?:(?:and|und|et|y|e|en)\s)?((?:\p{L}[\p{L}’'-]{0,30}\s){1,4})(?:for\s|während\s|pendant\s|durante\s|per\s|gedurende\s)?$/u.exec(
      text.slice(0, start),
    );
  return part === null || notSubject.test(part[1]!) ? undefined : printed(part[1]!);
}

/** "Retention of recordings: 72 hours". */
const keepingOf =
  /^(?:default |standard |minimum |maximum )?(?:retention|storage|deletion|archiving|archival|aufbewahrung\p{L}*|speicher\p{L}+|löschung|löschfrist|conservation|durée de conservation|conservación|plazo de conservación|conservazione|bewaring|bewaartermijn|conservação) (?:period )?(?:of|von|der|des|du|de la|de los|de las|de|del|dei|delle|van)\s/iu;

const notSubject =
  /(?<!\p{L})(?:for|but|at|not|no|within|after|than|least|in|aber|mindestens|höchstens|nach|mais|puis|après|pero|después|ma|dopo|maar|daarna|na|the latest|spätestens|innerhalb|binnen|however|wenigstens|längstens|is|are|was|were|werden|wird|sont|est)(?!\p{L})/iu;

/** "Customer data deleted within 60 days". */
const keptSubject =
  /^\s{0,4}(\p{Lu}[\p{L} ]{2,40}?) (?:(?:is|are|will be) )?(?:deleted|erased|destroyed|retained|kept|stored|returned|gelöscht|aufbewahrt|gespeichert)(?!\p{L})/u;
const nominalQuestion =
  /^(?!(?:how|what|is|are|do|does|when|which|who|wie|was|ist|sind|werden)\s)\p{Lu}[\p{L} ]{2,40}\s?\??$/iu;

/** A sentence in a row without names of columns, such as the notes below a register. */
function isRemark({ row, text, words: own }: Clause): boolean {
  return row!.columns.length === 0 && own.length >= remarkWordsMin && /[.!]\s{0,2}$/.test(text);
}

const remarkWordsMin = 6;

function subjectOfRow({ row, label, text, start }: Clause): string | undefined {
  if (isOfSeveral(row!)) return undefined;
  const own = row!.cells.find(({ part, start: at }) => part === 'answer' && at === start);
  const statement = own === undefined ? null : keptSubject.exec(text);
  if (statement !== null) return printed(statement[1]!);
  const asked = own === undefined ? undefined : row!.cells.find(({ part }) => part === 'question')?.text;
  if (asked !== undefined && nominalQuestion.test(asked) && isName(asked.replace(/\s?\?$/, '')))
    return printed(asked.replace(/\s?\?$/, ''));
  // "Images | kept 30 days after recording".
  const [first] = row!.cells;
  if (
    row!.columns.length === 0 &&
    row!.cells.length === 2 &&
    first!.start !== start &&
    isName(first!.text) &&
    labelsInTitle(text, words).size > 0
  )
    return printed(first!.text.replace(/\s?:$/, ''));
  if (label !== undefined && row!.columns.length === 0 && labelsInTitle(label, words).has('length')) {
    const named = /^\s{0,4}([^:]{2,80}?)\s?:\s/u.exec(text)?.[1];
    if (named !== undefined) return printed(named);
  }
  for (const part of ['data', 'name', 'service', 'title', 'evidence', 'measure', 'section'] as const) {
    const text = cellText(row!, part);
    if (text !== undefined && (row!.columns.includes('period') || labelsInTitle(row!.heading, words).has('length')))
      return printed(text);
  }
  // "Resource | Frequency | Retention": the first column has the subject, also if its heading is unknown.
  if (row!.columns.includes('period') && first !== undefined && first.part === undefined && isName(first.text))
    return printed(first.text);
  const about = row!.cells.map(({ text: cell }) => askedObject.exec(cell)?.[1]).find((found) => found !== undefined);
  if (about !== undefined) return printed(about);
  const question = row!.cells.find(({ text }) => findPhrases(splitWords(text), words).length > 0)?.text ?? '';
  return /(?<!\p{L})((?:customer|client|personal|your|our|user|kunden|kundendaten|personenbezogene) ?(?:data|daten)|kundendaten|données (?:clients|personnelles)|datos (?:personales|de clientes)|dati (?:personali|dei clienti)|klantgegevens|persoonsgegevens|logs?|backups?|customer data is deleted)(?!\p{L})/iu.exec(
    question,
  )?.[1];
}
