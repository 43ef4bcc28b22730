/** Covenants in numbered lines and worksheets: a line that names the covenant, and below it the figure and the limit. */
import { type CovenantTest, type Definition, definitionIn, numberIn, outcomeOf } from './covenant-kinds.ts';
import type { DocumentReading } from './document-reading.ts';
import { findProseAmounts, flattened } from './prose-sentences.ts';
import { compare, parseRational, type Rational } from './rational.ts';

/** Maximum number of lines of a covenant. */
const linesMax = 12;
const lineCharactersMax = 400;
const documentLinesMax = 4_000;

const limitCue =
  /(?:(?<!\p{L})(?:max|min)(?:im(?:aal|ale?|a)|\.)?(?!\p{L})|maximum|maximo|maximal|m[áa]xim[oa]|massim[oa]|minimum|minimo|mindest(?:quote|wert)|höchstwert|m[íi]nim[oa]|at least|not less than|no less than|not to exceed|not exceed|no more than|not more than|limit|required|permitted|threshold|covenant(?! (?:EBITDA|net|total|cash|profit))(?: level)?|plafond|seuil|l[íi]mite|soglia|h[öo]chstens|ten hoogste|mindestens|ten minste|grenzwert|exig[ée]|exigido|≤|≥|<=|>=)[^\d;]{0,45}$/iu;
const maximumWords = /max|hoogst|m[áa]x|massim|exceed|no more|not more|plafond|h[öo]chstens|≤|<=/iu;
const minimumWords = /min|m[íi]n|at least|less than|mindestens|≥|>=/iu;
const example = /\b(?:would|example|exemple|ejemplo|beispiel\w*|esempio|if|w[üu]rde|after the step|thereafter)\b/iu;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function covenantsInLines(reading: DocumentReading, testDate: string | undefined): CovenantTest[] {
  const { document } = reading;
  const lines = linesOf(document.text);
  const hasNumbers = lines.some(({ text }) => /^\s{0,8}(?:[IVX]{1,5}|\d{1,2})[.)]\s/.test(text));
  const named = lines.flatMap((line, index) => {
    // "B. Unrestricted cash" below "I. Leverage ratio" is a part of the computation.
    const isPart = hasNumbers && /^\s{0,12}\(?[A-H][.)]\s/.test(line.text);
    const definition = !isPart && isOpening(line.text) ? definitionIn(line.text) : undefined;
    return definition === undefined ? [] : [{ index, definition }];
  });
  return named.flatMap(({ index, definition }, nth): CovenantTest[] => {
    const until = Math.min(named[nth + 1]?.index ?? lines.length, index + linesMax);
    const own = lines.slice(index, until);
    const text = flattened(own.map((line) => line.text.replaceAll('\t', ' ')).join('\n'));
    const test = testOf(text, definition, reading);
    if (test === undefined) return [];
    return [
      {
        covenant: definition.kind,
        ...test,
        outcome: outcomeOf(test.actual, test.limit, test.bound),
        ...(testDate === undefined ? {} : { testDate }),
        start: own[0]!.start,
        end: own.at(-1)!.end,
      },
    ];
  });
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start < text.length && lines.length < documentLinesMax; ) {
    const next = text.indexOf('\n', start);
    const end = next === -1 ? text.length : next;
    if (end > start) lines.push({ start, end, text: text.slice(start, Math.min(end, start + lineCharactersMax)) });
    start = end + 1;
  }
  return lines;
}

/** "II. Section 7.11(b) - Interest Coverage Ratio", "Ratio R2 (EBITDA / frais financiers): 5,4", not a component "A. Consolidated EBITDA". */
function isOpening(text: string): boolean {
  const shown = text.trim();
  if (shown.length < 8 || /^["“«]/.test(shown)) return false;
  const isNamed =
    /^(?:\(?(?:[IVX]{1,5}|\d{1,2}|[a-z])[.)]|section|clause|article|ratio|§|[-•*–])/iu.test(shown) ||
    /^(?:\p{Lu}|Minimum|Maximum).{0,80}(?:ratio|cover|leverage|liquidity|net worth|quote|grad|deckung|verschuldung|investissements|inversiones)/u.test(
      shown,
    );
  return isNamed && !example.test(shown);
}

interface Value {
  readonly value: Rational;
  readonly at: number;
  readonly end: number;
}

function testOf(
  text: string,
  { unit, bound }: Definition,
  reading: DocumentReading,
): Pick<CovenantTest, 'limit' | 'bound' | 'actual'> | undefined {
  const values = unit === 'amount' ? amountsIn(text, reading) : numbersIn(text, unit);
  const limits: (Value & { readonly cue: string })[] = [];
  const actuals: Value[] = [];
  values.forEach((value, index) => {
    const from = Math.max(values[index - 1]?.end ?? 0, value.at - 70);
    const cue = limitCue.exec(text.slice(from, value.at))?.[0];
    if (cue === undefined) actuals.push(value);
    else limits.push({ ...value, cue });
  });
  const [limit] = limits;
  const isOne = limit !== undefined && limits.every(({ value }) => compare(value, limit.value) === 0);
  const actual = isOne ? (actuals.findLast(({ at }) => at < limit.at) ?? actuals[0]) : undefined;
  if (limit === undefined || actual === undefined) return undefined;
  // The parts of a worksheet are not figures of the covenant: with several amounts, only the first line's counts.
  if (unit === 'amount' && actuals.length > 1 && actual !== actuals[0]) return undefined;
  const named = maximumWords.test(limit.cue) ? 'maximum' : minimumWords.test(limit.cue) ? 'minimum' : bound;
  // A leverage ratio has no minimum and a coverage ratio no maximum, so such a limit belongs to something else.
  return named === bound ? { limit: limit.value, bound, actual: actual.value } : undefined;
}

function amountsIn(text: string, { document }: DocumentReading): Value[] {
  return findProseAmounts(text, document.decimalMark).flatMap(({ value, start, end }) => {
    const parsed = parseRational(value);
    return parsed === undefined ? [] : [{ value: parsed, at: start, end }];
  });
}

const ratioShape =
  /(?<![\p{L}\d.,/€$£])(\d{1,3}(?:[.,]\d{1,2})?)(\s{0,2}(?:x\b|×|:\s?1(?:[.,]0{1,2})?(?!\d)|to 1(?:[.,]0{1,2})?\b|times\b|fois\b|veces\b|volte\b|-?fach\b|%|percent\b))?(?![\d(]|[.,]\d|\s?(?:million|mio|m€|k€|€|\$|£|eur|teur|months|monate|mois))/giu;

/** Numbers with the sign of the unit, or with decimals: "2,85", "3.45 to 1.00", "27,3 %". */
function numbersIn(text: string, unit: 'times' | 'percent'): Value[] {
  return [...text.matchAll(ratioShape)].flatMap((match): Value[] => {
    const sign = match[2]?.trim() ?? '';
    const isPercent = sign === '%' || sign === 'percent';
    if (isPercent !== (unit === 'percent') || (sign === '' && !/[.,]/.test(match[1]!))) return [];
    const before = text.slice(Math.max(0, match.index - 12), match.index);
    if (/(?:section|clause|article|§|art\.|ziffer|nr\.?)\s*$/iu.test(before) || /^\s{0,6}$/.test(before)) return [];
    const value = numberIn(match[1]!);
    return value === undefined ? [] : [{ value, at: match.index, end: match.index + match[0].length }];
  });
}
