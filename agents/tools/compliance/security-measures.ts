/** Technical and organisational measures that a document states, plans or says are lacking. */
import type { Certain } from '../left-out.ts';
import { oncePer } from '../text/once-per.ts';
import { findPhrases, type PhraseMatch } from '../text/phrases.ts';
import { splitWords } from '../text/words.ts';
import { answerOf } from './answers.ts';
import { type Doubt, partyDoubt, severalDoubt } from './certainty.ts';
import { statusOfCell } from './control-statuses.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import { encryptionMeasures, type Measure, measurePhrases } from './measure-table.ts';
import { type Clause, phrasesIn, type Reading } from './reading.ts';
import { cellText, isEmptyCell, type RegisterRow } from './register-rows.ts';
import { type Cue, cuesAround, isAside } from './sense.ts';

export type MeasureStatus = 'in-place' | 'planned' | 'absent';

export interface SecurityMeasure {
  readonly measure: Measure;
  readonly status: MeasureStatus;
  readonly clause: Clause;
}

/** In the order of the text, each measure with each status once. */
export const findMeasures = oncePer((reading: Reading): Certain<SecurityMeasure, Doubt> => {
  const { type, clause: titled } = documentTypeOf(reading) ?? {};
  const title = type === 'policy' || type === 'standard' || type === 'procedure' ? titled!.text : '';
  const found = new Map<string, SecurityMeasure>();
  const doubts: Doubt[] = [];
  const add = (measure: Measure, status: MeasureStatus | undefined, clause: Clause) => {
    const key = `${measure} ${status}`;
    if (status !== undefined && !found.has(key)) found.set(key, { measure, status, clause });
  };
  const seen = new Set<RegisterRow>();
  const stated = new Set<RegisterRow>();
  for (const clause of reading.clauses) {
    if (isAside(clause) || isOnlyTitle(clause, type) || subjectLabel.test(clause.label ?? '')) continue;
    if (clause.row !== undefined && isQuestion(clause.row)) {
      if (seen.has(clause.row)) continue;
      seen.add(clause.row);
      for (const [measure, status] of measuresOfQuestion(clause.row)) add(measure, status, clause);
      continue;
    }
    const state = clause.row === undefined ? undefined : stateOfRow(clause.row);
    if (clause.row !== undefined && state !== undefined) {
      if (stated.has(clause.row)) continue;
      stated.add(clause.row);
      const named = clause.row.cells.filter(({ part }) => part !== 'status').map(({ text }) => text);
      if (clause.row.columns.length === 0) named.pop();
      for (const { label } of withoutEnclosed(findPhrases(splitWords(named.join('; ')), measurePhrases)))
        add(label, state === 'none' ? undefined : state, clause);
      continue;
    }
    if (clause.row !== undefined && !isMeasureRow(clause)) continue;
    const matches = withoutEnclosed(phrasesIn(clause, measurePhrases));
    const several = severalDoubt(matches.map(({ label }) => label));
    for (const match of matches) {
      const status = statusOf(clause, match, reading);
      // In a text on suppliers, "no incident response" is what they may lack.
      const ofSuppliers = status === 'absent' ? partyDoubt({ heading: `${title} ${clause.heading}` }) : undefined;
      if (ofSuppliers !== undefined) doubts.push(ofSuppliers);
      else if (several === undefined || status === undefined || status === 'in-place') add(match.label, status, clause);
      else doubts.push(several);
    }
  }
  return { facts: [...found.values()], doubts };
});

/** The state in the last cell of a row without names of columns: "Encryption of data at rest | no". */
function stateOfRow({ columns, cells }: RegisterRow): MeasureStatus | 'none' | undefined {
  const isNamed = columns.includes('measure') && columns.includes('status') && !columns.includes('inherent');
  const last = isNamed ? cells.find(({ part }) => part === 'status') : cells.at(-1);
  if (
    (columns.length > 0 && !isNamed) ||
    cells.length < 2 ||
    cells.length > 4 ||
    last === undefined ||
    last.text.length > stateCharactersMax
  )
    return undefined;
  const answer = answerOf(last.text);
  const state = statusOfCell(last.text);
  if (answer === 'not-applicable' || state === 'not-applicable') return 'none';
  if (planned.test(last.text) || /^plan/iu.test(last.text)) return 'planned';
  if (answer === 'no' || state === 'not-implemented') return 'absent';
  return answer === 'yes' || answer === 'partial' || state === 'implemented' || state === 'partial'
    ? 'in-place'
    : undefined;
}

const stateCharactersMax = 60;

/** Lines that say what a document or a processing is about. */
const subjectLabel =
  /^(?:processing|purpose|subject|scope|title|re|treatment|verarbeitung|gegenstand|zweck|betreff|geltungsbereich|traitement|finalité|objet|périmètre|tratamiento|finalidad|objeto|asunto|alcance|trattamento|finalità|oggetto|campo di \p{L}+|verwerking|doel|betreft|onderwerp|toepassingsgebied|description|service)$/iu;

/** A heading, or the title of the document. */
function isOnlyTitle({ text, heading }: Clause, type: DocumentType | undefined): boolean {
  const shown = text.trim();
  if (type === 'audit-report' || type === 'certificate') return true;
  return shown === shown.toUpperCase() || (heading !== '' && shown.replace(/^[\d.§\s]{1,12}/, '') === heading);
}

/** Rows with more cells are records of cases or of suppliers. */
const registerCellsMin = 10;

/** Rows of registers of controls, risks, findings and parties state no measures by their titles. */
function isMeasureRow({ row, start }: Clause): boolean {
  const { columns, cells } = row!;
  if (cells.length > registerCellsMin) return false;
  if (columns.length === 0) return true;
  if (cells.find(({ start: at }) => at === start)?.part === 'measure' && !columns.includes('inherent')) return true;
  // In a report on tests of controls, the activity that was tested without exception.
  if (columns.includes('test') && columns.includes('status')) {
    const own = cells.find(({ part, start: at }) => part === 'title' && at === start);
    return own !== undefined && statusOfCell(cells.find(({ part }) => part === 'status')?.text ?? '') === 'implemented';
  }
  return !columns.some((part) =>
    [
      'inherent',
      'residual',
      'clause',
      'grade',
      'status',
      'evidence',
      'applicable',
      'role',
      'place',
      'period',
      'test',
      'due',
      'date',
    ].includes(part),
  );
}

function isQuestion(row: RegisterRow): boolean {
  return (
    row.columns.includes('answer') &&
    row.cells.some(({ part }) => part === 'question' || part === 'title' || part === 'measure')
  );
}

const notOfOwn =
  /(?<!\p{L})(?:describe|what would|what will|would you|in case of|if applicable|beschreiben|décrire|describa|descriva|beschrijf)(?!\p{L})/iu;
/** "How often do you scan?", "Backup frequency": any answer in words of its own says that it is done. */
const planned =
  /(?<!\p{L})(?:plan\p{L}*|roadmap|being rolled out|rolled out|in progress|procurement|under way|underway|target|expected|scheduled|geplant|in arbeit|in umsetzung|en cours|prévue?|planifié\p{L}*|previst\p{L}*|en curso|planificad\p{L}*|in corso|pianificat\p{L}*|gepland|in uitvoering|wordt ingevoerd|wird eingeführt|next year|202\d budget)(?!\p{L})/iu;

function measuresOfQuestion(row: RegisterRow): [Measure, MeasureStatus][] {
  const question = row.cells
    .filter(({ part }) => part === 'question' || part === 'title' || part === 'measure')
    .map(({ text }) => text)
    .join('; ');
  const given = cellText(row, 'answer');
  const remark = cellText(row, 'comment') ?? '';
  if (notOfOwn.test(question)) return [];
  const measures = unique(
    withoutEnclosed(findPhrases(splitWords(question), measurePhrases)).map(({ label }) => label),
  ).filter((label) => !isOfOtherSubject(question, label));
  const remarked = unique(withoutEnclosed(findPhrases(splitWords(remark), measurePhrases)).map(({ label }) => label));
  const answer = given === undefined ? undefined : answerOf(given);
  const found: [Measure, MeasureStatus][] = [];
  for (const measure of measures) {
    if (given === undefined || isEmptyCell(given) || answer === 'not-applicable') continue;
    if (answer === undefined && planned.test(given.slice(0, stateCharactersMax))) found.push([measure, 'planned']);
    else if (answer === 'no') found.push([measure, planned.test(remark) ? 'planned' : 'absent']);
    else {
      found.push([measure, 'in-place']);
      if (answer === 'partial' && planned.test(remark)) found.push([measure, 'planned']);
    }
  }
  // What a remark adds, where the answer is not "no".
  if (answer !== 'no' && answer !== 'partial') {
    for (const measure of remarked) {
      const isSaid =
        !planned.test(remark) &&
        !isOfOtherSubject(remark, measure) &&
        !/(?<!\p{L})(?:no|not|kein\p{L}*|nicht|aucune?|pas|sin|non|senza|geen|niet|would)(?!\p{L})/iu.test(remark);
      if (
        isSaid &&
        !measures.includes(measure) &&
        remarkable.has(measure) &&
        !found.some(([known]) => known === measure)
      )
        found.push([measure, 'in-place']);
    }
  }
  return found;
}

/** Measures that a remark states when it names them; the others are often named for another reason. */
const remarkable: ReadonlySet<Measure> = new Set([
  'business-continuity',
  'mfa',
  'network-segmentation',
  'pseudonymisation',
  'endpoint-protection',
  'data-separation',
]);

/** "Certificate of destruction", "restore tested", "training data". */
function isOfOtherSubject(text: string, measure: Measure): boolean {
  if (measure === 'training') return /(?<!\p{L})training data(?!\p{L})/iu.test(text);
  return (
    measure === 'incident-response' &&
    /(?<!\p{L})(?:incidents? in the (?:past|last)|vorfälle in den letzten)(?!\p{L})/iu.test(text)
  );
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}

/** Without a match that lies within one of another measure: "encryption key rotation" is no encryption. */
function withoutEnclosed(matches: readonly PhraseMatch<Measure>[]): PhraseMatch<Measure>[] {
  return matches.filter(
    (match) =>
      !matches.some(
        (other) =>
          other.label !== match.label &&
          other.firstWord <= match.firstWord &&
          other.endWord >= match.endWord &&
          other.endWord - other.firstWord > match.endWord - match.firstWord &&
          // "Encrypted at rest and in transit" is both.
          !(encryptionMeasures.has(match.label) && encryptionMeasures.has(other.label)),
      ),
  );
}

const absentAfter =
  /^[^.;]{0,60}?(?<!\p{L})(?:(?:is|are) (?:currently |at present )?(?:not|absent|missing|lacking)|ist (?:derzeit |noch |bisher )?nicht|n.est (?:pas|actuellement pas)|no (?:está|existe|hay)|non è|is (?:nog |momenteel )?niet)(?!\p{L})/iu;
const outOfScope =
  /(?<!\p{L})(?:(?:outside|out of|beyond|not within) (?:the )?scope|(?:nicht|kein) (?:gegenstand|teil) (?:dieses|der)|hors (?:du )?périmètre|fuera del alcance|fuori (?:dal|ambito)|buiten (?:de )?(?:scope|reikwijdte))(?!\p{L})/iu;
/** "Is lacking and planned for 2027". */
const plannedFor =
  /(?<!\p{L})(?:planned|scheduled|geplant|vorgesehen|prévue?|planifiée?|prevista?|planificad[ao]|pianificat[ao]|gepland|planerad|planowan\p{L})(?!\p{L})[^.;]{0,24}20\d\d/iu;
/** "Shall be enabled no later than July 1, 2026". */
const dueBy =
  /^[^.;]{0,30}(?<!\p{L})(?:enabled|introduced|implemented|rolled out|activated|deployed|in place|eingeführt|aktiviert|umgesetzt)(?!\p{L}) (?:no later than|not later than|by|until|before)(?!\p{L})[^.;]{0,20}20\d\d/iu;
const toCome = /(?<!\p{L})(?:follows in|folgt im|volgt in|suivra|seguirà|seguirá)(?!\p{L})/iu;

function statusOf(clause: Clause, match: PhraseMatch<Measure>, { language }: Reading): MeasureStatus | undefined {
  const around = cuesAround(clause, language, match);
  const cues = new Set<Cue>(around.map(({ label }) => label));
  if (isAchieved(around)) return 'in-place';
  if (cues.has('example') || cues.has('former')) return undefined;
  if (cues.has('conditional') && !cues.has('denied')) return undefined;
  const text = clause.text.replaceAll('´', "'");
  if (!isStated(text, match) || (match.label === 'logging' && isOfCases(text, match))) return undefined;
  const denied = nearestCue(clause, match, language, 'denied');
  const intended = nearestCue(clause, match, language, 'planned');
  if (outOfScope.test(text)) return undefined;
  const absent = absentAfter.exec(text.slice(match.end, match.end + 90));
  // "Passwords must not be logged", "Not backed up:" over a list of exceptions.
  if (isRuleAgainst(text, match)) return undefined;
  if (absent !== null) {
    // "Not yet" promises nothing.
    const end = match.end + absent.index + absent[0].length;
    return around.some(({ label, start }) => label === 'planned' && start >= end) ? 'planned' : 'absent';
  }
  if (denied !== undefined) {
    if (intended !== undefined && (intended < denied || plannedFor.test(text))) return 'planned';
    return denied <= denialWordsMax ? 'absent' : undefined;
  }
  if (cues.has('planned') || toCome.test(text) || dueBy.test(text.slice(match.end, match.end + 90))) return 'planned';
  if (cues.has('other')) return undefined;
  return 'in-place';
}

function isRuleAgainst(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return (
    /(?<!\p{L})(?:must|may|shall|should|darf|dürfen|doit|doivent|debe|deben|deve|devono|mag|mogen) (?:not|nicht|pas|no|non|niet) (?:be |être |ser |essere )?$/iu.test(
      text.slice(Math.max(0, start - 30), start),
    ) ||
    (/^\W{0,6}(?:not|nicht|non|no|niet)(?!\p{L})/iu.test(text.slice(0, start)) && /:\s*$/.test(text.slice(end)))
  );
}

/** "Is introduced", but not "is not yet introduced". */
function isAchieved(cues: readonly PhraseMatch<Cue>[]): boolean {
  return cues.some(
    ({ label, start, end }) =>
      label === 'achieved' &&
      !cues.some(
        (other) => (other.label === 'denied' || other.label === 'planned') && other.start < end && start < other.end,
      ),
  );
}

/** "The following should be logged for each breach": a record of cases, and no log of a system. */
function isOfCases(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  return (
    /^logged$/i.test(text.slice(start, end)) &&
    /(?<!\p{L})(?:breach(?:es)?|incidents?|complaints?|requests?|tickets?)(?!\p{L})/iu.test(text) &&
    !/(?<!\p{L})(?:access(?:es)?|events?|systems?|activit\p{L}{1,3}|log[ -]?ins?|admin\p{L}*|traffic|sessions?)(?!\p{L})/iu.test(
      text,
    )
  );
}

/** Words between a denial and the measure; farther away, it denies something else, and nothing is said of the measure. */
const denialWordsMax = 6;

/** How many words are between the measure and the nearest of some cues; undefined if there is none. */
function nearestCue(
  clause: Clause,
  match: PhraseMatch<Measure>,
  language: Reading['language'],
  label: Cue,
): number | undefined {
  const distances = cuesAround(clause, language, match)
    .filter((cue) => cue.label === label)
    .map((cue) => (cue.firstWord >= match.endWord ? cue.firstWord - match.endWord : match.firstWord - cue.endWord));
  return distances.length === 0 ? undefined : Math.min(...distances);
}

/** "Training needs", "subject of policy IS-120", "a request for training": named, not stated. */
const onlyNamed =
  /(?<!\p{L})(?:subject of (?:policy|another)|see policy|dealt with|vendors? must|suppliers? must|may request|on request|gegenstand der richtlinie|assists? with|unterstützt bei|risk of|risk that|risiko|attack\p{L}*|phishing attempt|ransomware)(?!\p{L})/iu;

function isStated(text: string, { end }: { readonly end: number }): boolean {
  return !onlyNamed.test(text) && !/^\s{0,2}\?/.test(text.slice(end)) && !text.trimEnd().endsWith('?');
}
