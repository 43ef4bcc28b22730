/** The sense in which a record names a problem: current, past, denied, supposed, or of a relative. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import * as cues from './status-cues.ts';
import { tickedAnswer } from './ticked-answers.ts';

export type ClinicalStatus = 'affirmed' | 'negated' | 'family' | 'hypothetical' | 'historical';

/** Number of characters examined in the statement before and after the words. */
const beforeMax = 400;
const afterMax = 160;

interface Place {
  readonly before: string;
  readonly after: string;
  readonly row: string;
  /** The cells after the words in their row. */
  readonly rest: string;
  readonly section: ReturnType<typeof sectionAt>;
}

/**
 * @param isEpisode whether the problem passes: in a past history it is over, whereas a lasting disease continues
 * @returns undefined if the words are not about a specific person: a template, a leaflet, a reference range, other people
 */
export function clinicalStatus(document: Document, range: Range, isEpisode: boolean): ClinicalStatus | undefined {
  const statement = statementAt(document, range.start);
  const { text } = document;
  const place: Place = {
    before: text.slice(Math.max(statement.start, range.start - beforeMax), range.start).replace(/\s/g, ' '),
    after: text.slice(range.end, Math.min(Math.max(statement.end, range.end), range.end + afterMax)),
    row: rowLabel(document, range.start),
    rest: restOfRow(text, range.end),
    section: sectionAt(document, range.start),
  };
  const ticked = tickedAnswer(text, range.end);
  if (ticked === 'unanswered') return undefined;
  const answer = ticked ?? answerOfForm(document, range.end);
  if (answer !== undefined && !isOfRelative(place)) return answer;
  if (isOfRelative(place)) return deniedOfRelative(place);
  if (isOfNobody(place)) return isInstruction(place) && /^\s{0,2}[<>≥≤]/.test(place.after) ? 'hypothetical' : undefined;
  if (isInstruction(place)) return 'hypothetical';
  if (isSupposed(place)) return 'hypothetical';
  if (isNegated(place)) return 'negated';
  if (cues.supposedAfter.test(place.after) || place.section.kind === 'differential' || place.section.kind === 'risks')
    return 'hypothetical';
  return isOver(place, isEpisode) ? 'historical' : 'affirmed';
}

const formAnswer =
  /^[^\n\t.]{0,28}?(?:[ ]?\.{3,40}[ ]?|[ ]?\t[ ]?)(Y|N|J|S|yes|no|ja|nein|oui|non|sí|sì|\?)(?![\p{L}\d.:/])/iu;
const forms = new WeakMap<Document, boolean>();

/** "Heart failure ..... N": an answer of a form, which has several of both kinds. A form answers "Y" with more than the letter. */
function answerOfForm(document: Document, end: number): ClinicalStatus | undefined {
  const answer = formAnswer.exec(document.text.slice(end, end + 80))?.[1]?.toLowerCase();
  if (answer === undefined || !isForm(document)) return undefined;
  if (answer === '?') return 'hypothetical';
  return /^n/.test(answer) ? 'negated' : undefined;
}

function isForm(document: Document): boolean {
  const known = forms.get(document);
  if (known !== undefined) return known;
  const answers = [
    ...document.text
      .slice(0, 60_000)
      .matchAll(/(?:\.{3}[ ]?|\t[ ]?)(Y|N|J|S|yes|no|ja|nein|oui|non|sí|sì)(?![\p{L}\d.:/])/giu),
  ].map((match) => /^n/i.test(match[1]!));
  const isAnswered = answers.filter((isNo) => isNo).length >= 2 && answers.filter((isNo) => !isNo).length >= 2;
  forms.set(document, isAnswered);
  return isAnswered;
}

/** Whether the words are about the patient: not a relative, another patient, patients of the literature or a limit. */
export function isAboutPatient(document: Document, range: Range): boolean {
  const statement = statementAt(document, range.start);
  const { text } = document;
  const before = text.slice(Math.max(statement.start, range.start - beforeMax), range.start).replace(/\s/g, ' ');
  const after = text.slice(range.end, Math.min(Math.max(statement.end, range.end), range.end + afterMax));
  const place: Place = {
    before,
    after,
    row: rowLabel(document, range.start),
    rest: restOfRow(text, range.end),
    section: sectionAt(document, range.start),
  };
  const { kind } = place.section;
  if (isOfRelative(place) || kind === 'limits' || kind === 'administrative' || kind === 'risks') return false;
  if (kind === 'literature' && !/(?<!\p{L})(?:our|the|this) (?:patient|case)(?!\p{L})/iu.test(before)) return false;
  const isGeneral = cues.generalStatement.test(before.slice(-160) + after.slice(0, 60));
  return !cues.otherPeople.test(before) && !cues.otherPeople.test(place.row) && !isGeneral;
}

/** Whether the clause before the words denies them. */
export function isDenied(before: string, after: string): boolean {
  return isNegated({ before, after });
}

/** "Negative for liver disease" under a family history denies it; "no family history of" does so too. */
function deniedOfRelative(place: Place): ClinicalStatus | undefined {
  if (/^[\s:=–-]{0,4}no(?:ne)?\b/i.test(place.after)) return undefined;
  // A husband or wife lives with the patient, but is no family history.
  if (!isNegated(place)) return isSpouse(place) ? undefined : 'family';
  if (/(?<!\p{L})(?:no|without)\s(?:\p{L}+\s)?family (?:history|hx)(?!\p{L})/iu.test(place.before)) return undefined;
  return /(?<!\p{L})(?:no|not|negative|denies|without|pas|kein\p{L}{0,2})(?!\p{L})/iu.test(place.before)
    ? 'negated'
    : undefined;
}

const spouse =
  /(?<!\p{L})(?:husband|wife|spouse|ehe(?:mann|frau)|mari|épou(?:x|se)|marido|espos[oa]|moglie|marito|coniuge|echtgeno(?:ot|te)|mąż|męża|żon[ay])(?!\p{L})/iu;
const kin =
  /(?<!\p{L})(?:father|mother|brother|sister|son|daughter|parents?|family|padre|madre|hermano|hermana|fratello|sorella|vader|moeder|ojciec|matka|vater|mutter|père|mère)(?!\p{L})/iu;

function isSpouse({ before, section }: Place): boolean {
  return (
    section.kind !== 'family' &&
    /(?:su|la|il|sa|son|zijn|haar|jej|jego)\s\p{L}+\s[^.;]{0,60}$/iu.test(before) &&
    spouse.test(before) &&
    !kin.test(before)
  );
}

/** The first cell of the row that the place stands in. */
function rowLabel({ tables, text }: Document, at: number): string {
  const table = tables[indexAt(tables, at) ?? -1];
  if (table === undefined || at > table.end) return '';
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - beforeMax);
  const end = text.indexOf('\t', start);
  return end === -1 || end > at ? '' : text.slice(start, end);
}

const notNamed =
  /^(?:[ -](?:screen(?:ing)?|alert|risk|vaccin\p{L}*|protocol|pathway|clinic|team|unit|ward|nurse|specialist|education|leaflet|foundation|society|questionnaire|inventory|scale|scores?|service|consult|panel|prophylaxis (?:given|ordered)|criteria)(?!\p{L})|(?:,? (?:and|or) \p{L}{3,14})? vaccin\p{L}*|\s{0,2}:\s?(?:n\/a|not applicable)(?!\p{L})|\s{0,2}[:=]?\s{0,2}[<>≥≤]\s?\d|:\s{0,3}\d)/iu;

/** "LDL < 55 mg/dl nach Herzinfarkt": for whom a limit holds. */
const limitFor =
  /[<>≤≥] ?\d[\d.,]*(?: ?[\p{L}%µ][\p{L}\d/%µ²]{0,11})? (?:nach|bei|mit|in|with|after|for|chez|après|pour|con|dopo|tras|bij|na|po|przy) [^.;,()\d]{0,40}$/iu;

function isOfNobody({ before, after, section, row }: Place): boolean {
  if (limitFor.test(before)) return true;
  if (cues.purposeAfter.test(after)) return true;
  if (/^ (?:control|management)(?!\p{L})/iu.test(after) && cues.purposeControl.test(before)) return true;
  if (section.kind === 'limits' || section.kind === 'administrative') return true;
  if (section.kind === 'literature' && !/(?<!\p{L})(?:our|the|this) (?:patient|case)(?!\p{L})/iu.test(before))
    return true;
  if (/\[ ?\][^[\]]{0,40}$/.test(before) || /☐[^☐☑☒]{0,40}$/u.test(before) || notNamed.test(after)) return true;
  if (section.kind !== 'instructions' && cues.asNeededFor.test(before) && (hasDose(before) || row !== '')) return true;
  return (
    cues.otherPeople.test(before) ||
    cues.otherPeople.test(row) ||
    cues.generalStatement.test(before + after.slice(0, 60))
  );
}

/** A dose before the words means that they belong to a medicine. */
function hasDose(before: string): boolean {
  return /\d ?(?:mg|mcg|µg|g|ml|units?|puffs?|tab\p{L}*|cp|tbl)(?!\p{L})/iu.test(before.slice(-120));
}

/** The rest of the line from its next cell on. */
function restOfRow(text: string, end: number): string {
  const line = text.slice(end, end + afterMax).split('\n', 1)[0]!;
  return line.includes('\t') ? line.slice(line.indexOf('\t')) : '';
}

function isOfRelative({ before, after, section, row }: Place): boolean {
  if (section.kind === 'family' || cues.relativeAfter.test(after)) return true;
  if (row !== '' && startsWithRelative(row)) return true;
  const clause = before.slice(lastEnd(before, /[;]/g));
  let last: RegExpExecArray | undefined;
  for (const match of matchesIn(cues.relative, clause)) last = match;
  if (last === undefined) return false;
  const between = clause.slice(last.index + last[0].length);
  // "His wife says that she herself takes warfarin for a DVT."
  if (
    /(?<!\p{L})(?:(?:she|he) (?:herself|himself|too|also)|(?:er|sie) (?:selbst|auch)|(?:elle|lui)-même)(?!\p{L})/iu.test(
      between,
    )
  )
    return true;
  if (cues.relativeReports.test(between) || hasMatch(cues.patientWord, between)) return false;
  const lead = clause.slice(0, last.index);
  // "His mother and a paternal uncle both had …": both are relatives.
  const isPair =
    /(?<!\p{L})(?:and|und|et)\s(?:(?:a|an|his|her|one|two|seine?|ihre?|sa|son)\s)?$/iu.test(lead) &&
    hasMatch(cues.relative, lead);
  return /^'s/.test(between) || isPair || !cues.relativeAccompanies.test(lead);
}

function startsWithRelative(row: string): boolean {
  return [...row.slice(0, 40).matchAll(cues.relative)].some(({ index }) => index <= 10);
}

function isInstruction({ before, after, section }: Place): boolean {
  if (section.kind === 'instructions' || cues.instructionStart.test(before)) return true;
  if (/^\s{0,3}(?:->|→|=>)/.test(after)) return /(?<!\p{L})(?:if|gets?|any|new|sudden)(?!\p{L})/iu.test(before);
  const isDosed = /^[^.;]{0,50}\d ?(?:mg|g|µg|ml|Hübe|Tropfen)(?!\p{L})/iu.test(after);
  return cues.conditionStart.test(clauseOf(before)) && (isDosed || cues.instructionEnd.test(after));
}

function isSupposed({ before, section }: Place): boolean {
  if (section.kind === 'not performed') return true;
  const clause = clauseOf(before);
  let last: RegExpExecArray | undefined;
  for (const match of matchesIn(cues.supposedBefore, clause)) last = match;
  if (last === undefined) return false;
  const between = clause.slice(last.index + last[0].length);
  // "Likely secondary to sepsis; chest pain": a cue applies to its list and not to a new statement.
  const isCondition = /^(?:if|should|falls|wenn|si|pokud|unless|sollte)/i.test(last[0]);
  if (isCondition) return between.length < 140;
  return (
    between.length < (/(?:includ\p{L}{1,4}|such as)$/iu.test(last[0]) ? 380 : 90) &&
    !cues.positiveMark.test(between) &&
    !endsList(between)
  );
}

/** A finite verb or a denial after a comma begins a new statement. */
function endsList(between: string): boolean {
  return /,[^,]{0,40}(?<!\p{L})(?:is|are|was|were|has|have|had|with|no|without|known|ist|war|hat|est|a|avec)(?!\p{L})/iu.test(
    between,
  );
}

function isNegated({ before, after }: Pick<Place, 'before' | 'after'>): boolean {
  const clause = clauseOf(before);
  let last: RegExpExecArray | undefined;
  for (const match of matchesIn(cues.denialBefore, clause)) {
    if (!cues.harmlessDenial.test(clause.slice(match.index + match[0].length))) last = match;
  }
  if (last !== undefined) {
    const between = clause
      .slice(last.index + last[0].length)
      .replace(/^\s?:/, '')
      .replace(cues.deniedVerb, '');
    const isNewItem =
      /,\s*(?:prior|previous|known|history of|h\/o|s\/p|bekannte[rs]?|connue?)\s*$/iu.test(between) &&
      !/^[^.;]{0,60}(?<!\p{L})(?:or|nor|oder|ou)(?!\p{L})/iu.test(after) &&
      !/(?<!\p{L})(?:or|oder|ou)\s[^,]*$/iu.test(between);
    // "No rash, pallor present".
    const isPresent =
      /,[^,]*$/.test(between) &&
      /^\s(?:(?:is|was|are|were)\s)?(?:present|noted|vorhanden|présente?s?)(?!\p{L})/iu.test(after);
    if (isNewItem || isPresent) return false;
    if (!hasMatch(cues.newStatement, between) && !cues.positiveMark.test(between) && !/[.:]\s/.test(between))
      return true;
  }
  return /(?<!\p{L})(?:non|kein)-$/iu.test(before) || cues.denialAfter.test(after);
}

const overCell =
  /\t\s?(?:resolved|inactive|past|historical|remission|abgeklungen|ausgeheilt|résolu\p{L}*|guéri\p{L}*|resuelt\p{L}*)(?=\s?(?:\t|\n|$))/iu;

function isOver({ before, after, section, rest }: Place, isEpisode: boolean): boolean {
  if (overCell.test(rest)) return true;
  const clause = clauseOf(before);
  const near = clause.slice(-70);
  const isSince =
    cues.sinceAfter.test(after) || /(?<!\p{L})(?:active|ongoing|current|aktiv\p{L}{0,2})(?!\p{L})/iu.test(near);
  if (isSince) return false;
  if (section.kind === 'stopped' || cues.reasonOfStop.test(before)) return true;
  if (section.kind === 'resolved' || cues.overAfter.test(after) || inForce(cues.overBefore, near, !isEpisode))
    return true;
  if (!isEpisode) return false;
  if (section.kind === 'past' || inForce(cues.historyBefore, near))
    return !/(?<!\p{L})(?:presents?|admitted)(?!\p{L})/iu.test(near);
  return cues.datedAfter.test(after) && section.kind !== 'literature';
}

/** The cue stands before, and no comma with another statement between. */
function inForce(shape: RegExp, clause: string, endsAtComma = false): boolean {
  let last: RegExpExecArray | undefined;
  for (const match of matchesIn(shape, clause)) last = match;
  if (last === undefined) return false;
  const between = clause.slice(last.index + last[0].length);
  if (endsAtComma && between.includes(',')) return false;
  return !/(?<!\p{L})(?:is|was|are|were|presents?|presented|now|current\p{L}{0,2}|who)(?!\p{L})/iu.test(between);
}

function clauseOf(before: string): string {
  return before.slice(lastEnd(before, cues.clauseEnd));
}

function lastEnd(text: string, shape: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(shape)) end = match.index + match[0].length;
  return end;
}

/** All matches of a pattern with the flag `g`. Most texts have none: a test costs less than the iterator. */
function matchesIn(shape: RegExp, text: string): readonly RegExpExecArray[] {
  return hasMatch(shape, text) ? [...text.matchAll(shape)] : [];
}

/** For patterns with the flag `g`, which keep their position. */
export function hasMatch(shape: RegExp, text: string): boolean {
  shape.lastIndex = 0;
  const found = shape.test(text);
  shape.lastIndex = 0;
  return found;
}
