/** Which words of a statement or a row belong to a medicine: up to the next one, without remarks and without other columns. */
import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import type { DrugMention } from './drug-mentions.ts';
import { statementAt } from './statements.ts';
import { rowAt } from './table-titles.ts';

const amountShape = /\d ?(?:mg|g|µg|mcg|microgram\p{L}*|units?|IU|IE|UI|ml|mmol|mEq|puffs?|drops?)(?!\p{L}|\/)/iu;

/** A row with a column of strengths and one of doses: the amount of the dose is the one that is taken. */
export function withoutStrength(document: Document, { start, end }: Range, after: string): string {
  const row = rowAt(document, start);
  if (row === undefined) return after;
  const { cells, titles } = row;
  const columnOf = (shape: RegExp) => titles.findIndex((title) => shape.test(title));
  const strength = cells[columnOf(/^(?:strength|stärke|dosage fort|wirkstärke|concentration|form|formulation)/iu)];
  const dose = cells[columnOf(/^(?:dose|dosis|dosierung|dosage|single dose|einzeldosis|posologie|dosis \p{L}+)/iu)];
  if (strength === undefined || dose === undefined || strength === dose || strength.start < end) return after;
  if (!amountShape.test(dose.text)) return after;
  const from = strength.start - end;
  return after.slice(0, from) + ' '.repeat(strength.end - strength.start) + after.slice(strength.end - end);
}

const remarkTitle =
  /(?:comments?|remarks?|notes?|reason|rationale|indication|advice|bemerkung\p{L}*|anmerkung\p{L}*|kommentar|hinweis\p{L}*|begründung|indikation|remarques?|commentaires?|observations?|motif|observaci\p{L}+|comentario\p{L}*|motivo|note|commento|indicazione|opmerking\p{L}*|reden|uwagi|wskazanie|poznámk\p{L}|indikace|observaç\p{L}+)$/iu;

/** A remark of a reviewer in a column of its own names limits and other doses. */
export function withoutRemarks(document: Document, { start, end }: Range, after: string): string {
  const row = rowAt(document, start);
  const column = row?.titles.findIndex((title) => remarkTitle.test(title.trim())) ?? -1;
  const cell = column <= 0 ? undefined : row!.cells[column];
  if (cell === undefined || cell.start < end || row!.titles[column] === cell.text) return after;
  const isUseful =
    takenRemark.test(cell.text) ||
    !row!.cells.some(
      (other, at) =>
        at > 0 && at !== column && other !== undefined && other.start >= end && /\d|\p{L}{3}/u.test(other.text),
    );
  if (isUseful) return after;
  const from = cell.start - end;
  return after.length <= from
    ? after
    : after.slice(0, from) + ' '.repeat(cell.end - cell.start) + after.slice(cell.end - end);
}

/** What a remark says of the medicine as a whole: that it has ended, or how often it is taken. */
const takenRemark =
  /(?<!\p{L})(?:stop\p{L}*|discontinu\p{L}*|desde|hasta|since|until|seit|bis|depuis|jusqu\p{L}*|dal|fino|según|pauta|terminad\p{L}|finaliz\p{L}+|complet\p{L}+|ended|beendet|terminé\p{L}*|concluid\p{L}|zakończ\p{L}+|ukončen\p{L}*|held|hold|paus\p{L}*|abgesetzt|absetzen|arrêt\p{L}*|suspend\p{L}*|not taking|no longer|nicht mehr|prn|as needed|bei bedarf|si besoin|daily|täglich|\d-\d-\d|x ?\d|\d ?x)(?!\p{L})/iu;

/** The statement, or the row of a table. */
export function lineOf(document: Document, { start, end }: Range): Range {
  const { text } = document;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const line = {
    start: Math.max(lineStart, start - 400),
    end: Math.min(lineEnd === -1 ? text.length : lineEnd, end + 400),
  };
  const statement = statementAt(document, start);
  if (!text.slice(line.start, line.end).includes('\t')) {
    // "20 mg tablet. Take 2 tablets every morning".
    const goesOn = direction.test(text.slice(statement.end, statement.end + 24));
    return { start: statement.start, end: goesOn ? Math.max(line.end, end) : Math.max(statement.end, end) };
  }
  // A cell of prose holds its statements.
  return statement.end - statement.start > 60 &&
    !/\t/.test(text.slice(statement.start, statement.end - 1)) &&
    statement.start > line.start
    ? statement
    : line;
}

const direction =
  /^ ?(?:take|sig|inhale|apply|inject|use|instill|einnehmen|prendre|tomar|assumere|innemen|przyjmować|tas)(?!\p{L})/iu;

/** "Donepezil (Aricept)", "Apixaban | Eliquis", "insulin glargine (Lantus)": one medicine with two names. */
export function isSameEntry(text: string, previous: DrugMention, { drug, start }: DrugMention): boolean {
  return previous.drug.name === drug.name && /^[\s(\t,/=®-]{0,5}$/.test(text.slice(previous.end, start));
}

export function nextOther(text: string, mentions: readonly DrugMention[], index: number): number | undefined {
  const line = text.indexOf('\n', mentions[index]!.end);
  for (let at = index + 1; at < mentions.length && at <= index + 6; at += 1) {
    const next = mentions[at]!;
    if (isSameEntry(text, mentions[at - 1]!, next)) continue;
    // In a row the regimen may stand behind the remark that names another.
    const isRow = text.slice(mentions[index]!.end, next.start).includes('\t') && (line === -1 || next.start < line);
    // A name at the beginning of a cell is an entry of its own: a list in two columns.
    const opensCell = /\t(?:\d{1,2}[.)] )?$/.test(text.slice(Math.max(0, next.start - 5), next.start));
    if (isRow && !opensCell && !hasOwnRegimen(text.slice(next.end, next.end + 40))) continue;
    return next.start;
  }
  return undefined;
}

/**
 * Where the words about a medicine end that its row names again ("Gliclazide 60 mg | Gliclazide: stop"), or that another follows
 * after "and" alone ("simvastatin and clarithromycin stopped").
 */
export function afterItself(
  text: string,
  mentions: readonly DrugMention[],
  index: number,
  line: Range,
): number | undefined {
  const [mention, next, third] = [mentions[index]!, mentions[index + 1], mentions[index + 2]];
  if (next === undefined || next.start >= line.end) return undefined;
  const between = text.slice(mention.end, next.start);
  const isAgain = next.drug.name === mention.drug.name && between.includes('\t');
  const isPair = /^ (?:and|und|et|en|y|e|i|&|\/|\+) $/iu.test(between);
  return isAgain || isPair ? Math.min(line.end, third?.start ?? line.end) : undefined;
}

export function hasOwnRegimen(after: string): boolean {
  return /^[^\t\n]{0,24}\d[\d.,]{0,6} ?(?:mg|g|µg|mcg|ml|IU|IE|U|units?|puffs?|mmol|mEq|tab|cp|-\d)(?!\p{L})|^[^\t\n]{0,16} \d-\d-\d/iu.test(
    after,
  );
}

export function isLaterInRow(text: string, line: Range, mentions: readonly DrugMention[], index: number): boolean {
  const { start } = mentions[index]!;
  const own = text.slice(line.start, start);
  if (!own.includes('\t')) return false;
  // At the beginning of a cell: a list in two columns.
  if (/\t(?:\d{1,2}[.)] )?$/.test(own) && /^\s?[-–]/.test(text.slice(mentions[index]!.end, line.end))) return false;
  const previous = mentions[index - 1];
  return previous !== undefined && previous.start >= line.start && text.slice(previous.end, start).includes('\t');
}

/** The statement after the name for cues, which a next medicine in its list does not end. */
export function restOf(text: string, { end }: Range, line: Range, next: number | undefined): string {
  return text.slice(end, Math.max(end, Math.min(line.end, next ?? line.end, end + 200)));
}

/** "10 mg daily, Zebrane 12.5 mg b.i.d.": a name with its own dose, whether we know it or not, ends what belongs to the one before. */
export function untilOtherProduct(after: string): string {
  const dose = /\d[\d.,]*[ \u00a0]?(?:mg|g|µg|mcg|IU|units?|U|mEq|ml|puffs?)(?!\p{L})/iu.exec(after);
  if (dose === null) return after;
  const from = dose.index + dose[0].length;
  const other = otherProduct.exec(after.slice(from));
  return other === null ? after : after.slice(0, from + other.index);
}

const otherProduct =
  /(?:[,;\n+]|\band\b|[ \u00a0]{1,2}(?=\p{Lu}))[ \t\n]{0,4}(?:and |plus )?(?!(?:then|increas|titrat|total|up|reduc|start|follow|maximum|max|now|with|by|per|each|every|daily|twice|once|three|four|at|in|for|tab|cap|divided|issued|one|two|inhal|bei|alle|toutes|auf|bis|von|zu|dann|danach|zuletzt|puis|jusqu|depuis|hasta|desde|fino|naar|tot|vanaf)\w{0,8}\b)\p{L}[\p{L}-]{2,30}(?:[ -]\p{L}{1,14}){0,2}[ \u00a0]{1,2}\d{1,5}(?:[.,]\d{1,3})?[ \u00a0]?(?:mg|g|µg|μg|mcg|ug|IU|units?|U|mmol|mEq|ml|puffs?|%)(?!\p{L})/iu;
