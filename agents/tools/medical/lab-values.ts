/** Reads laboratory values from lines and tables: name, value, unit, the laboratory's own range and flag. */
import { labelOver } from '../../document/context.ts';
import type { Document } from '../../document/document.ts';
import { lazily } from '../text/lazily.ts';
import type { Range } from '../text/span.ts';
import { type Analyte, analyteByKey, analytes } from './analytes.ts';
import { hasMatch } from './clinical-status.ts';
import { readLabLines } from './lab-lines.ts';
import { readLongForm } from './lab-long-form.ts';
import {
  type DecimalMark,
  flagIn,
  matchEnd,
  numberShape,
  parseValue,
  rangeIn,
  readRest,
  separators,
  strongest,
  unitIn,
} from './lab-parts.ts';
import { bracketed, furtherValue, readValue } from './lab-prose.ts';
import { type LabCells, readLabCells } from './lab-tables.ts';
import { inferUnit, type LabValue, labOf, needsUnit } from './lab-value.ts';
import { sectionAt } from './sections.ts';
import { statementAt } from './statements.ts';
import { relative } from './status-cues.ts';
import { findTerms, indexTerms } from './term-finder.ts';

const names = lazily(() =>
  indexTerms(analytes.flatMap((analyte) => analyte.names.map((name) => [name, analyte] as const))),
);

/** In text order: table rows by their columns, else what follows a name in its sentence. */
export function findLabValues(document: Document): LabValue[] {
  const inTables = readLabTables(document);
  const rows = new Set(inTables.map(({ row }) => row));
  const found: LabValue[] = inTables.map(({ value }) => value);
  const byUnit = new Map<string, string>();
  for (const { analyte, unit, unitIsInferred } of found) if (!unitIsInferred) byUnit.set(analyte.key, unit);
  let candidates = 0;
  const terms = findTerms(document.text, names()).filter(({ end }) => hasNumberAfter(document.text, end));
  for (const [index, { start, end, value: analyte }] of terms.entries()) {
    candidates += 1;
    if (candidates > candidatesMax) break;
    const sentence = statementAt(document, start);
    if (isInRow(rows, document.text, start) || isNoResult(document, sentence, { start, end, value: analyte })) continue;
    // "Labs: Na 131, K 5.8": under such a label numbers need no unit to be laboratory values.
    const isLab =
      isInList(document.text, terms[index - 1], start, end, terms[index + 1]) ||
      laboratoryLabel.test(labelOver(document, start)) ||
      laboratoryStart.test(document.text.slice(sentence.start, sentence.start + 60)) ||
      laboratoryStart.test(document.text.slice(lineStart(document.text, start), start)) ||
      sectionAt(document, start).kind === 'laboratory';
    const context = {
      lineEnd: Math.min(Math.max(cellsEnd(document.text, sentence), end), end + 180),
      isLab,
      usedUnit: byUnit.get(analyte.key),
    };
    const lab = readValue(document, analyte, { start, end }, context);
    if (lab === undefined) continue;
    found.push(lab);
    if (!lab.unitIsInferred) byUnit.set(analyte.key, lab.unit);
    const further = furtherValue(document, lab, context.lineEnd);
    if (further !== undefined) found.push(further);
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Maximum number of names followed by a number that are examined outside tables. */
const candidatesMax = 3_000;

function hasNumberAfter(text: string, end: number): boolean {
  if (bracketed.test(text.slice(end, end + 40))) return true;
  numberShape.lastIndex = matchEnd(separators, text, end) ?? end;
  return numberShape.test(text);
}

/** "ESR 34, CRP 12": quantities that follow each other with nothing but their numbers between are a list of results. */
function isInList(
  text: string,
  before: Range | undefined,
  start: number,
  end: number,
  after: Range | undefined,
): boolean {
  const between = /^[ :=]{0,3}[<>]?\d{1,4}(?:[.,]\d{1,2})?(?: ?\((?:H|L|high|low)\))?[,;]? (?:and )?$/;
  // Abbreviations alone: in words, the same may be a diet or a dose.
  const isShort = (from: number, to: number) => /^\p{Lu}[\p{L}\d-]{1,5}$/u.test(text.slice(from, to));
  if (!isShort(start, end)) return false;
  return (
    (before !== undefined && isShort(before.start, before.end) && between.test(text.slice(before.end, start))) ||
    (after !== undefined && isShort(after.start, after.end) && between.test(text.slice(end, after.start)))
  );
}

/** A value may stand in the cell after its name. */
function cellsEnd(text: string, { end }: Range): number {
  if (text[end - 1] !== '\t') return end;
  const line = text.indexOf('\n', end);
  return line === -1 ? text.length : line;
}

/** Offsets of lines whose values are read by their columns. */
function isInRow(rows: ReadonlySet<number>, text: string, at: number): boolean {
  for (let start = at; at - start < 2_000; start -= 1) {
    if (rows.has(start)) return true;
    if (start === 0 || text[start - 1] === '\n') return false;
  }
  return false;
}

/** Thresholds, goals, other fluids, medicines and relatives. */
function isNoResult(
  document: Document,
  sentence: Range,
  { start, end, value: { key } }: Range & { readonly value: Analyte },
): boolean {
  const { text } = document;
  const before = text.slice(Math.max(sentence.start, start - 40), start);
  if (
    /not patient data|(?<!\p{L})QC(?: lot)?(?!\p{L})|quality control|control material/iu.test(
      text.slice(sentence.start, Math.min(Math.max(sentence.end, end), end + 160)),
    )
  )
    return true;
  // "Pt: M. Villareal" is the patient, "PT 14.2" a time.
  if (text.slice(start, end) === 'Pt' || text.slice(start, end) === 'pt') return true;
  const around = text.slice(Math.max(sentence.start, start - 14), Math.min(Math.max(sentence.end, end), end + 10));
  if (
    (otherFluid.test(around) && !ratios.has(key)) ||
    threshold.test(before) ||
    /^[ ](?:goal|target|threshold)/i.test(text.slice(end, end + 12))
  )
    return true;
  const kind = sectionAt(document, start).kind;
  return (
    kind === 'family' ||
    kind === 'limits' ||
    hasMatch(relative, text.slice(sentence.start, Math.min(start, sentence.start + 40)))
  );
}

const threshold =
  /(?<!\p{L})(?:if|when|until|till|bis|jusqu'à|solange|unless|goal|target|call for|hold for|hold if|keep|maintain|aim(?: for)?|only if|results below|results above|falls?|wenn|falls|si|se|als|indien|bij|jeśli|gdy|ziel\p{L}*|objectifs?|objetivos?|obiettiv[oi]|meta|cel|streef\p{L}*|doel\p{L}*)[^.;,]{0,24}$|(?<!\p{L})\p{L}{4,20} = $/iu;

/** Values of tables with the row of each, by the offset of the row. */
function readLabTables(document: Document): { row: number; value: LabValue }[] {
  const valuesOf = (cells: LabCells) => {
    const value = readCells(cells, document.decimalMark);
    return value === undefined ? [] : [{ row: lineStart(document.text, cells.row), value }];
  };
  const ofTables = document.tables.flatMap((table) =>
    (readLongForm(document, table, analyteOf) ?? readLabCells(document, table, analyteOf)).flatMap(valuesOf),
  );
  const ofLines = readLabLines(document, analyteOf).flatMap(valuesOf);
  const tableRows = Map.groupBy(ofTables, ({ row }) => row);
  const lineRows = Map.groupBy(ofLines, ({ row }) => row);
  // The columns of a table may be those of other lines; of two readings the one with more values, days and units has understood more.
  const isBetter = (row: number) => understood(lineRows.get(row)) > understood(tableRows.get(row));
  return [...ofTables.filter(({ row }) => !isBetter(row)), ...ofLines.filter(({ row }) => isBetter(row))].sort(
    (one, other) => one.value.start - other.value.start,
  );
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function understood(values: readonly { readonly value: LabValue }[] = []): number {
  return values.reduce(
    (sum, { value }) => sum + 2 + (value.date === undefined ? 0 : 2) + (value.unitIsInferred === undefined ? 1 : 0),
    0,
  );
}

/** Measured in urine or stool by their name. */
const ratios: ReadonlySet<string> = new Set(['uacr', 'upcr', 'fit']);

const laboratoryLabel =
  /(?<!\p{L})(?:labs?|laborator(?:y|ies)|labor(?:werte)?|blood (?:work|tests?|results)|chemistr(?:y|ies)|metabolic panel|bmp|cmp|cbc|fbc|u&es?|ues?|lfts?|tfts?|bone profile|coag\w*|clotting|abg|vbg|blood gas\w*|haematology|hematology|laboratoř|(?:klein|groß)\w*es blutbild|blutbild|klinische chemie|hämatologie|blutgas\w*|bga|gerinnung|elektrolyte|leberwerte|nierenwerte|biochimie|hématologie|hémogramme|nfs|ionogramme|iono|gds|bilan \w+|hemograma|bioquímica|gasometr[ií]a|coagulación|coagulação|emocromo|emogas\w*|ega|hemogram|morfologia|biochemia|gazometria|bloedbeeld|bloedgas|nierfunctie|leverwaarden|blodstatus|elstatus|leverstatus|blodgas|væsketal|levertal|infektionstal|provsvar|lab|blodprover|blodprøver)(?!\p{L})/iu;

/** "Labs from 09/15/2024 showed …", "Her admission bloods: …". */
const laboratoryStart =
  /^\s*(?:(?:his|her|the|recent|admission|initial|repeat|latest|most recent|today's|die|das|la|le) ){0,3}(?:labs?|lab (?:work|results|data)|laborator(?:y|ies)\p{L}*|bloods|blood (?:work|tests?|results)|chemistr(?:y|ies)|laborwerte|labor|bilan|analítica)(?!\p{L})/iu;

const otherFluid = /\b(?:urine|urinary|csf|stool|pleural|ascit\w{0,3})\b/i;

/** "Albumina / creatinina" is one name. */
const joined = (label: string): string => label.replace(/ ?\/ ?/g, '/');

/** Levels of medicines, whose names in prose are doses: as labels of rows only. */
const levels = new Map(
  ['digoxin', 'lithium', 'phenytoin', 'valproate', 'vancomycin', 'tacrolimus'].flatMap((key) => {
    const analyte = analyteByKey.get(key);
    return analyte === undefined ? [] : [[key, analyte] as const];
  }),
);

const isPartOfUnit = (label: string, start: number, end: number): boolean =>
  /^(?:mg|mmol|meq)$/i.test(label.slice(start, end)) && /^\/\p{L}/u.test(label.slice(end, end + 2));

/** The quantity that a label names; a quantity that is not measured in blood is a different one. */
function analyteOf(written: string): Analyte | undefined {
  const label = joined(written);
  if (label.length > 80 || /^[Pp]t(?!\p{L})/u.test(label)) return undefined;
  const level = levels.get(label.toLowerCase().replace(/ ?\(.*$/, ''));
  if (level !== undefined) return level;
  // "Phos (mg/dL)": a unit is no magnesium.
  const first = findTerms(label, names()).find(({ start, end }) => !isPartOfUnit(label, start, end));
  const isOther = otherFluid.test(label) || /\b(?:ratio|clearance|fluid)\b/i.test(label);
  if (isOther && !ratios.has(first?.value.key ?? '')) return undefined;
  return first !== undefined && first.start <= 20 ? first.value : undefined;
}

function readCells(
  { analyte, label, value, unit: unitCell, range: rangeCell, flag: flagCell, date, start, end }: LabCells,
  mark: DecimalMark,
): LabValue | undefined {
  numberShape.lastIndex = 0;
  const match = numberShape.exec(value);
  if (match === null || match.index !== 0) return undefined;
  const after = value.slice(numberShape.lastIndex);
  // "5 mg", "20 tablets": an amount of a medicine.
  if (/^[ \u00a0]?(?:mg|g|mcg|µg|ml|tab\p{L}{0,5}|units?|IU|IE|Stück|cp)(?![\p{L}/])/iu.test(after)) return undefined;
  const rest = readRest(value, numberShape.lastIndex, value.length, mark);
  const inRange = /\d\s(\p{L}.{0,20}|%)$/u.exec(rangeCell ?? '')?.[1];
  const written =
    rest.unit ??
    unitIn(unitCell) ??
    unitIn(inRange) ??
    unitIn(rangeCell) ??
    unitIn(label.split(' ').at(-1)) ??
    unitIn(/[([]([^()[\]]{1,20})[)\]]/.exec(label)?.[1]);
  const range = rest.range ?? rangeIn(rangeCell, mark, written);
  const unit =
    written ??
    (needsUnit(analyte) ? inferUnit(analyte, parseValue(match[2]!, '', mark) ?? Number.NaN, range) : analyte.unit);
  if (unit === undefined) return undefined;
  const name = joined(label);
  const [named] = findTerms(name, names());
  return labOf(analyte, match, {
    label: named === undefined ? name : name.slice(named.start, named.end),
    mark,
    unit,
    range,
    // "6.7 C", in a cell of results: critical.
    flag: /^[ ]?(?:C|PP)$/.test(after) ? 'critical' : strongest(rest.flag, flagIn(flagCell)),
    start,
    end,
    extra: {
      ...(written === undefined && needsUnit(analyte) ? { unitIsInferred: true as const } : {}),
      ...(date === undefined ? {} : { date }),
    },
  });
}
